package kiro

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A remainder is the part of a lost document that files with a similar name contain, because the document was renamed
// or split. A name alone proves nothing, and Kiro reads none of these files.
type remainder struct {
	files      []string // named like the lost document
	noun       string
	kept, lost int
}

// all reports whether the whole text moved: every task, or nine of ten lines of prose.
func (r remainder) all() bool {
	return r.kept > 0 && (r.lost == 0 || r.noun == "line" && r.kept >= 9*r.lost)
}

// most reports whether so much of the text moved that the rest may have been rewritten.
func (r remainder) most() bool { return r.kept > 0 && r.kept >= r.lost }

// says returns the part of a message that says how much of the document the files contain.
func (r remainder) says(path string) string {
	if len(r.files) == 0 {
		return ""
	}
	text := "; " + say.And(r.files...) + " " + say.Has(len(r.files)) + " " + say.Int(r.kept) + " of its " +
		say.Count(r.kept+r.lost, r.noun)
	if r.most() {
		text += ", but Kiro only reads " + path
	}
	return text
}

// renamed returns the new file that has all of a lost document's text, or "".
func (m *model) renamed(r remainder) string {
	if len(r.files) != 1 || !r.all() || m.base.docs.Get(r.files[0]) != nil {
		return ""
	}
	return r.files[0]
}

// isBugfix reports whether requirements.md became bugfix.md, which Kiro reads in its place.
func (m *model) isBugfix(path string) bool {
	return path == "requirements.md" && m.holds("bugfix.md") && m.remainderOf(path).all()
}

// remainderOf searches for the text of a lost document in the files with a similar name.
func (m *model) remainderOf(path string) remainder {
	r := remainder{noun: "line"}
	if m.docs.Get(path) != nil || path == "spec.json" {
		return r
	}
	var list []*sdk.Document
	for _, d := range m.docs.All() {
		if d.Format == sdk.Markdown && isNamedFor(stageOf(path), d.Path) {
			if r.files = append(r.files, d.Path); d.Readable() {
				list = append(list, d)
			}
		}
	}
	was := m.base.docs.Get(path)
	if path == "tasks.md" && len(m.base.tasks) > 0 {
		r.noun = "task"
		there := map[string]bool{}
		for _, d := range list {
			for _, t := range readTasks(d) {
				there[t.FoldedTitle()] = true
			}
		}
		for _, t := range m.base.tasks {
			if there[t.FoldedTitle()] {
				r.kept++
			}
		}
		r.lost = len(m.base.tasks) - r.kept
	} else if was.Readable() {
		all := 0
		r.kept, all = check.Kept(was, list...)
		r.lost = all - r.kept
	}
	return r
}

// isNamedFor reports whether a file's name, or that of its directory, contains the name of a stage.
func isNamedFor(stage, path string) bool {
	return strings.Contains(words.Lower(path), strings.TrimSuffix(stage, "s")) ||
		stage == "requirements" && path == "bugfix.md"
}
