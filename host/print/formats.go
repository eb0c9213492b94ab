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
	Doc    string // what it is for, as the reference says it
	Hint   string // what the flag's text says behind the name, where that does not suffice

	Check   func(io.Writer, *result.Result, Options) error
	Status  func(io.Writer, *result.Result, View, Options) error
	Resume  func(io.Writer, *Resumption, Options) error
	Recover func(io.Writer, Recovery, Options) error
	Explain func(io.Writer, *plugin.Plugin, Options) error
	List    func(io.Writer, []*plugin.Plugin, Options) error     // of `plugin list`
	Inspect func(io.Writer, *plugin.Plugin, File, Options) error // of `plugin inspect`
}

// Formats is the table, in the order in which formats are listed. Flags, completion, errors and the reference
// are made from it.
var Formats = []Format{
	{Name: "text", People: true, Doc: "people",
		Check: Text, Status: Status, Resume: ResumeText, Recover: Recover, Explain: Workflow, List: Plugins,
		Inspect: Plugin},
	{Name: "concise", People: true, Check: Concise,
		Doc: "a finding a line, `PATH:LINE:COLUMN: SEVERITY: MESSAGE [RULE]`, for editors and problem matchers"},
	{Name: "json", Check: JSON, Status: StatusJSON, Resume: ResumeJSON, Recover: RecoverJSON, List: PluginsJSON,
		Inspect: PluginJSON,
		Doc: "scripts: one document that [schemas/output.schema.json](../../schemas/output.schema.json) describes; " +
			"`status` prints the same"},
	{Name: "markdown", Status: StatusMarkdown, Resume: ResumeMarkdown,
		Doc: "summaries of jobs and comments; `resume` prints a brief that is ready to be an agent's context"},
	{Name: "html", Status: StatusPage,
		Doc: "a page with filters of its own: it has all runs that no flag leaves out"},
	{Name: "mermaid", Explain: Mermaid, Doc: "a state diagram of a workflow",
		Hint: "draws the phases of a workflow"},
	{Name: "sarif", Check: SARIF,
		Doc: "SARIF 2.1.0: code scanning and editors. The rules that found something have help, fingerprints stay " +
			"while the fault stays"},
	{Name: "github", Check: GitHub,
		Doc: "annotations of GitHub Actions, the most severe first; what is beyond its limit of ten per level " +
			"follows as text. All findings are in the summary of the job, too (`GITHUB_STEP_SUMMARY`)"},
	{Name: "gitlab", Check: GitLab, Doc: "a Code Quality report"},
	{Name: "junit", Check: JUnit,
		Doc: "JUnit XML: a case for every finding that closes the gate, one for an instance that passes"},
}
