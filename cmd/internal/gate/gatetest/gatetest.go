// Package gatetest contains helpers for tests of programs that run stategate.
package gatetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// Main builds commands, which are siblings of the test's directory, and stores their paths in Built. Then it runs the
// tests and exits.
func Main(m *testing.M, commands ...string) {
	dir, err := os.MkdirTemp("", "stategate-gatetest")
	if err != nil {
		panic(err)
	}
	for _, name := range commands {
		Built[name] = filepath.Join(dir, name)
		if runtime.GOOS == "windows" {
			Built[name] += ".exe"
		}
		if out, err := exec.Command("go", "build", "-o", Built[name], "../"+name).CombinedOutput(); err != nil {
			panic(string(out))
		}
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// Built maps the name of a command to its file.
var Built = map[string]string{}

// Sample returns the path of a copy of a sample repository.
func Sample(t *testing.T, tree string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("../../testdata/trees", tree))); err != nil {
		t.Fatal(err)
	}
	return dir
}
