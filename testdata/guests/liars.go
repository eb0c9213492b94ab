package guests

import (
	"fmt"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/wire"
)

// Tests of the whole program write a single instance for all guests: the directory Root with the document
// Document.
const (
	Root     = ".sin"
	Document = "state.json"
	Others   = "notes/"                              // all files below it are also documents
	Text     = `{"name":"é","phase":"first"}` + "\n" // the é takes bytes 9 and 10
)

// manifest returns a well-formed manifest for a plugin, with one lifecycle "life" and one rule "told".
func manifest(name string) *wire.Manifest {
	return &wire.Manifest{
		ABI: wire.ABI, Name: name, Version: "1.0.0", Doc: "A hostile plugin.\n\nIt sins: " + name + ".",
		Roots: []wire.Root{{Dir: Root, Markers: []string{Document}}},
		Documents: []wire.DocumentSpec{{Glob: Document, Format: wire.JSON, Need: wire.Content},
			{Glob: Others + "**", Need: wire.Listed}},
		Lifecycles: []wire.Lifecycle{{
			Name: "life", Doc: "Its life.", Unit: wire.Run,
			Phases: []wire.Phase{{Name: "first", Number: 1, Title: "First", Doc: "The only one."}},
		}},
		Rules: []wire.Rule{{Name: "told", Doc: "It tells what it is told.", Severity: wire.Error}},
	}
}

// Manifest returns a well-formed manifest for a plugin, as JSON.
func Manifest(name string) string { return string(wire.EncodeManifest(manifest(name))) }

// Manifests returns the guests that sin in their manifest. Their reports are valid.
func Manifests() []Sin {
	var sins []Sin
	add := func(name, text string, kinds ...fault.Kind) {
		sins = append(sins, Sin{Name: name, Wasm: Well(text, "{}"), Kinds: kinds, Refused: true})
	}
	changed := func(name string, change func(*wire.Manifest)) string {
		m := manifest(name)
		change(m)
		return string(wire.EncodeManifest(m))
	}
	with := func(name string, change func(*wire.Manifest), kinds ...fault.Kind) {
		add(name, changed(name, change), kinds...)
	}
	schema := func(text string) func(*wire.Manifest) {
		return func(m *wire.Manifest) {
			m.Schemas = map[string]string{"state": text}
			m.Documents[0].Schema = "state"
		}
	}
	add("no-manifest", "", fault.ABI)
	add("garbage-manifest", "\x00\xff not JSON", fault.ABI)
	add("empty-manifest", "{}", fault.ABI)
	add("huge-manifest", `{"abi":1,"doc":"`+strings.Repeat("x", wire.MaxManifest)+`"}`, fault.Limit, fault.ABI)
	with("unknown-feature", func(m *wire.Manifest) { m.Requires = []string{"telepathy"} }, fault.ABI)
	with("manifest-of-abi-seven", func(m *wire.Manifest) { m.ABI = 7 }, fault.ABI)
	with("glob-bomb", func(m *wire.Manifest) { m.Roots[0].Dir = strings.Repeat("{a,b}", 24) }, fault.ABI)
	with("nested-glob", func(m *wire.Manifest) {
		m.Roots[0].Markers = []string{strings.Repeat("{a,", 100) + strings.Repeat("}", 100)}
	}, fault.ABI)
	with("glob-outside", func(m *wire.Manifest) { m.Documents[0].Glob = "../**" }, fault.ABI)
	with("schema-file", schema(`{"$ref":"file:///etc/passwd"}`), schemaKinds...)
	with("schema-http", schema(`{"$ref":"http://localhost:1/schema.json"}`), schemaKinds...)
	with("schema-garbage", schema(`{"type":`), schemaKinds...)
	with("probe-bomb", func(m *wire.Manifest) {
		m.Documents[0].Need = wire.Summary
		m.Documents[0].Probes = []wire.Probe{{Name: "bomb", Line: "(((a{100}){100}){100}){100}"}}
	}, schemaKinds...)
	with("schema-bomb", schema(schemaBomb()), fault.Timeout, fault.Limit)
	for i := range sins {
		switch sins[i].Name {
		case "schema-file", "schema-http", "schema-garbage", "schema-bomb", "probe-bomb":
			sins[i].Refused = false // detected only in the worker
		}
	}
	return sins
}

// schemaKinds lists the expected failures for sins that are detected only when a schema or expression is compiled.
var schemaKinds = []fault.Kind{fault.ABI, fault.Compile, fault.Protocol, fault.Limit}

