package config_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/sdk/wire"
)

func schema(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../schemas/config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func sample(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../schemas/testdata/config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParse(t *testing.T) {
	s := sample(t)
	for name, text := range map[string]string{
		"as it is": s, "CRLF": strings.ReplaceAll(s, "\n", "\r\n"), "a byte-order mark": "\ufeff" + s,
		"---": "---\n" + s,
	} {
		c, err := config.Parse("c.yaml", []byte(text), schema(t))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		holds(t, name, c, strings.HasPrefix(text, "---"))
	}
}

func holds(t *testing.T, name string, c *config.Config, shifted bool) {
	t.Helper()
	line := 2
	if shifted {
		line++
	}
	want := config.Text{Value: "tools/flow.wasm", At: config.Position{Line: line, Column: 9}}
	if len(c.Plugins) != 2 || c.Plugins[0].Path != want || !c.Plugins[1].Replace ||
		c.Plugins[1].Source.Value != "https://example.org/other.wasm" {
		t.Errorf("%s: plugins %+v", name, c.Plugins)
	}
	if len(c.Options) != 1 || c.Options[0].JSON != `{"stale_after_days":7}` ||
		c.Options[0].At("/stale_after_days", false) != (config.Position{Line: line + 7, Column: 23}) {
		t.Errorf("%s: options %+v at %+v", name, c.Options, c.Options[0].At("/stale_after_days", false))
	}
	if len(c.Rules) != 3 || c.Rules[0].Severity != wire.Info || c.Rules[1].Severity != wire.Off ||
		c.Rules[2].Severity != wire.Error {
		t.Errorf("%s: rules %+v", name, c.Rules)
	}
	if len(c.Ignore) != 1 || c.Ignore[0].Until.Format(time.DateOnly) != "2027-01-01" || c.Ignore[0].Reason == "" ||
		len(c.Ignore[0].Rules) != 2 {
		t.Errorf("%s: ignore %+v", name, c.Ignore)
	}
	if c.FailOn != wire.Warning || c.Baseline.Value != ".stategate-baseline.json" ||
		c.Disable[0].Value != "autopilot" || c.Exclude[0].Value != "third_party/**" {
		t.Errorf("%s: %+v", name, c)
	}
	l := c.Limits
	if l.Instance != 5*time.Second || l.Guest != 128<<20 || l.Document != 1<<20 || l.Diagnostics != 1000 ||
		l.Compile != 0 {
		t.Errorf("%s: limits %+v", name, l)
	}
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing yet\n", "---\n", "---\n...\n", "~\n", "{}\n",
		"ignore:\nplugins:\n  # - path: x.wasm\n", "\ufeff"} {
		c, err := config.Parse("c.yaml", []byte(text), schema(t))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if want := (&config.Config{Name: "c.yaml", FailOn: wire.Inherit}); !reflect.DeepEqual(c, want) {
			t.Errorf("%q sets %+v", text, c)
		}
	}
}

func TestDatesNeedNoQuotes(t *testing.T) {
	c, err := config.Parse("c", []byte("ignore: [{rules: [a], reason: b, until: 2026-01-31}]"), schema(t))
	if err != nil || c.Ignore[0].Until.Format(time.DateOnly) != "2026-02-01" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestOptionsAsJSON(t *testing.T) {
	c,
		err := config.Parse("c", []byte("options:\n  x:\n    b: [1, 0x10, 1_000, 2.50, -3e2, true, ~, \"1\", yes, "+
		"2026-01-01]\n    a: {'k\"': 'é\u2603'}\n    big: 123456789012345678901234567890\n    o: 0o17\n"), schema(t))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"a":{"k\"":"é☃"},"b":[1,16,1000,2.5,-300,true,null,"1","yes","2026-01-01"],"big":1.2345678901234568e+29,"o":15}`; c.Options[0].JSON != want {
		t.Errorf("got  %s\nwant %s", c.Options[0].JSON, want)
	}
}

// TestRefused: every error message says what was found, what was expected, and how to fix it.
func TestRefused(t *testing.T) {
	many := strings.Repeat("[", 40) + strings.Repeat("]", 40)
	for _, c := range []struct{ name, text, want string }{
		{"not UTF-8", "fail_on: error # \xff", "c:1:18: found the byte 0xff, expected UTF-8: save the file in this " +
			"encoding"},
		{"UTF-16", "\xff\xfef\x00", "c:1:1: found the byte 0xff, expected UTF-8: save the file in this encoding"},
		{"too large", "# " + strings.Repeat("x", config.MaxSize),
			"c:1:1: the configuration has 262146 bytes, expected at most 262144"},
		{"a strange line break", "fail_on: error\n# \u2028",
			"c:2:3: found the line break U+2028, expected an ordinary one: put it into quotes as \"\\u2028\", or " +
				"remove it"},
		{"a list", "- a\n", "c:1:1: the configuration is a list, expected a mapping, such as `fail_on: warning`"},
		{"a text", "hello\n", "c:1:1: the configuration is \"hello\", expected a mapping, such as `fail_on: warning`"},
		{"two documents", "fail_on: error\n---\nfail_on: info\n",
			"c:2:1: found a second document, expected one: remove the `---`"},
		{"an alias", "disable: &a [x]\nexclude: *a\n",
			"c:1:10: found an anchor, expected the value alone: aliases are not allowed"},
		{"an alias that is not there", "exclude: *a\n",
			"c:1:11: invalid YAML here or on the line before: found an alias without a matching anchor above it, " +
				"expected & and that name; write the value itself, or quote a string that begins with *"},
		{"a merge key", "limits:\n  <<: {guest: 1MiB}\n",
			"c:2:3: found a merge key, expected a name: write out what it stands for, or put << into quotes"},
		{"a tag", "fail_on: !!str error\n", "c:1:10: found the tag !!str, expected the value alone: remove the tag"},
		{"a tag of its own", "fail_on: !gate error\n",
			"c:1:10: found the tag !gate, expected the value alone: remove the tag"},
		{"binary", "fail_on: !!binary aGk=\n", "c:1:10: found the tag !!binary, expected the value alone: remove " +
			"the tag"},
		{"a key twice", "fail_on: error\nfail_on: info\n",
			"c:2:1: found fail_on twice, expected once: it is already on line 1"},
		{"a number as a key", "rules: {1: off}\n", "c:1:9: found 1 as a key, expected a string: put it into quotes"},
		{"a list as a key", "? [a]\n: b\n", "c:1:3: found a list as a key, expected a string: put it into quotes"},
		{"too deep", "options: {a: {b: " + many + "}}\n",
			"c:1:48: found more than 32 lists and mappings inside each other, expected fewer"},
		{"an infinite number", "options: {a: {b: .inf}}\n", "c:1:18: found .inf, expected a finite number"},
		{"a tab", "rules:\n\ta: off\n", "c:2:1: found a tab in the indentation, expected spaces"},
		{"a tab after a mapping", "rules:\n  a: off\n\tb: off\n",
			"c:3:1: found a tab in the indentation, expected spaces"},
		{"a colon too many", "fail_on: error: x\n",
			"c:1:17: invalid YAML here or on the line before: found a colon where no key is allowed, expected one " +
				"key per line; quote a string with a colon, or correct the line's indentation"},
		{"an open bracket", "disable: [a, b\nfail_on: error\n",
			"c:2:14: invalid YAML here or on the line before: found a list in [ ] that is not closed, expected a " +
				"comma or ]; close it"},

		{"an unknown key", "fail-on: error\n", `c:1:1: the configuration has no key "fail-on"; did you mean fail_on?`},
		{"an unknown inner key", "ignore:\n- rules: [a]\n  reason: b\n  untill: 2026-01-01\n",
			`c:4:3: ignore[0] has no key "untill"; did you mean until?`},
		{"a wrong type", "disable: ocr\n", `c:1:10: disable is "ocr", expected a list`},
		{"a wrong word", "fail_on: errors\n", `c:1:10: fail_on is "errors", expected one of error, warning, info; ` +
			`did you mean error?`},
		{"an invalid severity", "rules:\n  ocr/schema: warn\n",
			`c:2:15: rules.ocr/schema is "warn", expected one of off, info, warning, error; did you mean warning?`},
		{"a rule that cannot be", "rules:\n  OCR: off\n",
			`c:2:3: found "OCR" as a key of rules, expected a rule in all workflows, such as schema, or in ` +
				`one workflow, such as ocr/schema`},
		{"a missing reason", "ignore:\n- rules: [a]\n", `c:2:3: ignore[0] lacks reason`},
		{"an ignore of everything", "ignore:\n- reason: a\n",
			`c:2:3: ignore[0] is a mapping, expected a reason, and at least one of paths, rules and ` +
				`fingerprint`},
		{"an invalid day", "ignore:\n- {rules: [a], reason: b, until: soon}\n",
			`c:2:34: ignore[0].until is "soon", expected the last day (UTC) on which it applies, such as ` +
				`2026-12-31`},
		{"a day that no calendar has", "ignore:\n- {rules: [a], reason: b, until: 2026-02-31}\n",
			`c:2:34: "2026-02-31" is not a valid date`},
		{"a plugin from nowhere", "plugins:\n- sha256: " + strings.Repeat("a", 64) + "\n",
			`c:2:3: plugins[0] is a mapping, expected a plugin: either path, or source and sha256`},
		{"a source without a scheme", "plugins:\n- {source: 'ghcr.io/you/flow:v1', sha256: " +
			strings.Repeat("a", 64) + "}\n", `c:2:12: plugins[0].source is "ghcr.io/you/flow:v1", expected an https:// or ` +
			"oci:// address that `plugin sync` downloads it from"},
		{"an invalid digest", "plugins:\n- {path: a.wasm, sha256: 12}\n",
			`c:2:26: plugins[0].sha256 is 12, expected SHA-256 of the file: 64 lowercase hexadecimal digits`},
		{"a plugin outside", "plugins:\n- path: ../a.wasm\n",
			`c:2:9: found the path "../a.wasm", expected one below the configuration's directory, without .. ` +
				`and empty names`},
		{"a plugin anywhere", "plugins:\n- path: /a.wasm\n",
			`c:2:9: found the path "/a.wasm", expected one below the configuration's directory, with slashes ` +
				`between names`},
		{"a plugin on another drive", "plugins:\n- path: c:a.wasm\n",
			`c:2:9: found the path "c:a.wasm", expected one below the configuration's directory, with slashes ` +
				`between names`},
		{"a baseline outside", "baseline: a/../../b\n",
			`c:1:11: found the path "a/../../b", expected one below the configuration's directory, without .. ` +
				`and empty names`},
		{"a baseline of git", "baseline: .git/HEAD\n",
			`c:1:11: found the path ".git/HEAD", expected one outside of git's own directory`},
		{"a plugin of git", "plugins:\n- path: a/GIT~1/a.wasm\n",
			`c:2:9: found the path "a/GIT~1/a.wasm", expected one outside of git's own directory`},
		{"an invalid glob", "exclude: [\"a[\"]\n",
			`c:1:11: glob "a[" is malformed: check for an open bracket or brace, or a \ at the end`},
		{"a glob of many braces", "exclude: [\"" + strings.Repeat("{a,b}", 12) + "\"]\n",
			`c:1:11: glob "` + strings.Repeat("{a,b}", 12) + `" has more than 1024 alternatives; split it`},
		{"a JSON comment", "{\n  // strict\n  \"fail_on\": \"error\"\n}\n",
			"c:2:3: found a JSON comment, expected a YAML comment: begin it with #"},
		{"a JSON comment as a key", "{ // x\n}\n",
			"c:1:3: found a JSON comment, expected a YAML comment: begin it with #"},
		{"an unknown key without a value", "fial_on:\n", `c:1:1: the configuration has no key "fial_on"; did you mean fail_on?`},
		{"a severity that is a number", "fail_on: 3\n", "c:1:10: fail_on is 3, expected one of error, warning, info"},
		{"a limit without a unit", "limits: {instance: 5}\n", `c:1:20: limits.instance is 5, expected a duration, such as 500ms or 5s`},
		{"a value twice", "disable: [ocr, a, ocr]\n",
			`c:1:10: disable is a list, expected each value once; items at index 0 and 2 are equal`},
		{"an empty list", "ignore:\n- {paths: [], reason: b}\n",
			`c:2:11: ignore[0].paths is a list, expected at least 1 in it, found 0`},
		{"several at once", "a: 1\nfail_on: x\ndisable: [1]\n",
			"c:1:1: the configuration has no key \"a\"; available: baseline, disable, exclude, fail_on, ignore, " +
				"limits, options, plugins, refuse_paths, rules\nc:2:10: fail_on is \"x\", expected one of error, " +
				"warning, info\nc:3:11: disable[0] is 1, expected plugin name, such as ocr"},
	} {
		_, err := config.Parse("c", []byte(c.text), schema(t))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.want)
		}
		var usage interface{ Usage() bool }
		if !errors.As(err, &usage) || !usage.Usage() {
			t.Errorf("%s is no usage error", c.name)
		}
	}
}

