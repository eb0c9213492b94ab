package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// Spec Kit names the feature that it works on in a file beside its templates.
const (
	pointerDir  = ".specify"
	pointerPath = "feature.json"
	pointerKey  = "feature_directory"
)

// pointed is the directory of the current feature, from the workspace root; "" if there is no pointer, or it cannot be
// read. Spec Kit writes it relative to the project; from an absolute path, which is that of one machine, specs/NAME is
// taken.
func pointed(p *sdk.Pass) string {
	d := p.Docs.Get(pointerPath)
	if p.Name != pointerDir || !d.Readable() {
		return ""
	}
	doc, err := jsondoc.Parse(d.Text)
	if err != nil {
		return ""
	}
	text, _ := doc.Root().Get(pointerKey).Text()
	dir := strings.TrimPrefix(strings.TrimRight(strings.ReplaceAll(text, `\`, "/"), "/"), "./")
	if at := strings.LastIndex(dir, "/specs/"); at >= 0 && (dir[0] == '/' || strings.Contains(dir[:at], ":")) {
		dir = dir[at+1:]
	}
	if dir == "" || strings.HasPrefix(dir, "/") {
		return ""
	}
	return strings.TrimSuffix(p.Root, pointerDir) + dir
}

// pointerGone warns of a pointer to a feature that does not exist.
func pointerGone(r *check.Report, _ *model) {
	if dir := pointed(r.Pass); dir != "" && r.Presence(dir+"/") == sdk.Absent {
		r.At(sdk.AtPointer(pointerPath, "/"+pointerKey), "the current feature is "+say.Quote(dir)+
			", which does not exist")
	}
}
