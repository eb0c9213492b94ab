package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/config"
)

const (
	digest1 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	digest2 = "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b"
)

func value(s string) config.Text { return config.Text{Value: s} }

func TestAddPlugin(t *testing.T) {
	source := config.Plugin{Source: value("oci://e.org/flow:1"), SHA256: value(digest1)}
	item := "- source: oci://e.org/flow:1\n    sha256: " + digest1 + "\n"
	for _, c := range []struct {
		name, text string
		entry      config.Plugin
		want       string
	}{
		{"nothing", "", source, "plugins:\n  " + item},
		{"comments only", "# mine\n", source, "# mine\n\nplugins:\n  " + item},
		{"no plugins", "fail_on: error # why\n\n# the end", source,
			"fail_on: error # why\n\n# the end\n\nplugins:\n  " + item},
		{"a list", "plugins:\n  # ours\n  - path: a.wasm # one\n\nfail_on: info\n", source,
			"plugins:\n  " + item + "  # ours\n  - path: a.wasm # one\n\nfail_on: info\n"},
		{"another indentation", "plugins:\n- path: a.wasm\n  replace: true\n", source,
			"plugins:\n- source: oci://e.org/flow:1\n  sha256: " + digest1 + "\n- path: a.wasm\n  replace: true\n"},
		{"a key without a value", "plugins:\nfail_on: info\n", source, "plugins:\n  " + item + "fail_on: info\n"},
		{"an empty list", "plugins: [] # none\n", source,
			"plugins: [{source: 'oci://e.org/flow:1', sha256: " + digest1 + "}] # none\n"},
		{"a file in brackets", "{fail_on: error}\n", source,
			"{\"plugins\": [{\"source\": \"oci://e.org/flow:1\", \"sha256\": \"" + digest1 + "\"}], fail_on: error}\n"},
		{"a list on one line", "plugins: [{path: a}]\n", source,
			"plugins: [{source: 'oci://e.org/flow:1', sha256: " + digest1 + "}, {path: a}]\n"},
		{"another source of the same name", "plugins:\n- name: flow # ours\n  source: \"oci://a/flow:v1\"\n  sha256: " +
			digest2 + "\n",
			config.Plugin{Name: value("flow"), Source: value("oci://a/flow:v2"), SHA256: value(digest1)},
			"plugins:\n- name: flow # ours\n  source: \"oci://a/flow:v2\"\n  sha256: " + digest1 + "\n"},
		{"CRLF", "fail_on: error\r\n", source, strings.ReplaceAll("fail_on: error\n\nplugins:\n  "+item, "\n", "\r\n")},
		{"a new digest", "plugins:\n- source: oci://e.org/flow:1\n  sha256: \"" + digest2 + "\" # pinned\n", source,
			"plugins:\n- source: oci://e.org/flow:1\n  sha256: \"" + digest1 + "\" # pinned\n"},
		{"a pin for a file", "plugins:\n- path: a.wasm # é\n  replace: true\n",
			config.Plugin{Path: value("a.wasm"), SHA256: value(digest1)},
			"plugins:\n- sha256: " + digest1 + "\n  path: a.wasm # é\n  replace: true\n"},
		{"a pin on one line", "plugins: [{path: a.wasm}]\n",
			config.Plugin{Path: value("a.wasm"), SHA256: value(digest1)},
			"plugins: [{sha256: " + digest1 + ", path: a.wasm}]\n"},
		{"a text of several lines", "ignore:\n  - rules: [a/b]\n    reason: >-\n      one\n\n      # two\nfail_on: " +
			"info\n", source,
			"ignore:\n  - rules: [a/b]\n    reason: >-\n      one\n\n      # two\nfail_on: info\n\nplugins:\n  " +
				item},
		{"quotes", "", config.Plugin{Path: value("a #b.wasm"), Replace: true},
			"plugins:\n  - path: 'a #b.wasm'\n    replace: true\n"},
		{"a number", "", config.Plugin{Path: value("12")}, "plugins:\n  - path: \"12\"\n"},
	} {
		got, err := config.AddPlugin("c", []byte(c.text), c.entry, schema(t))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot:\n%s\nwant:\n%s", c.name, err, got, c.want)
		}
	}
}

