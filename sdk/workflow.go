package sdk

import (
	"github.com/stategate/stategate/sdk/wire"
)

// A Workflow describes one way of working that keeps its state in files: where runs live, which documents matter,
// which phases and faults there are, and how to resume. It is a constant: declare it once, at package level, and keep
// everything that varies in the Pass.
//
// A host looks at one instance in this order:
//
//  1. Prepare parses the documents into a model, once.
//  2. Detect says which phase every subject is in, or declines the instance.
//  3. Identity says which run it is.
//  4. Check looks for what all rules without a Check of their own report, once;
//     then every other Rule checks, in the order of Rules.
//  5. Recover proposes recovery options for lost state.
//  6. Resume writes the brief of every detection, knowing what the rules found.
//
// No function may keep state between calls, start goroutines, or read anything
// but its arguments.
type Workflow struct {
	Name    string // lower-case words joined by hyphens
	Version string // of the plugin, "1.2.0"
	Doc     string // the first paragraph is the title
	// what people ask before they trust the plugin: `stategate plugin add` and `plugin inspect` show it
	License  string    // an SPDX expression, "MIT"
	Source   string    // the https address of the source
	Homepage string    // the https address of the documentation
	MadeFor  []MadeFor // the tools whose state it reads
	// features that it cannot do without, see wire.Features: an older host refuses it; nothing is switched on
	Requires   []string
	Roots      []Root            // where instances live
	Documents  []DocumentSpec    // all it may see, and how much of each; the first match wins
	AsksFor    []string          // globs below the workspace root: the paths that Pass.Presence answers
	Schemas    map[string]string // JSON Schema texts (2020-12) by name
	Options    string            // JSON Schema of its options, "" for none
	Lifecycles []*Lifecycle
	Rules      []*Rule
	Dropped    []string  // names of rules that earlier versions had: configurations that name one stay valid
	Keep       Keep      // the runs that must not vanish
	Identity   *Identity // what tells runs apart wherever they lie; nil if nothing does

	// Prepare parses documents into the model that Pass.Model holds afterwards.
	// It may be nil.
	Prepare func(*Pass) (any, error)
	// Detect returns a detection per subject. NotMine declines a look-alike.
	Detect func(*Pass) ([]Detection, error)
	// Check serves every rule that has no Check of its own, in one pass: for workflows
	// whose rules look at the same fields. Each Diagnostic names its Rule. An error
	// or a panic fails all those rules, and what was reported before counts for nothing. It
	// is nil where every rule checks by itself.
	Check func(*Pass) error
	// Recover proposes remedies that belong to the instance rather than to one
	// finding. It may be nil.
	Recover func(*Pass) ([]Remedy, error)
	// Resume fills State and Resume of one detection, if they are used, knowing the findings of the rules. It may be
	// nil.
	Resume func(*Pass, *Detection, []Diagnostic)
}

// An Identity tells the runs of a workflow apart. The host reports two state
// directories that have the same (duplicate-run), and knows a run by it that was moved and changed.
type Identity struct {
	Noun string // what it is that of, in messages: "session"
	// Of gives the identity, of at most 1,024 bytes, from the documents and the place, never from Base or the clock. It
	// is "" where a second copy is legitimate, as in an archive. Where ids are unique in one directory only, see
	// Pass.Beside. It is called after Detect.
	Of func(*Pass) string
}

// MadeFor names a tool whose state files a workflow reads, and the versions that it was tried with.
type MadeFor = wire.MadeFor

// A Root says where instances live: every directory that matches Dir at any
// depth, matches none of Except and holds at least one path that matches a marker.
type Root = wire.Root

// A DocumentSpec admits documents to the snapshot and says how much of each.
type DocumentSpec = wire.DocumentSpec

// A Probe counts lines of a document that is counted or summarized.
type Probe = wire.Probe

// The formats of a document. In JSON Lines every line that is not blank is a JSON
// text of its own: a schema holds for each of them, and what is wrong with one is a
// finding at its line. One line that is not JSON makes the document unreadable
// (Document.Readable). See AtPointer for places.
//
// A YAML document is read by the host: its Text is the JSON that it means, each value on the line where it stands, so
// that whatever reads JSON reads it. Places and edits are pointers; edits keep comments and style. What JSON has no
// form for, such as a date, is a string.
const (
	Text      = wire.Text
	JSON      = wire.JSON
	Markdown  = wire.Markdown
	JSONLines = wire.JSONLines
	YAML      = wire.YAML // of a name that ends in .yaml or .yml
)

// Keep says which runs must not vanish. A removed run is an error then; else it is a warning, or an info if it was
// finished.
type Keep = wire.Keep

// The runs that must not vanish.
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

// What a repeated key in a JSON object is.
const (
	DuplicatesFault = wire.Fault
	DuplicatesAllow = wire.Allow
)

// A Lifecycle is an ordered list of phases that a subject lives through.
type Lifecycle struct {
	Name        string
	Doc         string
	Unit        Unit // Run: subjects are rivals, one is resumed; Part: parts of one run
	Phases      []*Phase
	Transitions []Transition // for readers of the manifest; see Transition
}

// Phase returns the phase of that name, or nil.
func (l *Lifecycle) Phase(name string) *Phase {
	for _, p := range l.Phases {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// A Phase is one step of a lifecycle. Number counts as the workflow counts.
type Phase = wire.Phase

// A Transition is a permitted step between two phases, by name. It is documentation, which `stategate explain` and the
// manifest show: nothing compares it with what a change does. A rule that looks at the base does.
type Transition = wire.Transition

// A Unit says whether the subjects of a lifecycle are rivals.
type Unit = wire.Unit

// The units.
const (
	Run  = wire.Run
	Part = wire.Part
)

// A Rule finds one kind of fault.
type Rule struct {
	Name     string   // states the fault; reads well after "ignore"
	Group    string   // rules of one group are listed together: "state", "plan"; may be ""
	Doc      string   // the first paragraph is the summary
	Why      string   // why it matters, a sentence or two; may be ""
	Fix      string   // how to fix it; may be ""
	Severity Severity // the highest that a finding of it may have
	// when a finding has a lower one, in the words "Warning if …; info if ….": `stategate explain` shows it; may be ""
	SeverityIf   string
	NeedsBase    bool     // it compares with the base: without one it does not check
	OffByDefault bool     // it is off unless the configuration names it, as a rule of taste should be
	URL          string   // the https address of what explains it; may be ""
	Form         bool     // it is about the way in which documents are written, and not about what they mean
	Replaces     []string // former names of the rule, which configurations may still use
	// Asks: it calls Pass.Presence. Where a rule says so, all that call it must: they alone run before the answers are
	// known, with the same model as afterwards, in which they keep no answer.
	Asks bool
	// Hides names rules whose findings on the same subject follow from a finding of this one; the host makes them
	// related notes of it, unless they are more severe or a project's configuration drops this one. A report holds
	// all of them.
	Hides []*Rule
	// Check reports findings through Pass.Report. An error means that it could
	// not look, which is a defect of the plugin and never a finding. It is nil where
	// Workflow.Check looks.
	Check func(*Pass) error
}

// A Severity says how bad a fault is.
type Severity = wire.Severity

// The severities. The zero Severity of a Diagnostic means that of its rule.
const (
	Error   = wire.Error
	Warning = wire.Warning
	Info    = wire.Info
	Off     = wire.Off
)
