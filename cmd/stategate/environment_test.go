package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTypedIn(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{".git", "a b/c"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	below := filepath.Join(top, "a b")
	tests := []struct {
		name, dir string
		env       map[string]string
		want      string
	}{
		{"nothing is said", top, nil, top},
		{"a hook", top, map[string]string{"GIT_PREFIX": "a b/c/"}, filepath.Join(below, "c")},
		{"a hook, at the top", top, map[string]string{"GIT_PREFIX": ""}, top},
		{"a hook that has gone elsewhere", below, map[string]string{"GIT_PREFIX": "c/"}, below},
		{"a directory that is gone", top, map[string]string{"GIT_PREFIX": "x/"}, top},
		{"above the top", top, map[string]string{"GIT_PREFIX": "../"}, top},
		{"pre-commit run", top, map[string]string{"PRE_COMMIT": "1", "PWD": below}, below},
		{"pre-commit in a hook", top, map[string]string{"PRE_COMMIT": "1", "PWD": top, "GIT_PREFIX": "a b/"}, below},
		{"pre-commit, called from elsewhere", top, map[string]string{"PRE_COMMIT": "1", "PWD": filepath.Dir(top)}, top},
		{"an old PWD", top, map[string]string{"PWD": below}, top},
	}
	for _, test := range tests {
		if got := typedIn(test.dir, func(key string) string { return test.env[key] }); got != test.want {
			t.Errorf("%s: it is %q, expected %q", test.name, got, test.want)
		}
	}
}

// TestColors checks the variables that turn colors and links on or off.
func TestColors(t *testing.T) {
	for _, c := range []struct {
		env                  map[string]string
		plain, forced, links bool
	}{
		{env: map[string]string{"TERM": "xterm"}},
		{env: map[string]string{"NO_COLOR": "1", "CLICOLOR_FORCE": "1", "TERM_PROGRAM": "iTerm.app"}, plain: true,
			forced: true},
		{env: map[string]string{"CLICOLOR_FORCE": "1"}, forced: true},
		{env: map[string]string{"CLICOLOR_FORCE": "0"}},
		{env: map[string]string{"FORCE_COLOR": "1"}, forced: true},
		{env: map[string]string{"FORCE_COLOR": "3", "CLICOLOR": "0"}, forced: true},
		{env: map[string]string{"FORCE_COLOR": "0"}},
		{env: map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, plain: true, forced: true},
		{env: map[string]string{"CLICOLOR": "0", "VTE_VERSION": "7200"}, plain: true},
		{env: map[string]string{"TERM": "dumb", "TERM_PROGRAM": "vscode"}, plain: true},
		{env: map[string]string{"TERM": "dumb", "CLICOLOR_FORCE": "1"}, forced: true},
		{env: map[string]string{"TERM_PROGRAM": "vscode"}, links: true},
		{env: map[string]string{"VTE_VERSION": "7200"}, links: true},
		{env: map[string]string{"VTE_VERSION": "4205"}},
		{env: map[string]string{"TERM_PROGRAM": "WezTerm", "TMUX": "/tmp/x"}},
		{env: map[string]string{"KITTY_WINDOW_ID": "1", "CI": "true"}},
	} {
		e := environment{dumb: c.env["TERM"] == "dumb"}
		e.colors(func(name string) string { return c.env[name] })
		if e.plain != c.plain || e.forced != c.forced || e.links != c.links {
			t.Errorf("%v: plain %v, forced %v, links %v", c.env, e.plain, e.forced, e.links)
		}
	}
}

// TestFileURL: no file name can end the link that contains it.
func TestFileURL(t *testing.T) {
	for name, want := range map[string]string{
		"a b/c.json":                        "file:///top/a%20b/c.json",
		"\x1b\\\x07\x1b]8;;evil\x9c\n%\xff": "file:///top/%1B%5C%07%1B%5D8;;evil%9C%0A%25%FF",
	} {
		if got := fileURL("/top", name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
