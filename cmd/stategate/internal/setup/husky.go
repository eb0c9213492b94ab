package setup

import (
	"path"
	"regexp"
	"strings"
)

const huskyDir = ".husky"

// leavesEarly matches a line that may prevent later lines from running.
var leavesEarly = regexp.MustCompile(`(?m)^\s*(exec|exit)\b`)

// husky adds a line to husky's scripts, which stop at the first failing command.
func husky(p *Plan) error {
	line := hookCommand
	if strings.HasPrefix(p.program,
		"npx ") { // a package in the project; husky 8 and older do not add its programs to PATH
		line = "npx " + hookCommand
	}
	if p.first([]string{huskyDir}) == "" {
		if found, err := otherHook(p, "husky"); found || err != nil {
			return err
		}
	}
	for _, hook := range gatedHooks {
		name := path.Join(huskyDir, hook)
		text, mode, err := read(p.Top, name)
		switch script := string(text); {
		case err != nil:
			return err
		case callsGate(script):
			p.same = append(p.same, name)
		case leavesEarly.MatchString(script):
			p.Asks = append(p.Asks, name+" may exit before its last line; add this line before the exit: "+line)
		case text == nil:
			p.put(name, nil, []byte(line+"\n"), 0o755, "") // husky 8 and older: git runs the file itself
		default:
			p.put(name, text, []byte(withLines(script, line+"\n")), mode, "the line "+line)
		}
	}
	if p.first([]string{huskyDir + "/_"}) == "" {
		p.next = append(p.next, "npx husky (once in every clone)")
	}
	return nil
}

func withLines(text, lines string) string {
	if text == "" {
		return lines
	}
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	if !strings.HasSuffix(text, "\n") {
		text += newline
	}
	return text + strings.ReplaceAll(lines, "\n", newline)
}
