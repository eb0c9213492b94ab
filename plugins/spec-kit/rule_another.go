package speckit

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// featuresOf lists the features that a document names above its first section, as in "**Branch**: `001-export-notes`"
// or "from `/specs/001-export-notes/`".
func featuresOf(d *sdk.Document) (list []string) {
	if !d.Readable() {
		return nil
	}
	head, _, _ := strings.Cut(d.Text, "\n## ")
	for _, name := range strings.FieldsFunc(head, func(r rune) bool {
		return r != '-' && r != '_' && (r >= 0x80 || !words.IsWord(byte(r)))
	}) {
		if featureNumber(name) != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// renamed returns the feature that a document names instead of its own, which it names in the base, or "".
func renamed(now, base *sdk.Document, own string) string {
	is, was := featuresOf(now), featuresOf(base)
	if len(is) == 0 || slices.Contains(is, own) || !slices.Contains(was, own) || slices.Contains(was, is[0]) {
		return ""
	}
	return is[0]
}

// anotherFeature reports a document that names another feature that exists, and in the base named its own: it was
// copied over.
func anotherFeature(r *check.Report, m *model) {
	dir, own := path.Split(r.Root)
	for _, now := range m.read() {
		other := renamed(now, r.Base.Docs.Get(now.Path), own)
		if other == "" || r.Presence(dir+other+"/") != sdk.Present {
			continue
		}
		r.Whole(now.Path, now.Path+" names the feature "+say.Quote(other)+"; in the base it names "+say.Quote(own)).
			Keyed(now.Path).
			Offer(sdk.Review, "Restore "+now.Path, sdk.Restore(now.Path)).
			Advise("Restore the document", "If it was copied from "+other+", restore "+now.Path+" from the base. "+
				"Otherwise correct the feature's name.")
	}
}
