package wire

// The closed vocabularies of ABI 1. Each is a small integer whose zero value is the safest choice and whose words
// on the wire are in its table. Decoders refuse any other word.

// A Severity says how bad a fault is. The zero value, Inherit, means the severity that the rule declares.
type Severity uint8

// The values of Severity, mildest first.
const (
	Inherit Severity = iota
	Off
	Info
	Warning
	Error
)

var severities = []string{"", "off", "info", "warning", "error"}

func (s Severity) String() string { return spell(severities, int(s)) }

// ParseSeverity parses "off", "info", "warning" or "error".
func ParseSeverity(s string) (Severity, bool) {
	i, ok := find(severities, s)
	return Severity(i), ok && i > 0
}

// A Safety says how much confirmation a remedy needs from a person. The zero value, Manual, has steps for a person
// and no edits.
type Safety uint8

// The values of Safety, strictest first.
const (
	Manual Safety = iota
	Review
	Safe
)

var safeties = []string{"manual", "review", "safe"}

func (s Safety) String() string { return spell(safeties, int(s)) }

// A Level says where a fact is shown: Brief with every run that is printed in full, Detail if the user asks for
// details, Debug in JSON only.
type Level uint8

// The values of Level.
const (
	Detail Level = iota
	Brief
	Debug
)

var levels = []string{"detail", "brief", "debug"}

func (l Level) String() string { return spell(levels, int(l)) }

// An Op is an edit operation; see Edit.
type Op uint8

// The edit operations of ABI 1.
const (
	Replace Op = iota
	Set
	Unset
	Create
	Restore
	Move
	MoveRoot
	Aside
	Remove
	Unmark
)

var ops = []string{"replace", "set", "unset", "create", "restore", "move", "move-root", "aside", "remove", "unmark"}

func (o Op) String() string { return spell(ops, int(o)) }

// A Format says how a document is read.
type Format uint8

// The values of Format.
const (
	Text Format = iota
	JSON
	Markdown
	JSONLines
	YAML // the host parses it and the plugin receives the equivalent JSON
)

var formats = []string{"text", "json", "markdown", "jsonlines", "yaml"}

func (f Format) String() string { return spell(formats, int(f)) }

// A Need says how much of a document a plugin receives.
type Need uint8

// The values of Need, least first.
const (
	Listed  Need = iota // name and size; the content is never read
	Counted             // size, lines, words and probes: a summary without headings and last lines
	Summary             // size, lines, words, headings, last lines and probes; the text is not sent
	Content             // the text, the outline, the summary and the faults
)

var needs = []string{"listed", "counted", "summary", "content"}

func (n Need) String() string { return spell(needs, int(n)) }

// Duplicates says how to treat a repeated key in a JSON object.
type Duplicates uint8

// The values of Duplicates.
const (
	Fault Duplicates = iota // report a fault in the document
	Allow                   // the last one counts; the plugin checks for itself
)

var duplicates = []string{"fault", "allow"}

func (d Duplicates) String() string { return spell(duplicates, int(d)) }

// Keep says which runs must not disappear. Removing such a run is an error.
type Keep uint8

// The values of Keep.
const (
	KeepNone       Keep = iota // a missing unfinished run is a warning, a missing finished run an info
	KeepUnfinished             // runs that are not finished
	KeepAll                    // every run
)

var keeps = []string{"", "unfinished", "all"}

func (k Keep) String() string { return spell(keeps, int(k)) }

// A Unit says what a lifecycle belongs to.
type Unit uint8

// The values of Unit.
const (
	Run  Unit = iota // runs compete: only one of several is resumed
	Part             // a part of a run
)

var units = []string{"run", "part"}

func (u Unit) String() string { return spell(units, int(u)) }

// A Fit relates the phase that a state file claims to the phase that the documents show.
type Fit uint8

// The values of Fit.
const (
	FitUnknown Fit = iota // no claim, no such phase, or nothing to compare the claim with
	Consistent
	JustBehind // the state is one record behind: tools write it just before or just after the document
	Behind     // the files show a later phase than the claim
	Ahead      // the claim relies on files that do not exist
)

var fits = []string{"unknown", "consistent", "just-behind", "behind", "ahead"}

func (f Fit) String() string { return spell(fits, int(f)) }

// A State says whether a subject is finished.
type State uint8

// The values of State.
const (
	Active State = iota
	Blocked
	Finished
	Abandoned
)

var states = []string{"active", "blocked", "finished", "abandoned"}

func (s State) String() string { return spell(states, int(s)) }

// A Source says where a snapshot's documents come from.
type Source uint8

// The values of Source.
const (
	Worktree Source = iota
	Index
	Commit
)

var sources = []string{"worktree", "index", "commit"}

func (s Source) String() string { return spell(sources, int(s)) }

// A BaseState says whether the instance exists in an earlier revision.
type BaseState uint8

// The values of BaseState.
const (
	BaseNone BaseState = iota // no earlier revision was requested; rules about transitions stay silent
	BaseNew                   // the instance does not exist in the earlier revision
	BaseAt                    // the instance exists in the earlier revision, at Base.Root
)

var baseStates = []string{"none", "new", "at"}

func (b BaseState) String() string { return spell(baseStates, int(b)) }

// A Presence says whether a path exists.
type Presence uint8

// The values of Presence.
const (
	Unseen  Presence = iota // unknown; never base a conclusion on it
	Absent                  // nothing has exactly this name
	Present                 // a file, a directory or a link
	// Unchanged is used only in answers about the base: a file existed and has the same content now. Present does
	// not mean that the content changed.
	Unchanged
)

var presences = []string{"unseen", "absent", "present", "unchanged"}

func (p Presence) String() string { return spell(presences, int(p)) }

// Or combines the presence of two alternative paths: Present if either exists, Absent if both are known to be
// absent.
func (p Presence) Or(other Presence) Presence {
	switch {
	case p == Present || other == Present:
		return Present
	case p == Absent && other == Absent:
		return Absent
	}
	return Unseen
}

// Names of the host's rules, which are reserved in every plugin.
const (
	RuleUnreadable = "unreadable-document"
	RuleSchema     = "schema"
	RuleNotAFile   = "not-a-file"
	RuleTooLarge   = "too-large"
	RuleUnstable   = "unstable"
	RuleRunRemoved = "run-removed"
	RuleDuplicate  = "duplicate-run"
	RuleMiscased   = "differs-in-case"
)

// HostRules lists the rules that the host itself reports, under the name of every plugin. No plugin may declare a
// rule with one of these names.
var HostRules = []string{RuleUnreadable, RuleSchema, RuleNotAFile, RuleTooLarge, RuleUnstable, RuleRunRemoved,
	RuleDuplicate, RuleMiscased}

func spell(table []string, i int) string {
	if i < len(table) {
		return table[i]
	}
	return "invalid"
}

func find(table []string, s string) (int, bool) {
	for i, t := range table {
		if t == s {
			return i, true
		}
	}
	return 0, false
}
