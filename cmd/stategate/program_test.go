package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestProgram: a printed command begins with the program's name if the user's shell finds this binary by it, with npx
// if npm installed it in a project, and otherwise with the binary's path.
func TestProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names of programs end in .exe, and links need rights")
	}
	home := t.TempDir()
	place := func(dir, text string, mode os.FileMode) string {
		t.Helper()
		file := filepath.Join(home, dir, programName)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	installed := place("bin", "\x7fELF", 0o755)
	hooked := place(".cache/pre-commit/repo1/golangenv-default/bin", "\x7fELF", 0o755)
	moved := place("hooks cache/repo1/bin", "\x7fELF", 0o755)
	npm := place("project/node_modules/@stategate/linux-x64/bin", "\x7fELF", 0o755)
	place("project/node_modules/.bin", "#!/usr/bin/env node\n", 0o755)
	blank := place("my tools", "\x7fELF", 0o755)
	place("shims", "#!/bin/sh\n", 0o755)
	place("notes", "not a program", 0o644)
	if err := os.MkdirAll(filepath.Join(home, "links"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(installed, filepath.Join(home, "links", programName)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file string
		path       []string
		want       string
	}{
		{"installed", installed, []string{"notes", "none", "bin"}, programName},
		{"through a link", installed, []string{"links"}, programName},
		{"through a script", installed, []string{"shims"}, programName},
		{"not in PATH", installed, nil, installed},
		{"another one comes first", installed, []string{"hooks cache/repo1/bin", "bin"}, installed},
		{"in a hook's own environment", hooked, []string{".cache/pre-commit/repo1/golangenv-default/bin"}, hooked},
		{"there, and installed", hooked, []string{".cache/pre-commit/repo1/golangenv-default/bin", "bin"}, hooked},
		{"an environment elsewhere", moved, []string{"hooks cache/repo1/bin"}, "'" + moved + "'"},
		{"in front of the installed one", installed, []string{".cache/pre-commit/repo1/golangenv-default/bin", "bin"},
			programName},
		{"put in front by npm", npm, []string{"project/node_modules/.bin"}, "npx stategate"},
		{"in a project of npm, and another one in PATH", npm, []string{"bin"}, "npx stategate"},
		{"installed by npm for all", npm, []string{"shims"}, programName},
		{"in a directory with a blank", blank, nil, "'" + blank + "'"},
		{"removed meanwhile", filepath.Join(home, "gone"), []string{"bin"}, programName},
	} {
		var path []string
		for _, dir := range c.path {
			path = append(path, filepath.Join(home, dir))
		}
		env := map[string]string{"HOME": home, "PRE_COMMIT_HOME": filepath.Join(home, "hooks cache"),
			"PATH": "." + string(filepath.ListSeparator) + join(path)}
		if c.name == "another one comes first" {
			env["PRE_COMMIT_HOME"] = ""
		}
		if got := programFor(c.file, func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func join(dirs []string) (path string) {
	for _, dir := range dirs {
		path += string(filepath.ListSeparator) + dir
	}
	return path
}
