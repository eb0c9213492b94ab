package sdk

import (
	"github.com/stategate/stategate/sdk/wire"
)

// A Workflow describes one way of working that keeps its state in files: where runs live, which documents matter,
// which phases and faults exist, and how to resume. Treat it as a constant: declare it once, at package level, and
// keep everything that varies in the Pass.
//
// For each instance, the host calls these functions in order:
//
//  1. Prepare parses the documents into a model, once.
//  2. Detect reports the phase of every subject, or declines the instance.
//  3. Identity.Of returns the run's identity.
//  4. Check checks all rules that have no Check function of their own, once;
//     then every other rule checks, in the order of Rules.
//  5. Recover proposes recovery options for lost state.
//  6. Resume writes the brief of every detection, with the rules' findings at hand.
//
// No function may keep state between calls, start goroutines, or read anything except its arguments.
type Workflow struct {
	Name    string // lowercase words joined by hyphens
	Version string // the plugin's version, such as "1.2.0"
	Doc     string // the first paragraph is the title
	// the next three help people decide whether to trust the plugin; `stategate plugin add` and `plugin inspect`
	// show them
	License  string    // an SPDX expression, such as "MIT"
	Source   string    // the source code's https address
	Homepage string    // the documentation's https address
	MadeFor  []MadeFor // the tools whose state it reads
	// features that the plugin uses, see wire.Features: "base" for rules with NeedsBase, "paths" for AsksFor. A host
	// that lacks one refuses the plugin; this list enables nothing.
	Requires   []string
	Roots      []Root            // where instances live
	Documents  []DocumentSpec    // all documents that the plugin may read, and how much of each; the first match wins
	AsksFor    []string          // globs, relative to the workspace root, of the paths that Pass.Presence answers
	Schemas    map[string]string // JSON Schemas (2020-12) by name
	Options    string            // JSON Schema of its options; may be ""
	Lifecycles []*Lifecycle
	Rules      []*Rule
	Dropped    []string  // rules of earlier versions, whose names stay valid in configurations
	Keep       Keep      // the runs that must not disappear
	Identity   *Identity // identifies runs regardless of their path; may be nil

	// Prepare parses the documents into the value that becomes Pass.Model. The function may be nil.
	Prepare func(*Pass) (any, error)
	// Detect returns one detection per subject. It declines a look-alike with NotMine.
	Detect func(*Pass) ([]Detection, error)
	// Check checks every rule that has no separate Check function, in a single pass. It suits workflows whose
	// rules read the same fields. Each Diagnostic must name its Rule. An error or a panic fails all of these rules
	// and discards the findings that they have reported. Check is nil if every rule has a separate function.
	Check func(*Pass) error
	// Recover proposes remedies for the instance as a whole rather than for one finding. The function
	// may be nil.
	Recover func(*Pass) ([]Remedy, error)
	// Resume fills in State and Resume of one detection. It receives the rules' findings. The function
	// may be nil.
	Resume func(*Pass, *Detection, []Diagnostic)
}

// An Identity distinguishes the runs of a workflow. The host reports two state directories with the same identity
// (duplicate-run), and uses it to recognize a run that was both moved and changed.
type Identity struct {
	Noun string // the thing that the identity identifies, for messages: "session"
	// Of returns the identity, at most 1,024 bytes long. It derives it from the documents and the path, never from
	// Base or the clock. It returns "" if a second copy is legitimate, as in an archive. If ids are unique only
	// within one directory, see Pass.Beside. The host calls it after Detect.
	Of func(*Pass) string
}

// MadeFor names a tool whose state files a workflow reads, and the versions that it was tested with.
type MadeFor = wire.MadeFor

// A Root says where instances live: in every directory that matches Dir at any depth, does not match Except, and
// contains at least one path that matches a marker.
type Root = wire.Root

// A DocumentSpec adds documents to the snapshot and says how much of each the plugin needs.
type DocumentSpec = wire.DocumentSpec

// A Probe counts lines in a Counted or Summary document.
type Probe = wire.Probe

