package setup

import (
	_ "embed"
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

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
)

//go:embed templates/hook.sh
var hookTemplate string

//go:embed templates/pre-commit-release.yaml
var preCommitRelease string

//go:embed templates/pre-commit-local.yaml
var preCommitLocal string

// hookCommand is the command that every hook runs.
const hookCommand = "stategate check --staged"

// gatedHooks lists the git hooks that run the gate. git runs the second one for merges, instead of the first.
var gatedHooks = []string{"pre-commit", "pre-merge-commit"}

// hooks lists the hook tools that init supports.
var hooks = []tool{
	{"pre-commit", []string{preCommitConfig}, preCommit},
	{"git", nil, gitHook},
	{"lefthook", lefthookYAML, lefthook},
	{"husky", []string{huskyDir}, husky},
	{"prek", []string{prekConfig}, prek},
}

// otherHooks lists hook tools that init does not support, with the files and the package.json key that identify them.
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
		p.notes = append(p.notes, "no hook was set up, because this is not a git repository; run git init, then "+
			"init again; or use --hook")
		return none, nil
	}
	if name := p.withFiles(hooks); name != "" {
		return name, nil
	}
	if found, err := otherHook(p, ""); found || err != nil {
		return none, err
	}
	p.notes = append(p.notes, "no hook tool found, so init uses git's own hook (--hook NAME sets up another: "+
		strings.Join(slices.DeleteFunc(HookNames(), func(n string) bool { return n == "git" || n == none }), ", ")+")")
	return "git", nil
}

// otherHook reports whether an unsupported tool with this name ("" means any) runs the hooks. If so, it adds the steps
// for the user to the plan.
func otherHook(p *Plan, name string) (bool, error) {
	var members map[string]json.RawMessage
	data, err := p.regular("package.json")
	if err != nil {
		return false, err
	}
	_ = json.Unmarshal(data, &members) // an invalid file has no keys
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
			p.Asks = append(p.Asks, t.name+" ("+file+
				") runs the hooks, but init cannot change its configuration; add "+hookCommand+" to its "+
				strings.Join(gatedHooks, " and ")+", or choose another tool with --hook")
		}
		return true, nil
	}
	return false, nil
}

// regular returns the bytes of a file, or nil if it is not a regular file.
func (p *Plan) regular(name string) ([]byte, error) {
	if info, err := os.Lstat(filepath.Join(p.Top, filepath.FromSlash(name))); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	text, _, err := read(p.Top, name)
	return text, err
}

func gitHook(p *Plan) error {
	if p.repo == nil {
		return fault.Usagef("--hook git: %s is not in a git repository; run git init first", p.Top)
	}
	dir, ours, err := hooksDir(p)
	if err != nil {
		return err
	}
	if !ours {
		p.Asks = append(p.Asks,
			fmt.Sprintf("core.hooksPath sets this repository's hooks to %s, which other repositories may share; "+
				"add to its %s: %s", dir, strings.Join(gatedHooks, " and "), hookCommand))
		return nil
	}
	if dir == filepath.Join(git.Resolved(p.Top), huskyDir, "_") {
		return husky(p) // husky writes the scripts in this directory
	}
	shown, inTree := dir, false
	if rel, err := filepath.Rel(git.Resolved(p.Top), dir); err == nil && filepath.IsLocal(rel) {
		shown, inTree = rel, !strings.HasPrefix(filepath.ToSlash(rel)+"/", ".git/")
	}
	for _, name := range gatedHooks {
		gitScript(p, dir, name, filepath.ToSlash(filepath.Join(shown, name)))
	}
	if inTree {
		p.next = append(p.next, "commit the hooks. git uses them only in this clone; in every other clone, run git "+
			"config core.hooksPath "+filepath.ToSlash(shown))
	} else {
		p.next = append(p.next, "git runs the hooks only in this clone; in every other clone, run stategate init "+
			"--hook git")
	}
	return nil
}

func gitScript(p *Plan, dir, name, shown string) {
	var text []byte
	if _, err := os.Lstat(dir); err == nil {
		if text, _, err = read(dir, name); err != nil {
			p.Asks = append(p.Asks, fmt.Sprintf("%s was not changed: %v; the program it runs must call: %s", shown, err,
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
		p.Asks = append(p.Asks, fmt.Sprintf("%s exists and was not changed; add this line to it: %s || exit", shown,
			hookCommand))
	}
}

// hooksDir returns the directory of the hooks, with links resolved. ours is true if it belongs to this repository.
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

// existing returns the longest part of a path that exists, even if only as a broken link.
func existing(dir string) string {
	for filepath.Dir(dir) != dir {
		if _, err := os.Lstat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// callsGate reports whether a script runs the gate, not counting comments.
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

// ciSystems lists the supported CI systems in the order of detection.
var ciSystems = []tool{
	{"gitlab", []string{gitlabConfig}, gitlab},
	{"github", []string{githubWorkflows}, github},
}

// usedCI returns the CI system that the repository uses, according to its files or, if they show none, its remote.
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
	p.notes = append(p.notes, "no CI system was detected; --ci github or --ci gitlab writes a job; in another CI, run "+
		"stategate check --rev HEAD --base origin/main --changed --policy-from origin/main, with the branch that "+
		"changes are merged into")
	return none, nil
}

// hostOf returns the host in a remote's address, which is a URL or host:path, or "" if the remote is a directory.
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

// hasWorkflow returns the name of a workflow that already runs the gate, or whose file has our name, or "".
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

// plainBranch matches branch names that are literal both in YAML and as a branch pattern.
var plainBranch = regexp.MustCompile(`^[a-zA-Z0-9_/][a-zA-Z0-9._/-]*$`)

// branches returns the branches that changes are merged into, or main and master if the clone does not know them.
func branches(p *Plan) ([]string, error) {
	if p.repo != nil {
		known, err := p.repo.Branches(p.ctx)
		if err != nil {
			return nil, err
		}
		if plainBranch.MatchString(known.Default) {
			return []string{known.Default}, nil
		}
	}
	return []string{"main", "master"}, nil
}
