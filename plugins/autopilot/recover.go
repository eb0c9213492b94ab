package autopilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/words"
)

// A draft is a new TRANSPONDER.md: values by field name. Empty values are omitted.
type draft map[string]string

// draftParts holds the draft's sections with their fields.
var draftParts = [...][]string{{"Project State", "Project", "Updated"},
	{"Current Position", "Phase", "Plan", "Status", "Progress"},
	{"Session Continuity", "Stopped at", "Resume file", "Next action"}}

func (d draft) text() string {
	s := ""
	for i, part := range draftParts {
		head, before, between, behind := "\n## "+part[0]+"\n\n| Field | Value |\n|---|---|\n", "| ", " | ", " |\n"
		if i == 0 {
			head, before, between, behind = "# "+part[0]+"\n\n", "**", ":** ", "\n"
		}
		s += head
		for _, key := range part[1:] {
			if value := words.Spaced(d[key]); value != "" {
				s += before + key + between + strings.ReplaceAll(value, "|", `\|`) + behind
			}
		}
	}
	return strings.Replace(s, "\n\n\n", "\n\n", 1) // if the first section has no values
}

// writable reports whether a document may be overwritten.
func writable(d *sdk.Document) bool {
	return d == nil || !slices.ContainsFunc(d.Faults,
		func(f sdk.DocumentFault) bool { return f.Rule == "not-a-file" || f.Rule == "too-large" })
}

// A recovery collects recovery options.
type recovery struct {
	*model
	list []sdk.Remedy
}

func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	r := &recovery{model: m}
	if !m.blind && !m.placed() && writable(m.docs.Get(m.transponder())) {
		r.positions()
	}
	if lost(m.th.Doc) {
		if b := m.base; b.th.OK && !faulty(b.th.Doc.Doc) {
			r.offer("Restore the last committed thresholds.json", sdk.Restore(thresholdsPath))
		}
		r.offer("Rebuild thresholds.json", sdk.Create(thresholdsPath, m.thresholdsText()))
	}
	if lost(m.ak.Doc) {
		if b := m.base; b.ak.OK && !faulty(b.ak.Doc.Doc) {
			r.offer("Restore the last committed acknowledgments.json", sdk.Restore(acksPath))
		}
		r.offer("Rebuild acknowledgments.json", sdk.Create(acksPath, m.acksText()))
	}
	return r.list, nil
}

// lost reports whether a JSON state document exists but is unreadable.
func lost(d *state.Doc) bool { return d.Doc != nil && !d.OK && writable(d.Doc) }

// offer adds a recovery option for a document, keeps a copy of an existing file, and names the findings that the
// option fixes. more are edits of other documents.
func (r *recovery) offer(title string, edit sdk.Edit, more ...sdk.Edit) {
	path, ends, edits := edit.Range.Path, []string(nil), []sdk.Edit{edit}
	d, position := r.docs.Get(path), path == r.transponder()
	switch {
	case d == nil || d.Readable() && d.Summary.Words == 0:
	case d.Readable() && position:
		edits = []sdk.Edit{sdk.Create(r.free("archive/TRANSPONDER-lost.md"), sdk.Literal(d.Text)), edit}
	default:
		edits = []sdk.Edit{sdk.Aside(path, "lost"), edit}
	}
	switch {
	case !position:
	case d == nil && r.cdoc == nil && r.begun() != "":
		ends = []string{"state-missing"}
	case d != nil && r.pos.there():
		ends = []string{"state-unreadable"}
	case d.Conflicted():
		ends = []string{"unreadable-document"}
	}
	r.list = append(r.list, sdk.Remedy{Title: title, Safety: sdk.Review, Fixes: ends, Edits: append(edits, more...)})
}

// tells reports whether the file records more than the phase and the status. A rebuilt file would lack the rest.
func (p *position) tells() bool {
	return p.plan.n >= 0 || p.hasPercent || len(p.decisions)+len(p.todos)+len(p.blockers) > 0
}

// highest returns the highest phase number in any document.
func (m *model) highest() int { return max(m.phases.total, m.phases.last(), m.hand.phase) }

