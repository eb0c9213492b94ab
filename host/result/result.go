// Package result holds what a check or a repair found or did. Printers and policies depend on nothing else in host.
package result

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// Why is the reason why a finding is suppressed.
type Why string

const (
	Ignored    Why = "ignored"  // by an ignore in the configuration
	InBaseline Why = "baseline" // by the baseline
)

// Suppressed is a finding that was accepted before. It does not close the gate.
type Suppressed struct {
	Diagnostic
	Why             Why
	Reason          string // the ignore's reason; "" for the baseline
	BaselineMessage string // the message in the baseline, if it differs
}

// A Note tells the maintainer of the configuration about a problem, or about something that was not checked. It does
// not close the gate.
type Note struct {
	// one of the constants below
	Kind string `json:"kind"`
	Place
	Message string `json:"message"`
}

// These are the kinds of notes.
const (
	IgnoreExpired   = "ignore-expired"
	IgnoreUnused    = "ignore-unused"
	IgnoreChanged   = "ignore-changed"
	RuleDropped     = "rule-dropped"
	BaselineStale   = "baseline-stale"
	BaselineChanged = "baseline-changed"
	PathsNotChecked = "paths-not-checked"
	BaseNotRead     = "base-not-read"
)

// ChecksLess reports whether a note says that something was not checked, whatever the configuration
// says.
func (n *Note) ChecksLess() bool { return n.Kind == PathsNotChecked || n.Kind == BaseNotRead }

// A Result is everything that one run of the gate found. Its lists are in a fixed order, so that the same input
// prints the same bytes. Sanitize its strings before you print them, because they quote hostile files and
// plugins.
type Result struct {
	Workspace string // absolute, with links resolved, as the operating system spells it; all paths are relative to it
	Source    wire.Source
	Revision  string   // object id of the checked commit; "" if there is none
	Merge     string   // the revision that was merged for this check; "" for none
	Switch    []string // arguments of git switch that check out that commit; nil if HEAD is that commit
	Base      []Base   // what transition rules compared with
	Changed   bool     // only what the change touches was checked
	// stategate's own files, such as the configuration, differ from every base
	OwnChanged bool
	Policy     string           // object id that the configuration was read from; "" for the source itself
	Plugins    []*plugin.Plugin // that took part, sorted by name
	Declined   []Declined
	Skipped    []Declined // plugins whose state the source cannot contain; they are neither clean nor failures
	Excluded   []string   // paths that match the configuration's exclude globs
	Disabled   []string   // workflows that the configuration disables
	Instances  []Instance
	Failures   []Failure
	Outside    Outside        // what a check of a change omits
	passed     []string       // the state directories that Outside counts
	Checked    map[string]int // number of state directories that each plugin checked, in scope or not
	Whole      bool           // every plugin and every rule checked everything in the workspace
	Notes      []Note         // for the maintainer of the configuration
	Notices    []string       // about this check, such as a damaged or missing cache
}

// A Base is a commit that the source is compared with.
type Base struct {
	Rev  string `json:"rev"`  // the revision that led to it
	ID   string `json:"id"`   // the commit's object id
	Role string `json:"role"` // see source.Role
}

// These roles decide how a base is printed: as the merge base of Rev and the checked source, as a parent of the
// checked commit, or as a side of a trial merge.
const (
	RoleMergeBase = "merge-base"
	RoleParent    = "parent"
)

// Scope returns one word for what was checked.
func (r *Result) Scope() string {
	if r.Changed {
		return "changed"
	}
	return "all"
}

// Declined is a directory that looks like an instance but is not one according to its plugin, or a plugin that did
// not check anything.
type Declined struct {
	Plugin string `json:"plugin"`
	Root   string `json:"root,omitempty"`
	Why    string `json:"why"`
}

