package wire

import (
	"github.com/stategate/stategate/sdk/instant"
)

// A Request is the complete input of an examine call: one pass over one instance.
type Request struct {
	Root      string       `json:"root"` // slash-separated, relative to the workspace root
	Name      string       `json:"name"` // the last element of the root that identifies the run
	Source    Source       `json:"source"`
	Now       instant.Time `json:"now"`
	Options   string       `json:"options"`   // a JSON object; may be ""
	Documents []Document   `json:"documents"` // sorted by path
	Unseen    []string     `json:"unseen"`    // globs relative to the root; a missing path that matches may still exist
	Base      Base         `json:"base"`
	Answers   []Answer     `json:"answers"` // to Report.Ask, sorted by path; if there are none, the plugin may ask
	// State and Resume of detections are not used, so a plugin may omit them
	NoResume bool `json:"no_resume"`
	Audit    bool `json:"audit"` // for tests: asks the plugin to fill in Report.Asked
}

// Base is the same instance in an earlier revision.
type Base struct {
	State     BaseState  `json:"state"`
	Root      string     `json:"root"`      // the instance's directory in the base
	Documents []Document `json:"documents"` // sorted by path
	Answers   []Answer   `json:"answers"`   // for the same paths as the request's answers
}

// An Answer says whether a workspace path that the report asked for exists.
type Answer struct {
	Path     string   `json:"path"`
	Presence Presence `json:"presence"`
}

// answers is the input of answer: the presence of each path that the report asked for, in the order of Report.Ask.
type answers struct {
	Now  []Presence `json:"now"`
	Base []Presence `json:"base"` // in the base; of the same length
}

// A Document is one file of the snapshot, or one directory if Dir is set.
type Document struct {
	Path    string `json:"path"` // relative to the root, slash-separated
	Dir     bool   `json:"dir"`
	Format  Format `json:"format"`
	Need    Need   `json:"need"`    // what the host provided, which may be less than the manifest asks for
	Size    int64  `json:"size"`    // bytes on disk
	Ignored bool   `json:"ignored"` // git ignores it
	BOM     bool   `json:"bom"`     // a byte-order mark was removed from the text
	// hex SHA-256 of the text without byte-order mark and with CRLF read as LF; for Markdown, without the
	// differences that formatters cause; "" if the host did not read the file
	Digest string `json:"digest"`
	// in the attachment; valid UTF-8 without byte-order mark; for YAML the equivalent JSON, with each value on its
	// line
	Text    string          `json:"-"`
	Outline []byte          `json:"-"` // in the attachment; nodes in the encoding of package markdown
	Summary DocumentSummary `json:"summary"`
	Faults  []DocumentFault `json:"faults"`
	YAML    string          `json:"-"` // the YAML text itself, for the host; not sent
	Same    bool            `json:"-"` // in the base only: the content equals that of the present document
}

// A DocumentSummary describes a document for plugins that do not need its text.
type DocumentSummary struct {
	Lines    int           `json:"lines"` // number of line feeds, plus one if the last line has none
	Words    int           `json:"words"` // runs of characters that are not white space
	Headings []HeadingLine `json:"headings"`
	Tail     []string      `json:"tail"` // the last nonblank lines, oldest first
	Probes   []ProbeCount  `json:"probes"`
}

// A HeadingLine is a heading in a Summary document.
type HeadingLine struct {
	Level int    `json:"level"` // 1 to 6
	Line  int    `json:"line"`  // from 1
	Text  string `json:"text"`
}

// A ProbeCount is the result of a Probe.
type ProbeCount struct {
	Name     string `json:"name"`
	Count    int    `json:"count"`
	LastLine int    `json:"last_line"` // from 1; 0 if Count is 0
	LastText string `json:"last_text"` // the last matching line
}

// A DocumentFault is a fault that the host found in a document before the plugin ran. It becomes a finding of the
// host's rule Rule if the plugin accepts the instance and does not withdraw the fault.
type DocumentFault struct {
	Rule string `json:"rule"` // one of HostRules
	// more specific than Rule: encoding, syntax, duplicate-key, depth, number, schema, link, special, size,
	// permission, outline
	Kind    string `json:"kind"`
	Message string `json:"message"` // found, expected and the fix
	Pointer string `json:"pointer"` // RFC 6901; "" for the whole document
	Key     string `json:"key"`     // stays the same for as long as the fault exists
	Line    int    `json:"line"`    // from 1; 0 if there is no text to point into
	// Start and End are a half-open byte range of the stored document if Bytes is set; on the wire "bytes": [start,
	// end]
	Bytes bool `json:"-"`
	Start int  `json:"-"`
	End   int  `json:"-"`
}
