package main

import (
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// environment is all that stategate reads of its environment. Nothing below cmd
// reads it.
type environment struct {
	all      []string // for git
	dir      string   // where it was started, "" if unknown
	cacheDir string   // of compiled plugins, "" for none
	noCache  string   // why there is none
	plain    bool     // NO_COLOR is set, or the terminal is dumb
}

func readEnvironment() environment {
	e := environment{all: os.Environ(), plain: os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"}
	e.dir, _ = os.Getwd()
	base, err := os.UserCacheDir()
	if err != nil {
		e.noCache = "plugins are compiled again at every run, because no directory for caches is known: " + err.Error()
		return e
	}
	e.cacheDir = filepath.Join(base, "stategate", "compiled")
	return e
}

// color reports whether w shows colours.
func (e environment) color(w io.Writer) bool { return !e.plain && isTerminal(w) }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
