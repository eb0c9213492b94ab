package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"
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
	plain    bool     // nothing is coloured
	forced   bool     // everything is coloured, also what is no terminal
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

// typedIn is the directory of the user's shell. git starts hooks at the top of the work tree and says where it was
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

// colors reads what says whether colours and links are wanted: see no-color.org and bixense.com/clicolors.
func (e *environment) colors(getenv func(string) string) {
	set := func(name string) bool { return getenv(name) != "" }
	force := getenv("CLICOLOR_FORCE")
	e.forced = force != "" && force != "0"
	e.plain = set("NO_COLOR") || !e.forced && (e.dumb || getenv("CLICOLOR") == "0")
	known := []string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"}
	vte, _ := strconv.Atoi(getenv("VTE_VERSION"))
	e.links = !e.plain && !e.dumb && !set("CI") && !set("TMUX") &&
		(slices.Contains(known, getenv("TERM_PROGRAM")) || vte >= 5000 || set("WT_SESSION") || set("KONSOLE_VERSION") ||
			set("KITTY_WINDOW_ID") || getenv("TERM") == "alacritty")
}

func (e environment) color(w io.Writer) bool { return !e.plain && (e.forced || isTerminal(w)) }

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalSize is 80 by 24 where the terminal does not say it.
func terminalSize(stream any) (width, height int) {
	if f, ok := stream.(*os.File); ok {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 0 && height > 0 {
			return width, height
		}
	}
	return 80, 24
}

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

// parents stands for every parent of HEAD, as git has it.
const parents = "HEAD^@"

// inCI reports whether this is a job of a CI service: GitHub, GitLab, Azure, Jenkins, Buildkite, or one that sets CI.
func (e environment) inCI() bool {
	return slices.ContainsFunc([]string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "JENKINS_URL", "BUILDKITE"},
		func(name string) bool {
			value := e.get(name)
			return value != "" && value != "false" && value != "0"
		})
}

// autoBase says for --base auto where the change begins: as pre-commit, GitHub or
// GitLab has it, in this order. Outside of all it is "", what git says.
func (e environment) autoBase() (string, error) {
	switch {
	case e.get("PRE_COMMIT_FROM_REF") != "":
		return e.get("PRE_COMMIT_FROM_REF") + fromMergeBase, nil
	case e.get("GITHUB_ACTIONS") == "true":
		return e.githubBase()
	case e.get("GITLAB_CI") != "":
		return e.gitlabBase(), nil
	case e.inCI():
		return parents, nil
	}
	return "", nil
}

// fromMergeBase after a revision stands for the merge base of it and what is checked.
const fromMergeBase = "..."

func (e environment) gitlabBase() string {
	for _, name := range []string{"CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "CI_MERGE_REQUEST_DIFF_BASE_SHA",
		"CI_COMMIT_BEFORE_SHA"} {
		if id := e.get(name); !isMissing(id) {
			return id
		}
	}
	return parents
}

// isMissing reports whether an object id is missing: CI reports a new branch as one that was at zero before.
func isMissing(id string) bool { return strings.Trim(id, "0") == "" }

// githubEvent is what stategate reads of the event that started a job of GitHub.
type githubEvent struct {
	Before     string
	Forced     bool
	Repository struct {
		Trunk string `json:"default_branch"`
	}
	MergeGroup struct {
		Base string `json:"base_sha"`
		Ref  string `json:"base_ref"`
	} `json:"merge_group"`
	PullRequest struct {
		Base struct{ SHA string }
	} `json:"pull_request"`
}

func (e environment) githubBase() (string, error) {
	event, err := e.githubEvent("--base auto")
	if err != nil {
		return "", err
	}
	trunk := event.Repository.Trunk
	switch {
	case !isMissing(event.PullRequest.Base.SHA):
		return event.PullRequest.Base.SHA + fromMergeBase, nil
	case e.get("GITHUB_BASE_REF") != "":
		return remoteBranch(e.get("GITHUB_BASE_REF")) + fromMergeBase, nil
	case !isMissing(event.MergeGroup.Base):
		return event.MergeGroup.Base, nil
	case event.Forced || e.get("GITHUB_EVENT_NAME") != "push":
		return parents, nil
	case !isMissing(event.Before):
		return event.Before, nil
	case trunk != "" && e.get("GITHUB_REF_TYPE") == "branch" && e.get("GITHUB_REF_NAME") != trunk:
		return remoteBranch(trunk) + fromMergeBase, nil
	}
	return parents, nil
}

