package setup

import (
	_ "embed" // for the templates
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
)

//go:embed templates/hook.sh
var hookTemplate string

//go:embed templates/pre-commit-release.yaml
var preCommitRelease string

//go:embed templates/pre-commit-local.yaml
var preCommitLocal string

// hookCommand is what every hook runs.
const hookCommand = "stategate check --staged"

// gatedHooks are the hooks of git that run the gate: the second one for merges, which git commits without running the
// first.
var gatedHooks = []string{"pre-commit", "pre-merge-commit"}

// hooks are the tools that init writes for.
var hooks = []tool{
	{"pre-commit", []string{preCommitConfig}, preCommit},
	{"git", nil, gitHook},
	{"lefthook", lefthookYAML, lefthook},
	{"husky", []string{huskyDir}, husky},
	{"prek", []string{prekConfig}, prek},
}

// otherHooks are the tools that init does not write for: the files and the key of package.json that show their use.
var otherHooks = []struct {
	name  string
	files []string
	key   string
}{
	{"husky", []string{".huskyrc", ".huskyrc.json"}, "husky"}, // 4 and older
	{"simple-git-hooks", []string{
		".simple-git-hooks.json", "simple-git-hooks.json", ".simple-git-hooks.js", "simple-git-hooks.js",
		".simple-git-hooks.cjs", "simple-git-hooks.cjs", ".simple-git-hooks.mjs", "simple-git-hooks.mjs",
	}, "simple-git-hooks"},
	{"yorkie", nil, "gitHooks"},
	{"overcommit", []string{".overcommit.yml"}, ""},
	{"prek", []string{".pre-commit-config.yml"}, ""},
	{"captainhook", []string{"captainhook.json"}, ""},
	{"lefthook", lefthookConfigs("toml"), ""},
	{"grumphp", []string{"grumphp.yml", "grumphp.yaml", "grumphp.yml.dist"}, ""},
}

func usedHook(p *Plan) (string, error) {
	if p.repo == nil {
		p.notes = append(p.notes, "no hook was set up, because this is not a git repository: run git init, then "+
			"init again; or choose with --hook")
		return None, nil
	}
	if name := p.withFiles(hooks); name != "" {
		return name, nil
	}
	if found, err := otherHook(p, ""); found || err != nil {
		return None, err
	}
	p.notes = append(p.notes, "no hook tool found: using git's own hook (--hook NAME sets up another: "+
		strings.Join(slices.DeleteFunc(HookNames(), func(n string) bool { return n == "git" || n == None }), ", ")+")")
	return "git", nil
}

// otherHook reports whether a tool of that name, "" for any, runs the hooks that init does not write for, and says what
// is left to do.
func otherHook(p *Plan, name string) (bool, error) {
	var members map[string]json.RawMessage
	data, err := p.regular("package.json")
	if err != nil {
		return false, err
	}
	_ = json.Unmarshal(data, &members) // one that is not valid has none
	for _, t := range otherHooks {
		if name != "" && name != t.name {
			continue
		}
		file, runs := p.first(t.files), false
		switch value, ok := members[t.key]; {
		case file != "":
			text, err := p.regular(file)
			if err != nil {
				return false, err
			}
			runs = callsGate(string(text))
		case ok:
			file, runs = "package.json", runsCheck(string(value))
		default:
			continue
		}
		if runs {
			p.same = append(p.same, file)
		} else {
			p.Asks = append(p.Asks, "the hooks are run by "+t.name+" ("+file+
				"), which init does not write for: let its "+
				strings.Join(gatedHooks, " and ")+" run "+hookCommand+"; or choose another tool with --hook")
		}
		return true, nil
	}
	return false, nil
}

// regular returns the bytes of a file, none if it is not a regular one.
func (p *Plan) regular(name string) ([]byte, error) {
	if info, err := os.Lstat(filepath.Join(p.Top, filepath.FromSlash(name))); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	text, _, err := read(p.Top, name)
	return text, err
}

func gitHook(p *Plan) error {
	if p.repo == nil {
		return fault.Usagef("--hook git: %s is in no git repository; run git init first", p.Top)
	}
	dir, ours, err := hooksDir(p)
	if err != nil {
		return err
	}
	if !ours {
		p.Asks = append(p.Asks, fmt.Sprintf("hooks of this repository are in %s, outside of it (core.hooksPath), "+
			"where others may use them; add to its %s: %s", dir, strings.Join(gatedHooks, " and "), hookCommand))
		return nil
	}
	if dir == filepath.Join(git.Resolved(p.Top), huskyDir, "_") {
		return husky(p) // which writes the scripts in this directory itself
	}
	shown, inTree := dir, false
	if rel, err := filepath.Rel(git.Resolved(p.Top), dir); err == nil && filepath.IsLocal(rel) {
		shown, inTree = rel, !strings.HasPrefix(filepath.ToSlash(rel)+"/", ".git/")
	}
	for _, name := range gatedHooks {
		gitScript(p, dir, name, filepath.ToSlash(filepath.Join(shown, name)))
	}
	if inTree {
		p.next = append(p.next, "commit the hooks; git uses them in this clone only: in every other clone, run git "+
			"config core.hooksPath "+filepath.ToSlash(shown))
	} else {
		p.next = append(p.next, "git runs the hooks in this clone only: in every other clone, run stategate init "+
			"--hook git")
	}
	return nil
}

