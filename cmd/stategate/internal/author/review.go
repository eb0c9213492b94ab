package author

import (
	"bytes"
	"regexp"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
)

// spdx matches license identifiers joined by operators.
var spdx = regexp.MustCompile(`^\(*[\w.+-]+\)*( (AND|OR|WITH) \(*[\w.+-]+\)*)*$`)

// replaced is in the build information of a plugin whose go.mod replaces the SDK.
const replaced = "\ndep\tgithub.com/stategate/stategate\t"

// Review returns what an author should correct before others use a plugin. builtIn reports whether a built-in plugin
// has the given name.
func Review(p *plugin.Plugin, builtIn func(name string) bool) (notes []string) {
	note := func(wrong bool, text string) {
		if wrong {
			notes = append(notes, text)
		}
	}
	m := p.Manifest
	note(builtIn(m.Name), m.Name+" is also a built-in plugin, which users must replace explicitly; use another name")
	if p.IsDeclared() {
		return notes
	}
	note(m.License == "", "License is missing; set it to an SPDX expression such as MIT")
	note(m.License != "" && !spdx.MatchString(m.License), m.License+" is not an SPDX expression; use one, such as MIT")
	for _, r := range m.Rules {
		note(r.Doc == "", "the rule "+r.Name+" has no Doc, which `stategate explain` shows")
	}
	if err := wire.CheckManifest(p.ManifestText); err != nil {
		note(true, "the manifest has fields that stategate ignores: "+err.Error())
	}
	_, after, _ := bytes.Cut(p.Wasm(), []byte(replaced))
	_, after, found := bytes.Cut(after, []byte("\n"))
	note(found && bytes.HasPrefix(after, []byte("=>\t")), "go.mod replaces the SDK with a local copy; "+
		"publish a plugin that is built with a released SDK")
	return notes
}
