package print

import (
	"io"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
)

// A Format is a row in the table of formats. A command supports it if the row has a writer for that command.
type Format struct {
	Name   string
	People bool   // written for people, so paths are relative to the current directory rather than to the repository
	Doc    string // its purpose, for .github/docs/formats.md
	Hint   string // added after the name in help, if the name alone is unclear

	Check   func(io.Writer, *result.Result, Options) error
	Status  func(io.Writer, *result.Result, View, Options) error
	Resume  func(io.Writer, *Resumption, Options) error
	Recover func(io.Writer, Recovery, Options) error
	Explain func(io.Writer, *plugin.Plugin, Options) error
	List    func(io.Writer, []*plugin.Plugin, Options) error     // for `plugin list`
	Inspect func(io.Writer, *plugin.Plugin, File, Options) error // for `plugin inspect`
}

// Formats lists the formats in display order. Flags, completion, errors and .github/docs/formats.md are generated
// from it.
var Formats = []Format{
	{Name: "text", People: true, Doc: "people",
		Check: Text, Status: Status, Resume: ResumeText, Recover: Recover, Explain: Workflow, List: Plugins,
		Inspect: Plugin},
	{Name: "concise", People: true, Check: Concise,
		Doc: "editors and problem matchers: a finding per line, `PATH:LINE:COLUMN: SEVERITY: MESSAGE [RULE]`"},
	{Name: "json", Check: JSON, Status: StatusJSON, Resume: ResumeJSON, Recover: RecoverJSON, List: PluginsJSON,
		Inspect: PluginJSON,
		Doc:     "scripts: one [JSON](#json) document"},
	{Name: "markdown", Status: StatusMarkdown, Resume: ResumeMarkdown,
		Doc: "job summaries and comments, below 60,000 bytes; of `resume`, an agent's context"},
	{Name: "html", Status: StatusPage,
		Doc: "a page with filters, which needs no network"},
	{Name: "mermaid", Explain: Mermaid, Doc: "a state diagram of a workflow",
		Hint: "draws the phases of a workflow"},
	{Name: "sarif", Check: SARIF,
		Doc: "code scanning and editors: SARIF 2.1.0, with help and a link for each rule with findings"},
	{Name: "github", Check: GitHub,
		Doc: "GitHub Actions: annotations, the most severe first, at most ten per level; the log and the job " +
			"summary list the rest"},
	{Name: "gitlab", Check: GitLab, Doc: "GitLab: a Code Quality report"},
	{Name: "junit", Check: JUnit,
		Doc: "JUnit XML: a test case per finding that closes the gate, or per state directory that passes"},
}
