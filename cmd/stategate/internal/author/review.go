package author

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
)

// spdx matches license identifiers joined by operators.
var spdx = regexp.MustCompile(`^\(*[\w.+-]+\)*( (AND|OR|WITH) \(*[\w.+-]+\)*)*$`)

// licenses are the common SPDX identifiers. Others exist, so one that is missing here is only noted.
var licenses = []string{"0BSD", "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0", "Artistic-2.0",
	"BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "BlueOak-1.0.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC0-1.0", "ECL-2.0",
	"EPL-2.0", "EUPL-1.2", "GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later", "ISC",
	"LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "MIT", "MIT-0", "MPL-2.0", "MS-PL",
	"MulanPSL-2.0", "NCSA", "OSL-3.0", "PostgreSQL", "UPL-1.0", "Unlicense", "WTFPL", "Zlib"}

// uncommon returns the first identifier of an SPDX expression that is not common, or "". Authors define identifiers
// that begin with LicenseRef-; the identifier after WITH is an exception.
func uncommon(license string) string {
	before := ""
	for _, id := range strings.FieldsFunc(license, func(c rune) bool { return strings.ContainsRune(" ()", c) }) {
		known := id == "AND" || id == "OR" || id == "WITH" || before == "WITH" || strings.HasPrefix(id, "LicenseRef-")
		if !known && !slices.Contains(licenses, id) {
			return id
		}
		before = id
	}
	return ""
}

// replaced is in the build information of a plugin whose go.mod replaces the SDK.
const replaced = "\ndep\tgithub.com/stategate/stategate\t"

// Review returns what an author should correct before others use a plugin. builtIn reports whether a built-in plugin
// has a name.
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
	if m.License != "" && !spdx.MatchString(m.License) {
		note(true, m.License+" is not an SPDX expression; use one, such as MIT")
	} else if id := uncommon(m.License); id != "" {
		note(true, id+" is not a common SPDX identifier; check its spelling")
	}
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
