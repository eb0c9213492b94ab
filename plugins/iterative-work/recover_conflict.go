package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// resolutions proposes how to resolve merge conflicts in Markdown documents: restore the base's document or, if only
// new entries of progress.md conflict, keep both sides.
func (m *model) resolutions() (list []sdk.Remedy) {
	for _, d := range m.docs.All() {
		if !d.Conflicted() || d.Path == statePath {
			continue
		}
		add := func(title string, edits ...sdk.Edit) {
			list = append(list, sdk.Remedy{Title: title, Safety: sdk.Review, Fixes: []string{wire.RuleUnreadable},
				Edits: append([]sdk.Edit{sdk.Aside(d.Path, "conflict")}, edits...)})
		}
		if text := bothSides(d.Text); d.Path == logPath && m.inOrder(text) {
			add("Keep the entries of both sides in progress.md", sdk.Create(d.Path, sdk.Literal(text)))
		}
		if was := m.base.docs.Get(d.Path); was.Readable() {
			add("Restore "+d.Path+" from the base", sdk.Restore(d.Path))
		}
	}
	return list
}

// bothSides returns a text with both sides of each merge conflict, without the markers and the common ancestor. If the
// markers are incomplete, or a side does not begin with an entry, it returns "".
func bothSides(text string) string {
	var kept strings.Builder
	side, fresh := byte(0), false // the last marker, and whether no text has followed it yet
	for line := range strings.Lines(text) {
		mark := byte(0)
		if len(line) > 7 && strings.Count(line[:7], line[:1]) == 7 {
			mark = line[0]
		}
		switch {
		case mark == '<' && side == 0, mark == '|' && side == '<', mark == '=' && (side == '<' || side == '|'):
			side, fresh = mark, true
		case mark == '>' && side == '=':
			side, fresh = 0, true
		case mark != 0 && strings.IndexByte("<|>", mark) >= 0, mark == '=' && side != 0:
			return ""
		case side == '|':
		case fresh && strings.TrimSpace(line) != "" && line[0] != '#':
			return ""
		default:
			fresh = fresh && strings.TrimSpace(line) == ""
			kept.WriteString(line)
		}
	}
	if side != 0 {
		return ""
	}
	return kept.String()
}

// inOrder reports whether a resolved log has every entry of the base, and its entries are in chronological order and
// have different names. Otherwise, two sessions worked on the same thing, and a person must decide.
func (m *model) inOrder(text string) bool {
	seen, named := map[string]bool{}, map[string]bool{}
	var last *entry
	for line := range strings.Lines(text) {
		title := strings.TrimLeft(line, "#")
		e := &entry{}
		if level := len(line) - len(title); level == 0 || !e.heading(level, strings.TrimSpace(title), "") {
			continue
		}
		key := e.id + " " + say.Int(int(e.kind)) + " " + say.Int(e.number)
		if m.base.log.has(e) == nil && e.kind == work && seen[key] ||
			last != nil && last.when.Precision > 0 && e.when.Before(last.when, 0) {
			return false
		}
		seen[key], named[e.name()], last = true, true, e
	}
	return last != nil && !slices.ContainsFunc(m.base.log.entries, func(was *entry) bool { return !named[was.name()] })
}

// has returns the entry with the same name as e, or nil if there is none.
func (j *journal) has(e *entry) *entry {
	if i := slices.IndexFunc(j.entries, func(o *entry) bool { return o.name() == e.name() }); i >= 0 {
		return j.entries[i]
	}
	return nil
}
