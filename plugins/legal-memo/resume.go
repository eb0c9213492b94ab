package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

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
		m.resumeOrchestrator(d, errorOf(d.Subject, found))
		return
	}
	a := m.find(d.Subject)
	if a == nil {
		return
	}
	a = m.chosen(a)
	r := &d.Resume
	if d.State == sdk.Finished {
		for _, s := range a.scriptsLeft() { // of what is done only an interrupted script is told
			if strings.HasSuffix(s, interrupted) {
				r.Context = append(r.Context, s)
			}
		}
		return
	}
	wrong := errorOf(a.subject, found)
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
	m.contexts(a, r)
	m.skips(a, r)
	for _, left := range m.remaining(a) {
		if !a.marked(r.Remaining, left) {
			r.Remaining = append(r.Remaining, left)
		}
	}
	r.Remaining, r.Skip, r.Context, r.Checks = most(r.Remaining), most(r.Skip), most(r.Context), most(r.Checks)
	r.ReadFirst, r.First, r.Next = r.ReadFirst[:min(len(r.ReadFirst), mostListed)], cut(r.First, mostText), cut(r.Next, mostText)
	r.Closing = m.closing(a)
}

// closing is how to end: never by starting over.
func (m *model) closing(a *agent) string {
	there, path := m.outputs(a)
	if len(there) > 0 {
		path = there[0].Path
	}
	switch {
	case a.kind == kinds[assembly] && a.observed == 2:
		return "run the assembly again from the start, it is all or nothing"
	case path != "":
		return "append to " + path + "; never overwrite or start over"
	}
	return "append to the outputs; never overwrite or start over"
}

// mostListed bounds the lists of a brief: nobody reads more.
const mostListed = 300

func most(list []string) []string {
	for i := range list {
		list[i] = cut(list[i], mostText)
	}
	if n := len(list) - mostListed; n > 0 {
		return append(list[:mostListed:mostListed], "and "+itoa(n)+" more")
	}
	return list
}

// notProven marks what a guard calls done and the documents do not.
const notProven = " (recorded as done, not proven)"

// marked reports whether an item stands among what is left already, under the
// name of its guard.
func (a *agent) marked(left []string, name string) bool {
	n, l := norm(name), sectionLetter(name)
	for i := range a.guards {
		if g := &a.guards[i]; g.names(n, l) && holds(left, g.text+notProven) {
			return true
		}
	}
	return false
}

// errorOf is the first error rule that speaks of a subject, "" for none.
func errorOf(subject string, found []sdk.Diagnostic) string {
	for i := range found {
		if found[i].Subject == subject && found[i].Severity == sdk.Error {
			return found[i].Rule
		}
	}
	return ""
}

// readFirst lists the state file, or what stands in for it, then the
// orchestrator's, the agent's own output and its inputs.
func (m *model) readFirst(a *agent, r *sdk.Resume) {
	var own []string
	there, _ := m.outputs(a)
	for _, d := range there {
		own = append(own, d.Path)
	}
	if a.doc != nil {
		r.ReadFirst = append(r.ReadFirst, a.doc.Path)
	} else {
		r.ReadFirst, own = own, nil
	}
	if m.orch != nil {
		r.ReadFirst = append(r.ReadFirst, orchestratorPath)
	}
	r.ReadFirst = append(r.ReadFirst, own...)
	inputs := append([]value(nil), a.root.Get("input_files_read").Elements()...)
	if a.kind == kinds[research] && a.read {
		inputs = append(inputs, a.phases[1].body.Get("reports_list").Elements()...)
	}
	for _, e := range inputs {
		s, ok := e.Text()
		if d := m.named(s); ok && d != nil && !a.rereads(d.Path) && !holds(r.ReadFirst, d.Path) {
			r.ReadFirst = append(r.ReadFirst, d.Path)
		}
	}
}

// named is the document that a path in a state file means: the one at that place,
// else the first of that name.
func (m *model) named(path string) *sdk.Document {
	path = m.local(path)
	if d := m.docs.Get(path); d != nil || path == "" {
		return d
	}
	for _, d := range m.docs.All() {
		if !d.Dir && baseName(d.Path) == baseName(path) {
			return d
		}
	}
	return nil
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
		d := m.named(w)
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
}

