package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// A draft is a TRANSPONDER.md to be written. What is "" is left out.
type draft struct {
	project, updated, phase, plan, status, progress, stopped, resume, next string
}

//go:noinline
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

//go:noinline
func bold(key, value string) string {
	if value == "" {
		return ""
	}
	return "**" + key + ":** " + oneLine(value) + "\n"
}

//go:noinline
func cellRow(key, value string) string {
	if value == "" {
		return ""
	}
	return "| " + key + " | " + strings.ReplaceAll(oneLine(value), "|", `\|`) + " |\n"
}

// keepLost keeps what lies where a document is to be written.
func (m *model) keepLost(path string) []sdk.Edit {
	d := m.docs.Get(path)
	switch {
	case d == nil || d.Readable() && d.Summary.Words == 0:
		return nil
	case d.Readable() && path == transponderPath:
		return []sdk.Edit{sdk.Create(m.free("archive/TRANSPONDER-lost.md"), d.Text)}
	}
	return []sdk.Edit{sdk.Aside(path, "lost")}
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
	r := &recovery{m: m}
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
	m    *model
	list []sdk.Remedy
}

// offer adds a way back to a document, which keeps what lies in its place. It ends what is said of
// the document.
func (r *recovery) offer(title, path string, edit sdk.Edit) {
	remedy := sdk.Remedy{Title: title, Safety: sdk.Review, Edits: append(r.m.keepLost(path), edit)}
	switch d := r.m.docs.Get(path); {
	case path != transponderPath:
	case d == nil && r.m.cdoc == nil && r.m.begun() != "":
		remedy.Heals = []string{"transponder-missing"}
	case d != nil && r.m.pos != nil:
		remedy.Heals = []string{"transponder-without-position"}
	case d != nil && d.Readable():
		remedy.Heals = []string{"conflict-markers"}
	}
	r.list = append(r.list, remedy)
}

// positions offers what brings a position back.
func (r *recovery) positions() {
	m, h := r.m, r.m.hand
	if b := m.base; b != nil && b.placed() && !faulty(b.cdoc) && b.cdoc.Path == transponderPath {
		r.offer("Restore the last committed TRANSPONDER.md", transponderPath, sdk.Restore(transponderPath))
	}
	resume := "None"
	if m.holds() {
		resume = ".autopilot/" + h.doc.Path
	}
	inConflict := m.pos == nil && m.cdoc != nil && m.cdoc.Readable()
	if m.verdict == handLive {
		d := &draft{updated: h.created.Text, phase: count{h.phase, m.total()}.String(), resume: resume, next: "/autopilot:cockpit"}
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
		r.offer("Rebuild TRANSPONDER.md from holding-pattern.md", transponderPath, sdk.Create(transponderPath, d.text()))
	} else if m.observed != unknown && !inConflict { // of a conflict, both sides say more than the documents
		d := &draft{phase: count{m.focus, m.total()}.String(), resume: resume, status: m.observed.title(), next: m.next(m.observed, m.focus)}
		switch {
		case m.observed == projectComplete:
			bar, _ := barOf(100)
			d.phase, d.progress, d.next = count{m.total(), m.total()}.String(), bar+" 100%", "None"
		case m.observed == inProgress && !m.flyable(m.focus):
			d.status = ""
		}
		r.offer("Rebuild TRANSPONDER.md from the phase documents", transponderPath, sdk.Create(transponderPath, d.text()))
	}
	if len(r.list) == 0 && !inConflict {
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
		r.offer("Rebuild thresholds.json", thresholdsPath, sdk.Create(thresholdsPath, m.thresholdsText()))
	}
	if !m.lost(acksPath, m.ak.doc) {
		return
	}
	if b := m.base; b != nil && b.ak.doc != nil && !faulty(b.docs.Get(acksPath)) {
		r.offer("Restore the last committed acknowledgments.json", acksPath, sdk.Restore(acksPath))
	}
	r.offer("Rebuild acknowledgments.json", acksPath, sdk.Create(acksPath, m.acksText()))
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
			if seen[a.kind] || !known(a.stamp) {
				continue
			}
			seen[a.kind] = true
			e := jsondoc.NewObject().String("acknowledged_at", a.stamp.Text)
			if a.value.ok {
				e.Raw("value_at_acknowledgment", decimal(a.value))
			}
			present.Object(kindNames[a.kind], e.String("threshold_level", "alert"))
		}
	}
	return jsondoc.NewObject().Object("acknowledgments", present).Raw("acknowledgment_history", "[]").Null("last_reset").Text()
}

// migrate offers to write TRANSPONDER.md from an old position file.
func (l *finder) migrate(f *check.Finding) {
	m, p := l.m, l.m.pos
	old := p.doc.Path
	if m.n < 0 && m.s == unknown {
		f.Advise("Write TRANSPONDER.md", "find out where the flight is, write TRANSPONDER.md and move "+old+" to archive/")
		return
	}
	safety := sdk.Review
	if m.n >= 0 && m.m >= 0 && m.s != unknown {
		safety = sdk.Safe
	}
	d := &draft{
		project: p.get("project").given(), updated: p.stamp.Text, phase: p.get("phase").given(), plan: p.get("plan").given(),
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
	edits := []sdk.Edit{sdk.Move(old, m.free("archive/"+old))}
	if h := m.hand; h != nil && h.doc.Path == oldHandPath {
		edits = append(edits, sdk.Move(oldHandPath, handPath))
	}
	f.Offer(safety, "Migrate "+old+" to TRANSPONDER.md", append(edits, sdk.Create(transponderPath, d.text()))...)
}
