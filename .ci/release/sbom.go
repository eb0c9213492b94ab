package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// sbom writes the bill of materials as SPDX 2.3: the program, the modules that the Go command linked into it, Go's
// standard library, and the plugins. It states no concluded license for the modules; their licenses are in
// THIRD-PARTY-LICENSES.txt.
func (r *release) sbom() error {
	type object = map[string]any
	root := "SPDXRef-stategate"
	pack := func(id, name, version, purl, concluded string) object {
		return object{
			"SPDXID": id, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
			"filesAnalyzed":    false,
			"licenseConcluded": concluded, "licenseDeclared": concluded, "copyrightText": "NOASSERTION",
			"externalRefs": []object{{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
				"referenceLocator": purl}},
		}
	}
	const none = "NOASSERTION"
	packages := []object{pack(root, "stategate", r.version.semver,
		"pkg:golang/github.com/stategate/stategate@v"+r.version.semver, license)}
	relations := []object{{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
		"relatedSpdxElement": root}}
	add := func(p object, kind string) {
		packages = append(packages, p)
		relations = append(relations, object{"spdxElementId": root, "relationshipType": kind,
			"relatedSpdxElement": p["SPDXID"]})
	}
	goVersion := strings.TrimPrefix(runtime.Version(), "go")
	add(pack("SPDXRef-stdlib", "stdlib", goVersion, "pkg:golang/stdlib@"+goVersion, "BSD-3-Clause"), "DEPENDS_ON")
	for i, m := range r.modules {
		p := pack(fmt.Sprintf("SPDXRef-module-%d", i+1), m.path, m.version, "pkg:golang/"+m.path+"@"+m.version, none)
		p["comment"] = "go.sum: " + m.sum
		add(p, "DEPENDS_ON")
	}
	for i, f := range append(slices.Clone(r.plugins), r.guest) {
		name := strings.TrimSuffix(f.name, ".wasm")
		p := pack(fmt.Sprintf("SPDXRef-plugin-%d", i+1), f.name, r.version.semver,
			"pkg:generic/stategate-plugin-"+name+"@"+r.version.semver, license)
		p["checksums"] = []object{{"algorithm": "SHA256", "checksumValue": fmt.Sprintf("%x", sha256.Sum256(f.data))}}
		p["primaryPackagePurpose"] = "LIBRARY"
		add(p, "CONTAINS")
	}
	text, err := json.MarshalIndent(object{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
		"name":              "stategate " + r.version.semver,
		"documentNamespace": homepage + "/sbom/" + r.version.semver + "/" + r.commit,
		"creationInfo": object{"created": r.time.Format(time.RFC3339),
			"creators": []string{"Tool: stategate-release", "Organization: stategate"}},
		"packages": packages, "relationships": relations,
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.write("stategate_"+r.version.semver+".spdx.json", append(text, '\n'), 0o644)
}