// contexts adds what to know before going on, beyond what the file says itself.
func (m *model) contexts(a *agent, r *sdk.Resume) {
	add := func(s string) { r.Context = append(r.Context, s) }
	if !a.read {
		m.standIns(a, add)
	}
	if n, ok := m.nextNote(a); ok && a.kind == kinds[citation] {
		add("the next footnote is number " + itoa(n))
	}
	if c := a.root.Get("qa_cycle"); c.Get("current_cycle").Exists() {
		add("cycle " + itoa(int(a.cycle)) + " of " + c.Get("max_cycles").Raw())
	}
	for _, g := range a.root.Get("gate_attempts").Members() {
		if text, _ := gateText(g.Key, g.Value); text != "" {
			add(text + "; escalate, ask a person how to go on")
		}
	}
	for _, s := range a.scripts() {
		name, _ := s.body.Get("depends_on").Text()
		for _, dep := range a.scripts() {
			if dep.name == name && (dep.coded && dep.code == 2 || dep.status == "error") {
				add("stop: repair " + name + " first, it ended with an error; do not run " + s.name)
			}
		}
	}
	if a.unresolved() && strings.HasPrefix(upperAll(a.blocker("type")), "FILE_SIZE_LIMIT") {
		text := "append with shell redirection; no pending files"
		if m.memo != nil {
			text += "; " + memoPath + " has " + itoa(int(m.memo.Size)) + " bytes"
		}
		add(text)
	}
	there, _ := m.outputs(a)
	for _, d := range there {
		if at := brokenAt(d); at >= 0 && a.kind.hasText() {
			tail := d.Summary.Tail
			text := d.Path + " breaks off; last complete line " + itoa(max(d.Summary.Lines-len(tail)+at, 0))
			if at > 0 {
				text += ", " + shown(tail[at-1])
			}
			add(text + "; continue there")
		}
	}
}

// standIns says what stands in for a state that is not there or cannot be read.
func (m *model) standIns(a *agent, add func(string)) {
	text := "there is no state file: go by the outputs"
	if a.doc != nil {
		text = "the state file cannot be read: go by the outputs, or rebuild it with stategate recover"
	}
	add(text)
	there, _ := m.outputs(a)
	if soft := m.softOutput(a); len(there) == 0 && soft != nil {
		there = append(there, soft)
	}
	for _, d := range there {
		if !measured(d) {
			continue
		}
		s := d.Path + ": " + itoa(d.Summary.Words) + " words"
		if n := len(d.Summary.Headings); n > 0 {
			s += ", last heading " + shown(d.Summary.Headings[n-1].Text)
		}
		add(s)
	}
}

// skips lists what is done and need not be done again. What is recorded as done
// and not proven is left to do.
func (m *model) skips(a *agent, r *sdk.Resume) {
	lost := a.claims && a.proof == absent
	for i := range a.guards {
		g := &a.guards[i]
		done, item := a.doneMatch(g)
		if a.kind == kinds[synthesis] && m.tracked && g.letter != "" {
			done = m.starts(g.letter)
			item = !done
		}
		switch {
		case a.openMatch(g) != "", item && (lost || !done):
			r.Remaining = append(r.Remaining, g.text+notProven)
		case done || g.field != "do_not_repeat" || a.kind == kinds[synthesis] && g.letter != "":
			r.Skip = append(r.Skip, g.text)
		default:
			r.Context = append(r.Context, "do_not_repeat says "+shown(g.text)+", which names no item or phase that is done")
		}
	}
	if again, ok := a.rescue.Get("do_not_rescore").Bool(); ok && again {
		r.Skip = append(r.Skip, "scores of complete dimensions")
	}
	if s, ok := a.rescue.Get("do_not_repeat_footnotes").Text(); ok && s != "" {
		r.Skip = append(r.Skip, "footnotes "+s)
	}
	for _, s := range a.scripts() {
		if out, _ := s.body.Get("output_file").Text(); s.executed && out != "" && s.status != "running" {
			r.Skip = append(r.Skip, s.name+": do not run, use "+out+" (exit "+s.body.Get("exit_code").Raw()+")")
		}
	}
}

// doneMatch reports whether a guard names an item or a phase that is done, and
// whether what it names is an item.
func (a *agent) doneMatch(g *guard) (done, item bool) {
	for i := range a.items {
		if it := &a.items[i]; g.names(it.norm, it.letter) && (it.word == complete || it.word == skipped) {
			return true, true
		}
	}
	for i := range a.phases {
		if p := &a.phases[i]; p.in && !p.word.open() && g.names(p.norm, "") {
			return true, false
		}
	}
	return false, false
}

func (m *model) resumeOrchestrator(d *sdk.Detection, wrong string) {
	if d.State == sdk.Finished {
		return
	}
	o, r := m.orch, &d.Resume
	r.ReadFirst = []string{orchestratorPath}
	r.Next = "go on with " + groups[o.observed] + "; do not restart from P1"
	if wrong != "" && o.current != "" && o.claimedGroup() != o.observed {
		r.Context = append(r.Context, "recorded, contradicted by "+wrong+": current phase "+shown(o.current))
	}
	for _, g := range o.gates {
		if text, _ := gateText(g.name, g.body); text != "" {
			r.Context = append(r.Context, text+"; escalate, ask a person how to go on")
		}
	}
	for _, s := range o.ids {
		switch {
		case s.word == complete && m.unfinishedOf(s.group) != nil:
			r.Remaining = append(r.Remaining, s.id+notProven)
		case s.word == complete:
			r.Skip = append(r.Skip, s.id)
		default:
			r.Remaining = append(r.Remaining, s.id)
		}
	}
	if len(o.ids) == 0 {
		r.Remaining = append(r.Remaining, groups[o.observed:]...)
	}
	r.Closing = "write the state before and after every step"
}
