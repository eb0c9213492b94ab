package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// A draft is a TRANSPONDER.md to be written. What is "" is left out.
type draft struct {
	project, updated, phase, plan, status, progress, stopped, resume, next string
}

func (d *draft) text() string {
	s := "# Project State\n\n"
	if d.project+d.updated != "" {
		s += bold("Project", d.project) + bold("Updated", d.updated) + "\n"
	}
	const head = "| Field | Value |\n|---|---|\n"
	return s + "## Current Position\n\n" + head +
		cellRow("Phase", d.phase) + cellRow("Plan", d.plan) + cellRow("Status", d.status) + cellRow("Progress", d.progress) +
		"\n## Session Continuity\n\n" + head +
		cellRow("Stopped at", d.stopped) + cellRow("Resume file", d.resume) + cellRow("Next action", d.next)
}

func bold(key, value string) string {
	if value == "" {
		return ""
	}
	return "**" + key + ":** " + oneLine(value) + "\n"
}

func cellRow(key, value string) string {
	if value == "" {
		return ""
	}
	return "| " + key + " | " + strings.ReplaceAll(oneLine(value), "|", `\|`) + " |\n"
}

// write replaces the position file by a draft.
func (o *offer) write(d *draft) {
	o.Edits = append(o.Edits, sdk.Create(transponderPath, d.text()))
}

// keepLost keeps the text of a position file that is to be replaced.
func (o *offer) keepLost() {
	d := o.m.docs.Get(transponderPath)
	switch {
	case d == nil || d.Summary.Words == 0 && d.Readable():
	case d.Readable():
		o.Edits = append(o.Edits, sdk.Create(o.m.free("archive/TRANSPONDER-lost.md"), d.Text))
	default:
		o.edit(wire.Aside, transponderPath, "", "", "").To = "lost"
	}
}

// total is the highest number of a phase that anything names.
func (m *model) total() int {
	total := max(m.phases.total, m.phases.last())
	if m.hand != nil {
		total = max(total, m.hand.phase)
	}
	return total
}

func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	r := &recovery{p: p, m: m}
	if !m.blind && !m.placed() && writable(m.docs.Get(transponderPath)) {
		r.positions()
	}
	r.state()
	return r.list, nil
}

// writable reports whether a document may be written in the place of what lies there.
func writable(d *sdk.Document) bool {
	if d == nil {
		return true
	}
	for i := range d.Faults {
		if rule := d.Faults[i].Rule; rule == "not-a-file" || rule == "too-large" {
			return false
		}
	}
	return true
}

// A recovery collects the ways back.
type recovery struct {
	p    *sdk.Pass
	m    *model
	list []sdk.Remedy
}

// keep takes an offer that puts a document in order. It ends what is said of that document.
func (r *recovery) keep(o *offer, path string) {
	for _, name := range [...]string{"transponder-missing", "transponder-without-position", "conflict-markers"} {
		if (path == transponderPath || name == "conflict-markers") && r.ends(name, path) {
			o.Heals = append(o.Heals, name)
		}
	}
	r.list = append(r.list, o.Remedy)
}

// ends reports whether a rule finds something that has its end when a document is in order:
// merge markers may be in others.
func (r *recovery) ends(rule, path string) bool {
	found, elsewhere := false, false
	probe := *r.p
	probe.Report = func(d sdk.Diagnostic) {
		found, elsewhere = true, elsewhere || rule == "conflict-markers" && d.Range.Path != path
	}
	l := look{p: &probe, m: r.m}
	for i := range table {
		if table[i].name == rule {
			l.run(&table[i])
		}
	}
	return found && !elsewhere
}

// positions offers what brings a position back.
func (r *recovery) positions() {
	m, h := r.m, r.m.hand
	if b := m.base; b != nil && b.placed() && !faulty(b.cdoc) && b.cdoc.Path == transponderPath {
		o := newOffer(m, sdk.Review, "Restore the last committed TRANSPONDER.md")
		o.keepLost()
		o.edit(wire.Restore, transponderPath, "", "", "")
		r.keep(o, transponderPath)
	}
	resume := "None"
	if m.holds() {
		resume = ".autopilot/" + h.doc.Path
	}
	if m.verdict == handLive {
		d := &draft{updated: h.created.text, phase: count{h.phase, m.total()}.String(), resume: resume, next: "/autopilot:cockpit"}
		if h.plan > 0 {
			d.plan = itoa(h.plan)
			d.stopped = "Mid-plan " + itoa(h.phase) + "." + itoa(h.plan)
			if h.task > 0 && h.total > 0 {
				d.stopped += ", task " + count{h.task, h.total}.String()
			}
		}
		if m.flyable(h.phase) || len(m.phases.numbered) == 0 {
			d.status = inProgress.title()
		}
		o := newOffer(m, sdk.Review, "Rebuild TRANSPONDER.md from holding-pattern.md")
		o.keepLost()
		o.write(d)
		r.keep(o, transponderPath)
	} else if m.observed != unknown {
		d := &draft{phase: count{m.focus, m.total()}.String(), resume: resume, status: m.observed.title(), next: m.next(m.observed, m.focus)}
		switch {
		case m.observed == projectComplete:
			bar, _ := barOf(100)
			d.phase, d.progress, d.next = count{m.total(), m.total()}.String(), bar+" 100%", "None"
		case m.observed == inProgress && !m.flyable(m.focus):
			d.status = ""
		}
		o := newOffer(m, sdk.Review, "Rebuild TRANSPONDER.md from the phase documents")
		o.keepLost()
		o.write(d)
		r.keep(o, transponderPath)
	}
	if len(r.list) == 0 {
		r.list = append(r.list, sdk.Remedy{Title: "Start over", Steps: []string{
			"look for an earlier TRANSPONDER.md with git log -- .autopilot", "if there is none, run /autopilot:flightplan",
		}})
	}
}

