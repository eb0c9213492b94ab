package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func valueUnreadable(r *check.Report, m *model) {
	report := func(v jsondoc.Value, pointer, expected string) *check.Finding {
		found := words.Spaced(v.Raw())
		if text, ok := v.Text(); ok {
			found = say.Quote(text)
		}
		what := "spec.json"
		if pointer != "" {
			what = pointer[1:]
		}
		return r.At(sdk.AtPointer("spec.json", pointer), say.Wrong(what, say.Clip(found), expected)).Keyed(pointer).
			Advise("Correct the value", "Write "+expected+".")
	}
	if m.whole.Exists() && !m.root.Exists() {
		report(m.whole, "", "an object with a phase and approvals")
		return
	}
	approvals := m.root.Get("approvals")
	// without approvals, a number may be a project's own phase
	if v := m.root.Get("phase"); garbled(v) || v.Exists() && v.Kind() != jsondoc.String &&
		(v.Kind() != jsondoc.Number && v.Kind() != jsondoc.Null || approvals.Exists()) {
		report(v, "/phase", "a word, such as tasks-generated")
	}
	if v := m.root.Get("status"); garbled(v) {
		report(v, "/status", "a word, such as in-progress")
	}
	if v := m.root.Get("ready_for_implementation"); garbled(v) {
		report(v, "/ready_for_implementation", "true or false")
	}
	if approvals.Exists() && approvals.Kind() != jsondoc.Object && approvals.Kind() != jsondoc.Null {
		report(approvals, "/approvals", "an object with requirements, design and tasks")
	}
	for _, stage := range stages {
		v := approvals.Get(stage)
		if v.Kind() != jsondoc.Object {
			m.yesOrNo(v, func(expected string) *check.Finding { return report(v, "/approvals/"+stage, expected) })
		}
		for _, key := range []string{"generated", "approved"} {
			w := v.Get(key)
			m.yesOrNo(w, func(expected string) *check.Finding {
				return report(w, "/approvals/"+stage+"/"+key,
					expected)
			})
		}
	}
}

// yesOrNo reports a value that should be true or false. A word is only a warning, because people understand it. A text
// with digits may be the date of an approval, and is not reported.
func (m *model) yesOrNo(v jsondoc.Value, report func(expected string) *check.Finding) {
	switch text, isText := v.Text(); {
	case !v.Exists() || v.Kind() == jsondoc.Bool:
	case garbled(v), !isText && v.Kind() != jsondoc.Null:
		report("true or false")
	case text != "" && !strings.ContainsAny(text, "0123456789"), !isText:
		report("true or false").As(sdk.Warning)
	}
}

// garbled reports whether a value is a string without any word.
func garbled(v jsondoc.Value) bool {
	text, ok := v.Text()
	return ok && !words.Says(text)
}

func phaseUnknown(r *check.Report, m *model) {
	if m.phase == "" || m.claims != nil || !words.Says(m.phase) {
		return
	}
	f := r.At(sdk.AtPointer("spec.json", m.at), m.at[1:]+" is "+say.Quote(m.phase)+
		", which is not a known word, so it is not compared with the documents")
	if right := misspelt(words.Fold(m.phase)); right != "" && m.at == "/phase" {
		right = strings.ReplaceAll(right, "_", "-")
		f.Offer(sdk.Review, "Set the phase to "+right, sdk.SetText("spec.json", "/phase", right))
	} else {
		f.As(sdk.Info).Advise("Write a known word",
			"Use initialized, requirements-generated, design-generated or tasks-generated, as cc-sdd does.")
	}
}

