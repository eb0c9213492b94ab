package journal

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"
)

// FuzzJournal: a journal that is sealed with the right key, whatever its content, changes nothing outside the
// directories that it names and nothing of git's. Anything doubtful is an error.
func FuzzJournal(f *testing.F) {
	hostile := func(v any) string { text, _ := json.Marshal(v); return string(text) }
	record := hostile(header{Format: format, Group: "g", About: About{Root: "w"}})
	old := &state{Sum: sumOf([]byte("bad"))}
	f.Add(record, hostile(step{Path: "w/plan.md", Was: old, Is: &state{Sum: sumOf([]byte(before["w/plan.md"]))}}),
		hostile(step{Path: "w/new.md", Was: old}), "bad")
	f.Add(record, hostile(step{From: "w/rounds", Path: "w/old", Was: &state{Dir: true}}),
		hostile(step{Path: "w/empty", Was: &state{Dir: true}}), "")
	f.Add(strings.Replace(record, `"w"`, `"."`, 1), hostile(step{Path: ".git/config", Was: old}),
		hostile(step{Path: "../x", Was: old}), "bad")
	f.Add(strings.Replace(record, `"w"`, `"w/../other"`, 1), "{}",
		hostile(step{From: "w", Path: "other/w", Was: &state{Dir: true, Made: true}}), "bad")
	f.Fuzz(func(t *testing.T, record, first, second, bytes string) {
		w := newWorld(t, "")
		makeParents(t, w.tree, ".git/config")
		must(t, w.tree.Write(".git/config", []byte("[core]"), Attributes{}))
		was := show(w.tree)
		e := &entry{id: "0000000123456789", state: open}
		must(t, w.journal.Mkdir(e.dir(), Attributes{}))
		r := &records{}
		for name, text := range map[string]string{recordName: record, stepName(0): first, stepName(1): second} {
			sealed := slices.Concat(r.seal(e, name, []byte(text)), []byte("\n"), []byte(text), []byte("\n"))
			must(t, w.journal.Write(path.Join(e.dir(), name), sealed, ownerOnly))
		}
		for n := range 2 {
			must(t, w.journal.Write(path.Join(e.dir(), backupName(n)), []byte(bytes), ownerOnly))
		}
		_, _ = resumed(w.tree, w.journal, "", nil)
		var h header
		_ = json.Unmarshal([]byte(record), &h)
		outside := func(lines []string) (list []string) {
			for _, line := range lines {
				name, _, _ := strings.Cut(line, " ")
				inside := slices.ContainsFunc(h.roots(), func(root string) bool {
					return root == "." && !strings.HasPrefix(name, ".git") || name == root ||
						strings.HasPrefix(name, root+"/") || strings.HasPrefix(root, strings.TrimSuffix(name, "/")+"/")
				})
				if !inside {
					list = append(list, line)
				}
			}
			return list
		}
		if got, want := outside(show(w.tree)), outside(was); !slices.Equal(got, want) {
			t.Fatalf("outside of %q there was\n%s\nnow\n%s", h.roots(), strings.Join(want, "\n"),
				strings.Join(got, "\n"))
		}
	})
}