// TestSchemaWithAnotherKey: a key that the schema has but the program does not know is never dropped.
func TestSchemaWithAnotherKey(t *testing.T) {
	for before, after := range map[string]string{
		`"fail_on": {`:                `"fail_at": {"type": "string"}, "fail_on": {`,
		`"reason": {"type": "string"`: `"fail_at": {"type": "string"}, "reason": {"type": "string"`,
		`"instance": {"$ref"`:         `"fail_at": {"type": "string"}, "instance": {"$ref"`,
		`"sha256": {"type": "string"`: `"fail_at": {"type": "string"}, "sha256": {"type": "string"`,
	} {
		longer := strings.Replace(schema(t), before, after, 1)
		for _, text := range []string{"fail_at: x\n", "ignore: [{rules: [a], reason: b, fail_at: x}]\n",
			"limits: {fail_at: x}\n", "plugins: [{path: a, fail_at: x}]\n"} {
			if _, err := config.Parse("c", []byte(text), longer); err == nil {
				t.Errorf("%q is accepted and dropped", text)
			}
		}
	}
}

// TestHostileFilesAreCheap: the library's weak points have a limited cost, even at the maximum file size.
func TestHostileFilesAreCheap(t *testing.T) {
	n := config.MaxSize
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", n), "braces": strings.Repeat("{", n), "dashes": strings.Repeat("- ", n/2),
		"questions": strings.Repeat("? ", n/2), "colons": strings.Repeat(": ", n/2),
		"comments": strings.Repeat("#\n", n/2),
		"keys":     strings.Repeat("a: a\n", n/5), "comments between": strings.Repeat("#\n- a\n", n/6),
		"quotes":    strings.Repeat(`"" `, n/3),
		"flow keys": "{" + strings.Repeat("a: b, ", n/6-1) + "}", "anchors": strings.Repeat("- &a a\n", n/7),
		"ampersands": strings.Repeat("&a ", n/3),
		"one line":   "a: " + strings.Repeat("x", n-4), "blanks": "a:" + strings.Repeat(" ", n-2),
		"breaks": "a: |" + strings.Repeat("\n", n-4),
		"folded": "a: \"" + strings.Repeat("\n", n-5), "documents": strings.Repeat("---\n", n/4),
		"tags":    strings.Repeat("!a ", n/3),
		"indents": indents(n), "ignores": "ignore:\n" + strings.Repeat("- {x: 1}\n", n/9-1),
		"numbers": "disable: [" + strings.Repeat("1,", n/2-10) + "]",
		"names":   "rules:\n" + unlike(n-100), "equals": "disable:\n" + strings.Repeat("- a\n", n/4-10),
	} {
		began := time.Now()
		_, _ = config.Parse("c", []byte(text[:min(len(text), n)]), schema(t))
		if took := time.Since(began); took > 10*time.Second { // far more than it takes, even with the race detector
			t.Errorf("%s takes %v", name, took)
		} else {
			t.Logf("%-18s %v", name, took)
		}
	}
}