func phaseAhead(r *check.Report, m *model) {
	if m.hollow() {
		f := func(lacks string) *check.Finding {
			return m.reset(r.At(sdk.AtPointer("spec.json", m.at), "phase is "+say.Quote(m.phase)+", but "+lacks))
		}
		switch {
		case m.base != nil && m.base.written("tasks"): // document-lost reports it
		case !m.written("design"):
			f("neither design.md nor tasks.md exists")
		case m.claimed("tasks") == "": // otherwise, claimed-document-missing reports it
			f("tasks.md does not exist").As(sdk.Warning)
		}
		return
	}
	if m.claims != life.Phases[4] {
		return
	}
	open, severity := left(m.open())
	if len(open) == 0 {
		return
	}
	done, total := m.counts()
	m.reset(m.tickAgain(r, r.At(sdk.AtPointer("spec.json", m.at),
		m.at[1:]+" is "+say.Quote(m.phase)+", but "+say.Int(done)+" of "+say.Int(total)+
			" required tasks "+say.Are(done)+" ticked; open: "+textsOf(open)).
		See(sdk.AtLine("tasks.md", open[0].Line), "the first open task").As(severity), open))
}

// hollow reports whether spec.json's phase says that the spec is implemented although it has no tasks. It ignores a
// status, because each project has its own statuses.
func (m *model) hollow() bool {
	return m.claims == life.Phases[4] && m.at == "/phase" && !m.written("tasks")
}

func phaseBehind(r *check.Report, m *model) {
	if m.claims == nil || m.claims.Number > 2 || !m.begun() {
		return
	}
	done, total := m.counts()
	m.reset(r.At(sdk.AtPointer("spec.json", m.at),
		m.at[1:]+" is "+say.Quote(m.phase)+", but "+say.Int(done)+" of "+say.Count(total, "task")+" "+say.Are(done)+
			" ticked"))
}

// reset offers to set the phase to that of the spec's last document, or the status to in-progress.
func (m *model) reset(f *check.Finding) *check.Finding {
	if m.at == "/phase" {
		title, edits := "Set the phase to "+m.tasked(), []sdk.Edit{sdk.SetText("spec.json", "/phase", m.tasked())}
		if is, _ := m.root.Get("implementation").Get("completed").Bool(); is && m.claims == life.Phases[4] {
			title += ", and implementation.completed to false" // some projects' own field
			edits = append(edits, sdk.Set("spec.json", "/implementation/completed", "false"))
		}
		return f.Offer(sdk.Review, title, edits...)
	}
	return f.Offer(sdk.Review, "Set the status to in-progress", sdk.SetText("spec.json", m.at, "in-progress"))
}

func documentMissing(r *check.Report, m *model) {
	for _, stage := range stages {
		// document-lost reports documents that the base has
		if m.written(stage) || m.base != nil && m.base.holds(stage+".md") && !(m.stub && stage == "requirements") {
			continue
		}
		f := func(pointer string) *check.Finding {
			return r.At(sdk.AtPointer("spec.json", pointer),
				m.lacking(stage)+", but "+dotted(pointer)+" is "+m.raw(pointer)).Keyed(stage)
		}
		made, _ := m.approval(stage, "generated")
		yes, _ := m.approval(stage, "approved")
		madeAt, yesAt := m.approvalAt(stage, "generated"), m.approvalAt(stage, "approved")
		edits, also := m.withdraw(stage), ""
		if m.rests(stage) {
			also = " and set the phase to " + m.reached()
		}
		switch {
		case made:
			m.keepWork(f(madeAt), stage).Offer(sdk.Review, "Mark "+stage+".md as not generated"+also, edits...)
		case yes:
			m.keepWork(f(yesAt), stage).Offer(sdk.Review, "Mark "+stage+".md as not approved"+also, edits...)
		case m.at == "/phase" && produced(m.phase) == stage:
			f("/phase").Offer(sdk.Review, "Set the phase to "+m.reached(), edits...)
		}
	}
}

// keepWork adds advice to write the missing document, as the first remedy, if the phase says that the spec is being
// implemented: setting the phase back would hide that work.
func (m *model) keepWork(f *check.Finding, stage string) *check.Finding {
	if m.rests(stage) && m.claims != nil && m.claims.Number >= 3 {
		f.Advise("Write "+stage+".md",
			"Restore "+stage+".md from another branch, or write it with the work that was done.")
	}
	return f
}

