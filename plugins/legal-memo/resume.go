package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

// progress counts what an agent has done, at most all there is.
func (m *model) progress(a *agent) (done, total int, unit string) {
	done, total, unit = m.tally(a)
	return min(done, total), total, unit
}

func (m *model) tally(a *agent) (done, total int, unit string) {
	switch {
	case !a.read:
		return 0, 0, "phases"
	case a.kind == kinds[research] && (a.observed == 2 || a.observed == 4):
		if f, ok := a.phases[1].body.Get("reports_found").Float(); ok {
			n, _ := a.phases[a.observed].body.Get([...]string{2: "reports_reviewed", 4: "reports_scanned"}[a.observed]).Float()
			return whole32(n), whole32(f), "reports"
		}
	case a.kind == kinds[facts] && a.observed == 1 && len(a.items) > 0:
		return a.countItems(complete), len(a.items), "categories"
	case a.kind == kinds[coverage] && a.observed == 2:
		return m.counted(a, "critical_issues_checked", "critical_issues_total", "issues")
	case a.kind == kinds[risk] && a.observed == 3:
		return m.counted(a, "exposures_weighted", "exposures_total", "exposures")
	case a.kind == kinds[writer] && len(a.items) > 0:
		return a.countItems(complete), len(a.items), "subsections"
	case a.kind == kinds[execSummary]:
		total := len(m.letters)
		if f, ok := a.number("sections_total"); ok {
			total = whole32(f)
		}
		return a.countItems(complete), total, "sections"
	case a.kind == kinds[citation]:
		total := len(a.items)
		if f, ok := a.number("total_sections"); ok {
			total = whole32(f)
		}
		return a.countItems(complete), total, "sections"
	case a.kind == kinds[synthesis]:
		total := len(m.letters)
		if f, ok := a.phases[0].body.Get("section_count").Float(); ok && total == 0 {
			total = whole32(f)
		}
		if m.memo == nil && !m.tracked {
			return len(a.recorded()), total, "sections"
		}
		return len(m.started), total, "sections"
	case a.kind == kinds[qa] && a.observed == 1 && len(a.items) > 0:
		total := len(a.items)
		if f, ok := a.number("dimensions_total"); ok {
			total = whole32(f)
		}
		return a.countItems(complete), total, "dimensions"
	case a.kind == kinds[waves]:
		return m.counted(a, "tasks_completed", "total_tasks", "tasks")
	}
	for i := range a.phases {
		if a.phases[i].in {
			total++
			if !a.phases[i].word.open() {
				done++
			}
		}
	}
	return done, total, "phases"
}

func (m *model) counted(a *agent, x, y, unit string) (done, total int, name string) {
	n, _ := a.number(x)
	f, _ := a.number(y)
	return whole32(n), whole32(f), unit
}

// whole32 is a count as a small integer: what no count can be is 0.
func whole32(f float64) int {
	if f < 0 || f > 1e6 {
		return 0
	}
	return int(f)
}

func (m *model) progressText(a *agent) string {
	done, total, unit := m.progress(a)
	return itoa(done) + "/" + itoa(total) + " " + unit
}

// remaining lists what is left to do, in order.
func (m *model) remaining(a *agent) []string {
	if !a.read {
		return nil
	}
	var left []string
	switch {
	case a.kind == kinds[research] && a.observed == 4:
		var scanned []string
		for i := range a.guards {
			if a.guards[i].field == "do_not_rescan_reports" {
				scanned = append(scanned, a.guards[i].text)
			}
		}
		for _, e := range a.phases[1].body.Get("reports_list").Elements() {
			if s, ok := e.Text(); ok && !holds(scanned, s) && s != "..." && s != "…" {
				left = append(left, s)
			}
		}
	case a.kind == kinds[synthesis]:
		for _, l := range m.unstarted(m.letters) {
			left = append(left, "IV-"+l)
		}
	default:
		left = a.openItems()
	}
	if a.kind == kinds[qa] {
		for _, s := range a.scripts() {
			if s.status == "running" {
				left = append(left, s.name+" was interrupted, run again from scratch")
			}
		}
	}
	for i := range a.phases {
		if p := &a.phases[i]; p.in && p.word.open() {
			left = append(left, p.name)
		}
	}
	return left
}

// nextStep is the step that follows from what the documents prove.
func (m *model) nextStep(a *agent) string {
	phase := phaseNames[a.kind.place()][a.observed]
	switch {
	case a.exhausted() || a.kind == kinds[qa] && a.atLimit():
		limit, _ := a.root.Get("qa_cycle").Get("max_cycles").Int()
		return "certify with limitations; do not open cycle " + itoa(int(limit)+1)
	case a.kind == kinds[assembly] && a.observed == 2:
		return "run " + phase + " again from the start"
	}
	if left := m.remaining(a); len(left) > 0 && left[0] != phase {
		return "continue " + phase + " with " + left[0]
	}
	return "continue " + phase
}

func (a *agent) atLimit() bool {
	limit, ok := a.root.Get("qa_cycle").Get("max_cycles").Int()
	return ok && a.cycle > limit
}

