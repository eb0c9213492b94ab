package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/stategate/stategate/host/source/git"
)

// environment holds everything that stategate reads from its environment. Only package main reads the environment.
type environment struct {
	all      []string // for git
	dir      string   // where stategate was started; "" if unknown
	here     string   // where the user types the next command; may differ from dir in hooks
	home     string   // the user's home directory, or ""
	cacheDir string   // for compiled plugins and verdicts, or ""
	stateDir string   // for journals outside a repository, or ""
	storeDir string   // for fetched plugins, or ""
	build    string   // identifies this binary, or "" if that is not possible
	noCache  string   // why there is no cache
	dumb     bool     // the terminal cannot redraw a line
	plain    bool     // color is off
	forced   bool     // color is on even if the output is not a terminal
	links    bool     // the terminal supports links (OSC 8)
	summary  string   // the file for GitHub Actions' job summary, or ""
}

// environmentIn reads the given environment, which need not be that of the process.
func environmentIn(dir string, all []string, getenv func(string) string, caches func() (string, error)) environment {
	e := environment{all: all, dir: dir, dumb: getenv("TERM") == "dumb"}
	e.colors(getenv)
	e.summary = getenv("GITHUB_STEP_SUMMARY")
	e.here = typedIn(e.dir, getenv)
	e.home, _ = os.UserHomeDir()
	e.build = buildOf(os.Executable())
	e.stateDir = stateDir(getenv)
	base, err := caches()
	if err != nil {
		e.noCache = "plugins are compiled at every run, because there is no known cache directory: " + err.Error()
		return e
	}
	e.cacheDir = filepath.Join(base, "stategate", "compiled")
	e.storeDir = filepath.Join(base, "stategate", "plugins")
	return e
}

// typedIn returns the directory of the user's shell. git starts hooks at the top of the working tree and passes the
// directory that it was called in; pre-commit also changes to the top, but keeps the shell's PWD.
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
		return dir // dir is not the top
	}
	if info, err := os.Stat(at); err != nil || !info.IsDir() {
		return dir
	}
	return at
}

// buildOf identifies a binary by its file, because the version of a development build does not change with its code.
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

// colors reads the variables that turn colors and links on or off; see no-color.org, force-color.org and
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

// stateDir returns the directory for journals of changes outside a repository, or "" if it is unknown. Unlike a cache,
// it must never be emptied.
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

// inCI reports whether this is a CI job: on GitHub, GitLab, Azure, Jenkins, Buildkite, or a service that sets CI.
func (e environment) inCI() bool {
	return slices.ContainsFunc([]string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "JENKINS_URL", "BUILDKITE"},
		func(name string) bool {
			value := e.get(name)
			return value != "" && value != "false" && value != "0"
		})
}

func (e environment) get(name string) string { return git.Settings{Environ: e.all}.Get(name) }
