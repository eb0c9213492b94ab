package wire

import (
	"github.com/stategate/stategate/sdk/instant"
)

// A Request is the input of one pass over one instance: the whole world of an examine call.
type Request struct {
	Root      string       `json:"root"` // slash-separated, relative to the workspace root
	Name      string       `json:"name"` // the last real component of the root
	Source    Source       `json:"source"`
	Now       instant.Time `json:"now"`
	Options   string       `json:"options"`   // a JSON object, "" for none
	Documents []Document   `json:"documents"` // sorted by path
	Unseen    []string     `json:"unseen"`    // globs below the root where absence proves nothing
	Base      Base         `json:"base"`
	Answers   []Answer     `json:"answers"` // to Report.Ask, sorted by path; without any the plugin may ask
	// State and Resume of detections are not used: a plugin may leave them out
	NoResume bool `json:"no_resume"`
	Audit    bool `json:"audit"` // a test asks the plugin to fill Report.Asked
}

// Base is the same instance in an earlier revision.
type Base struct {
	State     BaseState  `json:"state"`
	Root      string     `json:"root"`      // where the instance lay then
	Documents []Document `json:"documents"` // sorted by path
	Answers   []Answer   `json:"answers"`   // the same paths as those of the request
}

// An Answer says whether something is at a path of the workspace that the report asked for.
type Answer struct {
	Path     string   `json:"path"`
	Presence Presence `json:"presence"`
}

// answers are the input of answer: what is at each path that the report asked for, in the order of Report.Ask.
type answers struct {
	Now  []Presence `json:"now"`
	Base []Presence `json:"base"` // in the base; as many
}

// A Document is one file, or one directory if Dir, of the snapshot.
type Document struct {
	Path    string `json:"path"` // below the root, slash-separated
	Dir     bool   `json:"dir"`
	Format  Format `json:"format"`
	Need    Need   `json:"need"`    // what was given, which may be less than the manifest asks for
	Size    int64  `json:"size"`    // bytes on disk
	Ignored bool   `json:"ignored"` // git ignores it
	BOM     bool   `json:"bom"`     // a byte-order mark was taken off the text
	// hex SHA-256 of the text without mark, CRLF read as LF, of Markdown without what formatters change; "" if the
	// bytes were not read
	Digest string `json:"digest"`
	// in the attachment; valid UTF-8, without byte-order mark; of YAML the JSON that it means, each value on its line
	Text    string          `json:"-"`
	Outline []byte          `json:"-"` // in the attachment; nodes as package markdown encodes them
	Summary DocumentSummary `json:"summary"`
	Faults  []DocumentFault `json:"faults"`
	YAML    string          `json:"-"` // the text as it stands, for the host; it is not sent
	Same    bool            `json:"-"` // in the base only: text, outline and summary are those of the present document
}

// A DocumentSummary says what a reader without the text may want to know.
type DocumentSummary struct {
	Lines    int           `json:"lines"` // line feeds, plus one if the last line lacks its own
	Words    int           `json:"words"` // runs of characters that are not white space
	Headings []HeadingLine `json:"headings"`
	Tail     []string      `json:"tail"` // the last lines that are not blank, oldest first
	Probes   []ProbeCount  `json:"probes"`
}

// A HeadingLine is a heading of a summary document.
type HeadingLine struct {
	Level int    `json:"level"` // 1 to 6
	Line  int    `json:"line"`  // 1-based
	Text  string `json:"text"`
}

// A ProbeCount is what a Probe found.
type ProbeCount struct {
	Name     string `json:"name"`
	Count    int    `json:"count"`
	LastLine int    `json:"last_line"` // 1-based, 0 if Count is 0
	LastText string `json:"last_text"` // the last matching line
}

// A DocumentFault is what the host found wrong with a document before the plugin saw
// it. It becomes a diagnostic of the host rule Rule if the plugin accepts the
// instance and does not withdraw it.
type DocumentFault struct {
	Rule string `json:"rule"` // one of HostRules
	// finer than Rule: encoding, syntax, duplicate-key, depth, number, schema, link, special, size, permission, outline
	Kind    string `json:"kind"`
	Message string `json:"message"` // found, expected and the fix
	Pointer string `json:"pointer"` // RFC 6901, "" for the whole document
	Key     string `json:"key"`     // what stays the same while the fault stays
	Line    int    `json:"line"`    // 1-based, 0 if there is no text to point into
	// the half-open byte range [Start, End) of the document as it is stored, if Bytes; on the wire
	// "bytes": [start, end]
	Bytes bool `json:"-"`
	Start int  `json:"-"`
	End   int  `json:"-"`
}
