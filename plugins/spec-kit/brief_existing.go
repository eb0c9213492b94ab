package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/words"
)

// begun lists the open tasks whose new files exist: perhaps only their ticks are missing. A file that a ticked task
// names does not count.
func (m *model) begun(p *sdk.Pass) (list []*task) {
	var others []string
	for i := range m.list {
		if t := &m.list[i]; t.state == done {
			others = append(others, evidence.Paths(t.files())...)
		}
	}
	s, name := m.newSearch(p), ""
	if _, rest, _ := strings.Cut(p.Name, "-"); strings.IndexByte(rest, '-') > 0 { // a single word is too common
		name = squeeze(rest)
	}
	for i := range m.list {
		t := &m.list[i]
		if t.state != open || !t.Boxed() {
			continue
		}
		own := func(f evidence.File) bool {
			return !slices.Contains(others, f.Path) && (isNew(f, name) || t.making() && t.isNamedLike(f))
		}
		if s.Exist(append(t.newDirs(), t.files()...), own) {
			list = append(list, t)
		}
	}
	return list
}

// ofDirs matches words before the path of a directory that a task creates.
var ofDirs = words.ListOf("director", "folder", "structure", "estrutura", "estructura", "pasta", "目录")

// newDirs lists the directories that a task creates without naming a file: "Create directory src/core/store/".
func (t *task) newDirs() (list []evidence.File) {
	at, slash := ofDirs.Index(t.Title), strings.IndexByte(t.Title, '/')
	if at >= 0 && at < slash && !strings.Contains(t.Title[at:slash], " in ") && t.making() && len(t.files()) == 0 {
		for _, dir := range evidence.Dirs(t.Title) {
			list = append(list, evidence.File{Path: strings.TrimSuffix(dir, "/"), Use: evidence.Made})
		}
	}
	return list
}

// isNew reports whether a file is the feature's own: its task creates it, or it has the feature's name.
func isNew(f evidence.File, feature string) bool {
	return f.Use == evidence.Made || feature != "" && (f.Use == evidence.Mentioned || f.Use == evidence.MadeIn) &&
		strings.Contains(squeeze(evidence.Name(f.Path)), feature)
}

// isNamedLike reports whether a task names something like the file that contains it: "Create `Cart` in src/Cart.kt".
func (t *task) isNamedLike(f evidence.File) bool {
	name, _, _ := strings.Cut(evidence.Name(f.Path), ".")
	return name != lower(name) && strings.Count(t.Title, name) > 1
}

// squeeze returns a name in lowercase, without the separators between its words and without a plural "s".
func squeeze(name string) string {
	parts := strings.FieldsFunc(lower(name), func(c rune) bool { return c == '-' || c == '_' })
	return strings.TrimSuffix(strings.Join(parts, ""), "s")
}
