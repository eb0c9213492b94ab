package print

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/stategate/stategate/host/result"
)

const contextLines = 3

// Diff writes changes as a unified diff with git's extended headers, which `git apply` and `patch -p1` understand.
// If a file's bytes are unknown, or contain characters that are shown escaped, a line before the file says that
// this part of the diff cannot be applied. Such a line also describes changes to directories, which a diff cannot
// express.
func Diff(w io.Writer, changes []result.FileChange, o Options) error {
	p := &differ{newPrinter(w, o)}
	// Remove the old entries first, because new ones may reuse their names.
	for _, made := range [2]bool{false, true} {
		for _, c := range changes {
			if (c.From == "") == made {
				p.change(c)
			}
		}
	}
	return p.w.Flush()
}

type differ struct{ *printer }

func (p *differ) change(c result.FileChange) {
	if strings.HasSuffix(c.From+c.To, "/") {
		p.directory(c)
		return
	}
	body, err := hunks(c)
	text := strings.SplitAfter(body, "\n")
	switch {
	case err != nil:
		p.note("the difference cannot be computed: " + err.Error())
	case c.Unread && c.To == "":
		p.note("its bytes were not read, so this part cannot be applied")
	case slices.ContainsFunc(text, altered):
		p.note("shown with escapes, so this part cannot be applied")
	}
	p.fileHeader(c, body != "")
	for _, line := range text {
		if line != "" {
			p.diffLine(line)
		}
	}
}

// note writes a line that diff tools skip.
func (p *differ) note(text string) { p.line(p.faint("stategate: " + Safe(text))) }

func (p *differ) directory(c result.FileChange) {
	switch {
	case c.From == "":
		p.note("create the directory " + c.To)
	case c.To == "":
		p.note("remove the empty directory " + c.From)
	default:
		p.note("move the directory " + c.From + " to " + c.To + " with everything in it; this part cannot be applied")
	}
}

// hunks returns the diff of the two texts without its two header lines.
func hunks(c result.FileChange) (string, error) {
	if c.Unread {
		return "", nil
	}
	before, after := string(c.Before), string(c.After)
	u, err := udiff.ToUnifiedDiff("a", "b", before, udiff.Lines(before, after), contextLines)
	if err != nil {
		return "", err
	}
	number(u.Hunks)
	return strings.TrimPrefix(u.String(), "--- a\n+++ b\n"), nil
}

// number sets the start lines of hunks in the new text. The library ignores the lines between two changes in a
// hunk, but git looks for a hunk at its stated line first.
func number(hunks []*udiff.Hunk) {
	grown := 0
	for _, h := range hunks {
		h.ToLine = h.FromLine + grown
		for _, line := range h.Lines {
			switch line.Kind {
			case udiff.Insert:
				grown++
			case udiff.Delete:
				grown--
			}
		}
	}
}

func (p *differ) fileHeader(c result.FileChange, differs bool) {
	from, to := cmp.Or(c.From, c.To), cmp.Or(c.To, c.From)
	if p.how.Width == 0 || !differs { // on a terminal, the lines below name the file again
		p.line(p.bold("diff --git " + gitName("a/"+from) + " " + gitName("b/"+to)))
	}
	switch {
	case c.From == "":
		p.line(p.bold("new file mode 100644"))
	case c.To == "":
		p.line(p.bold("deleted file mode 100644"))
	case c.From != c.To && !differs:
		p.line(p.bold("similarity index 100%"))
		fallthrough
	case c.From != c.To:
		p.line(p.bold("rename from " + gitName(c.From)))
		p.line(p.bold("rename to " + gitName(c.To)))
	}
	if differs {
		p.line(p.bold("--- " + side("a/", c.From)))
		p.line(p.bold("+++ " + side("b/", c.To)))
	}
}

func side(prefix, name string) string {
	if name == "" {
		return "/dev/null"
	}
	quoted := gitName(prefix + name)
	if strings.Contains(quoted, " ") && quoted[0] != '"' {
		quoted += "\t" // like git, which marks the end of the name this way
	}
	return quoted
}

// gitName quotes a name the way git does, if it needs quoting.
func gitName(name string) string {
	if Safe(name) == name && !strings.ContainsAny(name, `"\`) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ' || c >= 0x7f || c == ':' || c == '#':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

func (p *differ) diffLine(line string) {
	text := diffText(line)
	switch line[0] {
	case '@':
		text = p.paint(cyan, text)
	case '-':
		text = p.paint(red, text)
	case '+':
		text = p.paint(green, text)
	}
	p.line(text)
}

// altered reports whether sanitizing changes a diff line.
func altered(line string) bool { return diffText(line) != strings.TrimSuffix(line, "\n") }

// diffText returns a sanitized diff line. It keeps tabs and the carriage return of a line ending, which are harmless
// to a terminal.
func diffText(line string) string {
	line = strings.TrimSuffix(line, "\n")
	text, end := line, ""
	if rest, ok := strings.CutSuffix(line, "\r"); ok {
		text, end = rest, "\r"
	}
	parts := strings.Split(text, "\t")
	for i, part := range parts {
		parts[i] = visible(part)
	}
	return disarm(strings.Join(parts, "\t")) + end
}
