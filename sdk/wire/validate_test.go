package wire

import (
	"strings"
	"testing"
)

// valid returns a manifest that uses every member.
func valid() *Manifest {
	return &Manifest{
		ABI: ABI, Name: "paper-trail", Version: "1.2.0-rc.1+4f", Doc: "Paper trail\n\nKeeps papers.",
		Requires: []string{"clock", "probes"},
		Roots:    []Root{{Dir: "**/.papers/*", Markers: []string{"state.json", "notes/"}}},
		Documents: []DocumentSpec{
			{Glob: "state.json", Format: JSON, Need: Content, Schema: "state"},
			{Glob: "*.md", Format: Markdown, Need: Summary,
				Probes: []Probe{{Name: "todo", Literal: "TODO"}, {Name: "done", Line: "^DONE"}}},
			{Glob: "notes/", Need: Listed},
		},
		Schemas: map[string]string{"state": `{"type":"object"}`}, Options: `{"type":"object"}`,
		Lifecycles: []Lifecycle{{
			Name: "paper", Phases: []Phase{{Name: "draft", Number: 1, Title: "Draft"},
				{Name: "PHASE_2.5_REVIEW", Number: 2}},
			Transitions: []Transition{{From: "draft", To: "PHASE_2.5_REVIEW"}},
		}},
		License: "MIT OR Apache-2.0", Source: "https://example.org/papers.git", Homepage: "https://example.org",
		MadeFor: []MadeFor{{Tool: "Paper Trail", Versions: "1.2 to 1.4"}, {Tool: "Papers"}},
		Rules: []Rule{{Name: "state-missing", Severity: Error, Hides: []string{"note-stale"}, NeedsBase: true,
			SeverityIf: "Warning if it is a draft.", URL: "https://example.org/state-missing"},
			{Name: "note-stale", Severity: Info, OffByDefault: true}},
		Dropped: []string{"note-missing"},
	}
}

func TestValidManifests(t *testing.T) {
	if err := valid().Validate(); err != nil {
		t.Error(err)
	}
}