// githubEvent reads the event; flag is the one that asks for it.
func (e environment) githubEvent(flag string) (event githubEvent, err error) {
	name := e.get("GITHUB_EVENT_PATH")
	if name == "" {
		return event, nil
	}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &event)
	}
	if err != nil {
		return event, brokenf("%s: read the event of GitHub in %s: %v; name a revision instead of auto", flag, name,
			err)
	}
	return event, nil
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

// autoFlag is the value of --policy-from that has the environment name the revision.
const autoFlag = "--policy-from auto"

// policyRevision returns the revision that holds the policy for --policy-from auto: the tip of the branch that the
// change is going to be merged into. It is never where the change began, which its author chooses. "" means the
// configuration of what is checked: on that branch itself, for a tag, and outside of CI.
func (e environment) policyRevision() (string, error) {
	branch, err := "", error(nil)
	switch {
	case e.get("GITHUB_ACTIONS") == "true":
		branch, err = e.githubTarget()
	case e.get("GITLAB_CI") != "":
		return e.gitlabPolicy()
	case !e.inCI():
		return "", nil
	case e.get("PRE_COMMIT_FROM_REF") != "":
		return e.get("PRE_COMMIT_FROM_REF"), nil
	default:
		err = usagef("%s: this is a CI job, but neither GitHub nor GitLab names the target branch; name it instead, "+
			"as in --policy-from refs/remotes/origin/main", autoFlag)
	}
	if branch == "" || err != nil {
		return "", err
	}
	return remoteBranch(branch), nil
}

func remoteBranch(name string) string { return "refs/remotes/origin/" + name }

// githubTarget names the branch that the change is going to be merged into, "" if it is in it already.
func (e environment) githubTarget() (string, error) {
	if target := e.get("GITHUB_BASE_REF"); target != "" {
		return target, nil
	}
	event, err := e.githubEvent(autoFlag)
	if err != nil {
		return "", err
	}
	trunk, pushed := event.Repository.Trunk, e.get("GITHUB_REF_NAME")
	switch {
	case event.MergeGroup.Ref != "":
		return strings.TrimPrefix(event.MergeGroup.Ref, "refs/heads/"), nil
	case e.get("GITHUB_REF_TYPE") != "branch" || pushed == trunk:
		return "", nil
	case trunk == "":
		return "",
			usagef("%s: GitHub's event does not name the default branch, so that the target of %q is not known; "+
				"name it instead, as in --policy-from refs/remotes/origin/main", autoFlag, pushed)
	}
	return trunk, nil
}

// gitlabPolicy is that of the target of a merge request. Another branch is going to be merged into the default branch.
func (e environment) gitlabPolicy() (string, error) {
	target, trunk, pushed := e.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"), e.get("CI_DEFAULT_BRANCH"),
		e.get("CI_COMMIT_BRANCH")
	project := e.get("CI_MERGE_REQUEST_PROJECT_PATH")
	switch {
	case target != "" && project != "" && project != e.get("CI_PROJECT_PATH"):
		// The branches of this clone are those of the fork, whose owner asks for the merge.
		if tip := e.get("CI_MERGE_REQUEST_TARGET_BRANCH_SHA"); !isMissing(tip) {
			return tip, nil
		}
		return "",
			usagef("%s: the target branch %s is one of %s, and this clone is of %s; fetch it and name it instead: "+
				"git fetch %s.git %s, then --policy-from FETCH_HEAD",
				autoFlag, target, project, e.get("CI_PROJECT_PATH"), e.get("CI_MERGE_REQUEST_PROJECT_URL"), target)
	case target != "":
		return remoteBranch(target), nil
	case pushed == "" && e.get("CI_COMMIT_TAG") != "", pushed != "" && pushed == trunk:
		return "", nil
	case trunk == "":
		return "",
			usagef("%s: neither CI_MERGE_REQUEST_TARGET_BRANCH_NAME nor CI_DEFAULT_BRANCH is set, so that the "+
				"target branch is not known; name it instead, as in --policy-from refs/remotes/origin/main", autoFlag)
	}
	return remoteBranch(trunk), nil
}
