package main

import (
	"os"
	"path/filepath"
	"runtime"
)

// stateDir returns the directory in which journals of changes outside a repository
// are kept, "" if none is known. Unlike a cache it must not be emptied at any time.
func stateDir() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "stategate")
	}
	if dir := os.Getenv("LocalAppData"); runtime.GOOS == "windows" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "stategate")
	}
	home, err := os.UserHomeDir()
	switch {
	case err != nil || !filepath.IsAbs(home):
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Application Support", "stategate")
	}
	return filepath.Join(home, ".local", "state", "stategate")
}
