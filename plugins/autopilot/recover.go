package autopilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
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
	return strings.Replace(s, "\n\n\n", "\n\n", 1) // if both values are unknown
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
// option fixes.
func (r *recovery) offer(title string, edit sdk.Edit) {
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
	r.list = append(r.list, sdk.Remedy{Title: title, Safety: sdk.Review, Fixes: ends, Edits: edits})
}

// positions offers to restore or rebuild the position.
func (r *recovery) positions() {
	h := r.hand
	if b := r.base; b.placed() && !faulty(b.cdoc) && b.current() && (r.cdoc == nil || b.cdoc.Path == r.cdoc.Path) {
		r.offer("Restore the last committed TRANSPONDER.md", sdk.Restore(b.cdoc.Path))
	}
	total := max(r.phases.total, r.phases.last(), h.phase) // the highest number in any document
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
	case r.observed != unknown && !inConflict: // in a merge conflict, both sides contain more than the documents
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

// thresholdsText returns thresholds.json, rebuilt from the table.
func (m *model) thresholdsText() string {
	values, levels := jsondoc.NewObject(), jsondoc.NewObject()
	for _, row := range m.pos.limits {
		if current := row.amounts[colCurrent]; current.ok {
			values.Raw(valueKeys[row.kind][0], current.raw)
			levels.Raw(kindNames[row.kind], levelJSON(row.level))
		}
	}
	return jsondoc.NewObject().Object("current_values", values).Object("levels_triggered",
		levels).Null("last_check").Text()
}

// acksText returns acknowledgments.json, rebuilt from the list.
func (m *model) acksText() string {
	present := jsondoc.NewObject()
	seen := [kinds]bool{}
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
	return jsondoc.NewObject().Object("acknowledgments", present).Raw("acknowledgment_history",
		"[]").Null("last_reset").Text()
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
	if d["Updated"], d["Resume file"] = p.stamp.Text, "None"; m.verdict == handLive {
		d["Resume file"] = handName
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
