package print

import "strings"

// markdown returns a text as Markdown that shows it. Only code spans keep their
// meaning: links, images, HTML and mentions of a hostile text are shown, not
// obeyed.
func markdown(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimRight(text, "\r\n")) {
		lines = append(lines, markdownLine(strings.TrimRight(line, "\r\n")))
	}
	return strings.Join(lines, "\n")
}

func markdownLine(line string) string {
	line = Safe(line)
	parts := strings.Split(line, "`")
	if len(parts)%2 == 0 { // a backtick without its partner
		return markdownPlain(line, true)
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 1 {
			b.WriteString("`" + part + "`")
			continue
		}
		b.WriteString(markdownPlain(part, i == 0))
	}
	return b.String()
}

// markdownPlain escapes what has a meaning inside a line, and at its start what
// begins a block.
func markdownPlain(s string, start bool) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if start && opensBlock(s[:i], c) || strings.IndexByte("\\`*_[]<>|~&!@#$", c) >= 0 || strings.HasPrefix(s[i:], "://") || c == '.' && strings.HasSuffix(s[:i], "www") {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// opensBlock reports whether c after before makes a list, a heading or a rule.
func opensBlock(before string, c byte) bool {
	before = strings.TrimLeft(before, " ")
	if c == '.' || c == ')' {
		return before != "" && strings.Trim(before, "0123456789") == ""
	}
	return before == "" && strings.IndexByte("+-=", c) >= 0
}

// markdownCell returns a text as it may stand in a cell of a table.
func markdownCell(text string) string { return markdownPlain(Safe(text), true) }