func gitScript(p *Plan, dir, name, shown string) {
	var text []byte
	if _, err := os.Lstat(dir); err == nil {
		if text, _, err = read(dir, name); err != nil {
			p.Asks = append(p.Asks, fmt.Sprintf("%s is left as it is: %v; what runs must hold: %s", shown, err,
				hookCommand))
			return
		}
	}
	switch {
	case text == nil:
		base := existing(dir)
		below := strings.Trim(filepath.ToSlash(strings.TrimPrefix(dir, base)), "/")
		p.writes = append(p.writes, write{dir: base, name: path.Join(below, name), shown: shown,
			after: []byte(hookTemplate), mode: 0o755})
	case callsGate(string(text)), name != "pre-commit" && strings.Contains(string(text), "/pre-commit"):
		p.same = append(p.same, shown)
	default:
		p.Asks = append(p.Asks, fmt.Sprintf("%s exists and is left as it is; add a line to it: %s || exit", shown,
			hookCommand))
	}
}

// hooksDir returns the directory of the hooks, links resolved, and whether it is this repository's own.
func hooksDir(p *Plan) (dir string, ours bool, err error) {
	if dir, err = p.repo.Hooks(p.ctx); err != nil {
		return "", false, err
	}
	common, err := p.repo.CommonDir(p.ctx)
	if err != nil {
		return "", false, err
	}
	base := existing(dir)
	dir = filepath.Join(git.Resolved(base), strings.TrimPrefix(dir, base))
	for _, own := range []string{p.Top, common} {
		if rel, err := filepath.Rel(git.Resolved(own), dir); err == nil && filepath.IsLocal(rel) {
			return dir, true, nil
		}
	}
	return dir, false, nil
}

// existing returns the longest part of a path that exists, be it a file or a link.
func existing(dir string) string {
	for filepath.Dir(dir) != dir {
		if _, err := os.Lstat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// callsGate reports whether a line of a script that is not a comment runs the gate.
func callsGate(script string) bool {
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && runsCheck(line) {
			return true
		}
	}
	return false
}

//go:embed templates/github.yml
var githubTemplate string

//go:embed templates/gitlab.yml
var gitlabTemplate string

const (
	githubWorkflows = ".github/workflows"
	gitlabConfig    = ".gitlab-ci.yml"
)

// ciSystems is in the order of recognition.
var ciSystems = []tool{
	{"gitlab", []string{gitlabConfig}, gitlab},
	{"github", []string{githubWorkflows}, github},
}

// usedCI returns where changes of the repository are tested, by its files or else by where it came from.
func usedCI(p *Plan) (string, error) {
	if name := p.withFiles(ciSystems); name != "" {
		return name, nil
	}
	if p.repo != nil {
		url, err := p.repo.Config(p.ctx, "remote.origin.url")
		if err != nil {
			return "", err
		}
		for _, ci := range ciSystems {
			if strings.Contains(hostOf(url), ci.name) {
				return ci.name, nil
			}
		}
	}
	p.notes = append(p.notes, "no CI was recognized: --ci github or --ci gitlab writes its job; in another CI, run "+
		"stategate check --rev HEAD --base origin/main --changed --policy-from origin/main, with the branch that "+
		"changes are merged into")
	return None, nil
}

// hostOf returns the host of a remote's address, which is a URL or host:path; "" for a directory.
func hostOf(remote string) string {
	if _, rest, ok := strings.Cut(remote, "://"); ok {
		remote = rest
	} else if !strings.Contains(remote, ":") {
		return ""
	}
	host, _, _ := strings.Cut(remote, "/")
	host, _, _ = strings.Cut(host[strings.Index(host, "@")+1:], ":")
	return host
}

func github(p *Plan) error {
	has, err := hasWorkflow(p)
	if err != nil {
		return fmt.Errorf("read %s: %w", githubWorkflows, err)
	}
	if has != "" {
		p.same = append(p.same, has)
		return nil
	}
	branches, err := branches(p)
	if err != nil {
		return err
	}
	p.create(githubWorkflows+"/stategate.yml", p.versioned(githubTemplate, "main", "{{branches}}",
		`"`+strings.Join(branches, `", "`)+`"`))
	return nil
}

// hasWorkflow returns a workflow that runs the gate already, or that has the name of ours; "" if there is none.
func hasWorkflow(p *Plan) (string, error) {
	root, err := os.OpenRoot(p.Top)
	if err != nil {
		return "", err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), githubWorkflows)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, e := range entries {
		name := path.Join(githubWorkflows, e.Name())
		if e.Name() == "stategate.yml" || e.Name() == "stategate.yaml" {
			return name, nil
		}
		text, err := p.regular(name)
		if err != nil {
			return "", err
		}
		if strings.Contains(string(text), "stategate/stategate/.github/action@") || runsCheck(string(text)) {
			return name, nil
		}
	}
	return "", nil
}

// plainBranch matches names that mean themselves in YAML and in a pattern of branches.
var plainBranch = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_/][a-zA-Z0-9._/-]*$`) })

// branches are those that changes are merged into; both common ones if the clone does not say.
func branches(p *Plan) ([]string, error) {
	if p.repo != nil {
		known, err := p.repo.Branches(p.ctx)
		if err != nil {
			return nil, err
		}
		if plainBranch().MatchString(known.Default) {
			return []string{known.Default}, nil
		}
	}
	return []string{"main", "master"}, nil
}
