package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quotedFile matches a file name in backquotes.
var quotedFile = regexp.MustCompile("`([\\w./-]+\\.(?:json|yaml|txtar|md))`")

// A pageReader holds the state of a reader who follows a page.
type pageReader struct {
	t       *testing.T
	dir     string
	printed string // output of the last commands
	mistake string // the page's example of a misspelled key
	ran     int
}

// TestTheExampleOfTheDeclarationPageWorks follows the page "Write a gate in a text file": it writes the page's files,
// runs its commands in order, and checks that they print what the page shows.
func TestTheExampleOfTheDeclarationPageWorks(t *testing.T) {
	needBuiltIns(t)
	page, err := os.ReadFile(filepath.Join(docs, "declare.md"))
	if err != nil {
		t.Fatal(err)
	}
	r := &pageReader{t: t, dir: t.TempDir()}
	r.shell("git init -q")
	before, language, text := "", "", ""
	for line := range strings.Lines(string(page)) {
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && language == "":
			language, text = fence, ""
		case isFence:
			r.block(before, language, text)
			before, language = "", ""
		case language != "":
			text += line
		case strings.TrimSpace(line) != "":
			before = line
		}
	}
	lab := filepath.Join(r.dir, ".stategate", "workflows", "lab.yaml")
	good, err := os.ReadFile(lab)
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.Replace(string(good), "!has(it.result)", "!has(it.resullt)", 1)
	if err := os.WriteFile(lab, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	r.printed = ""
	if r.shell("stategate check || test $? = 2"); r.printed != r.mistake {
		t.Errorf("the page shows\n%s\nprinted is\n%s", r.mistake, r.printed)
	}
	if r.ran < 6 {
		t.Errorf("the page has %d commands", r.ran)
	}
}

func (r *pageReader) block(before, language, text string) {
	r.t.Helper()
	switch language {
	case "sh":
		r.printed = ""
		for line := range strings.Lines(text) {
			r.shell(line)
		}
	case "text":
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.Contains(text, "resullt") {
				r.mistake = text
			} else if !strings.Contains(r.printed, line) {
				r.t.Errorf("the page says %q; printed is\n%s", line, r.printed)
			}
		}
	default:
		if name := quotedFile.FindStringSubmatch(before); name != nil {
			file := filepath.Join(r.dir, filepath.FromSlash(name[1]))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				r.t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				r.t.Fatal(err)
			}
		}
	}
}

// shell runs a command line. Only a closed gate may fail.
func (r *pageReader) shell(line string) {
	r.t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"XDG_CACHE_HOME="+sharedCache)
	out, err := cmd.CombinedOutput()
	r.printed += string(out)
	r.ran++
	if err != nil && !strings.Contains(string(out), "the gate is closed") {
		r.t.Errorf("%s: %v\n%s", line, err, out)
	}
}
