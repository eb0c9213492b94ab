package print

import (
	"io"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
)

// A Format is a row of the table of formats. A command offers it if the row has a writer for that command.
type Format struct {
	Name   string
	People bool   // it is for people: paths begin where they type, rather than at the top of the repository
	Doc    string // what it is for, as .github/docs/formats.md says it
	Hint   string // what the help adds after the name, if the name does not suffice

	Check   func(io.Writer, *result.Result, Options) error
	Status  func(io.Writer, *result.Result, View, Options) error
	Resume  func(io.Writer, *Resumption, Options) error
	Recover func(io.Writer, Recovery, Options) error
	Explain func(io.Writer, *plugin.Plugin, Options) error
	List    func(io.Writer, []*plugin.Plugin, Options) error     // of `plugin list`
	Inspect func(io.Writer, *plugin.Plugin, File, Options) error // of `plugin inspect`
}

// Formats is the table, in the order in which formats are listed. Flags, completion, errors and .github/docs/formats.md
// are made from it.
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
		Doc: "job summaries and comments; of `resume`, an agent's context"},
	{Name: "html", Status: StatusPage,
		Doc: "a page with filters, which needs no network"},
	{Name: "mermaid", Explain: Mermaid, Doc: "a state diagram of a workflow",
		Hint: "draws the phases of a workflow"},
	{Name: "sarif", Check: SARIF,
		Doc: "code scanning and editors: SARIF 2.1.0, with help and a link for each rule that found something"},
	{Name: "github", Check: GitHub,
		Doc: "GitHub Actions: annotations, the most severe first, at most ten per level; the log and the job " +
			"summary list the rest"},
	{Name: "gitlab", Check: GitLab, Doc: "GitLab: a Code Quality report"},
	{Name: "junit", Check: JUnit,
		Doc: "JUnit XML: a test case per finding that closes the gate, or per state directory that passes"},
}
