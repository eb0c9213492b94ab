package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
)

//go:embed stategate.js
var shim []byte

const npmScope = "@stategate/"

// npm writes the npm packages into npm/, each as a directory to publish. Users install the package stategate, and
// npm chooses one of the packages for the targets. No script runs during installation.
func (r *release) npm() error {
	common := func(name string) map[string]any {
		return map[string]any{
			"name": name, "version": r.version.semver, "description": description, "license": license,
			"homepage":   homepage,
			"repository": map[string]string{"type": "git", "url": "git+" + homepage + ".git"},
		}
	}
	optional := map[string]string{}
	for _, t := range r.targets {
		short := t.node + "-" + t.cpu
		optional[npmScope+short] = r.version.semver
		p := common(npmScope + short)
		p["os"], p["cpu"], p["preferUnplugged"] = []string{t.node}, []string{t.cpu}, true
		if err := r.npmPackage(short, p, file{"bin/" + t.program(), 0o755, r.built[t]},
			file{"README.md", 0o644, []byte("The program of [stategate](" + homepage + ") for " + t.String() + ".\n")},
			file{"THIRD-PARTY-LICENSES.txt", 0o644, r.file("THIRD-PARTY-LICENSES.txt")}); err != nil {
			return err
		}
	}
	p := common("stategate")
	p["bin"], p["optionalDependencies"] = map[string]string{"stategate": "stategate.js"}, optional
	p["engines"] = map[string]string{"node": ">=16"}
	return r.npmPackage("stategate", p, file{"stategate.js", 0o755, shim}, file{"README.md", 0o644, []byte(r.readme())})
}

func (r *release) npmPackage(dir string, description map[string]any, files ...file) error {
	text, err := json.MarshalIndent(description, "", "  ")
	if err != nil {
		return err
	}
	files = append(files, file{"package.json", 0o644, append(text, '\n')}, file{"LICENSE", 0o644, r.file("LICENSE")})
	for _, f := range files {
		if err := r.write("npm/"+dir+"/"+f.name, f.data, os.FileMode(f.mode)); err != nil {
			return err
		}
	}
	return nil
}

// wheels writes a Python wheel for each target into python/. A wheel contains the program as a script, and no module.
// For the format, see https://packaging.python.org/en/latest/specifications/binary-distribution-format/.
func (r *release) wheels() error {
	name := "stategate-" + r.version.pep440
	info := name + ".dist-info/"
	metadata := fmt.Sprintf("Metadata-Version: 2.4\nName: stategate\nVersion: %s\nSummary: %s\nLicense-Expression: "+
		"%s\nLicense-File: LICENSE\nLicense-File: THIRD-PARTY-LICENSES.txt\n"+
		"Project-URL: Homepage, %s\nRequires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n%s",
		r.version.pep440, description, license, homepage, r.readme())
	return r.together(func(t target) error {
		var tags bytes.Buffer
		for tag := range bytes.SplitSeq([]byte(t.wheel), []byte(".")) {
			fmt.Fprintf(&tags, "Tag: py3-none-%s\n", tag)
		}
		files := []file{
			{name + ".data/scripts/" + t.program(), 0o755, r.built[t]},
			{info + "licenses/LICENSE", 0o644, r.file("LICENSE")},
			{info + "licenses/THIRD-PARTY-LICENSES.txt", 0o644, r.file("THIRD-PARTY-LICENSES.txt")},
			{info + "METADATA", 0o644, []byte(metadata)},
			{info + "WHEEL", 0o644, []byte("Wheel-Version: 1.0\nGenerator: stategate\nRoot-Is-Purelib: false\n" +
				tags.String())},
		}
		var record bytes.Buffer
		for _, f := range files {
			sum := sha256.Sum256(f.data)
			fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
		}
		fmt.Fprintf(&record, "%sRECORD,,\n", info)
		data, err := zipped(r.time, append(files, file{info + "RECORD", 0o644, record.Bytes()}))
		if err != nil {
			return err
		}
		return r.write("python/"+name+"-py3-none-"+t.wheel+".whl", data, 0o644)
	})
}