// An Instance is one directory that one plugin accepted.
type Instance struct {
	Plugin      string
	Root        string           // slash-separated, relative to the workspace
	Lifecycles  []wire.Lifecycle // from the plugin
	Detections  []wire.Detection
	Chooses     []string // state directories whose runs this instance's pointer chooses
	Diagnostics []Diagnostic
	Suppressed  []Suppressed // accepted before; they do not close the gate
	Recoveries  []Remedy
	Digest      string // of everything the plugin saw of it; "" if it saw nothing
	LastUpdate  Update // of the whole instance, if it was requested
	updates     map[*wire.Detection]Update
	untouched   map[*wire.Detection]bool // in a check of a change, the runs that the change does not touch
	Touched     bool                     // some base has other documents, or there is no base

	Hidden []Diagnostic      // findings that a finding in Diagnostics hides
	Found  []finding.Finding // what the check found, regardless of later steps
}

// An Update describes the last change of a run or a state directory.
type Update struct {
	At          time.Time // zero if unknown
	Uncommitted bool      // it contains uncommitted changes or ignored files
	By          string    // the last commit's author; "" if something is not committed
	Files       []string  // uncommitted files, relative to the workspace
}

// A Diagnostic is one finding with its location.
type Diagnostic struct {
	Rule        string // plugin/rule
	Severity    wire.Severity
	Subject     string
	Run         wire.RunName   // the run that it belongs to; empty if the plugin names none
	Blocks      []wire.RunName // other runs whose next step it blocks
	Key         string
	Place       Place
	Message     string
	Related     []Related
	Remedies    []Remedy
	Fingerprint string // hex; stays the same as long as the problem exists
	// Former lists the fingerprints under the rule's former names, which baselines and ignores may still contain.
	Former []string

	// Fixed lists the paths, relative to the workspace, to stage to fix an index finding, which has no remedies then.
	Fixed   []string
	Unadded bool     // they are files that the state names and git lacks
	Touched bool     // the change touches its document, or there is no base to compare with
	applied []string // ids of remedies that the index needs but the working tree does not

	Found *finding.Finding // the underlying finding; nil if only the host made it
}

// A Place is the location of a diagnostic. Line 0 stands for the whole file.
type Place struct {
	Path      string `json:"path"`             // slash-separated, relative to the workspace
	Line      int    `json:"line,omitempty"`   // 1-based
	Column    int    `json:"column,omitempty"` // 1-based, in characters
	EndLine   int    `json:"end_line,omitempty"`
	EndColumn int    `json:"end_column,omitempty"` // exclusive

	Excerpt                 string `json:"-"` // the text of Line, shortened; "" if unknown
	ExcerptFrom, ExcerptEnd int    `json:"-"` // half-open byte range of the place within Excerpt
}

// Related is another location that a diagnostic mentions.
type Related struct {
	Place
	Message string `json:"message"`
}

// A Failure describes what could not be checked.
type Failure struct {
	Plugin string `json:"plugin"` // "" if it does not belong to one
	Root   string `json:"root"`   // "" if it affects the whole plugin or check
	fault.Failure
}

// A Summary holds a result's counts.
type Summary struct {
	Instances int `json:"instances"` // state directories
	Runs      int `json:"runs"`
	Errors    int `json:"errors"`
	Warnings  int `json:"warnings"`
	Infos     int `json:"infos"`
	Failures  int `json:"failures"`

	Suppressed int `json:"suppressed"` // findings that were accepted before, by an ignore or the baseline
	InBaseline int `json:"-"`          // how many of these are in the baseline
}

// Summary counts all instances' findings.
func (r *Result) Summary() Summary {
	s := Summary{Instances: len(r.Instances), Runs: len(Counted(r)), Failures: len(r.Failures)}
	for _, d := range r.Findings() {
		switch d.Severity {
		case wire.Error:
			s.Errors++
		case wire.Warning:
			s.Warnings++
		case wire.Info:
			s.Infos++
		}
	}
	for _, i := range r.Instances {
		for _, d := range i.Suppressed {
			s.Suppressed++
			if d.Why == InBaseline {
				s.InBaseline++
			}
		}
	}
	return s
}

// Outside counts the findings that a check of a change omits because the change does not touch them, and the
// runs that have errors, warnings or failures among them. A merge does not touch what it takes from one of its sides.
type Outside struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Failures int `json:"failures"`
	Runs     int `json:"runs"`

	Base string `json:"-"` // object id of a merge's side; some of these findings exist only in comparison with it
}