func accepted(path, fingerprint, reason string) config.Ignore {
	return config.Ignore{Rules: []config.Text{value("ocr/a")}, Paths: []config.Text{value(path)},
		Fingerprint: fingerprint, Reason: reason}
}

func TestAddIgnore(t *testing.T) {
	one := accepted(".ocr/x: y/state.json", "1234567890123456", "it's \"known\"; #1")
	item := "- rules: [ocr/a]\n    paths: ['.ocr/x: y/state.json']\n    fingerprint: \"1234567890123456\"\n    " +
		"reason: 'it''s \"known\"; #1'\n"
	until := one
	until.Until = config.LastDay(time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC))
	pattern := accepted("a[b]*.md", "00000000000000ab", "x")
	directory := accepted("a/", "00000000000000ab", "x")
	bare := "- rules: [ocr/a]\n    fingerprint: 00000000000000ab\n    reason: x\n"
	for _, c := range []struct {
		name, text string
		accepted   config.Ignore
		want       string
	}{
		{"nothing", "", one, "ignore:\n  " + item},
		{"until a day", "", until, "ignore:\n  " + item + "    until: \"2026-12-31\"\n"},
		{"a name that is a glob", "", pattern, "ignore:\n  " + bare},
		{"a directory", "", directory, "ignore:\n  " + bare},
		{"a list", "# top\nignore:\n  - rules: [b] # ours\n    reason: |\n      two\n      lines\n\n# " +
			"plugins\nfail_on: info\n", directory,
			"# top\nignore:\n  " + bare + "  - rules: [b] # ours\n    reason: |\n      two\n      lines\n\n# " +
				"plugins\nfail_on: info\n"},
		{"a list on one line", "ignore: [{rules: [b], reason: y}]\n", directory,
			"ignore: [{rules: [ocr/a], fingerprint: 00000000000000ab, reason: x}, {rules: [b], reason: y}]\n"},
		{"a key without a value", "ignore:\nfail_on: info\n", directory, "ignore:\n  " + bare + "fail_on: info\n"},
	} {
		got, err := config.AddIgnore("c", []byte(c.text), c.accepted, schema(t))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot:\n%s\nwant:\n%s", c.name, err, got, c.want)
		}
	}
	if _, err := config.AddIgnore("c", []byte("? fail_on\n: error\n? ignore\n: - rules: [b]\n    reason: y\n"), one,
		schema(t)); err == nil || !strings.Contains(err.Error(), "add by hand: {rules: [ocr/a], ") {
		t.Error(err)
	}
}

func TestAddPluginRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: [", "invalid YAML"},
		{"? plugins\n: - path: a.wasm\n", "add by hand: {source: 'oci://x', sha256: " + digest1 + "}"},
		{"fail_on: error\n...\n", "add by hand"},
	} {
		_, err := config.AddPlugin("c", []byte(c.text),
			config.Plugin{Source: value("oci://x"), SHA256: value(digest1)}, schema(t))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, expected %q", c.text, err, c.want)
		}
	}
	if _, err := config.AddPlugin("c", nil, config.Plugin{Path: value("../x")}, schema(t)); err == nil {
		t.Error("a path that leads out is written")
	}
}

// FuzzAddPlugin: the text only gains one insertion, or the edit is refused.
func FuzzAddPlugin(f *testing.F) {
	f.Add(sample(f), "oci://x:1")
	f.Add("plugins: [ ]", "oci://a b")
	f.Add("\ufeffplugins:\n  -   path: é\n      replace: true", "http://x")
	text := schema(f)
	f.Fuzz(func(t *testing.T, in, source string) {
		out, err := config.AddPlugin("c", []byte(in),
			config.Plugin{Source: value(source), SHA256: value(digest1)}, text)
		if err != nil || strings.Contains(in, source) {
			return
		}
		begin := 0
		for begin < len(in) && in[begin] == out[begin] {
			begin++
		}
		if !strings.HasSuffix(string(out[begin:]), in[begin:]) {
			t.Fatalf("%q became %q", in, out)
		}
	})
}
