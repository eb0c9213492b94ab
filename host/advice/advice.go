// Package advice composes the commands that stategate prints for people to type: its own and those of git. A printed
// command checks the same thing as the call that prints it, and works in the current directory.
package advice

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/sdk/wire"
)

// A Call is the stategate call that prints a command, with everything that the command repeats.
type Call struct {
	Flags
	Program string   // the command that runs this stategate where the user types, quoted for a shell
	Started string   // absolute; relative paths in the call start here
	Typed   string   // the directory where the command is typed; it differs from Started if git ran a hook
	Paths   []string // the arguments
	Enter   string   // the directory to go to first; "" if the command works where it is typed
}

// Flags decide what a call checks, what it is compared with, and what closes the gate.
type Flags struct {
	Plugins    []string
	Config     string
	PolicyFrom string
	Bases      []string
	Exact      []string
	Staged     bool
	Changed    bool
	FailOn     string // "" unless the call sets it
}

// bases returns the flags that compare the working tree with the call's bases. A commit's base is named by its id,
// because HEAD may be another commit where the command is typed. A merge is compared with both of its sides, so the
// command names both parents. During a merge, both sides are the default.
func (c *Call) bases(r *result.Result) (words []string) {
	var bases []string
	ofMerge := len(r.Base) > 1 &&
		!slices.ContainsFunc(r.Base, func(b result.Base) bool { return b.Role != result.RoleParent })
	switch {
	case r.Source != wire.Commit, ofMerge && r.Merge != "":
		return c.given()
	case ofMerge:
		return flags("--base", fmt.Sprintf("%.12s^@", r.Revision))
	case len(r.Base) == 0:
		bases = []string{compareWithNothing}
	}
	for _, base := range r.Base {
		bases = append(bases, fmt.Sprintf("%.12s", base.ID))
	}
	return flags("--base", bases...)
}

// compareWithNothing is the value of --base that means no base.
const compareWithNothing = "none"

// given returns the call's own flags for bases. Nothing is added, because all commands have the same default base.
func (c *Call) given() []string {
	return append(flags("--base", c.Bases...), flags("--base-exact", c.Exact...)...)
}

// flags returns a flag with each value that is not empty.
func flags(name string, values ...string) (words []string) {
	for _, v := range values {
		if v != "" {
			words = append(words, name, v)
		}
	}
	return words
}

// Recover returns the command that offers the remedies of r. Findings in a commit are fixed in a working tree in
// which that commit is checked out.
func (c *Call) Recover(r *result.Result) string {
	words := c.with(c.bases(r), "recover")
	paths := c.Paths
	if len(paths) == 0 {
		paths = []string{"."} // if git ran a hook, the top, which may be above the user's directory
	}
	// By default, a command checks the repository around the current directory, unless that directory is above the
	// workspace.
	if c.Shell(r.Workspace).above() ||
		slices.ContainsFunc(paths, func(p string) bool { return !filepath.IsLocal(c.typed(p)) }) {
		for _, p := range paths {
			words = append(words, c.typed(p))
		}
	}
	command := c.command(words)
	if r.Merge != "" {
		command = "git merge --no-commit " + shell.Word(r.Merge) + "; " + command
	}
	if len(r.Switch) > 0 {
		command = "git switch " + join(r.Switch) + " && " + command
	}
	return command
}

// configured returns the flags that choose the plugins and the configuration.
func (c *Call) configured() (words []string) {
	for _, p := range c.Plugins {
		if IsFileName(p) {
			p = c.typed(p)
		}
		words = append(words, "--plugin", p)
	}
	return append(words, flags("--config", c.typed(c.Config))...)
}

// Accept returns the command that accepts the finding of r with the given id. It returns "" if the finding cannot be
// accepted, because accepting writes to the working tree in which the command is typed.
func (c *Call) Accept(r *result.Result, id string) string {
	if r.Source == wire.Commit || c.PolicyFrom != "" || !c.Shell(r.Workspace).inside() {
		return ""
	}
	words := slices.Concat([]string{"accept", id}, c.configured(), c.given())
	if c.Staged {
		words = append(words, "--staged")
	}
	return c.command(words) + ` --reason "…"`
}

// Init returns the command that sets up stategate.
func (c *Call) Init() string { return c.command([]string{"init"}) }

// Explain returns the command that lists the known workflows.
func (c *Call) Explain() string { return c.command([]string{"explain"}) }

