// Package result holds what a check or a repair found or did. Printers and policies see nothing else of the host.
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

// Why says what suppressed a finding.
type Why string

// The reasons.
const (
	Ignored    Why = "ignored"  // an ignore of the configuration
	InBaseline Why = "baseline" // the baseline
)

// Suppressed is a finding that was accepted before. It closes no gate.
type Suppressed struct {
	Diagnostic
	Why             Why
	Reason          string // of the ignore; "" for one in the baseline
	BaselineMessage string // the message that the baseline knows, if it is another one
}

// A Note is something that a maintainer of the configuration should know, or something that was not checked. It
// closes no gate.
type Note struct {
	// ignore-expired, ignore-unused, ignore-changed, rule-dropped, baseline-stale, baseline-changed, paths-not-checked
	Kind string `json:"kind"`
	Place
	Message string `json:"message"`
}

// The kinds of notes.
const (
	IgnoreExpired   = "ignore-expired"
	IgnoreUnused    = "ignore-unused"
	IgnoreChanged   = "ignore-changed"
	RuleDropped     = "rule-dropped"
	BaselineStale   = "baseline-stale"
	BaselineChanged = "baseline-changed"
	PathsNotChecked = "paths-not-checked"
)

// A Result is everything one run of the gate found. Its lists are in a fixed order, so that the same input prints as
// the same bytes. Nothing in it is fit to be printed raw: texts quote hostile files and plugins.
type Result struct {
	Workspace string // absolute: where all paths begin, links resolved, as the operating system spells it
	Source    wire.Source
	Revision  string           // object id of the commit that was checked, "" for none
	Merge     string           // the revision whose merge that commit is, if none has been made yet
	Switch    []string         // what git switch takes to have that commit in the working tree; none if HEAD is it
	Base      []Base           // that transition rules compared with
	Changed   bool             // only what the change touches was checked
	Policy    string           // object id that the configuration was read from, "" for the source itself
	Plugins   []*plugin.Plugin // that took part, ordered by name
	Declined  []Declined
	Skipped   []Declined // plugins whose state the source cannot hold: they are neither clean nor failures
	Excluded  []string   // paths that the configuration's exclude globs pruned
	Instances []Instance
	Failures  []Failure
	Outside   Outside        // what a check of a change leaves out
	Checked   map[string]int // state directories that each plugin has checked, in scope or not
	Whole     bool           // everything in the workspace was checked, by every plugin and every rule
	Notes     []Note         // what a maintainer of the configuration should know
	Notices   []string       // what a person may want to know of this run: a damaged cache, no cache
}

// A Base is a commit that what is checked is compared with.
type Base struct {
	Rev  string `json:"rev"`  // the revision that led to it
	ID   string `json:"id"`   // the object id of the commit
	Role string `json:"role"` // see source.Role
}

// The roles that decide what is printed: the merge base of Rev and what is checked, and a parent of the commit that is
// checked, or a side of a trial merge.
const (
	RoleMergeBase = "merge-base"
	RoleParent    = "parent"
)

// Scope says in one word what was checked.
func (r *Result) Scope() string {
	if r.Changed {
		return "changed"
	}
	return "all"
}

// Declined is a directory that could be an instance, and is not one, as its plugin says; or a plugin that was not
// checked at all.
type Declined struct {
	Plugin string `json:"plugin"`
	Root   string `json:"root,omitempty"`
	Why    string `json:"why"`
}

// An Instance is one directory that one plugin accepted.
type Instance struct {
	Plugin      string
	Root        string           // slash-separated, relative to the workspace
	Lifecycles  []wire.Lifecycle // of the plugin
	Detections  []wire.Detection
	Chooses     []string // state directories whose runs the workflow's pointer in this one chooses
	Diagnostics []Diagnostic
	Suppressed  []Suppressed // accepted before: they close no gate
	Recoveries  []Remedy
	Digest      string // of everything the plugin saw of it, "" if it saw nothing
	LastUpdate  Update // of all of it, as far as it was asked for
	updates     map[*wire.Detection]Update
	untouched   map[*wire.Detection]bool // runs that a change does not touch, in a check of the change
	Touched     bool                     // some base has other documents, or there is no base to compare with

	Hidden []Diagnostic      // what Diagnostics hide
	Found  []finding.Finding // what the check found, whatever became of it since
}

// An Update says when something was changed last.
type Update struct {
	At          time.Time // zero: not known
	Uncommitted bool      // it has what the last commit does not have, or what git ignores
	By          string    // the author of the last commit, "" where something is not committed
	Files       []string  // that are not committed, below the workspace
}

