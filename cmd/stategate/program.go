package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/shell"
)

// programName is the name of the installed binary.
const programName = "stategate"

// program returns the program for printed commands, quoted for a shell: its name if the user's shell finds this
// binary by that name, npx if npm installed the binary in a project, or otherwise the binary's path. It is computed
// when the first command is printed, not at every start.
var program = sync.OnceValue(func() string {
	file, err := os.Executable()
	if err != nil {
		return programName
	}
	return programFor(file, os.Getenv)
})

func programFor(file string, getenv func(string) string) string {
	self, err := os.Stat(file)
	if err != nil {
		return programName
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if !filepath.IsAbs(dir) || isBorrowed(dir, getenv) {
			continue
		}
		found := filepath.Join(dir, programName)
		if runtime.GOOS == "windows" {
			found += ".exe"
		}
		info, err := os.Stat(found)
		if err != nil || info.IsDir() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			continue
		}
		if os.SameFile(info, self) || isScript(found) {
			return programName
		}
		break // another stategate, which may offer other remedies
	}
	if strings.Contains(filepath.ToSlash(file), "/node_modules/@stategate/") {
		return "npx " + programName
	}
	return shell.Word(file)
}

// isBorrowed reports whether a directory is in PATH only while a hook runs: pre-commit, prek and npm prepend their own
// directories.
func isBorrowed(dir string, getenv func(string) string) bool {
	if strings.HasSuffix(filepath.ToSlash(dir), "node_modules/.bin") {
		return true
	}
	homes := []string{getenv("PRE_COMMIT_HOME"), getenv("PREK_HOME")}
	for _, cache := range []string{getenv("XDG_CACHE_HOME"), filepath.Join(getenv("HOME"), ".cache"),
		filepath.Join(getenv("USERPROFILE"), ".cache"), getenv("LocalAppData")} {
		homes = append(homes, filepath.Join(cache, "pre-commit"), filepath.Join(cache, "prek"))
	}
	return slices.ContainsFunc(homes, func(home string) bool {
		rel, err := filepath.Rel(home, dir)
		return filepath.IsAbs(home) && err == nil && filepath.IsLocal(rel)
	})
}

// isScript reports whether a file is a script, such as a package manager's wrapper. The caller assumes that it starts
// this binary.
func isScript(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 2)
	_, _ = f.Read(head)
	return bytes.Equal(head, []byte("#!"))
}
