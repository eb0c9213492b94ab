package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// Spec Kit names its current feature in a file next to its templates.
const (
	pointerDir  = ".specify"
	pointerPath = "feature.json"
	pointerKey  = "feature_directory"
)

// pointed returns the current feature's directory, relative to the workspace root, or "" if there is no readable
// pointer. Spec Kit writes the path relative to the project. An absolute path is valid on one machine only, so pointed
// keeps only its specs/NAME.
func pointed(p *sdk.Pass) string {
	d := p.Docs.Get(pointerPath)
	if p.Name != pointerDir || !d.Readable() {
		return ""
	}
	text := jsondoc.TextOf(d.Text, pointerKey)
	dir := strings.TrimPrefix(strings.TrimRight(strings.ReplaceAll(text, `\`, "/"), "/"), "./")
	if at := strings.LastIndex(dir, "/specs/"); at >= 0 && (dir[0] == '/' || strings.Contains(dir[:at], ":")) {
		dir = dir[at+1:]
	}
	if dir == "" || strings.HasPrefix(dir, "/") {
		return ""
	}
	return strings.TrimSuffix(p.Root, pointerDir) + dir
}

// pointerGone reports a pointer to a feature that does not exist.
func pointerGone(r *check.Report, _ *model) {
	if dir := pointed(r.Pass); dir != "" && r.Presence(dir+"/") == sdk.Absent {
		r.At(sdk.AtPointer(pointerPath, "/"+pointerKey), "the current feature is "+say.Quote(dir)+
			", which does not exist")
	}
}
