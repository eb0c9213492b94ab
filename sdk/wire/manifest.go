package wire

// ABI is the version of the contract that this package describes. A plugin
// names it by exporting a function called stategate_abi_1.
const ABI = 1

// Section is the name of the wasm custom section that holds the manifest.
const Section = "stategate.manifest"

// ExamplesSection is the name of the custom section that holds examples of rules: a JSON object from a rule's name to
// the text that `stategate explain` shows. It may be missing.
const ExamplesSection = "stategate.examples"

// MaxManifest is the greatest size of a manifest, in bytes.
const MaxManifest = 1 << 20

// Features lists what a manifest may require of a host beyond the bare ABI.
// A host that lacks a required feature refuses the plugin.
var Features = []string{"base", "clock", "outline", "paths", "probes", "summary", "yaml"}

// A Manifest is everything a host may know of a plugin without running it. It
// lies as JSON in the custom section named by Section.
type Manifest struct {
	ABI        int               `json:"abi"`
	Name       string            `json:"name"`
	Version    string            `json:"version"`
	Doc        string            `json:"doc"` // the first paragraph is the title
	Requires   []string          `json:"requires"`
	Roots      []Root            `json:"roots"`
	Documents  []DocumentSpec    `json:"documents"` // the first that matches a path decides
	Schemas    map[string]string `json:"schemas"`   // JSON Schema texts (2020-12) by name
	Options    string            `json:"options"`   // JSON Schema of the plugin's options, "" for none
	Lifecycles []Lifecycle       `json:"lifecycles"`
	Rules      []Rule            `json:"rules"`
	Keep       Keep              `json:"keep"` // the runs that must not vanish
	// names of rules that earlier versions had: a configuration that names one stays valid
	Dropped []string `json:"dropped"`
	// globs below the workspace root: the paths outside of the instance that a report may ask for
	AsksFor []string `json:"asks_for"`
	// what the identity of a report is that of, "session"; "" if reports have none
	Identity string `json:"identity"`
	// what a person asks before trusting the plugin; it is the plugin's own word, and "" if it does not say
	License  string    `json:"license"`  // an SPDX expression, "Apache-2.0"
	Source   string    `json:"source"`   // the https address of the source that it is built from
	Homepage string    `json:"homepage"` // the https address of its documentation
	MadeFor  []MadeFor `json:"made_for"` // the tools whose state it reads
}

// MadeFor names a tool whose state files the plugin reads.
type MadeFor struct {
	Tool     string `json:"tool"`     // as its own documentation writes it, "Spec Kit"
	Versions string `json:"versions"` // those that the plugin was tried with, "1.2 to 1.4"; "" if that is not known
}

// A Root says where instances live: every directory that matches Dir at any
// depth, matches nothing in Except and holds at least one file or directory that
// matches a marker.
type Root struct {
	Dir     string   `json:"dir"`     // a doublestar glob, without a leading or trailing slash
	Markers []string `json:"markers"` // globs below the directory; a trailing slash means a directory
	Except  []string `json:"except"`  // globs like Dir, of directories that belong to other tools
	// the names that Dir spells out belong to this workflow alone, so that a link or a repository in their place is an
	// error: .kiro is unique, specs is not
	Unique bool `json:"unique"`
}

// A DocumentSpec admits documents to the snapshot and says how much of each.
type DocumentSpec struct {
	Glob       string     `json:"glob"` // a doublestar glob below the root; a trailing slash names directories
	Format     Format     `json:"format"`
	Need       Need       `json:"need"`
	Schema     string     `json:"schema"` // a name in Manifest.Schemas, "" for none
	Duplicates Duplicates `json:"duplicates"`
	Probes     []Probe    `json:"probes"`
	// the workflow's own tool follows a symbolic link to the document or to a directory above it: a link that stays
	// in the repository is noted, and its target is unseen
	FollowsLinks bool `json:"follows_links"`
}

// A Probe counts lines of a document that is counted or summarized. Exactly one of Literal and Line is set.
type Probe struct {
	Name    string `json:"name"`
	Literal string `json:"literal"` // counted once per line that contains it
	Line    string `json:"line"`    // an RE2 expression, counted once per line that it matches
}

// A Lifecycle is an ordered list of phases that a subject lives through.
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
	Number int    `json:"number"` // as the workflow counts it
	Title  string `json:"title"`
	Doc    string `json:"doc"`
}

// A Transition is a permitted step between two phases, by name.
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
	Severity Severity `json:"severity"` // the highest that a finding may have
	// when a finding has a lower one, for people: "Warning if the task is done; info if it is optional."
	SeverityIf   string `json:"severity_if"`
	NeedsBase    bool   `json:"needs_base"`     // it compares with the base, and finds nothing without one
	OffByDefault bool   `json:"off_by_default"` // it is off unless a configuration names it
	URL          string `json:"url"`            // the https address of what explains it, "" for none
	// it is about the way in which documents are written, and not about what they mean
	Form     bool     `json:"form"`
	Replaces []string `json:"replaces"` // former names, which configurations may still use
	// rules whose findings on the same subject follow from this one; a report holds them, and the host folds those
	// that are not more severe
	Hides []string `json:"hides"`
}
