package check_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/guests"
)

// folding returns a plugin whose rule told hides its rule second; both report a finding.
func folding(t *testing.T, options string) *plugin.Plugin {
	t.Helper()
	m, err := wire.DecodeManifest([]byte(guests.Manifest("one")))
	if err != nil {
		t.Fatal(err)
	}
	m.Options = options
	for i := range m.Rules {
		if m.Rules[i].Name == "told" {
			m.Rules[i].Hides = []string{"second"}
		}
	}
	m.Rules = append(m.Rules, wire.Rule{Name: "second", Doc: "d", Severity: wire.Error})
	report := strings.Replace(checktest.Told, `]}]}]}`,
		`]}]},{"rule":"second","subject":"s","key":"k","range":{"path":"state.json"},"message":"as well"}]}`, 1)
	p, err := plugin.ReadPlugin("one.wasm", guests.Well(string(wire.EncodeManifest(m)), report), "", limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPoliciesShareVerdicts: every policy is applied to the same verdict, whether it is new or cached.
func TestPoliciesShareVerdicts(t *testing.T) {
	o := checktest.Options(checktest.Tree(t, "a"), folding(t, ""))
	o.CacheDir, o.Version = t.TempDir(), "test"
	rules := func(r *result.Result) string {
		var words []string
		for _, d := range r.Instances[0].Diagnostics {
			words = append(words, d.Rule)
			for _, n := range d.Related {
				words = append(words, "("+n.Message+")")
			}
		}
		return strings.Join(words, " ")
	}
	for range 2 {
		for _, c := range []struct {
			policy policy.Policy
			want   string
		}{
			{policy.Policy{}, "one/told (as well [second])"},
			{policy.Policy{Severities: map[string]wire.Severity{"told": wire.Off}}, "one/second"},
			{policy.Policy{Select: func(rule string) bool { return rule == "one/second" }}, "one/second"},
			{policy.Policy{Severities: map[string]wire.Severity{"second": wire.Off}}, "one/told"},
		} {
			o.Policy = c.policy
			if got := rules(checktest.Check(t, o)); got != c.want {
				t.Errorf("got %q, expected %q", got, c.want)
			}
		}
	}
}

func TestOptionsOfPlugins(t *testing.T) {
	const schema = `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"array","items":{"type":"integer"}}}}`
	for _, c := range []struct{ roots, schema, options, want string }{
		{"a", schema, `{"a":[1,2]}`, ""},
		{"a", schema, `{"a":[1,"x"]}`, `/a/1 false: options: a.1 is "x", expected an integer; ` +
			"`stategate plugin inspect one` shows the schema"},
		{"", schema, `{"a":[1,"x"]}`, `/a/1 false: options: a.1 is "x", expected an integer; ` +
			"`stategate plugin inspect one` shows the schema"},
		{"a", schema, `{"A":1}`, `/A true: options: the key "A" is not known here; did you mean a?; ` +
			"`stategate plugin inspect one` shows the schema"},
		{"a", schema, `{"b":2,"other":1}`, `/b true: options: the key "b" is not known here; did you mean a?; ` +
			"`stategate plugin inspect one` shows the schema"},
		{"a", "", `{"a":1}`, " false: the plugin has no options, found {\"a\":1}; `stategate plugin inspect one` " +
			"shows the schema"},
	} {
		o := checktest.Options(t.TempDir(), folding(t, c.schema))
		if c.roots != "" {
			o.Dir = checktest.Tree(t, c.roots)
		}
		o.CacheDir, o.Version = t.TempDir(), "test"
		o.PluginOptions = map[string]check.PluginOptions{"one": {JSON: c.options,
			At: func(pointer string, key bool) string { return fmt.Sprint(pointer, " ", key) }}}
		for range 2 {
			_, err := check.Check(t.Context(), o)
			var usage *fault.UsageError
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s: %v", c.options, err)
			case c.want != "" && (!errors.As(err, &usage) || usage.Message != c.want):
				t.Errorf("%s:\ngot  %v\nwant %s", c.options, err, c.want)
			}
		}
	}
}

// TestOptionsOfAHostilePlugin: a schema that never finishes costs a worker, but not the host.
func TestOptionsOfAHostilePlugin(t *testing.T) {
	deep := strings.Repeat(`{"anyOf":[`, 16) + `{"type":"null"}` + strings.Repeat(`,{"type":"null"}]}`, 16)
	bomb := `{"$defs":{"a":{"anyOf":[{"items":{"$ref":"#/$defs/a"}},{"items":{"$ref":"#/$defs/a"}}]}},"properties":{"a":{"$ref":"#/$defs/a"},"b":` + deep + `}}`
	o := checktest.Options(t.TempDir(), folding(t, bomb))
	o.Limits.Instance /= 10
	o.PluginOptions = map[string]check.PluginOptions{"one": {JSON: `{"a":` + strings.Repeat("[", 40) + "1" +
		strings.Repeat("]", 40) + `}`}}
	r := checktest.Check(t, o)
	if len(r.Failures) != 1 || r.Failures[0].Plugin != "one" || r.Gate(wire.Error) != result.Incomplete {
		t.Errorf("got %+v", r.Failures)
	}
}
