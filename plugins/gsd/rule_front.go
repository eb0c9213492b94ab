package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// frontUnread reports front matter that tools ignore because its first line is not ---, and front matter that only the
// base has. document-cut-short reports front matter that lost its end.
func frontUnread(r *check.Report, m *model) {
	m.frontOf(r, r.Docs.Get(statePath), "", false)
	m.frontTwice(r)
	for _, ph := range m.phases {
		for _, p := range ph.plans {
			m.frontOf(r, p.doc, ph.subject(), true)
		}
		for _, s := range ph.reports {
			if m.frontOf(r, s.doc, ph.subject(), false); s.endless {
				end := len(strings.TrimRight(s.doc.Text, "\r\n"))
				at := sdk.AtBytes(s.doc.Path, end, len(s.doc.Text))
				r.Whole(s.doc.Path, file(s.doc.Path)+
					"'s front matter is not read because it has no closing ---").As(sdk.Info).
					About(ph.subject()).Keyed(file(s.doc.Path)).Offer(sdk.Review, "Add --- at the end",
					sdk.Replace(at, "\n---\n"))
			}
		}
		for _, v := range append(ph.checks[:len(ph.checks):len(ph.checks)], ph.uats...) {
			m.frontOf(r, r.Docs.Get(v.path), ph.subject(), v.status == "")
		}
	}
}

// frontTwice reports a second front matter in STATE.md, directly below the first, which a merge may leave behind.
// Versions of the tool differ in which of the two they read.
func (m *model) frontTwice(r *check.Report) {
	twice := func(d *sdk.Document) (body string) {
		body = strings.TrimLeft(front(d).Body, " \t\r\n")
		first, rest, _ := strings.Cut(body, "\n")
		if first = strings.TrimSpace(first); (first == "---" || first == "***") && keyed(rest) && closed(rest) {
			return body
		}
		return ""
	}
	d := m.state.doc
	if !d.Readable() {
		return
	}
	if body := twice(d); body != "" {
		at := len(d.Text) - len(body)
		f := r.At(sdk.AtLine(statePath, 1+strings.Count(d.Text[:at], "\n")),
			"STATE.md has a second front matter; commands read only one of the two").Keyed("second").
			Advise("Keep one front matter",
				"Keep the front matter with the current milestone and progress, and remove the other.")
		if was := m.before(statePath); !was.Readable() || twice(was) != "" {
			f.As(sdk.Warning)
		}
	}
}

// frontOf checks one document. If needed is set, it also reports a document that has no front matter if the base has
// it.
func (m *model) frontOf(r *check.Report, d *sdk.Document, subject string, needed bool) {
	if !d.Readable() || hasFront(d) {
		return
	}
	bare := strings.TrimLeft(d.Text, " \t\r\n\ufeff")
	rest, opened := strings.CutPrefix(bare, "---")
	rest = strings.TrimLeft(rest, "- \t\r\n")
	was := m.before(d.Path)
	known := was.Readable() && hasFront(was)
	f := (*check.Finding)(nil)
	switch {
	case keyed(bare) && closed(bare):
		f = r.At(sdk.AtLine(d.Path, 1), file(d.Path)+"'s front matter is not read because its first line is not ---").
			Offer(sdk.Review, "Insert --- as the first line", begin(d, bare)...)
	case opened && keyed(rest) && closed(rest):
		f = r.At(sdk.AtLine(d.Path, 1), file(d.Path)+
			"'s front matter is not read because its first line is not exactly ---").
			Offer(sdk.Review, "Change the first line to ---", begin(d, rest)...)
	case known && needed && !unclosed(d):
		f = r.Whole(d.Path, file(d.Path)+
			" has no front matter, but the base has one").Advise("Restore the front matter",
			"Restore the front matter from the base, and update it.")
	default:
		return
	}
	if f.About(subject).Keyed(file(d.Path)); !known {
		f.As(sdk.Warning)
	}
}

// closed reports whether a separator follows the keys of a front matter.
func closed(keys string) bool {
	start, _ := separator(keys)
	return start > 0
}

// separator returns the offsets of the line after the keys that begins with ---, or zeros if there is none. The line
// may also be ***, which formatters write if they do not recognize the keys as front matter.
func separator(keys string) (start, end int) {
	for line := range strings.Lines(keys) {
		bare := strings.TrimRight(line, "\r\n")
		if end = start + len(bare); start > 0 && (strings.HasPrefix(bare, "---") || bare == "***") {
			return start, end
		}
		start += len(line)
	}
	return 0, 0
}

// begin returns the edits that replace the text before a document's first key with ---. If the line after its last key
// is ***, they replace that line as well.
func begin(d *sdk.Document, keys string) []sdk.Edit {
	line, _, _ := strings.Cut(keys, "\n")
	before := len(d.Text) - len(keys)
	edits := []sdk.Edit{sdk.Replace(sdk.AtBytes(d.Path, 0, before+len(line)), "---\n"+sdk.Literal(line))}
	if start, end := separator(keys); keys[start:end] == "***" {
		edits = append(edits, sdk.Replace(sdk.AtBytes(d.Path, before+start, before+end), "---"))
	}
	return edits
}

// before returns a document in the base, or nil if there is none.
func (m *model) before(path string) *sdk.Document {
	if m.base == nil {
		return nil
	}
	return m.base.docs.Get(path)
}

// keyed reports whether a text's first two lines look like front matter: a key, followed by another key or a list item.
func keyed(text string) bool {
	first, rest, _ := strings.Cut(text, "\n")
	second, _, _ := strings.Cut(rest, "\n")
	return isKey(first) && (isKey(strings.TrimLeft(second, " ")) ||
		strings.HasPrefix(strings.TrimLeft(second, " "), "- "))
}

func isKey(line string) bool {
	name, value, ok := strings.Cut(line, ":")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_-") == "" &&
		(strings.TrimSpace(value) == "" || value[0] == ' ')
}