func indents(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func unlike(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(" a" + strings.Repeat("b", i%90) + strings.Repeat("c", i/90) + ": off\n")
	}
	return b.String()[:n]
}

func FuzzParse(f *testing.F) {
	f.Add(sample(f))
	f.Add("a: [\n")
	f.Add("\ufeffrules:\r\n  a: off\r  b: x")
	text := schema(f)
	f.Fuzz(func(t *testing.T, in string) {
		c, err := config.Parse("c", []byte(in), text)
		if err == nil {
			for _, o := range c.Options {
				inside(t, in, o.At("/a/0", false))
			}
			return
		}
		list := []error{err}
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			list = several.Unwrap()
		}
		for _, err := range list {
			var e *config.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v has no place", err)
			}
			inside(t, in, e.At)
		}
	})
}

// inside checks that a position is that of a character or of the end of a line.
func inside(t *testing.T, text string, at config.Position) {
	t.Helper()
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	if at.Line < 1 || at.Line > len(lines) || at.Column < 1 || at.Column > utf8.RuneCountInString(lines[at.Line-1])+1 {
		t.Fatalf("%+v is outside %q", at, text)
	}
}

// TestPresent shows which rules a name in a configuration refers to after rules were renamed.
func TestPresent(t *testing.T) {
	known := []config.Known{
		{Plugin: "kiro", Rules: []string{"tick-lost"}, Former: map[string]string{"task-unticked": "tick-lost"}},
		{Plugin: "openspec", Rules: []string{"tick-lost"}, Former: map[string]string{"task-unticked": "tick-lost"}},
		{Plugin: "bmad", Rules: []string{"tick-lost", "task-unticked"}},
	}
	for name, want := range map[string]string{
		"kiro/task-unticked": "kiro/tick-lost",
		"task-unticked":      "kiro/tick-lost openspec/tick-lost bmad/task-unticked",
		"bmad/task-unticked": "bmad/task-unticked",
		"tick-lost":          "tick-lost",
		"nothing":            "nothing",
	} {
		if got := strings.Join(config.Present(known, name), " "); got != want {
			t.Errorf("%s means %q, expected %q", name, got, want)
		}
	}
	c, err := config.Parse("c.yaml", []byte("rules: {kiro/tick-lost: error, task-unticked: off}\n"), schema(t))
	if err == nil {
		err = c.Check(known)
	}
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, r := range c.Rules {
		got += r.Name.Value + " " + r.Severity.String() + "; "
	}
	const want = "kiro/tick-lost error; openspec/tick-lost off; bmad/task-unticked off; "
	if got != want {
		t.Errorf("what names one workflow goes before a former name of all: got %q, expected %q", got, want)
	}
}