// The formats of a document.
//
// In JSON Lines, every line that is not blank is a separate JSON text. The schema applies to each line, and a fault
// is reported on its line. A single line that is not JSON makes the document unreadable (Document.Readable). See
// AtPointer for locations.
//
// The host parses YAML documents. Their Text is the equivalent JSON, with each value on its original line, so code
// that reads JSON can read it. Locations and edits use pointers; edits keep comments and style. Values that JSON
// cannot represent, such as dates, become strings.
const (
	Text      = wire.Text
	JSON      = wire.JSON
	Markdown  = wire.Markdown
	JSONLines = wire.JSONLines
	YAML      = wire.YAML // the file name must end in .yaml or .yml
)

// Keep says which runs must not disappear. Removing such a run is an error. Removing another run is a warning, or
// an info if it was finished.
type Keep = wire.Keep

// The values of Keep.
const (
	KeepNone       = wire.KeepNone
	KeepUnfinished = wire.KeepUnfinished
	KeepAll        = wire.KeepAll
)

// How much of a document a workflow needs.
const (
	Content = wire.Content
	Summary = wire.Summary
	Counted = wire.Counted
	Listed  = wire.Listed
)

// How to treat a repeated key in a JSON object.
const (
	DuplicatesFault = wire.Fault
	DuplicatesAllow = wire.Allow
)

// A Lifecycle is an ordered list of the phases that a subject goes through.
type Lifecycle struct {
	Name        string
	Doc         string
	Unit        Unit // Run if subjects compete and one is resumed; Part if they are parts of one run
	Phases      []*Phase
	Transitions []Transition // documentation; see Transition
}

// Phase returns the phase with that name, or nil if there is none.
func (l *Lifecycle) Phase(name string) *Phase {
	for _, p := range l.Phases {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// A Phase is one step of a lifecycle. Number is the workflow's own phase number.
type Phase = wire.Phase

// A Transition is a permitted step between two phases, given by name. It is documentation that `stategate explain`
// and the manifest show. The host does not enforce it; to check a change, write a rule that reads the base.
type Transition = wire.Transition

// A Unit says whether the subjects of a lifecycle compete with each other.
type Unit = wire.Unit

// The values of Unit.
const (
	Run  = wire.Run
	Part = wire.Part
)

// A Rule finds one kind of fault.
type Rule struct {
	Name     string   // states the fault; must read well after "ignore"
	Group    string   // rules of one group are listed together, such as "state" or "plan"; may be ""
	Doc      string   // the first paragraph is the summary
	Why      string   // the consequence of the fault, in a sentence or two; may be ""
	Fix      string   // how to fix it; may be ""
	Severity Severity // the highest severity that its findings may have
	// explains when a finding's severity is lower, in the form "Warning if …; info if …."; `stategate explain`
	// shows it; may be ""
	SeverityIf   string
	NeedsBase    bool     // the rule compares with the base and does not check without one
	OffByDefault bool     // the rule runs only if the configuration names it; use it for matters of taste
	URL          string   // the https address of an explanation; may be ""
	Form         bool     // the rule is about a document's form, not its meaning
	Replaces     []string // former names of the rule, which configurations may still use
	// Asks is set if the rule calls Pass.Presence. If one rule sets it, every rule that calls Presence must. Only
	// these rules run before the answers are known. They run again afterwards with the same model, so they must not
	// keep answers in the model.
	Asks bool
	// Hides names rules whose findings follow from a finding of this rule on the same subject. The host turns them
	// into related notes of that finding, unless they are more severe or the project's configuration disables this
	// rule. A report still contains all of them.
	Hides []*Rule
	// Check reports findings through Pass.Report. It returns an error only if it cannot check, which is a defect of
	// the plugin and never a finding. Check is nil if Workflow.Check covers this rule.
	Check func(*Pass) error
}

// A Severity says how bad a fault is.
type Severity = wire.Severity

// The values of Severity. A Diagnostic with the zero Severity has its rule's severity.
const (
	Error   = wire.Error
	Warning = wire.Warning
	Info    = wire.Info
	Off     = wire.Off
)
