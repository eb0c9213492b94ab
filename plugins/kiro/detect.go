package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	d := sdk.Detection{Lifecycle: life, Observed: m.proved(), Fit: sdk.Consistent}
	if gone, rewritten := m.openGone(); len(gone) > 0 && !rewritten && d.Observed == life.Phases[4] {
		d.Observed = life.Phases[3] // item-lost reports them
	}
	for _, path := range []string{"spec.json", "tasks.md"} {
		if m.docs.Get(path) != nil {
			d.Because = append(d.Because, sdk.At(path))
		}
	}
	if m.list == nil && m.docs.Get("tasks.md") != nil {
		d.Observed, d.Fit = nil, sdk.FitUnknown
		return []sdk.Detection{d}, nil
	}
	done, total := m.counts()
	total += len(m.wrecks())
	d.Progress = sdk.Progress{Done: done, Total: total, Unit: "tasks"}
	d.Claimed = d.Observed.Name
	if m.phase != "" {
		d.Claimed, d.Fit = m.phase, sdk.FitUnknown
	}
	if m.claims != nil {
		d.Claimed, d.Fit = m.claims.Name, sdk.Consistent
		switch {
		case m.claims.Number > d.Observed.Number && !(m.claims.Number == 4 && d.Observed.Number == 3) && total > 0,
			m.hollow():
			d.Fit = sdk.Ahead
		case m.claims.Number < 3 && d.Observed.Number > 3:
			d.Fit = sdk.Behind
		}
	}
	return []sdk.Detection{d}, nil
}