// rests reports whether the phase in spec.json says that a document exists.
func (m *model) rests(stage string) bool {
	return m.at == "/phase" && (produced(m.phase) == stage ||
		stage == "tasks" && m.claims != nil && m.claims.Number >= 3)
}

// withdraw returns the edits that take back what spec.json says about a missing document: that it is generated or
// approved, and whatever follows from that.
func (m *model) withdraw(stage string) (edits []sdk.Edit) {
	no := func(pointer string) { edits = append(edits, sdk.Set("spec.json", pointer, "false")) }
	if made, _ := m.approval(stage, "generated"); made {
		no(m.approvalAt(stage, "generated"))
	}
	if yes, _ := m.approval(stage, "approved"); yes {
		for _, later := range stages[slices.Index(stages, stage):] {
			if yes, _ := m.approval(later, "approved"); yes {
				no(m.approvalAt(later, "approved"))
			}
		}
		if ready, _ := m.root.Get("ready_for_implementation").Bool(); ready {
			no("/ready_for_implementation")
		}
	}
	if m.rests(stage) {
		edits = append(edits, sdk.SetText("spec.json", "/phase", m.reached()))
	}
	return edits
}

// documentUnclaimed reports documents that spec.json does not call generated. It skips requirements.md if it has no
// requirement, as when spec-init wrote it. approval-skipped reports approved documents.
func documentUnclaimed(r *check.Report, m *model) {
	for i, stage := range stages {
		path := stage + ".md"
		_, no := m.approval(stage, "generated")
		if yes, _ := m.approval(stage, "approved"); !no || yes || !m.holds(path) || stage == "requirements" &&
			(m.wants == nil || len(m.wants.list) == 0) {
			continue
		}
		pointer := m.approvalAt(stage, "generated")
		edits := []sdk.Edit{sdk.Set("spec.json", pointer, "true")}
		if m.at == "/phase" && m.claims != nil &&
			(m.claims.Number <= i || words.Fold(m.phase) == "initialized") && m.reached() == stage+"-generated" {
			edits = append(edits, sdk.SetText("spec.json", "/phase", m.reached()))
		}
		r.At(sdk.AtPointer("spec.json", pointer), path+" exists, but "+dotted(pointer)+" is false").Keyed(stage).
			Offer(sdk.Review, "Mark "+path+" as generated", edits...).
			Advise("Generate it again", "If "+path+" is not complete, generate it again.")
	}
}

// tasked returns cc-sdd's phase for a spec with tasks or, if it has none, for its last document.
func (m *model) tasked() string {
	if m.written("tasks") {
		return "tasks-generated"
	}
	return m.reached()
}

// dotted returns a pointer in dot notation: approvals.design.approved.
func dotted(pointer string) string { return strings.ReplaceAll(pointer[1:], "/", ".") }

// reached returns cc-sdd's phase for the last document that exists along with all earlier ones.
func (m *model) reached() string {
	word := "initialized"
	for _, stage := range stages {
		if !m.written(stage) {
			break
		}
		word = stage + "-generated"
	}
	return word
}

// raw returns a value in spec.json as it is written.
func (m *model) raw(pointer string) string {
	v := m.root
	for _, key := range strings.Split(pointer[1:], "/") {
		v = v.Get(key)
	}
	return v.Raw()
}

