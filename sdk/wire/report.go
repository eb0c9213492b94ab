package wire

import (
	"github.com/stategate/stategate/sdk/instant"
)

// A Report is a plugin's answer to a Request.
type Report struct {
	Declined string `json:"declined,omitzero"` // why the instance is not of this workflow; "" accepts it
	// which run it is, wherever it is stored; no two instances of a plugin may have the same; "" makes no such claim
	Identity   string      `json:"identity,omitzero"`
	Detections []Detection `json:"detections,omitzero"`
	// state directories of the workflow, from the workspace root, whose runs its own pointer chooses, which is a
	// document of this one; the first before the others
	Chooses      []string      `json:"chooses,omitzero"`
	Diagnostics  []Diagnostic  `json:"diagnostics,omitzero"`
	Recoveries   []Remedy      `json:"recoveries,omitzero"`
	Overrides    []Override    `json:"overrides,omitzero"`     // faults of the host that the plugin lowers or withdraws
	RuleFailures []RuleFailure `json:"rule_failures,omitzero"` // rules that could not look
	Failure      string        `json:"failure,omitzero"`       // Prepare, Detect, Recover or Resume failed; "" if none
	// the report is the same for every clock from here (zero: always)
	ValidFrom  instant.Time `json:"valid_from,omitzero"`
	ValidUntil instant.Time `json:"valid_until,omitzero"` // up to but not including here (zero: for ever)
	// paths of the workspace, sorted: the plugin is called once more with answers, and the rest of this report counts
	// for nothing but for how long it stands
	Ask []string `json:"ask,omitzero"`
	// if Request.Audit: paths and globs of documents that were not found, and "#/NAME" of each option that was read
	Asked []string `json:"asked,omitzero"`
}

// A Detection is the phase that one subject is in.
type Detection struct {
	Lifecycle string   `json:"lifecycle,omitzero"`
	Subject   string   `json:"subject,omitzero"`  // "" is the instance itself
	Claimed   string   `json:"claimed,omitzero"`  // as in the state file
	Observed  string   `json:"observed,omitzero"` // a phase of the lifecycle, "" if the documents prove none
	Fit       Fit      `json:"fit,omitzero"`
	Because   []Range  `json:"because,omitzero"` // evidence, strongest first
	State     State    `json:"state,omitzero"`
	Progress  Progress `json:"progress,omitzero"`
	Resume    Resume   `json:"resume,omitzero"`
	Facts     []Fact   `json:"facts,omitzero"`
	// globs below the root: the files that belong to the run and to no other
	Files  []string `json:"files,omitzero"`
	PartOf RunName  `json:"part_of,omitzero"` // the detection that this one is a part of
	// the rank by which the workflow's own pointer chooses the run, smallest first; 0: it does not
	Chosen int `json:"chosen,omitzero"`
}

// A RunName names a run, or a part of one, by the lifecycle and subject of its detection. The zero RunName names none.
type RunName struct {
	Lifecycle string `json:"lifecycle,omitzero"`
	Subject   string `json:"subject,omitzero"`
}

// Progress counts finished units.
type Progress struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Unit  string `json:"unit"` // plural: "phases", "tasks"
}

// A Resume is the brief for going on. Every field may be empty.
type Resume struct {
	First     string   `json:"first,omitzero"`      // what blocks: to be settled before anything else
	Checks    []string `json:"checks,omitzero"`     // to be verified before work begins
	ReadFirst []string `json:"read_first,omitzero"` // paths below the root, in order
	Context   []string `json:"context,omitzero"`    // decisions and facts to know
	Next      string   `json:"next,omitzero"`       // the next action
	Skip      []string `json:"skip,omitzero"`       // what is done and must not be repeated
	Remaining []string `json:"remaining,omitzero"`  // what is left after the next action
	Closing   string   `json:"closing,omitzero"`    // to be done at the end
}

// A Fact is something that status shows.
type Fact struct {
	Name  string `json:"name,omitzero"`
	Title string `json:"title,omitzero"`
	Level Level  `json:"level,omitzero"`
	Value Value  `json:"value,omitzero"`
}