// lost reports whether a JSON document of the state is there and cannot be read.
func (m *model) lost(path string, doc *jsondoc.Document) bool {
	d := m.docs.Get(path)
	return d != nil && doc == nil && writable(d)
}

// state offers what brings the JSON documents back.
func (r *recovery) state() {
	m := r.m
	if m.lost(thresholdsPath, m.th.doc) {
		o := newOffer(m, sdk.Review, "Rebuild thresholds.json")
		o.Edits = append(o.Edits, sdk.Create(thresholdsPath, m.thresholdsText()))
		r.keep(o, thresholdsPath)
	}
	if !m.lost(acksPath, m.ak.doc) {
		return
	}
	if b := m.base; b != nil && b.ak.doc != nil && !faulty(b.docs.Get(acksPath)) {
		o := newOffer(m, sdk.Review, "Restore the last committed acknowledgments.json")
		o.edit(wire.Restore, acksPath, "", "", "")
		r.keep(o, acksPath)
	}
	o := newOffer(m, sdk.Review, "Rebuild acknowledgments.json")
	o.Edits = append(o.Edits, sdk.Create(acksPath, m.acksText()))
	r.keep(o, acksPath)
}

// thresholdsText is thresholds.json as the table has it.
func (m *model) thresholdsText() string {
	values, levels := jsondoc.NewObject(), jsondoc.NewObject()
	if m.pos != nil {
		for _, row := range m.pos.limits {
			if row.ofCost() || !row.amounts[colCurrent].ok {
				continue
			}
			values.Raw(valueKeys[row.kind][0], decimal(row.amounts[colCurrent]))
			levels.Raw(kindNames[row.kind], levelJSON(row.level))
		}
	}
	return jsondoc.NewObject().Object("current_values", values).Object("levels_triggered", levels).Null("last_check").Text()
}

// decimal is an amount as JSON.
func decimal(a amount) string {
	for range a.dec {
		a.v *= 10
	}
	sign := ""
	if a.v < 0 {
		sign, a.v = "-", -a.v
	}
	text := itoa(int(a.v + 0.5))
	if a.dec == 0 {
		return sign + text
	}
	for len(text) <= a.dec {
		text = "0" + text
	}
	return sign + text[:len(text)-a.dec] + "." + text[len(text)-a.dec:]
}

// acksText is acknowledgments.json as the list has it.
func (m *model) acksText() string {
	present := jsondoc.NewObject()
	seen := [kinds]bool{}
	if m.pos != nil {
		for n := range m.pos.acks {
			a := &m.pos.acks[n]
			if seen[a.kind] || a.stamp.text == "" {
				continue
			}
			seen[a.kind] = true
			e := jsondoc.NewObject().String("acknowledged_at", a.stamp.text)
			if a.value.ok {
				e.Raw("value_at_acknowledgment", decimal(a.value))
			}
			present.Object(kindNames[a.kind], e.String("threshold_level", "alert"))
		}
	}
	return jsondoc.NewObject().Object("acknowledgments", present).Raw("acknowledgment_history", "[]").Null("last_reset").Text()
}

// migrate offers to write TRANSPONDER.md from an old position file.
func (l *look) migrate() {
	m, p := l.m, l.m.pos
	if m.n < 0 && m.s == unknown {
		l.manual("Write TRANSPONDER.md", "find out where the flight is, write TRANSPONDER.md and move "+p.path+" to archive/")
		return
	}
	safety := sdk.Review
	if m.n >= 0 && m.m >= 0 && m.s != unknown {
		safety = sdk.Safe
	}
	o := l.offer(safety, "Migrate "+p.path+" to TRANSPONDER.md")
	if o == nil {
		return
	}
	d := &draft{
		project: p.get("project").given(), updated: p.stamp.text, phase: p.get("phase").given(), plan: p.get("plan").given(),
		status: p.get("status").given(), progress: p.get("progress").given(), stopped: p.get("stoppedat").given(), resume: "None",
		next: p.get("nextaction").given(),
	}
	if d.status == "" {
		d.status = m.s.title()
	}
	if p.layoutB && p.hasLast {
		d.stopped = "Task " + p.last.String() + " done"
		if p.hasNext {
			d.stopped += ", next task " + p.next.String()
		}
	}
	if m.verdict == handLive {
		d.resume = handName
	}
	if d.next == "" {
		d.next = "/autopilot:cockpit"
		if p.hasNext {
			d.next += " --task=" + p.next.String()
		}
	}
	o.move(p.path, m.free("archive/"+p.path))
	if h := m.hand; h != nil && h.doc.Path == oldHandPath {
		o.move(oldHandPath, handPath)
	}
	o.write(d)
}