// resume writes a spec's brief: what to read first, and which task is next.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	damaged, unread := m.damaged()
	retired := m.notice()
	switch {
	case b.First != "" || len(damaged)+len(unread) > 0:
		d.State = sdk.Blocked
	case m.list != nil && m.proved() == life.Phases[4], m.archived, retired.text != "" && len(m.open()) == 0:
		d.State = sdk.Finished
		return
	}
	b.Read("requirements.md", "bugfix.md", "design.md", "tasks.md")
	b.Read(m.beside()...)
	open, blocked := ready(m)
	refuted := doubts(found)
	unticked := m.mayBeDone(p, found)
	if m.hollow() {
		b.Verify("whether the spec is implemented; phase is " + say.Quote(m.phase) + " in spec.json")
	}
	b.Warn(found, m.answered()...)
	missing := m.missing(found)
	broken := slices.IndexFunc(m.wrecks(), func(w wreck) bool { return w.severity == sdk.Error })
	lie := slices.IndexFunc(m.tasks, func(t *task) bool { return t.Ticked && doubt(t, refuted) == sdk.Error })
	for _, t := range blocked {
		b.Know(say.Clip(t.Text) + " is blocked: " + say.Clip(m.blocked(t)))
	}
	switch {
	case len(lost(found)) > 0 && len(m.tasks) == 0 && (m.list != nil || m.docs.Get("tasks.md") == nil):
		does := "restore " + say.And(lost(found)...) + " from the base"
		if from := m.renamed(m.remainderOf("tasks.md")); from != "" && len(lost(found)) == 1 {
			does = "rename " + from + " back to tasks.md"
		}
		b.Do(does + ", then continue with the first open task")
	case len(damaged) > 0:
		b.Do("restore " + say.And(damaged...) + " from the base, then redo the changes made since")
	case len(unread) > 0 && m.docs.Get(unread[0]).Conflicted():
		b.Do("resolve the merge conflict in " + unread[0] + " by hand")
	case len(unread) == 1 && m.emptyConfig():
		b.Do("delete the empty .config.kiro, or write specId, workflowType and specType as in another spec")
	case len(unread) > 0:
		b.Do("correct " + say.And(unread...) + " by hand, or restore a readable earlier revision")
	case m.list == nil && m.docs.Get("tasks.md") != nil:
		b.Do("make tasks.md readable: stategate cannot tell which tasks are done")
	case len(missing) == 1:
		b.Do("restore the lost task " + say.Clip(missing[0].Text) + " in tasks.md from the base")
	case len(missing) > 1:
		b.Do("restore " + say.Count(len(missing), "lost task") + " in tasks.md from the base, beginning with " +
			say.Clip(missing[0].Text))
	case broken >= 0 || len(m.wrecks()) > 0 && len(open) == 0:
		w := m.wrecks()[max(broken, 0)]
		if m.unlisted(w) >= 0 {
			b.DoWith("add the list marker \"- \" before the box of \"", w.Text, "\" (tasks.md:"+say.Int(w.Line)+")")
			m.rest(b, nil, refuted)
			break
		}
		b.DoWith("check whether \"", w.Text, "\" (tasks.md:"+say.Int(w.Line)+") is done, and write its box: [x] or [ ]")
		m.rest(b, nil, refuted)
	case m.archived:
		b.Do("fix the errors in this archived spec; it is not to be continued")
	case retired.text != "":
		d.State = sdk.Blocked
		b.DoWith("ask whether this spec is still to be implemented: \"", retired.text, "\""+retired.place)
		m.rest(b, nil, refuted, unticked...)
	case m.docs.Get("tasks.md") == nil || m.base != nil && m.emptied("tasks.md"):
		b.Do(m.write())
	case len(m.tasks) == 0 && check.OnlyTitles(m.list):
		b.Do("restore tasks.md from an earlier revision, or write its tasks: it has only titles")
	case len(m.tasks) == 0 && m.hasPlan():
		b.Do("continue tasks.md and give its tasks boxes: stategate cannot tell which are done")
	case len(m.tasks) == 0 && m.planElsewhere():
		b.Do("find the plan that tasks.md mentions; tasks.md itself has no tasks")
	case len(m.tasks) == 0:
		b.Do("restore tasks.md from an earlier revision, or write its tasks: it has none")
	case lie >= 0:
		t := m.tasks[lie]
		b.DoWith("finish ", t.Text, place(t)+", which is ticked although its files do not exist")
		m.rest(b, t, refuted)
	case len(blocked) > 0 && !slices.ContainsFunc(open, m.met):
		d.State = sdk.Blocked
		b.DoWith("decide what to do about ", blocked[0].Text, place(blocked[0])+", then remove the note")
		m.rest(b, blocked[0], refuted)
	case len(open) == 0 && len(m.around()) > 0:
		t := m.around()[0]
		b.DoWith("tick \"", t.Text, "\""+place(t)+", or add a subtask for what is left")
		b.Know("all required subtasks of " + say.Quote(t.Text) + " are ticked")
		for _, t := range m.around()[1:] {
			b.Left("tick " + say.Quote(t.Text) + ", or add a subtask for what is left")
		}
	case len(open) == 0:
		b.Do("check the work against the spec")
	default:
		next := open[0]
		if i := slices.IndexFunc(open, (*task).InProgress); i >= 0 {
			next = open[i]
		} else if i := slices.IndexFunc(open, m.met); i >= 0 {
			next = open[i]
		}
		before, after := m.headed(next), place(next)
		if next.InProgress() {
			before = "continue " + before
		}
		if refs := m.asks(next); len(refs) > 0 {
			after += " for requirements " + say.List(refs)
		}
		after += ", then tick it"
		if list := m.unapproved("tasks"); len(list) > 0 {
			b.Verify(m.notApproved(list))
			if !m.begun() {
				before, after = "have the "+say.And(list...)+" approved, then "+before, place(next)
			}
		}
		if is, _ := m.told(next); is == status.Done {
			before, after = "check whether ", place(next)+" is done, as the note under it says, and tick it if so"
		}
		if again, first := m.repeated(); m.denied(again, first) &&
			(slices.Contains(again, next) || slices.Contains(first, next)) {
			before, after = "check whether ", place(next)+" is done, and remove its wrong copy; only one copy is ticked"
		}
		if slices.Contains(unticked, next) {
			before, after = "check whether ", place(next)+" is done, and tick it if so; it lost its tick"
		}
		b.DoWith(before, next.Text, after)
		m.rest(b, next, refuted, unticked...)
		b.Closing = "tick each task when it is done, and its parent when all its subtasks are"
	}
}

