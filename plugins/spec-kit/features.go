package speckit

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// featuresDir is the directory of all features.
const featuresDir = "specs"

// featureNumber returns the three digits at the start of a feature's directory, or "" if there are none. A year or a
// timestamp is not a feature's number.
func featureNumber(dir string) string {
	n, _, found := strings.Cut(dir, "-")
	if found && len(n) == 3 && strings.Trim(n, "0123456789") == "" {
		return n
	}
	return ""
}

// A feature is a directory in featuresDir, and one of its documents.
type feature struct{ dir, doc string }

// numbered returns the features by their numbers, sorted by directory.
func numbered(docs sdk.Docs) map[string][]feature {
	found := map[string][]feature{}
	for _, doc := range docs.All() {
		dir := path.Dir(doc.Path)
		if n := featureNumber(dir); n != "" && !strings.Contains(dir, "/") {
			if list := found[n]; len(list) == 0 || list[len(list)-1].dir != dir {
				found[n] = append(list, feature{dir, doc.Path})
			}
		}
	}
	return found
}

// numberRepeated reports features with the same number. Two branches that each add a feature often choose the same
// number.
func numberRepeated(r *check.Report, _ *model) {
	if r.Name != featuresDir || foreign(r.Root) {
		return
	}
	now, old := numbered(r.Docs), map[string][]feature{}
	if r.Base.State == sdk.BaseAt {
		old = numbered(r.Base.Docs)
	}
	for _, n := range slices.Sorted(maps.Keys(now)) {
		list := now[n]
		if len(list) < 2 {
			continue
		}
		added := slices.ContainsFunc(list, func(f feature) bool {
			return !slices.ContainsFunc(old[n], func(other feature) bool { return other.dir == f.dir })
		})
		var names []string
		for _, f := range list {
			names = append(names, f.dir)
		}
		// The location is the same for every base, so a merge reports the pair once.
		f := r.Whole(list[len(list)-1].doc, say.Count(len(list), "feature")+" have the number "+n+": "+
			say.List(names)).Keyed(n).See(sdk.At(list[0].doc), "the first feature")
		if !added || r.Base.State != sdk.BaseAt {
			f.As(sdk.Info)
		}
	}
}
