package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// command returns the step with Spec Kit's next command, or "" if the tasks are written. The commands copy a template
// and then fill it in, so a document that is still a template was not written.
func (m *model) command(p *sdk.Pass) string {
	run := func(step string) string { return "run " + m.prefix(p) + step + m.once(p) }
	switch marks := m.marks(); {
	case m.spec != nil && !m.written(m.spec):
		return "fill in spec.md, which is still the template; " + m.prefix(p) + "specify would begin a new feature"
	case m.plan != nil && !m.written(m.plan):
		return run("plan to fill in plan.md, which is still the template")
	case m.written(m.tasks):
		return ""
	case m.plan == nil && len(marks) > 0:
		return run("clarify to answer what spec.md leaves open" + say.Line(m.spec, marks[0].start))
	case m.plan == nil:
		return run("plan to write plan.md")
	case m.spec == nil && m.docs.Known(specPath):
		return "write spec.md from .specify/templates/spec-template.md; " + m.prefix(p) + "tasks stops without it"
	case m.docs.Get("research.md") == nil && m.unsettled():
		return run("plan to resolve NEEDS CLARIFICATION in plan.md")
	case m.tasks != nil:
		return run("tasks to fill in tasks.md, which is still the template")
	}
	return run("tasks to write tasks.md")
}

// commandFiles lists the files in which coding agents keep a command.
var commandFiles = []string{".claude/commands/NAME.md", ".cursor/commands/NAME.md", ".github/prompts/NAME.prompt.md",
	".gemini/commands/NAME.toml", ".opencode/command/NAME.md", ".windsurf/workflows/NAME.md"}

// prefix returns what the names of Spec Kit's commands begin with. Old versions have no "speckit.", but a lone command
// "plan" may be the project's own.
func (m *model) prefix(p *sdk.Pass) string {
	old, now := false, false
	for _, file := range commandFiles {
		has := func(name string) bool {
			return p.Presence(m.project()+strings.Replace(file, "NAME", name, 1)) == sdk.Present
		}
		specify, plan, tasks, prefixed := has("specify"), has("plan"), has("tasks"), has("speckit.tasks")
		old, now = old || specify && plan && tasks, now || prefixed
	}
	if old && !now {
		return "/"
	}
	return "/speckit."
}

// project returns the directory that contains specs, "" if it is the workspace root.
func (m *model) project() string {
	if len(m.anchors) > 2 {
		return m.anchors[1]
	}
	return ""
}

// once returns the condition under which to run a command of Spec Kit. A command works on the feature that the pointer
// names, and replaces that feature's documents, but the plugin cannot read the pointer here.
func (m *model) once(p *sdk.Pass) string {
	if p.Presence(m.project()+pointerDir+"/"+pointerPath) != sdk.Present {
		return ""
	}
	return "; " + pointerDir + "/" + pointerPath + " must name " + p.Name
}
