package wire

import (
	"github.com/stategate/stategate/sdk/instant"
)

// A Report is a plugin's answer to a Request.
type Report struct {
	Declined string `json:"declined,omitzero"` // why the instance does not belong to this workflow; "" accepts it
	// identifies the run, wherever it is stored. No two instances of a plugin may have the same identity; "" means
	// that the run has no identity
	Identity   string      `json:"identity,omitzero"`
	Detections []Detection `json:"detections,omitzero"`
	// state directories of the workflow, relative to the workspace root, whose runs its own pointer chooses, in
	// order of preference. The pointer is a document of this instance.
	Chooses      []string      `json:"chooses,omitzero"`
	Diagnostics  []Diagnostic  `json:"diagnostics,omitzero"`
	Recoveries   []Remedy      `json:"recoveries,omitzero"`
	Overrides    []Override    `json:"overrides,omitzero"`     // of faults that the host found
	RuleFailures []RuleFailure `json:"rule_failures,omitzero"` // rules that could not check
	Failure      string        `json:"failure,omitzero"`       // of Prepare, Detect, Recover or Resume; may be ""
	// the report is the same at every time from ValidFrom to ValidUntil (zero: no limit)
	ValidFrom  instant.Time `json:"valid_from,omitzero"`
	ValidUntil instant.Time `json:"valid_until,omitzero"` // up to, but not including, this time (zero: no limit)
	// workspace paths, sorted. The host calls the plugin once more with the answers and uses only the validity
	// interval of this report.
	Ask []string `json:"ask,omitzero"`
	// if Request.Audit is set: paths and globs of documents that were not found, and "#/NAME" for each option that
	// was read
	Asked []string `json:"asked,omitzero"`
}

// A Detection is the phase of one subject.
type Detection struct {
	Lifecycle string   `json:"lifecycle,omitzero"`
	Subject   string   `json:"subject,omitzero"`  // "" is the instance itself
	Claimed   string   `json:"claimed,omitzero"`  // copied from the state file
	Observed  string   `json:"observed,omitzero"` // a phase of the lifecycle; "" if the documents show none
	Fit       Fit      `json:"fit,omitzero"`
	Because   []Range  `json:"because,omitzero"` // evidence, strongest first
	State     State    `json:"state,omitzero"`
	Progress  Progress `json:"progress,omitzero"`
	Resume    Resume   `json:"resume,omitzero"`
	Facts     []Fact   `json:"facts,omitzero"`
	// globs relative to the root: the files that belong to this run and to no other
	Files  []string `json:"files,omitzero"`
	PartOf RunName  `json:"part_of,omitzero"` // the detection that contains this one
	// the rank that the workflow's own pointer gives the run, smallest first; 0 means not chosen
	Chosen int `json:"chosen,omitzero"`
}

// A RunName names a run, or a part of one, by the lifecycle and subject of its detection. The zero RunName names no
// run.
type RunName struct {
	Lifecycle string `json:"lifecycle,omitzero"`
	Subject   string `json:"subject,omitzero"`
}

// Progress counts finished and total units.
type Progress struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Unit  string `json:"unit"` // plural: "phases", "tasks"
}

// A Resume is the brief for continuing the work. Every field may be empty.
type Resume struct {
	First     string   `json:"first,omitzero"`      // the blocker to resolve before anything else
	Checks    []string `json:"checks,omitzero"`     // to verify before starting work
	ReadFirst []string `json:"read_first,omitzero"` // paths relative to the root, in order
	Context   []string `json:"context,omitzero"`    // decisions and facts to know
	Next      string   `json:"next,omitzero"`       // the next action
	Skip      []string `json:"skip,omitzero"`       // finished work that must not be repeated
	Remaining []string `json:"remaining,omitzero"`  // work that remains after the next action
	Closing   string   `json:"closing,omitzero"`    // to do at the end
}

// A Fact is a named value that status shows.
type Fact struct {
	Name  string `json:"name,omitzero"`
	Title string `json:"title,omitzero"`
	Level Level  `json:"level,omitzero"`
	Value Value  `json:"value,omitzero"`
}

