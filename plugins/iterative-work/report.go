package iterativework

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// inPhase begins a finding about a field of a phase in the state; about the phase for "".
func inPhase(r *check.Report, ph *phase, key, message string) *check.Finding {
	return inState(r, pointer(ph.id, key), message).Of(ph.id)
}

// inPlan begins a finding about an item of the plan.
func inPlan(r *check.Report, it *item, message string) *check.Finding {
	return r.At(it.at(), message).Of(it.id)
}

// atPair is the place of a value.
func atPair(path string, p *markdown.Pair) sdk.Range { return sdk.AtBytes(path, p.Start, p.End) }

// declarations says how often the log declares the phase done.
func (ph *phase) declarations() string {
	return ph.id + "_DONE in " + say.Count(ph.trail.done, "entry")
}

// is says what the state says of the phase: R1 is done.
func (ph *phase) is() string { return ph.id + " is " + ph.status.String() }

// seeStatus points at the status of a phase, seeLast at its last entry if there is one.
func seeStatus(f *check.Finding, ph *phase) *check.Finding {
	return f.See(sdk.AtPointer(statePath, pointer(ph.id, "status")), ph.is())
}

func seeLast(f *check.Finding, ph *phase) *check.Finding {
	if last := ph.trail.last(); last != nil {
		f.See(last.at(), "the last entry of "+ph.id)
	}
	return f
}

// offer offers another JSON value for a field of the state, or for "" to take it out.
func offer(f *check.Finding, title, pointer, json string) {
	edit := sdk.Set(statePath, pointer, json)
	if json == "" {
		edit = sdk.Unset(statePath, pointer)
	}
	f.Offer(sdk.Review, title, edit)
}

// inState begins a finding about a field of the state.
func inState(r *check.Report, pointer, message string) *check.Finding {
	return r.At(sdk.AtPointer(statePath, pointer), message)
}

// setCount offers another number for a field of a phase.
func setCount(f *check.Finding, ph *phase, key string, n int) {
	offer(f, "Set "+key+" of "+ph.id+" to "+say.Int(n), pointer(ph.id, key), say.Int(n))
}

// setStatus offers another status for a phase, with what belongs to it.
func setStatus(f *check.Finding, ph *phase, s status) {
	edits := []sdk.Edit{sdk.SetText(statePath, pointer(ph.id, "status"), s.String())}
	switch {
	case s == done:
		if ph.trail.lastVerified >= 0 && !ph.rec.passed() {
			edits = append(edits, sdk.Set(statePath, pointer(ph.id, "verification_passed"), "true"))
		}
		if t := ph.trail.finished(); !ph.rec.Has(pointer(ph.id, "completed_at")) && t != "" {
			edits = append(edits, sdk.SetText(statePath, pointer(ph.id, "completed_at"), t))
		}
	case ph.status == done:
		for _, key := range [...]string{"completed_at", "verification_passed"} {
			if at := pointer(ph.id, key); ph.rec.Has(at) {
				edits = append(edits, sdk.Unset(statePath, at))
			}
		}
		if ph.item != nil && ph.item.ticked {
			edits = append(edits, ph.item.tick(" ")...)
		}
	}
	f.Offer(sdk.Review, "Set "+ph.id+" to "+s.String(), edits...)
}

// tick changes the box of an item, if it has one.
func (it *item) tick(mark string) []sdk.Edit {
	if it.box < 0 {
		return nil
	}
	return []sdk.Edit{sdk.Replace(sdk.AtBytes(it.doc.Path, it.box, it.boxed), mark)}
}

// setTask offers another phase for the task.
func setTask(f *check.Finding, s step) {
	offer(f, "Set the phase of the task to "+s.String(), "/phase", jsondoc.Quote(s.String()))
}

// setCurrent offers the phase where work goes on as the current one.
func setCurrent(f *check.Finding, m *model, key string) {
	if c := m.current; c != nil {
		offer(f, "Set "+key+" to "+c.id, "/"+key, jsondoc.Quote(c.id))
	} else {
		offer(f, "Remove "+key, "/"+key, "")
	}
}

// finished is the time of the verification, else of the last entry, "" without one.
func (t *trail) finished() string {
	text := ""
	for _, e := range t.entries {
		if e.when.Precision > 0 && (e.index <= t.lastVerified || t.lastVerified < 0) {
			text = e.when.Text
		}
	}
	return text
}
