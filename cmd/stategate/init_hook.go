package main

import (
	_ "embed" // for the templates
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed templates/hook.sh
var hookTemplate string

// hookCommand is what every hook runs.
const hookCommand = "stategate check --staged"

// hookKind finds out how the repository runs hooks.
func (i *initializer) hookKind(asked string) (string, error) {
	if asked != "" {
		return asked, nil
	}
	if i.repo == nil {
		i.notes = append(i.notes, "no hook was set up, because this is no git repository: run git init, then init again; or choose with --hook")
		return setUpNone, nil
	}
	for _, kind := range []struct {
		hook  string
		files []string
	}{{hookPreCommit, []string{preCommitConfig}}, {hookLefthook, lefthookConfigs()}} {
		name, _, err := i.first(kind.files...)
		if err != nil || name != "" {
			return kind.hook, err
		}
	}
	if other, err := i.otherTool(); err != nil || other {
		return setUpNone, err
	}
	i.notes = append(i.notes, "no hook tool was recognised, so that git itself runs the hook: --hook pre-commit or --hook lefthook sets one up")
	return hookGit, nil
}

func (i *initializer) hook(kind string) error {
	switch kind {
	case hookPreCommit:
		return i.preCommit()
	case hookLefthook:
		return i.lefthook()
	case hookGit:
		return i.gitHook()
	}
	return nil
}

// An extension puts an entry into one of several YAML files, or makes the first.
type extension struct {
	names  []string
	fresh  string // the whole of a new file
	entry  string // what a person adds where insert cannot
	added  string // what insert adds, for people
	has    func(root *yaml.Node) bool
	insert func(text []byte, root *yaml.Node) ([]byte, error)
}

func (i *initializer) extend(e extension) error {
	name, text, err := i.first(e.names...)
	if err != nil {
		return err
	}
	if text == nil {
		i.create(e.names[0], e.fresh, 0o644)
		return nil
	}
	root, err := yamlRoot(text)
	if err == nil && e.has(root) {
		i.same = append(i.same, name)
		return nil
	}
	var after []byte
	if err == nil {
		after, err = e.insert(text, root)
	}
	if err == nil {
		err = grown(root, after, e.has)
	}
	if err != nil {
		i.byHand(name, err, e.entry)
		return nil
	}
	_, mode, err := read(i.top, name)
	i.writes = append(i.writes, fileWrite{dir: i.top, name: name, shown: name, before: text, after: after, mode: mode, added: e.added})
	return err
}

// byHand leaves a file as it is, because of err, and says what a person adds.
func (i *initializer) byHand(name string, err error, entry string) {
	i.asks = append(i.asks, fmt.Sprintf("%s is left as it is: %v; add to it:\n%s", name, err, entry))
}

// grown refuses a text that lacks the entry, or anything that was there before.
func grown(before *yaml.Node, text []byte, has func(*yaml.Node) bool) error {
	after, err := yamlRoot(text)
	if err != nil || !has(after) {
		return errByHand
	}
	left := scalars(after)
	for _, value := range scalars(before) {
		at := slices.Index(left, value)
		if at < 0 {
			return errByHand
		}
		left = left[at+1:]
	}
	return nil
}

// scalars are the scalars and aliases of a document in their order.
func scalars(n *yaml.Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode {
		return []string{n.Tag + n.Value}
	}
	var all []string
	for _, c := range n.Content {
		all = append(all, scalars(c)...)
	}
	return all
}

// gitHook plans the hooks of plain git: for commits, and for merges, which git
// commits without asking the other one.
func (i *initializer) gitHook() error {
	dir, ours, err := i.hooksDir()
	if err != nil {
		return err
	}
	if !ours {
		i.asks = append(i.asks, fmt.Sprintf("hooks of this repository lie in %s, outside of it (core.hooksPath), where others may use them; add to its %s: %s", dir, strings.Join(gatedHooks(), " and "), hookCommand))
		return nil
	}
	if manager := managed(dir); manager != "" {
		i.asks = append(i.asks, fmt.Sprintf("the hooks are those of husky; add a line to %s: %s", manager, hookCommand))
		return nil
	}
	for _, name := range gatedHooks() {
		i.gitScript(dir, name)
	}
	i.next = append(i.next, i.elsewhere(dir))
	return nil
}

// elsewhere says how the hooks get into other clones: git copies none.
func (i *initializer) elsewhere(dir string) string {
	rel, err := filepath.Rel(resolvedDir(i.top), dir)
	if err == nil && filepath.IsLocal(rel) && !strings.HasPrefix(filepath.ToSlash(rel)+"/", ".git/") {
		return "commit the hooks; git uses them in this clone only: in every other clone, run git config core.hooksPath " + filepath.ToSlash(rel)
	}
	return "git runs the hooks in this clone only: in every other clone, run stategate init --hook git"
}

func (i *initializer) gitScript(dir, name string) {
	shown := filepath.ToSlash(filepath.Join(dir, name))
	if rel, err := filepath.Rel(resolvedDir(i.top), dir); err == nil && filepath.IsLocal(rel) {
		shown = filepath.ToSlash(filepath.Join(rel, name))
	}
	var text []byte
	if _, err := os.Lstat(dir); err == nil {
		if text, _, err = read(dir, name); err != nil {
			i.asks = append(i.asks, fmt.Sprintf("%s is left as it is: %v; what runs must hold: %s", shown, err, hookCommand))
			return
		}
	}
	switch {
	case text == nil:
		i.writes = append(i.writes, fileWrite{dir: existing(dir), name: below(dir, name), shown: shown, after: []byte(hookTemplate), mode: 0o755})
	case callsGate(string(text)), name != "pre-commit" && strings.Contains(string(text), "/pre-commit"):
		i.same = append(i.same, shown)
	default:
		i.asks = append(i.asks, fmt.Sprintf("%s exists and is left as it is; add a line to it: %s || exit", shown, hookCommand))
	}
}

// hooksDir returns the directory of the hooks, links resolved, and whether it is
// this repository's own.
func (i *initializer) hooksDir() (dir string, ours bool, err error) {
	if i.repo == nil {
		return "", false, usagef("--hook git: %s is in no git repository; run git init first", i.top)
	}
	if dir, err = i.repo.Hooks(i.ctx); err != nil {
		return "", false, err
	}
	common, err := i.repo.CommonDir(i.ctx)
	if err != nil {
		return "", false, err
	}
	dir = filepath.Join(resolvedDir(existing(dir)), strings.TrimPrefix(dir, existing(dir)))
	for _, own := range []string{i.top, common} {
		if rel, err := filepath.Rel(resolvedDir(own), dir); err == nil && filepath.IsLocal(rel) {
			return dir, true, nil
		}
	}
	return dir, false, nil
}

// existing returns the longest part of a path that exists.
func existing(dir string) string {
	for filepath.Dir(dir) != dir {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		if _, err := os.Lstat(dir); err == nil { // a link that leads nowhere, or a file
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// below names a hook below the existing part of its directory.
func below(dir, name string) string {
	return path.Join(strings.Trim(filepath.ToSlash(strings.TrimPrefix(dir, existing(dir))), "/"), name)
}

func resolvedDir(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// managed returns the file that husky's users edit, "" if the hooks are not husky's.
func managed(dir string) string {
	if filepath.Base(dir) == "_" && filepath.Base(filepath.Dir(dir)) == ".husky" {
		return ".husky/pre-commit and .husky/pre-merge-commit"
	}
	return ""
}

// callsGate reports whether a line of a script that is no comment runs the gate.
func callsGate(script string) bool {
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && runsCheck(line) {
			return true
		}
	}
	return false
}