// A Diagnostic is one finding at its place.
type Diagnostic struct {
	Rule        string // plugin/rule
	Severity    wire.Severity
	Subject     string
	Run         wire.RunName   // that it belongs to; none if the plugin names none
	Blocks      []wire.RunName // other runs whose next step it blocks
	Key         string
	Place       Place
	Message     string
	Related     []Related
	Remedies    []Remedy
	Fingerprint string // hex; the same as long as the fault stays
	// the fingerprints under former names of the rule, which baselines and ignores may still have
	Former []string

	// Fixed lists the paths, below the workspace, whose staging ends a finding of the index. It has no remedies then.
	Fixed   []string
	Unadded bool     // they are files that the state names and git does not have
	Touched bool     // the change touches its document, or there is no base to compare with
	applied []string // ids of the remedies that the index needs and the working tree does not

	Found *finding.Finding // what it is made of, nil for a finding of the host alone
}

// A Place is where a diagnostic points. Line 0 means the file as a whole.
type Place struct {
	Path      string `json:"path"`             // slash-separated, relative to the workspace
	Line      int    `json:"line,omitempty"`   // 1-based
	Column    int    `json:"column,omitempty"` // 1-based, in characters
	EndLine   int    `json:"end_line,omitempty"`
	EndColumn int    `json:"end_column,omitempty"` // the place ends before it

	Excerpt                 string `json:"-"` // the text of Line, shortened; "" if unknown
	ExcerptFrom, ExcerptEnd int    `json:"-"` // half-open byte range of Excerpt that the place covers
}

// Related is another place that a diagnostic mentions.
type Related struct {
	Place
	Message string `json:"message"`
}

// A Failure says what could not be checked.
type Failure struct {
	Plugin string `json:"plugin"` // "" if it belongs to none
	Root   string `json:"root"`   // "" if it concerns the whole plugin or run
	fault.Failure
}

// A Summary counts.
type Summary struct {
	Instances int `json:"instances"` // state directories
	Runs      int `json:"runs"`
	Errors    int `json:"errors"`
	Warnings  int `json:"warnings"`
	Infos     int `json:"infos"`
	Failures  int `json:"failures"`

	Suppressed int `json:"suppressed"` // findings that were accepted before: those ignored, and those of the baseline
	InBaseline int `json:"-"`          // of these, those of the baseline
}

// Summary counts the findings of all instances.
func (r *Result) Summary() Summary {
	s := Summary{Instances: len(r.Instances), Runs: len(r.Runs()), Failures: len(r.Failures)}
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

// Outside counts what a check of a change leaves out, because the change does not touch it, and the runs that it is in.
type Outside struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Failures int `json:"failures"`
	Runs     int `json:"runs"`
}

// Narrow leaves out the failures and findings that are not in scope, and the instances that the change does not touch
// and that have no finding left.
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
			left, holding[partition.RunOf(&d)] = append(left, d), true
			return true
		})
		runs += len(holding)
		outside.Instances = append(outside.Instances, Instance{Diagnostics: left})
		if i.Touched || len(i.Diagnostics) > 0 {
			r.Instances = append(r.Instances, *i)
		}
	}
	s := outside.Summary()
	r.Outside = Outside{s.Errors, s.Warnings, s.Infos, s.Failures, runs}
}

// Findings yields every finding that stands, with its instance.
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

// Severest yields every finding that stands, the most severe first. Those of one severity are in the order of state
// directories and, within one, of its runs: first what belongs to none.
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

// A Gate is the verdict over a whole run.
type Gate string

// The verdicts.
const (
	Open       Gate = "open"       // nothing at or above the severity that closes it
	Closed     Gate = "closed"     // at least one finding at or above it
	Incomplete Gate = "incomplete" // something could not be checked
)

// ExitCode is what a check exits with: 0, 1 or 3.
func (g Gate) ExitCode() int {
	switch g {
	case Open:
		return 0
	case Closed:
		return 1
	}
	return 3
}

// Gate returns the verdict if findings of failOn or worse close the gate.
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

// String returns path:line:column, or the path alone.
func (p Place) String() string {
	if p.Line == 0 {
		return p.Path
	}
	return p.Path + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(max(p.Column, 1))
}

// ID returns a digest of parts: short, so that a person can type it; callers put no line, message or
// time into it, so that it stays while the fault stays.
func ID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