// complete offers to write the phase and the status into the position file. It takes them from the base, or else from
// what the documents show.
func (r *recovery) complete() {
	phase, s := count{r.focus, r.highest()}.String(), r.observed
	if s == readyToExecute && r.p > 1 {
		s = inProgress
	}
	status, b := s.title(), r.base
	if b.placed() && b.n >= 0 && b.s != unknown {
		phase, status = b.pos.phase.String(), b.pos.statusText
	}
	edits := also(r.pos.write("Phase", phase), r.pos.write("Status", status)...)
	if r.focus < 1 || status == "" || len(edits) < 2 {
		r.list = append(r.list, sdk.Remedy{Title: "Add the phase and the status", Steps: []string{
			"Write Phase and Status into " + r.cdoc.Path + ", and keep its other rows and sections"}})
		return
	}
	if edits[0].Range == edits[1].Range { // both rows are missing, and are added at the same offset
		edits = []sdk.Edit{sdk.Replace(edits[0].Range, edits[0].New+edits[1].New)}
	}
	r.list = append(r.list, sdk.Remedy{Title: "Add the phase and the status to " + r.cdoc.Path, Safety: sdk.Review,
		Fixes: []string{"state-unreadable"}, Edits: r.stamped(edits)})
}

// write returns the edit that sets a field of the position. If the field is missing, the edit adds it before Plan or
// Progress, in the same form. write returns nil if the field is blank, or if it is missing and so are Plan and
// Progress.
func (p *position) write(label, value string) []sdk.Edit {
	if f := p.named(strings.ToLower(label)); f != nil {
		return f.set(value)
	}
	f := cmp.Or(p.named("plan"), p.named("progress"), noField)
	text, at := p.doc.Text, f.at
	end := strings.IndexByte(text[at.End:], '\n') + 1
	if f.value == "" || end == 0 {
		return nil
	}
	start := strings.LastIndexByte(text[:at.Start], '\n') + 1
	return []sdk.Edit{sdk.Replace(sdk.AtBytes(p.doc.Path, start, start), sdk.Literal(strings.Replace(
		text[start:at.Start], f.label, label, 1)+value+text[at.End:at.End+end]))}
}

// positions offers to restore or rebuild the position.
func (r *recovery) positions() {
	h, keeps := r.hand, r.current() && r.pos.tells()
	if keeps {
		r.complete()
	}
	if b := r.base; b.placed() && !faulty(b.cdoc) && b.current() && (r.cdoc == nil || b.cdoc.Path == r.cdoc.Path) {
		title, more := "Restore the last committed TRANSPONDER.md", []sdk.Edit(nil)
		if b.verdict == handLive && h.doc == nil { // the position refers to the hand-off
			title, more = title+" and "+b.hand.doc.Path, []sdk.Edit{sdk.Restore(b.hand.doc.Path)}
		}
		r.offer(title, sdk.Restore(b.cdoc.Path), more...)
	}
	if keeps {
		return
	}
	total := r.highest()
	d := draft{"Resume file": "None"}
	if r.holds() {
		d["Resume file"] = ".autopilot/" + h.doc.Path
	}
	inConflict := r.cdoc.Conflicted()
	switch {
	case r.verdict == handLive:
		d["Updated"], d["Phase"], d["Next action"] = cmp.Or(h.created.Text, sdk.NowInEdit),
			count{h.phase, total}.String(), "/autopilot:cockpit"
		if h.plan > 0 {
			d["Plan"], d["Stopped at"] = itoa(h.plan), "Mid-plan "+itoa(h.phase)+"."+itoa(h.plan)
			if h.task > 0 && h.total > 0 {
				d["Stopped at"] += ", task " + count{h.task, h.total}.String()
			}
		}
		if r.flyable(h.phase) || len(r.phases.numbered) == 0 {
			d["Status"] = inProgress.title()
		}
		r.offer("Rebuild TRANSPONDER.md from holding-pattern.md", sdk.Create(r.transponder(), d.text()))
	case r.observed != unknown && !inConflict: // both sides of a merge conflict record more than the documents
		d["Updated"], d["Phase"], d["Status"], d["Next action"] = sdk.NowInEdit, count{r.focus, total}.String(),
			r.observed.title(), r.next(r.observed, r.focus)
		switch {
		case r.observed == projectComplete:
			d["Phase"], d["Progress"], d["Next action"] = count{total, total}.String(), barOf(100)+" 100%", "None"
		case r.observed == inProgress && !r.flyable(r.focus):
			d["Status"] = ""
		}
		r.offer("Rebuild TRANSPONDER.md from the phase documents", sdk.Create(r.transponder(), d.text()))
	case r.list == nil && !inConflict:
		r.list = append(r.list, sdk.Remedy{Title: "Start over", Steps: []string{
			"Look for an earlier TRANSPONDER.md with git log -- .autopilot",
			"If there is none, run /autopilot:flightplan",
		}})
	}
}

