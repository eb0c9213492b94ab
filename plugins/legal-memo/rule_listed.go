package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// listKeys holds the state-file fields that name files.
var listKeys = [...]string{"output_file", "files_created", "output_files", "output_files_created",
	"output_files_generated", "outputs_created", "files_verified", "input_files_read", "reports_list",
	"reports_failing", rescan}

func listedFileMissing(l *look, a *agent) {
	var lost []string
	at := ""
	scan := func(object value, prefix string) {
		for _, m := range object.Members() {
			for _, pattern := range [...]string{"", "/*"} {
				eachAt(m.Value, pattern, func(rest string, v value) {
					// another rule reports a missing report
					own := m.Key == "output_file" && a.kind == kinds[writer] && len(l.outputs(a)) == 0
					if path := l.lost(m.Key, v); path != "" && !own && !holds(lost, path) {
						lost, at = append(lost, path), cmp.Or(at, prefix+"/"+m.Key+rest)
					}
				})
			}
		}
	}
	scan(a.root, "")
	scan(a.rescue, "/recovery_instructions")
	for _, p := range a.phases {
		scan(p.body, jsondoc.Pointer(a.phaseMap, p.name))
	}
	if len(lost) > 0 {
		had := l.base != nil && slices.ContainsFunc(lost,
			func(path string) bool { return l.base.known(baseName(path)) })
		l.say(a, at, "none of the checked files is named like "+list(lost)).
			As(graded(had && !a.finished, sdk.Error, sdk.Warning))
	}
}

// lost returns a missing file that a field names, or "" if there is none.
func (l *look) lost(key string, v value) string {
	text, _ := v.Text()
	path := l.local(text)
	name := baseName(path)
	if !slices.Contains(listKeys[:], key) || !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".json") ||
		strings.ContainsAny(name, "*{[< ") || l.known(name) {
		return ""
	}
	if input := strings.HasPrefix(key, "input") || strings.Contains(key, "reports") || key == "files_verified"; input &&
		!l.folderHolds(path, key) || !input && !l.tracked {
		return ""
	}
	return path
}

// folderHolds reports whether an input's directory contains files. Inputs in an untracked directory are not missing.
func (m *model) folderHolds(path, key string) bool {
	dir := path[:len(path)-len(baseName(path))]
	if dir == "" && strings.Contains(key, "reports") {
		dir = specialistsDir
	}
	if dir == "" && key == "files_verified" {
		return m.tracked
	}
	return dir != "" && slices.ContainsFunc(m.under(dir),
		func(d *sdk.Document) bool { return m.agentAt(d.Path) == nil })
}
