// Package setup plans what `stategate init` writes into a repository: the configuration, a hook and a CI job. It
// extends existing files and never replaces them. Nothing is written before the plan is complete.
package setup

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/suggest"
)

//go:embed templates/stategate.yaml
var configTemplate string

// PreReceive is the hook that gates pushes to a bare repository.
//
//go:embed templates/pre-receive.sh
var PreReceive string

// BaselineName is the default name of a baseline.
const BaselineName = ".stategate-baseline.json"

// none is the value of --hook and --ci that sets up nothing.
const none = "none"

// A tool runs the gate: it is a hook tool or a CI system.
type tool struct {
	name  string   // its name in --hook or --ci
	files []string // a repository with any of these files uses the tool
	setUp func(*Plan) error
}

func names(tools []tool) (list []string) {
	for _, t := range tools {
		list = append(list, t.name)
	}
	return append(list, none)
}

// HookNames returns the values of --hook.
func HookNames() []string { return names(hooks) }

// CINames returns the values of --ci.
func CINames() []string { return slices.Sorted(slices.Values(names(ciSystems))) }

// Options determine what to set up.
type Options struct {
	Dir        string    // absolute: where init was called
	Repo       *git.Repo // the repository that contains Dir, or nil
	Hook, CI   string    // "" means what the repository uses
	Agents     []string  // agents to set up; if there are any, Hook and CI default to nothing
	Version    string    // of this stategate
	Program    string    // the command that runs it in the user's shell
	Baseline   []byte    // of existing findings, for a new configuration, or nil
	InBaseline int       // number of findings in it, or in the existing baseline
}

// A Plan holds the files that init will write, and the steps left to the user.
type Plan struct {
	Top  string   // the top of the repository, or Dir
	Asks []string // decisions and steps for a person

	ctx     context.Context
	repo    *git.Repo
	release string // "" for a development build
	program string
	writes  []write
	same    []string // files that need no change
	notes   []string // what init could not detect, and the flag that sets it
	next    []string // the user's next steps
}

// New returns a plan. It returns a usage error if --hook or --ci is unknown or does not fit the repository.
func New(ctx context.Context, o Options) (*Plan, error) {
	p := &Plan{Top: o.Dir, ctx: ctx, repo: o.Repo, release: release(o.Version), program: o.Program}
	if p.repo != nil {
		p.Top = p.repo.Top
	}
	if err := p.agents(o.Agents); err != nil || len(o.Agents) > 0 && o.Hook+o.CI == "" {
		return p, err
	}
	hook, err := p.choose("hook", o.Hook, hooks, usedHook)
	if err != nil {
		return nil, err
	}
	ci, err := p.choose("ci", o.CI, ciSystems, usedCI)
	if err != nil {
		return nil, err
	}
	err = p.configuration(o.Baseline)
	for _, t := range []*tool{hook, ci} {
		if err == nil && t != nil {
			err = t.setUp(p)
		}
	}
	return p, err
}

// choose returns the tool that a flag names. Without a flag, it returns the tool that the repository uses,
// or nil if there is none.
func (p *Plan) choose(flag, asked string, tools []tool, used func(*Plan) (string, error)) (*tool, error) {
	if asked != "" && !slices.Contains(names(tools), asked) {
		return nil, fault.Usagef("invalid value %q for --%s; %s", asked, flag, suggest.OneOf(asked, names(tools)))
	}
	if asked == "" {
		var err error
		if asked, err = used(p); err != nil {
			return nil, err
		}
	}
	i := slices.IndexFunc(tools, func(t tool) bool { return t.name == asked })
	if i < 0 {
		return nil, nil
	}
	return &tools[i], nil
}

// withFiles returns the first tool that has a file in the repository, or "" if there is none.
func (p *Plan) withFiles(tools []tool) string {
	for _, t := range tools {
		if p.first(t.files) != "" {
			return t.name
		}
	}
	return ""
}

// first returns the first of several files or directories that exists, or "" if there is none.
func (p *Plan) first(names []string) string {
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(p.Top, filepath.FromSlash(name))); err == nil {
			return name
		}
	}
	return ""
}

func (p *Plan) configuration(baseline []byte) error {
	name := p.first([]string{config.Name, ".stategate.yml"})
	switch {
	case name == "" && baseline != nil && p.first([]string{BaselineName}) == "":
		p.create(config.Name, configTemplate+"\n# Findings from when the gate was set up: only new ones "+
			"close it.\nbaseline: "+BaselineName+"\n")
		p.create(BaselineName, string(baseline))
		return nil
	case name == "":
		p.create(config.Name, configTemplate)
		return nil
	}
	p.same = append(p.same, name)
	_, _, err := read(p.Top, name)
	return err
}

