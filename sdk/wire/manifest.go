package wire

// ABI is the version of the ABI that this package describes. A plugin declares it by exporting a function called
// stategate_abi_1.
const ABI = 1

// Section is the name of the wasm custom section that contains the manifest.
const Section = "stategate.manifest"

// ExamplesSection is the name of the custom section that contains examples of rules: a JSON object that maps a
// rule's name to the text that `stategate explain` shows. It may be missing.
const ExamplesSection = "stategate.examples"

// MaxManifest is the maximum size of a manifest, in bytes.
const MaxManifest = 1 << 20

// Features lists the features beyond the base ABI that a manifest may require. A host that lacks a required feature
// refuses the plugin.
var Features = []string{"base", "clock", "outline", "paths", "probes", "summary", "yaml"}

// A Manifest is everything that a host can know about a plugin without running it. It is stored as JSON in the
// custom section named by Section.
type Manifest struct {
	ABI        int               `json:"abi"`
	Name       string            `json:"name"`
	Version    string            `json:"version"`
	Doc        string            `json:"doc"` // the first paragraph is the title
	Requires   []string          `json:"requires"`
	Roots      []Root            `json:"roots"`
	Documents  []DocumentSpec    `json:"documents"` // the first spec that matches a path applies
	Schemas    map[string]string `json:"schemas"`   // JSON Schema texts (2020-12) by name
	Options    string            `json:"options"`   // JSON Schema of the plugin's options; may be ""
	Lifecycles []Lifecycle       `json:"lifecycles"`
	Rules      []Rule            `json:"rules"`
	Keep       Keep              `json:"keep"` // the runs that must not disappear
	// rules of earlier versions, whose names stay valid in configurations
	Dropped []string `json:"dropped"`
	// globs, relative to the workspace root, of the paths outside the instance that a report may ask for
	AsksFor []string `json:"asks_for"`
	// the thing that a report's identity identifies, such as "session"; "" if reports have no identity
	Identity string `json:"identity"`
	// The following fields help people decide whether to trust the plugin. They are the plugin's own claims and may
	// be "".
	License  string    `json:"license"`  // an SPDX expression, such as "Apache-2.0"
	Source   string    `json:"source"`   // the https address of the source code
	Homepage string    `json:"homepage"` // the documentation's https address
	MadeFor  []MadeFor `json:"made_for"` // the tools whose state it reads
}

// MadeFor names a tool whose state files the plugin reads.
type MadeFor struct {
	Tool     string `json:"tool"`     // the name in its own documentation, such as "Spec Kit"
	Versions string `json:"versions"` // versions that the plugin was tested with, such as "1.2 to 1.4"; "" if unknown
}

// A Root says where instances live: in every directory that matches Dir at any depth, does not match Except, and
// contains at least one file or directory that matches a marker.
type Root struct {
	Dir     string   `json:"dir"`     // a doublestar glob, without a leading or trailing slash
	Markers []string `json:"markers"` // globs relative to the directory; a trailing slash means a directory
	Except  []string `json:"except"`  // globs like Dir, for directories that belong to other tools
	// the literal names in Dir belong to this workflow alone, so a link or a repository in their place is an error:
	// .kiro is unique, specs is not
	Unique bool `json:"unique"`
}

// A DocumentSpec adds documents to the snapshot and says how much of each the plugin needs.
type DocumentSpec struct {
	Glob       string     `json:"glob"` // a doublestar glob relative to the root; a trailing slash means directories
	Format     Format     `json:"format"`
	Need       Need       `json:"need"`
	Schema     string     `json:"schema"` // a name in Manifest.Schemas; may be ""
	Duplicates Duplicates `json:"duplicates"`
	Probes     []Probe    `json:"probes"`
	// the workflow's own tool follows a symbolic link to the document or to a directory above it. A link that stays
	// in the repository is reported as a note, and its target is unseen.
	FollowsLinks bool `json:"follows_links"`
}

// A Probe counts lines in a Counted or Summary document. Exactly one of Literal and Line is set.
type Probe struct {
	Name    string `json:"name"`
	Literal string `json:"literal"` // counted once per line that contains it
	Line    string `json:"line"`    // an RE2 expression, counted once per matching line
}

// A Lifecycle is an ordered list of the phases that a subject goes through.
type Lifecycle struct {
	Name        string       `json:"name"`
	Doc         string       `json:"doc"`
	Unit        Unit         `json:"unit"`
	Phases      []Phase      `json:"phases"`
	Transitions []Transition `json:"transitions"`
}

// A Phase is one step of a lifecycle.
type Phase struct {
	Name   string `json:"name"`
	Number int    `json:"number"` // the workflow's own phase number
	Title  string `json:"title"`
	Doc    string `json:"doc"`
}

// A Transition is a permitted step between two phases, given by name.
type Transition struct {
	From string `json:"from"`
	To   string `json:"to"`
	Doc  string `json:"doc"`
}

// A Rule describes one kind of fault.
type Rule struct {
	Name     string   `json:"name"`
	Group    string   `json:"group"` // rules of one group are listed together
	Doc      string   `json:"doc"`
	Why      string   `json:"why"`      // why it matters
	Fix      string   `json:"fix"`      // how to fix it
	Severity Severity `json:"severity"` // the highest severity that its findings may have
	// explains to people when a finding's severity is lower: "Warning if the task is done; info if it is
	// optional."
	SeverityIf   string `json:"severity_if"`
	NeedsBase    bool   `json:"needs_base"`     // the rule compares with the base and finds nothing without one
	OffByDefault bool   `json:"off_by_default"` // the rule runs only if a configuration names it
	URL          string `json:"url"`            // the https address of an explanation; may be ""
	// the rule is about a document's form, not its meaning
	Form     bool     `json:"form"`
	Replaces []string `json:"replaces"` // former names of the rule, which configurations may still use
	// rules whose findings on the same subject follow from this one. A report contains these findings, and the
	// host folds those that are not more severe.
	Hides []string `json:"hides"`
}