// left returns the readable part of a damaged JSON document.
func left(d *state.Doc) *state.Doc {
	return stateForm.Read(d.Path, &sdk.Document{Path: d.Path, Need: sdk.Content, Text: jsondoc.Beginning(d.Doc.Text)})
}

// thresholdsText returns thresholds.json, rebuilt from its readable part and the thresholds table.
func (m *model) thresholdsText() string {
	values, levels, is := jsondoc.NewObject(), jsondoc.NewObject(), readThresholds(left(m.th.Doc))
	for k := range kinds {
		value, level := is.values[k].raw, is.levels[k].n
		if !is.Has(is.levels[k].pointer) {
			level = levelBy(is.values[k].v, &m.limits[k])
		}
		for _, row := range m.pos.limits {
			if current := row.amounts[colCurrent]; row.kind == k && current.ok && value == "" {
				value, level = current.raw, row.level
			}
		}
		if value != "" {
			values.Raw(valueKeys[k][0], value)
			levels.Raw(kindNames[k], levelJSON(level))
		}
	}
	b := jsondoc.NewObject().Object("current_values", values).Object("levels_triggered", levels)
	return orNull(b, "last_check", is.check).Text()
}

// acksText returns acknowledgments.json, rebuilt from its readable part and the marks in the position file.
func (m *model) acksText() string {
	present, is := jsondoc.NewObject(), readAcks(left(m.ak.Doc))
	seen := [kinds]bool{}
	for _, e := range is.entries {
		if e.kind >= 0 && known(e.at) && e.value.ok {
			seen[e.kind] = true
			present.Value(e.name, e.json)
		}
	}
	for _, a := range m.pos.marks {
		if seen[a.kind] || !known(a.stamp) {
			continue
		}
		seen[a.kind] = true
		e := jsondoc.NewObject().String("acknowledged_at", a.stamp.Text)
		if a.value.ok {
			e.Raw("value_at_acknowledgment", a.value.raw)
		}
		present.Object(kindNames[a.kind], e.String("threshold_level", "alert"))
	}
	b := jsondoc.NewObject().Object("acknowledgments", present).Raw("acknowledgment_history", is.historyWith())
	return orNull(b, "last_reset", is.reset).Text()
}

// orNull adds a time, or null if it is unknown.
func orNull(b *jsondoc.Builder, key string, at instant.Moment) *jsondoc.Builder {
	if !known(at) {
		return b.Null(key)
	}
	return b.String(key, at.Text)
}

// migrate offers to create TRANSPONDER.md from a legacy position file.
func (m *model) migrate(f *check.Finding) {
	p, old, d := m.pos, m.pos.doc.Path, draft{}
	if m.n < 0 && m.s == unknown {
		return
	}
	for _, part := range draftParts {
		for _, key := range part[1:] {
			d[key] = p.get(markdown.Name(key)).given()
		}
	}
	if d["Updated"], d["Resume file"] = cmp.Or(p.stamp.Text, sdk.NowInEdit), "None"; m.verdict == handLive {
		d["Resume file"] = handName
	}
	if m.n >= 0 && m.m < 0 && m.n <= m.highest() {
		d["Phase"] = count{m.n, m.highest()}.String()
	}
	if p.hasPercent && p.bar == "" && p.percent >= 0 && p.percent <= 100 {
		d["Progress"] = barOf(p.percent) + " " + d["Progress"]
	}
	if d["Status"] == "" {
		d["Status"] = m.s.title()
	}
	goOn, done := "/autopilot:cockpit", "Task "+p.last.String()+" done"
	if p.hasNext {
		goOn, done = goOn+" --task="+p.next.String(), done+", next task "+p.next.String()
	}
	if d["Next action"] == "" {
		d["Next action"] = goOn
	}
	if p.layoutB && p.hasLast {
		d["Stopped at"] = done
	}
	safety := sdk.Review
	if m.n >= 0 && m.m >= 0 && m.s != unknown {
		safety = sdk.Safe
	}
	f.Offer(safety, "Migrate "+old+" to TRANSPONDER.md", sdk.Move(old, m.free("archive/"+old)),
		sdk.Create(transponderPath, d.text()))
}
