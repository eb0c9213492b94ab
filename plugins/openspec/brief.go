package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// resume writes a change's brief: the next task, and the files to read first.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	c := find(append(m.active[:len(m.active):len(m.active)], m.archived...), "changes/"+d.Subject)
	if b.First != "" {
		d.State = sdk.Blocked
	} else if c != nil && c.archived {
		d.State = sdk.Finished
	}
	if d.State == sdk.Finished {
		return
	}
	if c == nil {
		b.Do("restore changes/" + d.Subject + ", or archive it")
		return
	}
	b.Read("AGENTS.md", "project.md", "config.yaml", "config.yml", c.dir+"/proposal.md", c.dir+"/design.md")
	for _, x := range c.deltas {
		b.Read(x.doc.Path)
	}
	b.Read(c.dir + "/tasks.md")
	for _, d := range c.docs { // reports and notes
		if file := d.Path[len(c.dir)+1:]; strings.HasSuffix(file, ".md") && !strings.Contains(file, "/") {
			b.Read(d.Path)
		}
	}
	b.Warn(found, "complete-not-archived", "tick-lost")
	there := c.begun(newSearch(p))
	if n := len(there); n > 0 {
		names := make([]string, n)
		for i, t := range there {
			names[i] = t.Name()
		}
		b.Verify("whether " + say.Count(n, "open task") + " whose files exist " + say.Are(n) + " done: " +
			say.List(names))
	}
	if c.boxless() && c.unwritten(m) != "" {
		b.Know(c.dir + "/tasks.md has no checkboxes, so its progress is unknown")
	}
	if next := c.repair(m, found); next != "" {
		b.Do(next)
	} else if c.open > 0 {
		c.nextTask(b, found, there)
	} else if f := refused(c, found); f != nil {
		b.DoWith("fix ", f.Range.Path, ", because `openspec archive` refuses the change ("+f.Rule+")")
	} else {
		b.Do("check that the work is deployed, then run `openspec archive " + say.Word(c.subject()) + "`")
	}
}

// repair returns what must be done before a change's next task or before it is archived, or "" if nothing must be. It
// never asks anyone to write text that the base still has, because that would lose finished tasks.
func (c *change) repair(m *model, found []sdk.Diagnostic) string {
	list := c.dir + "/tasks.md"
	has := func(rule, path string) *sdk.Diagnostic {
		for i := range found {
			if f := &found[i]; f.Rule == rule && f.Run == c.run() && (path == "" || f.Range.Path == path) {
				return f
			}
		}
		return nil
	}
	copied := has("active-and-archived", "")
	switch {
	case c.unread():
		return "make " + list + " readable; stategate cannot tell which tasks are done"
	case c.archived && c.open == 0:
		return "fix the findings in " + c.dir
	case c.archived:
		return "finish or move the open tasks in " + list
	case copied != nil && copied.Severity == sdk.Error && copied.Remedies[0].Safety != sdk.Manual:
		return "remove " + c.dir + ", which is archived as " + m.archivedAs(c).dir
	case copied != nil:
		end := ", and remove or rename it"
		if copied.Severity == sdk.Error {
			end = ", and keep one of them"
		}
		return "compare " + c.dir + " with " + m.archivedAs(c).dir + end
	case has("document-lost", list) != nil:
		return "restore " + list + " from the base"
	case has("document-cut-short", list) != nil:
		return "restore the end of " + list + " from the base"
	case c.total() == 0 && has("item-lost", list) != nil:
		return "restore the tasks in " + list + " from the base"
	case c.open == 0 && has("item-lost", list) != nil:
		return "restore the tasks missing from " + list + ", or strike them out, before `openspec archive`"
	case c.total() == 0 && c.list != nil && strings.Contains(c.list.Text, "[ ]"):
		return "write the tasks in " + list + " as `- [ ]` items; OpenSpec counts none"
	case c.retired() != "" && (c.open > 0 || c.total() == 0):
		return "check whether to archive the change, because " + c.retired()
	case c.list == nil && !c.custom() && c.has("task.md") != nil:
		return "rename " + c.dir + "/task.md to tasks.md, because OpenSpec does not read it"
	case c.done == 0 && c.unwritten(m) != "":
		return c.unwritten(m)
	case c.boxless():
		return "add checkboxes to the tasks in " + list + "; without them their progress is unknown"
	case c.total() == 0:
		return "write the change's tasks in " + list
	}
	return ""
}

