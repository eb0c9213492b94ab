package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries proposes ways back from a state.json that is there and cannot be
// read. What to do about a missing one, the rule state-missing says.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := modelOf(p)
	d := m.state.doc
	if d == nil || m.state.ok || d.Need != sdk.Content {
		return nil, nil
	}
	l := look{p: p, m: m, rule: &rule{}}
	var list []sdk.Remedy
	for _, o := range m.rebuilds() {
		for n := range d.Faults {
			o.Heals = append(o.Heals, d.Faults[n].Rule)
		}
		heals := o.Heals
		for n := range o.Edits {
			if e := &o.Edits[n]; e.Op == wire.Create {
				o.Edits = append([]sdk.Edit{{Op: wire.Aside, Range: e.Range, To: "corrupt"}}, o.Edits...)
				break
			}
		}
		l.keepsWord(o, "")
		if o.Safety != sdk.Manual {
			o.Heals = heals
		}
		list = append(list, o.Remedy)
	}
	return list, nil
}

// rebuilds are the ways back without a state: that of base, then what the
// documents prove.
func (m *model) rebuilds() []*offer {
	var list []*offer
	if m.base != nil && m.base.state.ok && len(m.base.state.doc.Faults) == 0 {
		o := &offer{}
		o.Title, o.Safety = "Restore state.json from base", sdk.Review
		o.edit(wire.Restore, statePath, "", "")
		list = append(list, o)
	}
	o := &offer{}
	o.Title, o.Safety = "Rebuild state.json from the documents", sdk.Review
	o.edit(wire.Create, statePath, "", m.rebuilt(o))
	return append(list, o)
}

// rebuilt is the text of a new state.json. Boxes that it refutes become edits.
func (m *model) rebuilt(o *offer) string {
	if len(m.plan.items) == 0 && len(m.log.entries) == 0 {
		return jsondoc.NewObject().String("phase", m.earlyPhase().String()).Text()
	}
	name := m.name
	b := jsondoc.NewObject().String("task", strings.ReplaceAll(name, "-", " ")).String("slug", name)
	b.String("created", m.createdAt()).String("updated", sdk.NowInEdit)
	if domain := m.domain(); domain != "" {
		b.String("domain", domain)
	}
	phases := m.rebuiltPhases(o)
	trial := &offer{boxes: o.boxes}
	trial.edit(wire.Create, statePath, "", `{"phase":"execute","phases":`+phases.Compact()+"}")
	after := m.after(trial)
	phase := after.observed
	if phase == execute && after.current == nil {
		phase = verify
	}
	b.String("phase", phase.String())
	if c := after.current; c != nil && phase < verify {
		b.String("current_phase", c.id).Int("current_iteration", int64(c.iteration()))
	}
	return b.Object("phases", phases).Text()
}

// iteration is the number of the last work entry, 0 without one.
//
//go:noinline
func (ph *phase) iteration() int {
	if e := ph.trail.lastWork(); e != nil && e.number <= 9999 {
		return max(e.number, 0)
	}
	return 0
}

// earlyPhase is the phase of a task that has neither plan nor log.
func (m *model) earlyPhase() step {
	switch {
	case m.archived:
		return complete
	case m.docs.Get(briefPath) != nil:
		return plan
	}
	return discover
}

// createdAt is the earliest time that the documents have, now if that is to
// come or there is none.
func (m *model) createdAt() string {
	first := stamp{}
	for _, e := range m.log.entries {
		if e.when.kind > 0 && (first.kind == 0 || e.when.at.Before(first.at)) {
			first = e.when
		}
	}
	if list := sections(m.docs.Get(briefPath)); len(list) > 0 {
		if f := list[0].field("Created"); f != nil {
			if t := readStamp(f.value); t.kind > 0 && (first.kind == 0 || t.at.Before(first.at)) {
				first = t
			}
		}
	}
	l := look{p: m.pass}
	if first.kind == 0 || !l.nowIsAfter(&first) {
		return sdk.NowInEdit
	}
	return first.text
}

// domain is what the plan or the brief say.
func (m *model) domain() string {
	for _, d := range m.plan.docs {
		if f := d.head("Domain"); f != nil && isReal(f.value) && placeholder(f.value) == "" {
			return f.value
		}
	}
	if list := sections(m.docs.Get(briefPath)); len(list) > 0 {
		if f := list[0].field("Domain"); f != nil && isReal(f.value) && placeholder(f.value) == "" {
			return f.value
		}
	}
	return ""
}

// rebuiltPhases is what the log proves of every phase. A ticked box tells that
// the gates of a confirmed phase were passed; other boxes are unticked by the offer.
func (m *model) rebuiltPhases(o *offer) *jsondoc.Builder {
	all := jsondoc.NewObject()
	for _, ph := range m.phases {
		t, s := ph.trail, ph.observed
		if ph.item != nil && ph.item.ticked && s != done {
			if t.done >= 2 {
				s = done
			} else if o != nil {
				o.box(ph.item, " ")
			}
		}
		b := jsondoc.NewObject().String("status", s.String())
		k := max(t.done-1, 0)
		if t.works > k {
			b.Int("iterations_used", int64(min(t.works-k, 9999)))
		}
		if k > 0 {
			b.Int("confirmations_used", int64(min(k, 9999)))
		}
		if s == done {
			b.Bool("verification_passed", true)
		}
		limit := 5
		if ph.item != nil && ph.item.max > 0 {
			limit = min(ph.item.max, 9999)
		}
		b.Int("max_iterations", int64(limit))
		if at := t.finished(); s == done && at != "" {
			b.String("completed_at", at)
		}
		all.Object(ph.id, b)
	}
	return all
}
