package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

// frontUnread is about documents of which a front matter can be seen that nobody reads, since its first line is no ---; or, where nothing
// of it is left, that the base has. One without an end that the base has is cut short.
func frontUnread(r *check.Report, m *model) {
	m.frontOf(r, r.Docs.Get(statePath), "", false)
	for _, ph := range m.phases {
		for _, p := range ph.plans {
			m.frontOf(r, p.doc, ph.subject(), true)
		}
		for _, s := range ph.reports {
			m.frontOf(r, s.doc, ph.subject(), false)
		}
		for _, v := range append(ph.checks[:len(ph.checks):len(ph.checks)], ph.uats...) {
			m.frontOf(r, r.Docs.Get(v.path), ph.subject(), v.status == "")
		}
	}
}

// frontOf begins the finding of one document; needed says that it is lost where it is gone as a whole.
func (m *model) frontOf(r *check.Report, d *sdk.Document, subject string, needed bool) {
	if !d.Readable() || len(front(d).Nodes) > 0 {
		return
	}
	bare := strings.TrimLeft(d.Text, " \t\r\n\ufeff")
	rest, opened := strings.CutPrefix(bare, "---")
	rest = strings.TrimLeft(rest, "- \t\r\n")
	was := m.before(d.Path)
	known := was.Readable() && len(front(was).Nodes) > 0
	f := (*check.Finding)(nil)
	switch {
	case keyed(bare) && strings.Contains(bare, "\n---"):
		f = r.At(sdk.AtLine(d.Path, 1), "the front matter of "+file(d.Path)+" is not read: its first line is not ---").
			Offer(sdk.Review, "Put --- in front", begin(d, bare))
	case opened && keyed(rest) && strings.Contains(rest, "\n---"):
		f = r.At(sdk.AtLine(d.Path, 1), "the front matter of "+file(d.Path)+" is not read: its first line is not --- alone").
			Offer(sdk.Review, "Begin with ---", begin(d, rest))
	case known && needed && !unclosed(d):
		f = r.Whole(d.Path, file(d.Path)+" has no front matter; the base has one").Advise("Put it back", "Put the front matter of the base back, and bring it up to date.")
	default:
		return
	}
	if f.Of(subject).Keyed(file(d.Path)); !known {
		f.As(sdk.Warning)
	}
}

// begin puts --- before the first key of a document, in place of what is there.
func begin(d *sdk.Document, keys string) sdk.Edit {
	line, _, _ := strings.Cut(keys, "\n")
	return sdk.Replace(sdk.AtBytes(d.Path, 0, len(d.Text)-len(keys)+len(line)), "---\n"+line)
}

// before is a document in the base, nil if there is none.
func (m *model) before(path string) *sdk.Document {
	if m.base == nil {
		return nil
	}
	return m.base.docs.Get(path)
}

// keyed reports whether the first two lines of a text are those of front matter: a key, and another one or an item of its list.
func keyed(text string) bool {
	first, rest, _ := strings.Cut(text, "\n")
	second, _, _ := strings.Cut(rest, "\n")
	return isKey(first) && (isKey(strings.TrimLeft(second, " ")) || strings.HasPrefix(strings.TrimLeft(second, " "), "- "))
}

func isKey(line string) bool {
	name, value, ok := strings.Cut(line, ":")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_-") == "" && (strings.TrimSpace(value) == "" || value[0] == ' ')
}