// A Diagnostic is one finding of a rule.
type Diagnostic struct {
	Rule     string    `json:"rule,omitzero"`
	Severity Severity  `json:"severity,omitzero"` // Inherit means the severity that the rule declares
	Subject  string    `json:"subject,omitzero"`
	Run      RunName   `json:"run,omitzero"`    // the run that it belongs to; if empty, see Detection.Files
	Blocks   []RunName `json:"blocks,omitzero"` // other runs whose next step it blocks
	Key      string    `json:"key,omitzero"`    // stays the same for as long as the fault exists
	Range    Range     `json:"range,omitzero"`
	Message  string    `json:"message,omitzero"`
	Related  []Related `json:"related,omitzero"`
	Remedies []Remedy  `json:"remedies,omitzero"` // alternatives
}

// Related points at another location that concerns a diagnostic.
type Related struct {
	Range   Range  `json:"range,omitzero"`
	Message string `json:"message,omitzero"`
}

// A Range is a location: the document Path, or one part of that document. A part is a line, the half-open byte
// range from Start to End if Bytes is set, or the value at Pointer in a JSON or YAML document. At most one part may
// be set. A plugin does not know the bytes of a YAML document, so it must not use a byte range there. In a JSON
// Lines document, the pointer's first token is a line index from 0. An empty Path is the root itself; a path that
// ends in a slash is a directory.
type Range struct {
	Path    string `json:"path,omitzero"`
	Line    int    `json:"line,omitzero"`    // from 1
	Bytes   bool   `json:"-"`                // on the wire "bytes":[start,end], which may be [0,0]
	Start   int    `json:"-"`                // bytes from the start of the text
	End     int    `json:"-"`                // half-open
	Pointer string `json:"pointer,omitzero"` // RFC 6901
	Key     bool   `json:"key,omitzero"`     // the member's key instead of its value
}

// A Remedy is one way to fix a finding. Manual remedies have Steps and no Edits.
type Remedy struct {
	Title   string   `json:"title,omitzero"` // a verb phrase
	Safety  Safety   `json:"safety,omitzero"`
	Subject string   `json:"subject,omitzero"` // for a finding's remedy, "" means the finding's subject
	Fixes   []string `json:"fixes,omitzero"`   // rules whose findings on Subject the remedy fixes
	Edits   []Edit   `json:"edits,omitzero"`
	Steps   []string `json:"steps,omitzero"`
}

// An Edit is one change; a remedy's edits are applied together or not at all.
//
//   - Replace replaces the text in Range with New.
//   - Set sets the JSON value at Range.Pointer to New (a JSON text), like "add" in RFC 6902, and creates missing
//     parents.
//   - Unset removes the member or element at Range.Pointer, along with its comma.
//   - Create writes the document Range.Path with the content New, and replaces any existing one. The host replaces
//     "{n}" in the path with a number.
//   - Restore restores the content of Range.Path from the base, byte for byte.
//   - Move renames Range.Path to To; a name that ends in a slash moves the whole directory.
//   - MoveRoot moves the instance's directory to To, relative to the workspace root.
//   - Aside renames Range.Path to <stem>.<To>[-N]<ext>, with the first N that is free.
//   - Remove deletes Range.Path.
//   - Unmark removes the byte-order mark of Range.Path.
//
// "${now}" in New is replaced with the time of applying (RFC 3339, whole seconds, Z); "$${now}" writes "${now}".
// See [Literal].
type Edit struct {
	Op    Op     `json:"op,omitzero"`
	Range Range  `json:"range,omitzero"`
	New   string `json:"new,omitzero"`
	To    string `json:"to,omitzero"`
}

// An Override lowers or withdraws faults that the host found in one document. If a document's content is needed but
// unreadable, the fault stays an error; Off, for a file of another tool, makes it an info. The fault also stays an
// error if the document is readable in the base or contains an unresolved merge conflict.
type Override struct {
	Path     string   `json:"path,omitzero"`
	Rule     string   `json:"rule,omitzero"`     // one of HostRules
	Pointer  string   `json:"pointer,omitzero"`  // the fault at this pointer only; "*" for all
	Severity Severity `json:"severity,omitzero"` // Off withdraws the fault
}

// A RuleFailure names a rule that could not check, with the reason.
type RuleFailure struct {
	Rule    string `json:"rule,omitzero"`
	Message string `json:"message,omitzero"`
	Panic   bool   `json:"panic,omitzero"`
}
