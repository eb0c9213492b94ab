package legalmemo

import (
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/sdktest"
)

// A damage changes one state file, or the session around it. It returns false if there is nothing to damage.
type damage func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool)

// TestDamageIsFound damages every real state file in every way that a rule must detect, and expects a new error.
func TestDamageIsFound(t *testing.T) {
	damages := map[string]damage{
		"cut in half": func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool) {
			files[at].Data = files[at].Data[:len(files[at].Data)/2]
			return files, true
		},
		"status in_progress": func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool) {
			return files, a.kind.style == 'B' && a.status == complete && setTo(&files[at], "/status", `"in_progress"`)
		},
		"second phase reopened": func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool) {
			return files, !a.phases[1].word.open() && edited(&files[at], a.setPhase(1, false)[0])
		},
		"last item reopened": func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool) {
			if len(a.items) == 0 || a.itemsKey == "" || !a.finished {
				return files, false
			}
			last := a.items[len(a.items)-1]
			p := jsondoc.Pointer(a.itemsKey, last.key)
			if last.body.Kind() == jsondoc.Object {
				p += "/status"
			}
			return files, last.word == complete && setTo(&files[at], p, `"pending"`)
		},
		"array closed by a brace": func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool) {
			text := string(files[at].Data)
			i := strings.LastIndexByte(text, ']')
			if i < 0 {
				return files, false
			}
			text = text[:i] + "}" + text[i+1:]
			files[at].Data = []byte(text)
			_, err := jsondoc.Parse(text) // the last bracket may be inside a string
			return files, err != nil
		},
		"section letter": func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool) {
			return files, a.kind == kinds[writer] && setTo(&files[at], "/section_id", `"Z"`)
		},
		"output removed": func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool) {
			left := slices.DeleteFunc(files, func(f snapshot.File) bool { return owns(a, f.Path) })
			return left, a.finished && len(left) < len(files)
		},
		"a footnote more": func(a *agent, files []snapshot.File, at int) ([]snapshot.File, bool) {
			n, ok := a.metrics.Get("footnotes_collected").Int()
			return files, ok && setTo(&files[at], "/metrics/footnotes_collected", say.Int(int(n)+1))
		},
	}
	for name, files := range realSessions(t) {
		before := lookAtFiles(t, name, files)
		errors := before.rulesAt(sdk.Error)
		p := sdktest.Pass(Workflow, requestOf(t, inputOf(name, files)))
		prepared, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		m := prepared.(*model)
		for at := range files {
			a := m.agentAt(files[at].Path)
			if a == nil || !a.read {
				continue
			}
			for what, change := range damages {
				damaged, ok := change(a, slices.Clone(files), at)
				if !ok {
					continue
				}
				if after := lookAtFiles(t, name, damaged).rulesAt(sdk.Error); len(after) == 0 ||
					slices.Equal(after, errors) && a.status != blocked {
					t.Errorf("%s %s: %s: errors %q, before %q", name, files[at].Path, what, after, errors)
				}
			}
		}
	}
}

// owns reports whether a path is an agent's required output.
func owns(a *agent, path string) bool {
	switch a.kind {
	case kinds[writer]:
		return strings.HasPrefix(path, reportsDir) && sectionLetter(baseName(path)) == a.letter
	case kinds[facts]:
		return path == registryPath
	case kinds[risk]:
		return path == riskPath
	case kinds[execSummary]:
		return path == summaryPath
	case kinds[citation]:
		return path == footnotesPath
	case kinds[synthesis]:
		return path == memoPath
	}
	return false
}

func setTo(f *snapshot.File, pointer, json string) bool {
	c, err := jsondoc.Set(string(f.Data), pointer, json)
	if err != nil {
		return false
	}
	f.Data = []byte(c.Apply(string(f.Data)))
	return true
}

func edited(f *snapshot.File, e sdk.Edit) bool { return setTo(f, e.Range.Pointer, e.New) }
