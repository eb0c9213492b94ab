package wire

import (
	"github.com/stategate/stategate/sdk/instant"
)

// A Report is a plugin's answer to a Request.
type Report struct {
	Declined     string        `json:"declined"` // why the instance is not of this workflow; "" accepts it
	Identity     string        `json:"identity"` // which run it is, wherever it is stored; no two instances of a plugin may have the same; "" makes no such claim
	Detections   []Detection   `json:"detections"`
	Diagnostics  []Diagnostic  `json:"diagnostics"`
	Recoveries   []Remedy      `json:"recoveries"`
	Overrides    []Override    `json:"overrides"`     // faults of the host that the plugin lowers or withdraws
	RuleFailures []RuleFailure `json:"rule_failures"` // rules that could not look
	Failure      string        `json:"failure"`       // Prepare, Detect, Recover or Resume failed; "" if none
	ValidFrom    instant.Time  `json:"valid_from"`    // the report is the same for every clock from here (zero: always)
	ValidUntil   instant.Time  `json:"valid_until"`   // up to but not including here (zero: for ever)
	Ask          []string      `json:"ask"`           // paths of the workspace, sorted: the plugin is called once more with answers, and the rest of this report counts for nothing
	Asked        []string      `json:"asked"`         // if Request.Audit: paths and globs of documents that were looked for in vain
}

// A Detection is the phase that one subject is in.
type Detection struct {
	Lifecycle string   `json:"lifecycle"`
	Subject   string   `json:"subject"`  // "" is the instance itself
	Claimed   string   `json:"claimed"`  // as the state file has it
	Observed  string   `json:"observed"` // a phase of the lifecycle, "" if the documents prove none
	Fit       Fit      `json:"fit"`
	Because   []Range  `json:"because"` // evidence, strongest first
	State     State    `json:"state"`
	Progress  Progress `json:"progress"`
	Resume    Resume   `json:"resume"`
	Facts     []Fact   `json:"facts"`
	Pick      Pick     `json:"pick"`
}

// Progress counts finished units.
type Progress struct {
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Unit  string `json:"unit"` // plural: "phases", "tasks"
}

// A Resume is the brief for going on. Every field may be empty.
type Resume struct {
	First     string   `json:"first"`      // what blocks: to be settled before anything else
	Checks    []string `json:"checks"`     // to be verified before work begins
	ReadFirst []string `json:"read_first"` // paths below the root, in order
	Context   []string `json:"context"`    // decisions and facts to know
	Next      string   `json:"next"`       // the next action
	Skip      []string `json:"skip"`       // what is done and must not be repeated
	Remaining []string `json:"remaining"`  // what is left after the next action
	Closing   string   `json:"closing"`    // to be done at the end
}

// A Fact is something that status shows.
type Fact struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Level Level  `json:"level"`
	Value Value  `json:"value"`
}

// A Pick marks the run that the workflow's own tool would choose: among the
// eligible runs of a plugin, the one with the greatest key.
type Pick struct {
	Key      string `json:"key"`
	Eligible bool   `json:"eligible"`
}

// A Diagnostic is one finding of a rule.
type Diagnostic struct {
	Rule     string    `json:"rule"`
	Severity Severity  `json:"severity"` // Inherit: as the rule declares
	Subject  string    `json:"subject"`
	Key      string    `json:"key"` // what stays the same while the fault stays
	Range    Range     `json:"range"`
	Message  string    `json:"message"`
	Related  []Related `json:"related"`
	Remedies []Remedy  `json:"remedies"` // alternatives
}

// Related points at another place that a diagnostic speaks of.
type Related struct {
	Range   Range  `json:"range"`
	Message string `json:"message"`
}

// A Range is a place: the document Path, or one line of it, or the half-open
// byte range from Start to End of its text, or what lies at Pointer in a JSON document;
// in a YAML document that of its own text, whose bytes the plugin does not know: give a pointer or a line;
// in a JSON Lines document the pointer's first token is the number of a line, from 0.
// An empty Path is the root itself; a path that ends in a slash is a directory.
type Range struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`    // 1-based
	Start   int    `json:"start"`   // bytes from the start of the text
	End     int    `json:"end"`     // half-open; 0 with Start 0 means no byte range
	Pointer string `json:"pointer"` // RFC 6901
	Key     bool   `json:"key"`     // the member's key instead of its value
}

// A Remedy is one way to end a fault. Manual remedies carry Steps and no Edits.
type Remedy struct {
	Title   string   `json:"title"` // a verb phrase
	Safety  Safety   `json:"safety"`
	Subject string   `json:"subject"` // of a finding's remedy: "" is that of the finding
	Heals   []string `json:"heals"`   // rules whose findings on Subject are gone afterwards
	Edits   []Edit   `json:"edits"`
	Steps   []string `json:"steps"`
}

// An Edit is one change; the edits of a remedy happen together or not at all.
//
//   - Replace: the text in Range becomes New.
//   - Set: the JSON value at Range.Pointer becomes New (a JSON text), as RFC 6902 add; missing parents are made.
//   - Unset: the member or element at Range.Pointer goes, with its comma.
//   - Create: the document Range.Path becomes New, byte for byte; it may exist. "{n}" in the path is numbered by the host.
//   - Restore: Range.Path becomes what the base has, byte for byte.
//   - Move: Range.Path becomes To; a name ending in a slash moves the whole directory.
//   - MoveRoot: the instance's directory becomes To, relative to the anchor.
//   - Aside: Range.Path becomes <stem>.<To>[-N]<ext>, the first free N.
//   - Remove: Range.Path goes.
//   - Unmark: the byte-order mark of Range.Path goes.
//
// "${now}" in New is the time of applying (RFC 3339, seconds, Z).
type Edit struct {
	Op    Op     `json:"op"`
	Range Range  `json:"range"`
	New   string `json:"new"`
	To    string `json:"to"`
}

// An Override lowers or withdraws faults of the host on one document. That a document whose content is needed cannot be
// read stays an error where the base has it readable, and where it holds an unresolved merge.
type Override struct {
	Path     string   `json:"path"`
	Rule     string   `json:"rule"`     // one of HostRules
	Pointer  string   `json:"pointer"`  // only the fault at this pointer; "*" for all
	Severity Severity `json:"severity"` // Off withdraws
}

// A RuleFailure names a rule that could not look and why.
type RuleFailure struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Panic   bool   `json:"panic"`
}
