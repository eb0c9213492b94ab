package kiro

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

func valueUnreadable(r *check.Report, m *model) {
	report := func(v jsondoc.Value, pointer, expected string) {
		if text, ok := v.Text(); ok && !meant(text) {
			r.At(sdk.AtPointer("spec.json", pointer), say.Wrong(pointer[1:], say.Quote(text), expected)).Keyed(pointer).
				Advise("Correct the value", "Write "+expected+".")
		}
	}
	report(m.root.Get("phase"), "/phase", "a word, such as tasks-generated")
	report(m.root.Get("status"), "/status", "a word, such as in-progress")
	report(m.root.Get("ready_for_implementation"), "/ready_for_implementation", "true or false")
	for _, stage := range stages {
		v := m.root.Get("approvals").Get(stage)
		report(v, "/approvals/"+stage, "true or false")
		for _, key := range []string{"generated", "approved"} {
			report(v.Get(key), "/approvals/"+stage+"/"+key, "true or false")
		}
	}
}

// meant reports whether a text has a letter or a digit, so that somebody may have meant it.
func meant(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}) >= 0
}

func phaseUnknown(r *check.Report, m *model) {
	if m.phase != "" && m.claims == nil && meant(m.phase) {
		r.At(sdk.AtPointer("spec.json", m.at), m.at[1:]+" is "+say.Quote(m.phase)+", which is not a known word: it is not compared with the documents").
			Advise("Write a known word", "cc-sdd writes initialized, requirements-generated, design-generated and tasks-generated.")
	}
}

func phaseAhead(r *check.Report, m *model) {
	open, severity := left(m.open())
	if m.claims != life.Phases[4] || len(open) == 0 {
		return
	}
	done, total := m.counts()
	m.reset(r.At(sdk.AtPointer("spec.json", m.at), m.at[1:]+" is "+say.Quote(m.phase)+", but "+say.Int(done)+" of "+say.Int(total)+" required tasks are ticked; open: "+m.texts(open)).
		See(sdk.AtLine("tasks.md", open[0].line), "the first open task").As(severity))
}

func phaseBehind(r *check.Report, m *model) {
	if m.claims == nil || m.claims.Number > 2 || !m.begun() {
		return
	}
	done, total := m.counts()
	m.reset(r.At(sdk.AtPointer("spec.json", m.at), m.at[1:]+" is "+say.Quote(m.phase)+", but "+say.Int(done)+" of "+say.Count(total, "task")+" "+are(done)+" ticked"))
}

// reset offers to set the phase to that of a spec whose tasks are being done. A status is in words of the project's own.
func (m *model) reset(f *check.Finding) {
	if m.at == "/phase" {
		f.Offer(sdk.Review, "Set the phase to tasks-generated", sdk.SetText("spec.json", "/phase", "tasks-generated"))
	} else {
		f.Offer(sdk.Review, "Set the status to in-progress", sdk.SetText("spec.json", m.at, "in-progress"))
	}
}

func documentMissing(r *check.Report, m *model) {
	for _, stage := range stages {
		if m.written(stage) || m.base != nil && m.base.docs.Get(stage+".md") != nil { // document-lost reports the latter
			continue
		}
		f := func(pointer string) *check.Finding {
			return r.At(sdk.AtPointer("spec.json", pointer), "there is no "+stage+".md, but "+dotted(pointer)+" is "+m.raw(pointer)).Keyed(stage)
		}
		made, _, madeAt := m.approval(stage, "generated")
		yes, _, yesAt := m.approval(stage, "approved")
		var edits []sdk.Edit
		if made {
			edits = append(edits, sdk.Set("spec.json", madeAt, "false"))
		}
		if yes {
			edits = append(edits, sdk.Set("spec.json", yesAt, "false"))
		}
		if m.at == "/phase" && produced(m.phase) == stage {
			edits = append(edits, sdk.SetText("spec.json", "/phase", m.reached()))
		}
		switch {
		case made:
			f(madeAt).Offer(sdk.Review, "Take back that "+stage+".md was generated", edits...)
		case yes:
			f(yesAt).Offer(sdk.Review, "Take back that "+stage+".md was approved", edits...)
		case m.at == "/phase" && produced(m.phase) == stage:
			f("/phase").Offer(sdk.Review, "Set the phase to "+m.reached(), edits...)
		}
	}
}

// dotted writes a pointer as people do: approvals.design.approved.
func dotted(pointer string) string { return strings.ReplaceAll(pointer[1:], "/", ".") }

// reached is the word of cc-sdd for the last document that exists, with all before it.
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

// raw is a value of spec.json as it is written.
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
		later, at = "ready_for_implementation", "/ready_for_implementation"
	}
	var without []string
	for i := len(stages) - 1; i >= 0; i-- {
		yes, no, pointer := m.approval(stages[i], "approved")
		if no && later != "" {
			without = append(without, stages[i])
		} else if yes && later == "" {
			later, at = "the approval of "+stages[i], pointer
		}
	}
	if len(without) == 0 {
		return
	}
	r.At(sdk.AtPointer("spec.json", at), later+" is true, but not the approval of "+say.And(without...)).
		Advise("Approve in order", "Approve "+say.And(without...)+" after a review, or set what follows to false.")
}