func approvalSkipped(r *check.Report, m *model) {
	later, at := "", ""
	if ready, _ := m.root.Get("ready_for_implementation").Bool(); ready {
		later, at = "ready_for_implementation is true", "/ready_for_implementation"
	}
	var without []string
	for i := len(stages) - 1; i >= 0; i-- {
		yes, no := m.approval(stages[i], "approved")
		if no && later != "" {
			without = append(without, stages[i])
		} else if yes && later == "" {
			later, at = "the "+stages[i]+" "+areOf(stages[i])+" approved", m.approvalAt(stages[i], "approved")
		}
	}
	for _, stage := range stages {
		yes, _ := m.approval(stage, "approved")
		if _, no := m.approval(stage, "generated"); yes && no && m.written(stage) {
			pointer := m.approvalAt(stage, "generated")
			r.At(sdk.AtPointer("spec.json", pointer),
				"the "+stage+" "+areOf(stage)+" approved, but "+dotted(pointer)+" is false").Keyed(stage).
				Offer(sdk.Review, "Set "+dotted(pointer)+" to true", sdk.Set("spec.json", pointer, "true"))
		}
	}
	if len(without) == 0 {
		m.begunUnapproved(r)
		return
	}
	r.At(sdk.AtPointer("spec.json", at), later+", but the "+say.And(without...)+" "+areOf(without...)+
		" not approved").
		Advise("Approve in order", "Review and approve the "+say.And(without...)+
			", or set the later approvals to false.")
}

// begunUnapproved reports the first ticks since the base if spec.json does not approve the tasks, because cc-sdd's
// /kiro-spec-impl stops there. It does not report older ticks, because many projects never write approvals, unless the
// approval was withdrawn since the base while the tasks stayed the same.
func (m *model) begunUnapproved(r *check.Report) {
	_, no := m.approval("tasks", "approved")
	if !no || m.base == nil || m.base.list == nil {
		return
	}
	was, _ := m.base.approval("tasks", "approved")
	before := func(t *task) *task {
		if old := m.before(t); old != nil && old.FoldedTitle() == t.FoldedTitle() {
			return old
		}
		return nil
	}
	replanned := len(m.tasks) != len(m.base.tasks) ||
		slices.ContainsFunc(m.tasks, func(t *task) bool { return before(t) == nil })
	if m.base.begun() && (!was || replanned) {
		return
	}
	ticked := func(t *task) bool { return t.Ticked && (before(t) == nil || !before(t).Ticked) }
	if first := slices.IndexFunc(m.tasks, ticked); first >= 0 {
		pointer := m.approvalAt("tasks", "approved")
		r.At(sdk.AtPointer("spec.json", pointer), "a task was ticked since the base, but "+dotted(pointer)+" is false").
			See(m.tasks[first].At("tasks.md"), "the first ticked task").Keyed("begun").
			Advise("Have the tasks approved", "Review tasks.md and set "+dotted(pointer)+" to true, or untick "+
				"the tasks.")
	}
}

// nameMismatch reports a feature_name that belongs to another directory. It skips names that are titles: several words,
// or a longer or shorter form of the directory's name.
func nameMismatch(r *check.Report, m *model) {
	name, ok := m.root.Get("feature_name").Text()
	own := slug(r.Name)
	if !ok || name != words.Lower(name) || strings.Trim(name, slugRunes+"-_") != "" || own == "" ||
		strings.Contains(own, slug(name)) || strings.Contains(slug(name), own) {
		return
	}
	r.At(sdk.AtPointer("spec.json", "/feature_name"), "feature_name is "+say.Quote(name)+", but the directory is "+
		say.Quote(r.Name)).
		Offer(sdk.Review, "Set feature_name to "+r.Name, sdk.SetText("spec.json", "/feature_name", r.Name)).
		Advise("Check the rest of spec.json", "If it was copied from another spec, restore this spec's own phase and "+
			"approvals.")
}

const slugRunes = "abcdefghijklmnopqrstuvwxyz0123456789"

// slug returns a name in lower case, reduced to its letters and digits.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(slugRunes, r) {
			return r
		}
		return -1
	}, words.Lower(name))
}

// areOf returns the verb for stages: "is" for the design, "are" for the tasks.
func areOf(stages ...string) string {
	if len(stages) > 1 || strings.HasSuffix(stages[0], "s") {
		return "are"
	}
	return "is"
}