// TestCovers: an ignore covers another one if it accepts everything that the other accepts, for at least as long.
func TestCovers(t *testing.T) {
	texts := func(list ...string) (all []config.Text) {
		for _, s := range list {
			all = append(all, config.Text{Value: s})
		}
		return all
	}
	day := func(n int) config.Day { return config.LastDay(time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC)) }
	for name, c := range map[string]struct {
		was, now config.Ignore
		want     bool
	}{
		"the same":          {config.Ignore{Paths: texts("a/")}, config.Ignore{Paths: texts("a/")}, true},
		"fewer paths":       {config.Ignore{Paths: texts("a/", "b/")}, config.Ignore{Paths: texts("b/")}, true},
		"more paths":        {config.Ignore{Paths: texts("a/")}, config.Ignore{Paths: texts("a/", "b/")}, false},
		"all paths":         {config.Ignore{Paths: texts("a/")}, config.Ignore{}, false},
		"only some rules":   {config.Ignore{}, config.Ignore{Rules: texts("x")}, true},
		"a later day":       {config.Ignore{Until: day(1)}, config.Ignore{Until: day(2)}, false},
		"without an end":    {config.Ignore{Until: day(1)}, config.Ignore{}, false},
		"with an end":       {config.Ignore{}, config.Ignore{Until: day(1)}, true},
		"one finding":       {config.Ignore{}, config.Ignore{Fingerprint: "f"}, true},
		"whatever it gets":  {config.Ignore{Message: "1 of 2"}, config.Ignore{}, false},
		"the next finding":  {config.Ignore{Fingerprint: "e"}, config.Ignore{Fingerprint: "f"}, false},
		"one finding fewer": {config.Ignore{Fingerprint: "f"}, config.Ignore{Fingerprint: "f", Until: day(1)}, true},
	} {
		if got := c.was.Covers(&c.now); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