func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m := p.Model.(*model)
	if d.Subject == "orchestrator" {
		m.resumeOrchestrator(d)
		return
	}
	a := m.find(d.Subject)
	if a == nil || d.State == sdk.Finished {
		return
	}
	a = m.chosen(a)
	r := &d.Resume
	wrong := errorOf(a, found)
	if a.unresolved() {
		r.First = a.blocker("type") + ": " + a.blocker("description")
		if how := a.blocker("resolution_method"); how != "" {
			r.First += "; first step: " + how
		}
	}
	m.readFirst(a, r)
	for _, e := range a.root.Get("environment_checks").Get("on_resume").Elements() {
		if s, ok := e.Text(); ok {
			r.Checks = append(r.Checks, s+m.measure(s))
		}
	}
	m.nextOf(a, r, wrong)
	m.skips(a, r)
	r.Remaining = append(r.Remaining, m.remaining(a)...)
	_, path := m.outputs(a)
	if there, _ := m.outputs(a); len(there) > 0 {
		path = there[0].Path
		if a.kind.hasText() && truncated(there[0]) != "" {
			r.Context = append(r.Context, path+" breaks off at line "+itoa(there[0].Summary.Lines)+"; continue from the last complete line")
		}
	}
	switch {
	case a.kind == kinds[assembly] && a.observed == 2:
		r.Closing = "run the assembly again from the start, it is all or nothing"
	case path != "":
		r.Closing = "append to " + path + "; never overwrite or start over"
	default:
		r.Closing = "append to the outputs; never overwrite or start over"
	}
}

// errorOf is the first error rule that speaks of a subject, "" for none.
func errorOf(a *agent, found []sdk.Diagnostic) string {
	for i := range found {
		if found[i].Subject == a.subject && found[i].Severity == sdk.Error {
			return found[i].Rule
		}
	}
	return ""
}

func (m *model) readFirst(a *agent, r *sdk.Resume) {
	if a.doc != nil {
		r.ReadFirst = append(r.ReadFirst, a.doc.Path)
	}
	if m.orch != nil {
		r.ReadFirst = append(r.ReadFirst, orchestratorPath)
	}
	there, _ := m.outputs(a)
	for _, d := range there {
		r.ReadFirst = append(r.ReadFirst, d.Path)
	}
	for _, e := range a.root.Get("input_files_read").Elements() {
		s, ok := e.Text()
		if path := m.local(s); ok && m.docs.get(path) != nil && !a.rereads(path) {
			r.ReadFirst = append(r.ReadFirst, path)
		}
	}
}

// rereads reports whether a guard says not to read a report again.
func (a *agent) rereads(path string) bool {
	for i := range a.guards {
		if f := a.guards[i].field; (f == "do_not_reread_reports" || f == "do_not_rescan_reports") && baseName(a.guards[i].text) == baseName(path) {
			return true
		}
	}
	return false
}

// measure says what is known of the files that a check names.
func (m *model) measure(check string) string {
	s := ""
	for _, w := range strings.FieldsFunc(check, func(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' || r == '"' || r == '`' }) {
		if !strings.HasSuffix(w, ".md") && !strings.HasSuffix(w, ".json") {
			continue
		}
		d := m.docs.get(m.local(w))
		switch {
		case d == nil:
			s += " [" + w + ": not there]"
		case measured(d):
			s += " [" + w + ": " + itoa(d.Summary.Words) + " words"
			if n := len(d.Summary.Tail); n > 0 {
				s += ", ends " + shown(d.Summary.Tail[n-1])
			}
			s += "]"
		default:
			s += " [" + w + ": exists]"
		}
	}
	return s
}

func (m *model) nextOf(a *agent, r *sdk.Resume, wrong string) {
	recorded, _ := a.root.Get("compaction_summary").Get("next_action").Text()
	switch {
	case a.unresolved() && a.blocker("resolution_method") != "":
		r.Next = a.blocker("resolution_method")
	case a.kind == kinds[qa] && (a.exhausted() || a.atLimit()):
		r.Next = m.nextStep(a)
	case recorded != "" && wrong == "":
		r.Next = recorded
	default:
		r.Next = m.nextStep(a)
		if recorded != "" {
			r.Context = append(r.Context, "recorded, contradicted by "+wrong+": "+recorded)
		}
	}
	for _, e := range a.root.Get("compaction_summary").Get("critical_context").Elements() {
		if s, ok := e.Text(); ok {
			r.Context = append(r.Context, s)
		}
	}
	if a.kind == kinds[citation] {
		if n, ok := m.nextNote(a); ok {
			r.Context = append(r.Context, "the next footnote is number "+itoa(n))
		}
	}
}

// skips lists what is done and need not be done again.
func (m *model) skips(a *agent, r *sdk.Resume) {
	for i := range a.guards {
		g := &a.guards[i]
		switch {
		case a.openMatch(g) != "", a.kind == kinds[synthesis] && m.tracked && g.letter != "" && !m.starts(g.letter):
			r.Remaining = append(r.Remaining, g.text+" (recorded as done, not proven)")
		default:
			r.Skip = append(r.Skip, g.text)
		}
	}
	if again, ok := a.rescue.Get("do_not_rescore").Bool(); ok && again {
		r.Skip = append(r.Skip, "scores of complete dimensions")
	}
	if s, ok := a.rescue.Get("do_not_repeat_footnotes").Text(); ok && s != "" {
		r.Skip = append(r.Skip, "footnotes "+s)
	}
	for _, s := range a.scripts() {
		if out, _ := s.body.Get("output_file").Text(); s.executed && out != "" {
			r.Skip = append(r.Skip, s.name+": do not run, use "+out+" (exit "+s.body.Get("exit_code").Raw()+")")
		}
	}
}

func (m *model) resumeOrchestrator(d *sdk.Detection) {
	if d.State == sdk.Finished {
		return
	}
	r := &d.Resume
	r.ReadFirst = []string{orchestratorPath}
	r.Next = "go on with " + groups[m.orch.observed] + "; do not restart from P1"
	for _, s := range m.orch.ids {
		if s.word == complete {
			r.Skip = append(r.Skip, s.id)
		} else {
			r.Remaining = append(r.Remaining, s.id)
		}
	}
	r.Closing = "write the state before and after every step"
}