// schemaBomb returns a schema that refers 2^40 times to a schema that never matches.
func schemaBomb() string {
	var defs []string
	defs = append(defs, `"a0":{"type":"null"}`)
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"a%d":{"anyOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i+1, i, i))
	}
	return `{"$ref":"#/$defs/a40","$defs":{` + strings.Join(defs, ",") + `}}`
}

// told returns a diagnostic as JSON, with the given properties after its rule.
func told(members string) string { return `{"diagnostics":[{"rule":"told",` + members + `}]}` }

// Reports returns the guests that sin in their report.
func Reports() []Sin {
	var sins []Sin
	chunks := func(name string, report []Chunk, kinds ...fault.Kind) {
		c := Canned{Manifest: Manifest(name), Report: report}
		sins = append(sins, Sin{Name: name, Wasm: c.Bytes(), Kinds: kinds})
	}
	lie := func(name, report string) { chunks(name, Report(report), fault.Protocol) }
	at := func(rest string) string { return `"message":"told","range":{"path":"` + Document + `"` + rest + `}` }
	elsewhere := func(path string) string { return told(`"message":"told","range":{"path":"` + path + `"}`) }
	remedy := func(edit string) string {
		return told(at("") + `,"remedies":[{"title":"Do it","safety":"safe","fixes":["told"],"edits":[` + edit + `]}]`)
	}
	one := `{"rule":"told","key":"k","range":{"path":"` + Document + `"},"message":"one of very many"}`

	chunks("million-diagnostics", []Chunk{{Text: `{"diagnostics":[`}, {Text: one + ",", Times: 999_999},
		{Text: one + "]}"}}, fault.Limit)
	chunks("many-diagnostics", []Chunk{{Text: `{"diagnostics":[`}, {Text: one + ",", Times: 5_000}, {Text: one + "]}"}},
		fault.Limit)
	chunks("nested-report", []Chunk{{Text: `{"extension":`}, {Text: "[", Times: 1_000_000}}, fault.Protocol,
		fault.Limit)
	chunks("long-message", []Chunk{{Text: `{"diagnostics":[{"rule":"told","message":"`}, {Text: "x", Times: 100_000},
		{Text: `"}]}`}}, fault.Limit, fault.Protocol)

	lie("malformed-report", `{"diagnostics":[`)
	lie("report-of-words", `I looked and all is well.`)
	lie("report-not-utf8", told("\"message\":\"\xff\xfe\","+`"range":{"path":"`+Document+`"}`))
	lie("report-list", `[]`)
	lie("undeclared-rule", `{"diagnostics":[{"rule":"untold","message":"told"}]}`)
	lie("undeclared-lifecycle",
		`{"detections":[{"lifecycle":"death","observed":"first","fit":"consistent","state":"active"}]}`)
	lie("undeclared-phase", `{"detections":[{"lifecycle":"life","observed":"second","fit":"consistent","state":"active"}]}`)
	lie("unknown-severity", told(at("")+`,"severity":"fatal"`))
	lie("path-absolute", elsewhere("/etc/passwd"))
	lie("path-outside", elsewhere("../outside.txt"))
	lie("path-dotted", elsewhere("a/../../outside.txt"))
	lie("path-undeclared", elsewhere("undeclared.txt"))
	lie("path-of-windows", elsewhere(`C:\\Windows\\win.ini`))
	lie("range-past-end", told(at(`,"bytes":[5,5000]`)))
	lie("range-backwards", told(at(`,"bytes":[9,3]`)))
	lie("line-past-end", told(at(`,"line":4000`)))
	lie("split-character", told(at(`,"bytes":[10,11]`)))
	lie("edit-outside", remedy(`{"op":"create","range":{"path":"../outside.txt"},"new":"owned"}`))
	lie("edit-absolute", remedy(`{"op":"create","range":{"path":"/tmp/outside.txt"},"new":"owned"}`))
	lie("edit-reserved", remedy(`{"op":"create","range":{"path":"CON"},"new":"owned"}`))
	lie("edit-split-character", remedy(`{"op":"replace","range":{"path":"`+Document+
		`","bytes":[10,11]},"new":"x"}`))
	lie("move-outside", remedy(`{"op":"move","range":{"path":"`+Document+`"},"to":"../outside.json"}`))

	chunks("escape-codes",
		Report(told(`"range":{"path":"`+Document+`"},"message":"\u001b[31mred\u001b[0m\r\n::error `+
			`file=x::owned\n##[error]owned \u202eback\u0007 ##vso[task.setvariable]x hidden\udb40\udd01\u3164"`)))
	chunks("rule-that-could-not-look", Report(`{"rule_failures":[{"rule":"told","message":"\u001b[2J::error::it `+
		`could not look"}]}`), fault.Rule)
	return sins
}