// Pass counts the findings of an instance that a change does not touch and that exist in comparison with a base.
func Pass(r *Result, i *Instance, base string) {
	s := (&Result{Instances: []Instance{*i}}).Summary()
	if s.Errors+s.Warnings == 0 {
		return
	}
	o := &r.Outside
	o.Errors, o.Warnings, o.Base = o.Errors+s.Errors, o.Warnings+s.Warnings, base
	if !slices.Contains(r.passed, i.Root) {
		o.Runs, r.passed = o.Runs+1, append(r.passed, i.Root)
	}
}

// Narrow removes the failures and findings that are out of scope, and the instances that the change does not touch
// and that have no findings left.
func (r *Result) Narrow(failed func(Failure) bool, found func(*Instance) func(*Diagnostic) bool) {
	outside := &Result{}
	r.Failures = slices.DeleteFunc(r.Failures, func(f Failure) bool {
		if failed(f) {
			return false
		}
		outside.Failures = append(outside.Failures, f)
		return true
	})
	runs := len(outside.Failures)
	instances := r.Instances
	r.Instances = nil
	for n := range instances {
		i := &instances[n]
		inScope, partition, holding := found(i), i.Partition(), map[*wire.Detection]bool{}
		var left []Diagnostic
		i.Diagnostics = slices.DeleteFunc(i.Diagnostics, func(d Diagnostic) bool {
			if inScope(&d) {
				return false
			}
			if left = append(left, d); d.Severity >= wire.Warning {
				holding[partition.RunOf(&d)] = true
			}
			return true
		})
		if runs += len(holding); len(holding) > 0 {
			r.passed = append(r.passed, i.Root)
		}
		outside.Instances = append(outside.Instances, Instance{Diagnostics: left})
		if i.Touched || len(i.Diagnostics) > 0 {
			r.Instances = append(r.Instances, *i)
		}
	}
	s := outside.Summary()
	r.Outside = Outside{Errors: s.Errors, Warnings: s.Warnings, Infos: s.Infos, Failures: s.Failures, Runs: runs}
}

// Findings yields every finding that is not suppressed, with its instance.
func (r *Result) Findings() iter.Seq2[*Instance, *Diagnostic] {
	return func(yield func(*Instance, *Diagnostic) bool) {
		for n := range r.Instances {
			i := &r.Instances[n]
			for at := range i.Diagnostics {
				if !yield(i, &i.Diagnostics[at]) {
					return
				}
			}
		}
	}
}

// Severest yields every finding that is not suppressed, most severe first. Findings of equal severity are in the
// order of state directories and, within one, of its runs. Findings that belong to no run come first.
func (r *Result) Severest() iter.Seq2[*Instance, *Diagnostic] {
	return func(yield func(*Instance, *Diagnostic) bool) {
		byRun := make([][]*Diagnostic, len(r.Instances))
		for n := range r.Instances {
			byRun[n] = r.Instances[n].byRun()
		}
		for severity := wire.Error; severity > wire.Off; severity-- {
			for n, list := range byRun {
				for _, d := range list {
					if d.Severity == severity && !yield(&r.Instances[n], d) {
						return
					}
				}
			}
		}
	}
}

// A Gate is the verdict of a whole check.
type Gate string

const (
	Open       Gate = "open"       // no finding has the severity that closes it
	Closed     Gate = "closed"     // at least one finding has that severity
	Incomplete Gate = "incomplete" // something could not be checked
)

// ExitCode returns a check's exit code: 0, 1 or 3.
func (g Gate) ExitCode() int {
	switch g {
	case Open:
		return 0
	case Closed:
		return 1
	}
	return 3
}

// Gate returns the verdict, given that findings of severity failOn or worse close the gate.
func (r *Result) Gate(failOn wire.Severity) Gate {
	if len(r.Failures) > 0 {
		return Incomplete
	}
	for _, d := range r.Findings() {
		if d.Severity >= failOn {
			return Closed
		}
	}
	return Open
}

// String returns path:line:column, or only the path for a whole file.
func (p Place) String() string {
	if p.Line == 0 {
		return p.Path
	}
	return p.Path + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(max(p.Column, 1))
}

// ID returns a digest of parts that is short enough to type. It stays the same as long as the problem exists if
// callers leave out lines, messages and times.
func ID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
