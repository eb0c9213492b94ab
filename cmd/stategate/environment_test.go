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