// headed returns the numbered heading above a task without a number, because the task's text alone, such as a criterion
// or a file name, says little.
func (m *model) headed(t *task) string {
	if t.ID != "" || t.Parent != nil {
		return ""
	}
	text := ""
	for _, h := range m.heads {
		switch _, digits, _ := titleOf(h.Text()); {
		case h.Start() > t.Start:
			return text
		case digits != "":
			text = say.Cut(h.Text(), 40) + ": "
		case h.Level() < 3:
			text = ""
		}
	}
	return text
}

// missing returns the base's tasks that an error reports as lost. The brief says to restore them before other work.
func (m *model) missing(found []sdk.Diagnostic) []*task {
	if m.list == nil || m.base == nil || m.base.list == nil || !slices.ContainsFunc(found, func(f sdk.Diagnostic) bool {
		return f.Severity == sdk.Error && (f.Rule == "item-lost" || f.Rule == "document-cut-short")
	}) {
		return nil
	}
	return m.gone(func(t *task) bool { return t.Remains() || t.Ticked })
}

// lost returns the documents that an error reports as lost.
func lost(found []sdk.Diagnostic) (list []string) {
	for i := range found {
		if f := &found[i]; f.Rule == "document-lost" && f.Severity == sdk.Error {
			list = append(list, f.Range.Path)
		}
	}
	return list
}

// doubts returns the severity of done-without-evidence findings by task key.
func doubts(found []sdk.Diagnostic) map[string]sdk.Severity {
	var list map[string]sdk.Severity
	for i := range found {
		if f := &found[i]; f.Rule == "done-without-evidence" {
			if list == nil {
				list = map[string]sdk.Severity{}
			}
			list[f.Key] = f.Severity
		}
	}
	return list
}

// answered returns the rules whose warnings the brief states in its own words.
func (m *model) answered() []string {
	rules := []string{"open-with-done-parts"}
	if m.hollow() {
		rules = append(rules, "phase-ahead")
	}
	if len(m.unapproved("tasks")) > 0 {
		rules = append(rules, "approval-skipped")
	}
	return rules
}

// doubt returns the severity of a task's finding in refuted, or 0 if it has none.
func doubt(t *task, refuted map[string]sdk.Severity) sdk.Severity {
	if len(refuted) == 0 {
		return 0
	}
	return refuted[key(t)]
}

// mayBeDone returns the open tasks that lost their ticks since the base.
func (m *model) mayBeDone(p *sdk.Pass, found []sdk.Diagnostic) []*task {
	if m.base == nil || !slices.ContainsFunc(found, func(f sdk.Diagnostic) bool { return f.Rule == "tick-lost" }) {
		return nil
	}
	return m.unticked(newSearch(p)).list
}

// rest adds the other tasks to the brief, as done or remaining. Tasks that lost their ticks are neither.
func (m *model) rest(b *brief.Brief, next *task, refuted map[string]sdk.Severity, unticked ...*task) {
	parts, at := make([]brief.Part, 0, len(m.tasks)), -1
	for _, t := range m.tasks {
		doubt := doubt(t, refuted)
		if t.HasParts() || t.Cancelled && !t.Ticked || doubt != 0 && doubt != sdk.Error ||
			t != next && slices.Contains(unticked, t) {
			continue
		}
		if t == next {
			at = len(parts)
		}
		part := brief.Part{Title: t.Text, Done: t.Ticked && doubt == 0}
		if t.InProgress() {
			part.Title = say.Clip(t.Text) + " (in progress)"
		}
		parts = append(parts, part)
	}
	b.Rest(at, parts)
	for _, w := range m.wrecks() {
		if !strings.Contains(b.Next, w.Text) {
			b.Left(say.Clip(w.Text) + " (its box cannot be read)")
		}
	}
}

// met reports whether all of a task's dependencies are done.
func (m *model) met(t *task) bool {
	for _, n := range m.needs(t) {
		if on := m.of(n); len(on) == 1 && !on[0].Ticked && !on[0].Cancelled {
			return false
		}
	}
	return true
}

// ready returns the open tasks, split into those that can be done and those that a note marks as blocked.
func ready(m *model) (open, blocked []*task) {
	for _, t := range m.open() {
		if m.blocked(t) != "" {
			blocked = append(blocked, t)
		} else {
			open = append(open, t)
		}
	}
	return open, blocked
}