// A Diagnostic is one finding of a rule.
type Diagnostic struct {
	Rule     string    `json:"rule,omitzero"`
	Severity Severity  `json:"severity,omitzero"` // Inherit: as the rule declares
	Subject  string    `json:"subject,omitzero"`
	Run      RunName   `json:"run,omitzero"`    // the run that it belongs to; none: see Detection.Files
	Blocks   []RunName `json:"blocks,omitzero"` // other runs whose next step it blocks
	Key      string    `json:"key,omitzero"`    // what stays the same while the fault stays
	Range    Range     `json:"range,omitzero"`
	Message  string    `json:"message,omitzero"`
	Related  []Related `json:"related,omitzero"`
	Remedies []Remedy  `json:"remedies,omitzero"` // alternatives
}

// Related points at another place that concerns a diagnostic.
type Related struct {
	Range   Range  `json:"range,omitzero"`
	Message string `json:"message,omitzero"`
}

// A Range is a place: the document Path, or one line of it, or the half-open byte range from Start to End of its text
// if Bytes, or the value at Pointer in a JSON or YAML document: at most one of them. The plugin does not know the
// bytes of a YAML document, so they are not a place. In a JSON Lines document the pointer's first token is the number
// of a line, from 0. An empty Path is the root itself; a path that ends in a slash is a directory.
type Range struct {
	Path    string `json:"path,omitzero"`
	Line    int    `json:"line,omitzero"`    // 1-based
	Bytes   bool   `json:"-"`                // on the wire "bytes":[start,end], which may be [0,0]
	Start   int    `json:"-"`                // bytes from the start of the text
	End     int    `json:"-"`                // half-open
	Pointer string `json:"pointer,omitzero"` // RFC 6901
	Key     bool   `json:"key,omitzero"`     // the member's key instead of its value
}

// A Remedy is one way to end a fault. Manual remedies carry Steps and no Edits.
type Remedy struct {
	Title   string   `json:"title,omitzero"` // a verb phrase
	Safety  Safety   `json:"safety,omitzero"`
	Subject string   `json:"subject,omitzero"` // of a finding's remedy: "" is that of the finding
	Fixes   []string `json:"fixes,omitzero"`   // rules whose findings on Subject are gone afterwards
	Edits   []Edit   `json:"edits,omitzero"`
	Steps   []string `json:"steps,omitzero"`
}

// An Edit is one change; the edits of a remedy happen together or not at all.
//
//   - Replace: the text in Range becomes New.
//   - Set: the JSON value at Range.Pointer becomes New (a JSON text), as RFC 6902 add; missing parents are made.
//   - Unset: the member or element at Range.Pointer goes, with its comma.
//   - Create: the document Range.Path becomes New, byte for byte; it may exist. "{n}" in the path is numbered by the
//     host.
//   - Restore: Range.Path becomes what the base has, byte for byte.
//   - Move: Range.Path becomes To; a name ending in a slash moves the whole directory.
//   - MoveRoot: the instance's directory becomes To, relative to the workspace root.
//   - Aside: Range.Path becomes <stem>.<To>[-N]<ext>, the first free N.
//   - Remove: Range.Path goes.
//   - Unmark: the byte-order mark of Range.Path goes.
//
// "${now}" in New is the time of applying (RFC 3339, seconds, Z); "$${now}" is the text "${now}", see [Literal].
type Edit struct {
	Op    Op     `json:"op,omitzero"`
	Range Range  `json:"range,omitzero"`
	New   string `json:"new,omitzero"`
	To    string `json:"to,omitzero"`
}

// An Override lowers or withdraws faults of the host on one document. If its content is needed, a document that cannot
// be read stays an error (Off, for a file of another tool, makes it an info). So does one that the base has readable,
// and an unresolved merge.
type Override struct {
	Path     string   `json:"path,omitzero"`
	Rule     string   `json:"rule,omitzero"`     // one of HostRules
	Pointer  string   `json:"pointer,omitzero"`  // only the fault at this pointer; "*" for all
	Severity Severity `json:"severity,omitzero"` // Off withdraws
}

// A RuleFailure names a rule that could not look and why.
type RuleFailure struct {
	Rule    string `json:"rule,omitzero"`
	Message string `json:"message,omitzero"`
	Panic   bool   `json:"panic,omitzero"`
}
