package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// environment is all that stategate reads of its environment. Nothing below cmd reads it.
type environment struct {
	all      []string // for git
	dir      string   // where it was started, "" if unknown
	here     string   // where the user types the next command: dir, but for hooks
	cacheDir string   // of compiled plugins and verdicts, "" for none
	stateDir string   // of journals outside a repository, "" for none
	storeDir string   // of plugins that were fetched, "" for none
	build    string   // identifies this binary, "" if that is not possible
	noCache  string   // why there is none
	dumb     bool     // the terminal cannot be drawn on
	plain    bool     // nothing is colored
	forced   bool     // everything is colored, even if the output is not a terminal
	links    bool     // the terminal opens links (OSC 8)
	summary  string   // the file that GitHub Actions shows as the summary of a job, "" elsewhere
}

// environmentIn reads one that need not be the process's.
func environmentIn(dir string, all []string, getenv func(string) string, caches func() (string, error)) environment {
	e := environment{all: all, dir: dir, dumb: getenv("TERM") == "dumb"}
	e.colors(getenv)
	e.summary = getenv("GITHUB_STEP_SUMMARY")
	e.here = typedIn(e.dir, getenv)
	e.build = buildOf(os.Executable())
	e.stateDir = stateDir(getenv)
	base, err := caches()
	if err != nil {
		e.noCache = "plugins are compiled again at every run, because no directory for caches is known: " + err.Error()
		return e
	}
	e.cacheDir = filepath.Join(base, "stategate", "compiled")
	e.storeDir = filepath.Join(base, "stategate", "plugins")
	return e
}

// typedIn is the directory of the user's shell. git starts hooks at the top of the working tree and says where it was
// called itself; pre-commit goes to the top, too, and leaves what the shell says.
func typedIn(dir string, getenv func(string) string) string {
	at := filepath.Join(dir, filepath.FromSlash(getenv("GIT_PREFIX")))
	if at == dir && getenv("PRE_COMMIT") != "" {
		at = getenv("PWD")
	}
	rel, err := filepath.Rel(dir, at)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return dir
	}
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
		return dir // not at the top
	}
	if info, err := os.Stat(at); err != nil || !info.IsDir() {
		return dir
	}
	return at
}

// buildOf names a binary by its file: a development build has no version that changes with its code.
func buildOf(name string, err error) string {
	if err != nil {
		return ""
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d", version(), info.Size(), info.ModTime().UnixNano())
}

// colors reads the variables that decide whether colors and links are wanted: see no-color.org, force-color.org and
// bixense.com/clicolors.
func (e *environment) colors(getenv func(string) string) {
	set := func(name string) bool { return getenv(name) != "" }
	e.forced = slices.ContainsFunc([]string{"CLICOLOR_FORCE", "FORCE_COLOR"}, func(name string) bool {
		force := getenv(name)
		return force != "" && force != "0" && force != "false"
	})
	e.plain = set("NO_COLOR") || !e.forced && (e.dumb || getenv("CLICOLOR") == "0")
	known := []string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"}
	vte, _ := strconv.Atoi(getenv("VTE_VERSION"))
	e.links = !e.plain && !e.dumb && !set("CI") && !set("TMUX") &&
		(slices.Contains(known, getenv("TERM_PROGRAM")) || vte >= 5000 || set("WT_SESSION") || set("KONSOLE_VERSION") ||
			set("KITTY_WINDOW_ID") || getenv("TERM") == "alacritty")
}

func (e environment) color(w io.Writer) bool { return !e.plain && (e.forced || isTerminal(w)) }

// stateDir returns the directory in which journals of changes outside a repository
// are kept, "" if none is known. Unlike a cache it must not be emptied at any time.
func stateDir(getenv func(string) string) string {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "stategate")
	}
	if dir := getenv("LocalAppData"); runtime.GOOS == "windows" && filepath.IsAbs(dir) {
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

// inCI reports whether this is a job of a CI service: GitHub, GitLab, Azure, Jenkins, Buildkite, or one that sets CI.
func (e environment) inCI() bool {
	return slices.ContainsFunc([]string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "JENKINS_URL", "BUILDKITE"},
		func(name string) bool {
			value := e.get(name)
			return value != "" && value != "false" && value != "0"
		})
}

// get returns the value of an environment variable, "" if it is not set.
func (e environment) get(name string) string {
	for i := len(e.all) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(e.all[i], name+"="); ok {
			return value
		}
	}
	return ""
}