func TestInvalidManifests(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*Manifest)
		want  string
	}{
		{"no ABI", func(m *Manifest) { m.ABI = 0 }, `abi is missing, expected 1`},
		{"a later ABI", func(m *Manifest) { m.ABI = 2 },
			`the plugin is built for ABI 2, this stategate supports ABI 1; upgrade stategate`},
		{"a feature", func(m *Manifest) { m.Requires = []string{"tea"} },
			`the plugin requires the feature "tea", which this host lacks (it has base, clock, outline, paths, ` +
				`probes, summary, yaml); upgrade stategate, or use an older ` +
				`version of the plugin`},
		{"no name", func(m *Manifest) { m.Name = "" },
			`name: found "", expected lowercase words joined by hyphens, such as "state-missing", of at most 64 bytes`},
		{"a name in capitals", func(m *Manifest) { m.Name = "OCR" },
			`name: found "OCR", expected lowercase words joined by hyphens, such as "state-missing", of at most 64 ` +
				`bytes`},
		{"a long hostile name", func(m *Manifest) { m.Name = "\x1b[2J" + strings.Repeat("a", 99) },
			`name: found "\u001b[2J` + strings.Repeat("a", 60) +
				`\u2026", expected lowercase words joined by hyphens, such as "state-missing", of at most 64 bytes`},
		{"no version", func(m *Manifest) { m.Version = "" },
			`version: found "", expected a version such as "1.2.0" or "1.2.0-rc.1"`},
		{"a version of two parts", func(m *Manifest) { m.Version = "1.2" },
			`version: found "1.2", expected a version such as "1.2.0" or "1.2.0-rc.1"`},
		{"a version with a v", func(m *Manifest) { m.Version = "v1.2.0" },
			`version: found "v1.2.0", expected a version such as "1.2.0" or "1.2.0-rc.1"`},
		{"no doc", func(m *Manifest) { m.Doc = "\n" },
			`doc: is empty, expected a description of the workflow that begins with its title`},
		{"a rule that is dropped and there", func(m *Manifest) { m.Dropped[0] = "note-stale" },
			`dropped[0]: found "note-stale", which is a rule of this manifest, expected the name of a former one`},
		{"an explanation without TLS", func(m *Manifest) { m.Rules[0].URL = "http://example.org" },
			`rules[0] ("state-missing").url: found "http://example.org", expected an https:// address of at most 256 bytes`},
		{"a sentence as license", func(m *Manifest) { m.License = "see LICENSE!" },
			`license: found "see LICENSE!", expected an SPDX expression such as "MIT", of at most 64 bytes`},
		{"a source without TLS", func(m *Manifest) { m.Source = "http://example.org" },
			`source: found "http://example.org", expected an https:// address of at most 256 bytes`},
		{"a homepage that ends a line", func(m *Manifest) { m.Homepage = "https://a\n" },
			`homepage: found "https://a\n", expected an https:// address of at most 256 bytes`},
		{"a tool without a name", func(m *Manifest) { m.MadeFor[1].Tool = "" },
			`made_for[1].tool: is empty, expected the name of a tool`},
		{"a long list of versions", func(m *Manifest) { m.MadeFor[0].Versions = strings.Repeat("1", 65) },
			`made_for[0]: bytes: found 65, expected at most 64`},
		{"no roots", func(m *Manifest) { m.Roots = nil }, `roots: found none, expected at least one`},
		{"many roots", func(m *Manifest) { m.Roots = repeated(m.Roots[0], 65) },
			`roots: found 65, expected at most 64`},
		{"a root with a slash", func(m *Manifest) { m.Roots[0].Dir = "a/" },
			`roots[0].dir: found "a/", expected no trailing slash`},
		{"a root outside", func(m *Manifest) { m.Roots[0].Dir = "../a" },
			`roots[0].dir: glob "../a": has the path element ".."; globs are relative to a root`},
		{"an exception with a slash", func(m *Manifest) { m.Roots[0].Except = []string{"a/"} },
			`roots[0].except[0]: found "a/", expected no trailing slash`},
		{"many exceptions", func(m *Manifest) { m.Roots[0].Except = repeated("a", 65) },
			`exceptions of roots: found 65, expected at most 64`},
		{"no markers", func(m *Manifest) { m.Roots[0].Markers = nil },
			`roots[0].markers: found none, expected at least one`},
		{"many markers", func(m *Manifest) { m.Roots[0].Markers = repeated("a", 65) },
			`roots[0].markers: found 65, expected at most 64`},
		{"a marker outside", func(m *Manifest) { m.Roots[0].Markers[1] = "/a" },
			`roots[0].markers[1]: glob "/a": begins with a slash; globs are relative to a root`},
		{"no documents", func(m *Manifest) { m.Documents = nil }, `documents: found none, expected at least one`},
		{"many documents", func(m *Manifest) { m.Documents = repeated(m.Documents[2], 501) },
			`documents: found 501, expected at most 500`},
		{"a document outside", func(m *Manifest) { m.Documents[2].Glob = "" },
			`documents[2].glob: glob "": is empty, expected a pattern such as "*.json"`},
		{"a schema that is missing", func(m *Manifest) { m.Documents[0].Schema = "stat" },
			`documents[0].schema: found "stat", expected a name in schemas`},
		{"a schema for Markdown", func(m *Manifest) { m.Documents[0].Format = Markdown },
			`documents[0].schema: found "state" on a document with the format markdown and the need content, ` +
				`expected JSON or YAML whose content is needed`},
		{"a schema for a summary", func(m *Manifest) { m.Documents[0].Need = Summary },
			`documents[0].schema: found "state" on a document with the format json and the need summary, expected ` +
				`JSON or YAML whose content is needed`},
		{"a schema named like a path", func(m *Manifest) { m.Schemas["../x"] = "{}" },
			`schemas: found the name "../x", expected letters, digits, "-", "_" and "."`},
		{"an empty schema", func(m *Manifest) { m.Schemas["x"] = "" }, `schemas."x": is empty, expected a JSON Schema`},
		{"a probe of nothing", func(m *Manifest) { m.Documents[1].Probes[0].Literal = "" },
			`documents[1].probes[0]: expected either literal or line`},
		{"a probe of two things", func(m *Manifest) { m.Documents[1].Probes[0].Line = "x" },
			`documents[1].probes[0]: expected either literal or line`},
		{"a probe of two lines", func(m *Manifest) { m.Documents[1].Probes[0].Literal = "a\nb" },
			`documents[1].probes[0].literal: contains a line break, expected part of one line`},
		{"a probe twice", func(m *Manifest) { m.Documents[1].Probes[1].Name = "todo" },
			`documents[1].probes[1].name: found "todo" twice, expected once; the first is documents[1].probes[0].name`},
		{"a long probe", func(m *Manifest) { m.Documents[1].Probes[1].Line = strings.Repeat("a", 1025) },
			`documents[1].probes[1]: bytes: found 1025, expected at most 1024`},
		{"a probe of a listed document", func(m *Manifest) { m.Documents[1].Need = Listed },
			`documents[1].probes: found probes on a document that is only listed, expected the need counted or summary`},
		{"no lifecycles", func(m *Manifest) { m.Lifecycles = nil }, `lifecycles: found none, expected at least one`},
		{"a lifecycle twice", func(m *Manifest) { m.Lifecycles = repeated(m.Lifecycles[0], 2) },
			`lifecycles[1].name: found "paper" twice, expected once; the first is lifecycles[0].name`},
		{"no phases", func(m *Manifest) { m.Lifecycles[0] = Lifecycle{Name: "a"} },
			`lifecycles[0].phases: found none, expected at least one`},
		{"a phase twice", func(m *Manifest) {
			m.Lifecycles[0].Phases = repeated(m.Lifecycles[0].Phases[0], 2)
			m.Lifecycles[0].Transitions = nil
		}, `lifecycles[0].phases[1].name: found "draft" twice, expected once; ` +
			`the first is lifecycles[0].phases[0].name`},
		{"a phase of two words", func(m *Manifest) {
			m.Lifecycles[0].Phases = append(m.Lifecycles[0].Phases,
				Phase{Name: "a b"})
		},
			`lifecycles[0].phases[2].name: found "a b", expected letters, digits, "-", "_" and ".", such as ` +
				`"deep-reviews"`},
		{"a transition to nowhere", func(m *Manifest) { m.Lifecycles[0].Transitions[0].To = "" },
			`lifecycles[0].transitions[0]: found "", expected a phase of the lifecycle`},
		{"a rule of the host", func(m *Manifest) { m.Rules[1].Name = "schema"; m.Rules[0].Hides = nil },
			`rules[1] ("schema").name: found "schema", which is a rule of the host; expected another name`},
		{"a rule twice", func(m *Manifest) { m.Rules[1].Name = "state-missing"; m.Rules[0].Hides = nil },
			`rules[1] ("state-missing").name: found "state-missing" twice, expected once; ` +
				`the first is rules[0] ("state-missing").name`},
		{"a rule with a double hyphen", func(m *Manifest) { m.Rules[1].Name = "note--stale"; m.Rules[0].Hides = nil },
			`rules[1] ("note--stale").name: found "note--stale", expected lowercase words joined by hyphens, such as ` +
				`"state-missing", of at most 64 bytes`},
		{"a rule without severity", func(m *Manifest) { m.Rules[1].Severity = Inherit },
			`rules[1] ("note-stale").severity: found "", expected "info", "warning" or "error"`},
		{"a rule that is off", func(m *Manifest) { m.Rules[1].Severity = Off },
			`rules[1] ("note-stale").severity: found "off", expected "info", "warning" or "error"`},
		{"hiding no rule", func(m *Manifest) { m.Rules[0].Hides[0] = "x" },
			`rules[0] ("state-missing").hides: found "x", expected another rule of this manifest`},
		{"hiding itself", func(m *Manifest) { m.Rules[0].Hides[0] = "state-missing" },
			`rules[0] ("state-missing").hides: found "state-missing", expected another rule of this manifest`},
		{"a former name that is a rule", func(m *Manifest) { m.Rules[0].Replaces = []string{"note-stale"} },
			`rules[0] ("state-missing").replaces: found "note-stale", which is a rule of this manifest, expected the ` +
				`name of a former one`},
		{"a former name twice", func(m *Manifest) { m.Rules[0].Replaces = []string{"old", "old"} },
			`rules[0] ("state-missing").replaces: found "old" twice, expected once`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := valid()
			c.spoil(m)
			err := m.Validate()
			if want := "manifest: " + c.want; err == nil || err.Error() != want {
				t.Errorf("got error\n%v, expected\n%s", err, want)
			}
		})
	}
}

func TestValidateNamesTwentyFaultsAtMost(t *testing.T) {
	m := valid()
	m.Rules = repeated(Rule{}, 10_000)
	if got := strings.Count(m.Validate().Error(), "\n") + 1; got != maxFaults {
		t.Errorf("found %d lines, expected %d", got, maxFaults)
	}
}

func repeated[T any](v T, n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = v
	}
	return all
}