// CheckAll returns the command that checks everything rather than only what the change touches.
func (c *Call) CheckAll(r *result.Result) string {
	words, bases := []string{"check"}, c.given()
	switch {
	case r.Merge != "":
		words = append(words, "--merge", r.Merge) // the merge commit does not exist
	case r.Source == wire.Commit:
		words = append(words, "--rev", fmt.Sprintf("%.12s", r.Revision))
	}
	if id := r.Outside.Base; id != "" {
		bases = flags("--base-exact", id[:12])
	}
	return c.command(append(c.with(bases, words...), typedPaths(c)...))
}

// with returns words of a command, followed by the flags that it repeats: what chooses the plugins, the configuration
// and the policy, the given bases, and the severity that closes the gate.
func (c *Call) with(bases []string, words ...string) []string {
	return slices.Concat(words, c.configured(), flags("--policy-from", c.PolicyFrom), bases,
		flags("--fail-on", c.FailOn))
}

// typedPaths returns a call's arguments relative to where the user types. Without arguments, a call checks the
// directory where it started.
func typedPaths(c *Call) (paths []string) {
	for _, p := range c.Paths {
		paths = append(paths, c.typed(p))
	}
	if here := c.typed("."); here != "." && len(paths) == 0 {
		return []string{here}
	}
	return paths
}

func (c *Call) command(words []string) string {
	command := c.Program + " " + join(words)
	if c.Enter != "" {
		command = "cd " + quotedPath(c.Enter) + " && " + command
	}
	return command
}

// Apply returns the command that applies remedies; recover is the command that offers them.
func Apply(recover string, ids ...string) string {
	return recover + " --apply " + strings.Join(ids, " --apply ")
}

// CheckChanged returns the command that checks what the change touches.
func (c *Call) CheckChanged() string {
	words := []string{"check", "--changed"}
	if slices.Contains(c.Bases, compareWithNothing) {
		words = words[:1] // everything changed
	}
	return c.command(append(c.with(c.given(), words...), typedPaths(c)...))
}

// IsFileName reports whether a value of --plugin is a file rather than a plugin's name.
func IsFileName(name string) bool {
	return strings.HasSuffix(name, ".wasm") || IsDeclaration(name) ||
		strings.ContainsAny(name, `/`+string(filepath.Separator))
}

// IsDeclaration reports whether a file with the given name declares a workflow.
func IsDeclaration(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// typed returns the path of one of the call's files, relative to the directory where the user types.
func (c *Call) typed(name string) string {
	if name == "" || c.Typed == c.Started || filepath.IsAbs(name) {
		return name
	}
	rel, err := filepath.Rel(c.Typed, filepath.Join(c.Started, name))
	if err != nil {
		return name
	}
	return rel
}

// OfRun returns the commands for runs[i]; places are the locations of all runs.
func (c *Call) OfRun(runs []result.Run, places []result.RunPlace, i int, workspace string) (resume, recover,
	check string) {
	place, flags := places[i], toName(runs, i)
	if place.Path != runs[i].Instance.Root && place.Alone && runs[i].InProgress() {
		flags = ""
	}
	at := quotedPath(c.Shell(workspace).Path(place.Path))
	if words := c.with(c.given()); len(words) > 0 {
		at += " " + join(words)
	}
	scope := " --changed "
	if slices.Contains(c.Bases, compareWithNothing) {
		scope = " "
	}
	return c.Program + " resume " + at + flags, c.Program + " recover " + at,
		c.Program + " check" + scope + at
}

// toName returns the flags that distinguish a run from others at the same root. A finished run gets a brief only if
// the flags name it.
func toName(runs []result.Run, i int) string {
	run, flags, subject, otherRun := runs[i], "", "", false
	if run.Self != nil {
		subject = run.Self.Subject
	}
	for j, other := range runs {
		switch {
		case i == j || other.Instance.Root != run.Instance.Root:
		case other.Instance.Plugin != run.Instance.Plugin:
			flags = " --workflow " + run.Instance.Plugin
		default:
			otherRun = true
			if other.Self != nil && run.Self != nil && other.Self.Subject == run.Self.Subject {
				subject = "" // both runs have the same subject
			}
		}
	}
	if otherRun || !run.InProgress() {
		flags += " --run=" + shell.Word(cmp.Or(subject, run.Name()))
	}
	return flags
}

// Undo returns the command that undoes the last change.
func (c *Call) Undo() string {
	return c.command(append([]string{"recover", "--undo"}, c.configured()...))
}

// Pin returns the command that updates the pin of a plugin in a configuration. config is "" for the default one.
func Pin(plugin, config string) string {
	words := "stategate plugin update " + quotedPath(plugin)
	if config != "" {
		words += " --config " + quotedPath(config)
	}
	return words
}

func join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shell.Word(w)
	}
	return strings.Join(quoted, " ")
}

// quotedPath quotes a path, and keeps it from being read as a flag.
func quotedPath(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return shell.Word(path)
}
