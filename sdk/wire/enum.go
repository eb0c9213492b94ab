package wire

// The closed vocabularies of ABI 1. Each is a small integer whose zero value is
// the safest choice and whose spelling on the wire is given by its table.
// A spelling that a table lacks is refused by the decoders.

// A Severity says how bad a fault is. The zero value, Inherit, stands for "the
// severity that the rule declares".
type Severity uint8

// The severities, mildest first.
const (
	Inherit Severity = iota
	Off
	Info
	Warning
	Error
)

var severities = []string{"", "off", "info", "warning", "error"}

func (s Severity) String() string { return spell(severities, int(s)) }

// ParseSeverity reads "off", "info", "warning" or "error".
func ParseSeverity(s string) (Severity, bool) {
	i, ok := find(severities, s)
	return Severity(i), ok && i > 0
}

// A Safety says how much a person must be asked before a remedy is applied. The
// zero value, Manual, carries steps for a person and no edits.
type Safety uint8

// The safeties, strictest first.
const (
	Manual Safety = iota
	Review
	Safe
)

var safeties = []string{"manual", "review", "safe"}

func (s Safety) String() string { return spell(safeties, int(s)) }

// A Level says where a fact is shown: Brief with every run that is shown whole, Detail if details are
// asked for, Debug in JSON only.
type Level uint8

// The levels.
const (
	Detail Level = iota
	Brief
	Debug
)

var levels = []string{"detail", "brief", "debug"}

func (l Level) String() string { return spell(levels, int(l)) }

// An Op names one edit operation; see Edit.
type Op uint8

// The operations of ABI 1.
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

// The formats.
const (
	Text Format = iota
	JSON
	Markdown
	JSONLines
	YAML // read by the host: the plugin is given the JSON that it means
)

var formats = []string{"text", "json", "markdown", "jsonlines", "yaml"}

func (f Format) String() string { return spell(formats, int(f)) }

// A Need says how much of a document a plugin is given.
type Need uint8

// The needs, least first.
const (
	Listed  Need = iota // name and size; the bytes are never read
	Counted             // size, lines, words, probes: a summary without headings and last lines
	Summary             // size, lines, words, headings, last lines, probes; the text stays outside
	Content             // the text, the outline, the summary and the faults
)

var needs = []string{"listed", "counted", "summary", "content"}

func (n Need) String() string { return spell(needs, int(n)) }

// Duplicates says what a repeated key in a JSON object is.
type Duplicates uint8

// The treatments of a repeated key.
const (
	Fault Duplicates = iota // a fault of the document
	Allow                   // the last one counts; the plugin looks itself
)

var duplicates = []string{"fault", "allow"}

func (d Duplicates) String() string { return spell(duplicates, int(d)) }

// Keep says which runs must not vanish: that one of them is removed is an error.
type Keep uint8

// What is kept.
const (
	KeepNone       Keep = iota // an unfinished run that vanishes is a warning, a finished one an info
	KeepUnfinished             // runs that are not finished
	KeepAll                    // every run
)

var keeps = []string{"", "unfinished", "all"}

func (k Keep) String() string { return spell(keeps, int(k)) }

// A Unit says what a lifecycle belongs to.
type Unit uint8

// The units of a lifecycle.
const (
	Run  Unit = iota // a rival run: only one of several is resumed
	Part             // a part of one run
)

var units = []string{"run", "part"}

func (u Unit) String() string { return spell(units, int(u)) }

// A Fit says how the phase that a state file claims relates to what the
// documents prove.
type Fit uint8

// The fits.
const (
	FitUnknown Fit = iota // no claim, no such phase, or nothing to hold it against
	Consistent
	JustBehind // the state is one record behind: written just before or after its file
	Behind     // the files prove more than the claim
	Ahead      // the claim rests on files that are not there
)

var fits = []string{"unknown", "consistent", "just-behind", "behind", "ahead"}

func (f Fit) String() string { return spell(fits, int(f)) }

// A State says whether a subject is finished.
type State uint8

// The states.
const (
	Active State = iota
	Blocked
	Finished
	Abandoned
)

var states = []string{"active", "blocked", "finished", "abandoned"}

func (s State) String() string { return spell(states, int(s)) }

// A Source says where the bytes of a snapshot come from.
type Source uint8

// The sources.
const (
	Worktree Source = iota
	Index
	Commit
)

var sources = []string{"worktree", "index", "commit"}

func (s Source) String() string { return spell(sources, int(s)) }

// A BaseState says whether there is an earlier revision to compare with.
type BaseState uint8

// The states of the base.
const (
	BaseNone BaseState = iota // no earlier revision was asked for: transition rules stay silent
	BaseNew                   // the earlier revision has no such instance
	BaseAt                    // the earlier revision has the instance, at Base.Root
)

var baseStates = []string{"none", "new", "at"}

func (b BaseState) String() string { return spell(baseStates, int(b)) }

// A Presence says whether something is at a path.
type Presence uint8

// The presences.
const (
	Unseen  Presence = iota // nothing is known: no conclusion may rest on it
	Absent                  // nothing has this name, exactly as it is spelled
	Present                 // a file, a directory or a link
	// Unchanged is an answer about a base alone: a file was present, and has the same content now. Without it the file
	// may be the same as well.
	Unchanged
)

var presences = []string{"unseen", "absent", "present", "unchanged"}

func (p Presence) String() string { return spell(presences, int(p)) }

// Or returns the presence of something that may be at either of two paths: Present if it is at one, Absent if it is at
// neither.
func (p Presence) Or(other Presence) Presence {
	switch {
	case p == Present || other == Present:
		return Present
	case p == Absent && other == Absent:
		return Absent
	}
	return Unseen
}

// The rules of the host, reserved in every plugin.
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

// HostRules lists the rules that the host itself reports, under the name of
// every plugin. No plugin may declare a rule of one of these names.
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