// boxless reports whether tasks.md has a plan without checkboxes, such as a table.
func (c *change) boxless() bool {
	return c.total() == 0 && c.list != nil &&
		(len(c.list.Outline().Headings()) > 1 || len(c.list.Outline().Tables()) > 0)
}

// retired says which document shows that work on a change should not continue, or returns "" if none does. The document
// has a notice at its top, or it is the report that some agents write when they archive a change.
func (c *change) retired() string {
	if d := c.has("archive-report.md"); d != nil {
		return d.Path + " exists"
	}
	for _, file := range []string{"proposal.md", "tasks.md"} {
		d := c.has(file)
		if d == nil || !d.Readable() {
			continue
		}
		head := d.Outline().Head()
		from, end := head.Start(), head.End()
		if d == c.list && len(c.tasks) > 0 {
			end = min(end, c.tasks[0].Start)
		}
		for line := range strings.Lines(d.Text[from:max(from, end)]) {
			text := markdown.Plain(strings.TrimLeft(line, " >"))
			key, value, _ := strings.Cut(markdown.Lower(text), ":")
			value = words.First(strings.TrimSpace(value))
			if key == "status" && (value == "closed" || value == "verified" && c.total() == 0) {
				return "its status is " + value + say.Line(d, from)
			} else if status.Retired(text) {
				return "a notice retires it" + say.Line(d, from)
			}
			from += len(line)
		}
	}
	return ""
}

// unwritten returns the step that writes a document that OpenSpec expects before tasks.md: the proposal or, if that
// exists, a delta. It returns "" if the change lacks neither. design.md is optional.
func (c *change) unwritten(m *model) string {
	proposal := c.dir + "/proposal.md"
	switch {
	case c.custom() || c.unclear:
	case c.has("proposal.md") == nil && m.docs.Known(proposal):
		return "write the change's proposal in " + proposal
	case c.lacksDelta():
		return "write the delta in " + c.dir + "/specs, or set " + skipSpecs + " in .openspec.yaml"
	}
	return ""
}

// nextTask writes the next open task and the remaining ones. The tasks in there are open, but their files exist. A task
// that lost its tick may be done, so it counts as neither finished nor remaining.
func (c *change) nextTask(b *brief.Brief, found []sdk.Diagnostic, there []*task) {
	unticked := map[int]bool{}
	var names []string
	for i := range found {
		if f := &found[i]; f.Rule == "tick-lost" && f.Run == c.run() && f.Severity == sdk.Warning {
			unticked[f.Range.Line] = true
			names = append(names, say.Quote(f.Key))
		}
	}
	if n := len(names); n > 0 {
		b.Verify("whether " + say.Count(n, "task") + " that lost a tick since the base " + say.Are(n) + " done: " +
			say.List(names))
	}
	parts, next := []brief.Part{}, -1
	first := slices.IndexFunc(c.tasks, func(t *task) bool { return !t.Ticked && !status.GivenUp(t.Title) })
	for i, t := range c.tasks {
		if next < 0 && !t.Ticked && i >= first {
			next = len(parts)
			at := " (" + c.dir + "/tasks.md:" + say.Int(t.Line) + ")"
			before, after := "check whether ", " is done, and tick it if so; "
			if unticked[t.Line] {
				after += "it lost its tick"
			} else if slices.Contains(there, t) {
				after += "its files exist"
			} else if before, after = "", ", then tick it"; first < 0 {
				after = " if it is still needed; otherwise strike it out, and tick it"
			}
			b.DoWith(before, t.Text, at+after)
		} else if unticked[t.Line] {
			continue
		}
		parts = append(parts, brief.Part{Title: t.Text, Done: t.Ticked})
	}
	b.Rest(next, parts)
	if f := refused(c, found); f != nil && f.Run != c.run() {
		b.Know("fix " + f.Rule + " in " + f.Range.Path + " before `openspec archive`, which refuses the change " +
			"until then")
	}
	b.Closing = "tick each task when it is done; when all are ticked, run `openspec archive " +
		say.Word(c.subject()) + "`"
}