// put plans a write to a file in the working tree. before is nil if the file is new; added describes the addition to an
// existing file.
func (p *Plan) put(name string, before, after []byte, mode fs.FileMode, added string) {
	if before != nil && bytes.Equal(before, after) {
		p.same = append(p.same, name)
		return
	}
	p.writes = append(p.writes, write{dir: p.Top, name: name, shown: name, before: before, after: after,
		mode: cmp.Or(mode, 0o644), added: added})
}

func (p *Plan) create(name, text string) { p.put(name, nil, []byte(text), 0, "") }

// edit plans a change to a file, or creates it. If stategate cannot change the file, the plan asks the user to add
// snippet.
func (p *Plan) edit(name, added, snippet string, edit func(text string) (string, error)) error {
	text, mode, err := read(p.Top, name)
	if err != nil {
		return err
	}
	after, err := edit(string(text))
	if err != nil {
		p.Asks = append(p.Asks, fmt.Sprintf("%s was not changed: %v; add this to it:\n%s", name, err, snippet))
		return nil
	}
	p.put(name, text, []byte(after), mode, added)
	return nil
}

// tagged matches versions that come from a tag, not from a commit or a tree with changes.
var tagged = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[a-z][0-9A-Za-z.-]*)?$`)

// release returns a version that comes from a tag, or "" for any other version.
func release(version string) string {
	if tagged.MatchString(version) {
		return version
	}
	return ""
}

// versioned fills the placeholders in a template. For a development build, it uses otherwise as the
// version.
func (p *Plan) versioned(template, otherwise string, pairs ...string) string {
	return strings.NewReplacer(append(pairs, "{{version}}", cmp.Or(p.release, otherwise))...).Replace(template)
}

// Tracked returns the files in the working tree that will be written.
func (p *Plan) Tracked() (names []string) {
	for _, w := range p.writes {
		if w.dir == p.Top {
			names = append(names, w.name)
		}
	}
	return names
}

// Lines returns, for the user, the files that were written, or would be written in a dry run, and the steps left to do.
func (p *Plan) Lines(dry bool) (lines []string) {
	verb := "wrote "
	if dry {
		verb = "would write "
	}
	for _, w := range p.writes {
		line := verb + w.shown
		if w.before != nil {
			line += ": added " + w.added
		}
		lines = append(lines, line)
	}
	for _, part := range []struct {
		prefix string
		list   []string
	}{{"unchanged ", p.same}, {"left to you: ", p.Asks}, {"note: ", p.notes}, {"next: ", p.next}} {
		for _, text := range part.list {
			lines = append(lines, part.prefix+text)
		}
	}
	return lines
}

// Changes returns the changes for a diff, without the baseline, which is long and not meant for people.
func (p *Plan) Changes() (list []result.FileChange) {
	for _, w := range p.writes {
		if w.name == BaselineName {
			continue
		}
		c := result.FileChange{From: w.shown, To: w.shown, Before: w.before, After: w.after}
		if w.before == nil {
			c.From = ""
		}
		list = append(list, c)
	}
	return list
}

// Write writes all planned files.
func (p *Plan) Write() error {
	for _, w := range p.writes {
		if err := w.apply(); err != nil {
			return fmt.Errorf("write %s: %w", w.shown, err)
		}
	}
	return nil
}

// A write replaces or creates one file, and never leaves the directory dir.
type write struct {
	dir    string // absolute
	name   string // slash-separated, below dir
	shown  string // for people
	before []byte // nil if it is new
	after  []byte
	mode   fs.FileMode
	added  string // describes the addition to an existing file
}

// apply writes the whole file. It fails if another program changed the file since it was read.
func (w *write) apply() error {
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.FromSlash(w.name)
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(w.name)), 0o755); err != nil {
		return err
	}
	same := false
	if w.before == nil {
		_, err := root.Lstat(name)
		same = errors.Is(err, fs.ErrNotExist)
	} else {
		now, err := root.ReadFile(name)
		same = err == nil && bytes.Equal(now, w.before)
	}
	if !same {
		return errors.New("it has changed since it was read; try again")
	}
	return atomicfile.WriteBelow(root, name, w.after, w.mode)
}

// read returns the bytes of a file below dir, or nil if there is none. It returns an error unless the file is regular,
// because a link's target may belong to another repository.
func read(dir, name string) ([]byte, fs.FileMode, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", name, err)
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("read %s: it is not a regular file; replace it with one, or edit its target yourself",
			name)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", name, err)
	}
	text, err := root.ReadFile(filepath.FromSlash(name))
	if text == nil {
		text = []byte{}
	}
	return text, info.Mode().Perm(), err
}
