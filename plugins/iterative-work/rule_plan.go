package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

func planMissing(l *look) {
	if s := l.m.state.phase; s >= execute && len(l.m.plan.docs) == 0 {
		l.state("/phase", "", "", "phase is "+s.String()+" but there is no plan.md")
		l.manual("Write the plan", "write plan.md, or set the phase of the task back")
	}
}

func emptyPlan(l *look) {
	m := l.m
	if m.state.phase >= execute && len(m.plan.docs) > 0 && len(m.plan.items) == 0 {
		l.whole(m.plan.docs[0].Path, "phase is "+m.state.phase.String()+" but the plan lists no phase: expected items like - [ ] **R1**: title")
		l.manual("List the phases", "add an item like - [ ] **R1**: title for every phase")
	}
}

func phaseNotPlanned(l *look) {
	m := l.m
	if len(m.plan.items) == 0 {
		return
	}
	ids := m.state.odd
	for _, r := range m.state.records {
		archived := r.status == done && (m.plan.parts || m.state.part != "")
		if m.byID[r.id].item == nil && !archived {
			ids = append(ids, r.id)
		}
	}
	for _, id := range ids {
		l.state("#/phases/"+jsondoc.EscapeToken(id), id, "", short(id)+" is in state.json but not in the plan")
		l.manual("Plan it or drop it", "add "+short(id)+" to the plan, or remove it from state.json")
	}
}

func plannedPhaseUntracked(l *look, ph *phase) {
	if ph.item == nil || ph.rec != nil || !l.m.state.phased {
		return
	}
	l.item(ph.item, "", ph.id+" is in the plan but not in state.json")
	o := jsondoc.NewObject().String("status", "pending")
	if ph.item.max > 0 && ph.item.max <= 9999 {
		o.Int("max_iterations", int64(ph.item.max))
	}
	l.fix(sdk.Safe, "Add "+ph.id+" as pending", "/phases/"+ph.id, o.Compact())
}

func duplicatePlanItem(l *look) {
	for _, d := range l.m.plan.docs {
		for n, it := range d.twice {
			l.item(it, itoa(n), it.id+" is in "+d.Path+" twice")
			l.manual("Give it another id", "renumber this item, or merge it with the first")
		}
	}
}

func totalMismatch(l *look) {
	for _, d := range l.m.plan.docs {
		f := d.head("Total")
		if f == nil {
			continue
		}
		total := leading(f.value)
		if total < 0 || total == d.ids || total == len(l.m.plan.items) {
			continue
		}
		l.tell(d.Path, "", f.start, f.end, "", "", "Total says "+itoa(total)+", the plan lists "+itoa(d.ids))
		raw := d.Text[f.start:f.end]
		digits := strings.TrimLeft(raw, "0123456789")
		if o := l.offer(sdk.Safe, "Set Total to "+itoa(d.ids)); o != nil && len(digits) < len(raw) {
			o.replace(d.Path, f.start, f.end-len(digits), itoa(d.ids))
			o.sure = true
		}
	}
}

// head is a field of the header: what stands before the first heading of level 2.
//
//go:noinline
func (d *planDoc) head(key string) *field {
	if len(d.sections) == 0 {
		return nil
	}
	return d.sections[0].field(key)
}

func unknownDependency(l *look, ph *phase) {
	if ph.item == nil || !l.m.stateSeen() {
		return
	}
	var told []string
	for _, group := range ph.item.needs {
		for _, id := range group {
			if need := l.m.byID[id]; (need == nil || !need.known()) && !has(told, id) {
				push(&told, id)
				l.item(ph.item, id, ph.id+" depends on "+id+", which is neither in the plan nor in state.json")
				l.manual("Correct the dependency", "name a phase of the plan, or add "+id)
			}
		}
	}
}

func dependencyCycle(l *look) {
	for _, cycle := range l.m.cycles {
		first := cycle[0]
		for _, ph := range l.m.phases {
			if slices.Contains(cycle, ph) && ph.item != nil {
				first = ph
				break
			}
		}
		l.item(first.item, "", strings.Join(around(first, cycle), " → "))
		l.manual("Break the cycle", "take one of these dependencies out of the plan")
	}
}

// around is the shortest way from a phase through a cycle back to itself.
func around(first *phase, cycle []*phase) []string {
	from := map[*phase]*phase{}
	queue := []*phase{first}
	for n := 0; n < len(queue); n++ {
		for _, group := range queue[n].item.needs {
			for _, member := range cycle {
				if len(group) > 1 || group[0] != member.id || from[member] != nil {
					continue
				}
				from[member] = queue[n]
				queue = append(queue, member)
			}
		}
	}
	path := []string{first.id}
	for at := from[first]; at != first && at != nil; at = from[at] {
		push(&path, at.id)
	}
	push(&path, first.id)
	slices.Reverse(path)
	return path
}

func startedBeforeDependency(l *look, ph *phase) {
	if !ph.status.working() && ph.status != done && ph.status != timeout {
		return
	}
	var names []string
	stuck := true
	for _, group := range ph.needs {
		if slices.ContainsFunc(group, func(need *phase) bool { return need.met }) {
			continue
		}
		for _, need := range group {
			is := need.observed
			if need.status > 0 {
				is = need.status
			}
			push(&names, need.id+" (needed) is "+is.String())
			stuck = stuck && (need.status == blocked || need.observed == blocked)
		}
	}
	if names == nil {
		return
	}
	l.state("/phases/"+ph.id+"/status", ph.id, "", ph.id+" is "+ph.status.String()+" but "+list(names))
	if stuck {
		l.lower()
	}
	if len(ph.trail.entries) == 0 {
		l.setStatus(ph, pending)
		return
	}
	l.manual("Settle the order", "finish what "+ph.id+" needs first, or take the dependency out of the plan")
}

func twoPhasesInProgress(l *look, ph *phase) {
	if !ph.busy() || ph.unmet() != nil {
		return
	}
	seen := map[*phase]bool{ph: true}
	queue := []*phase{ph}
	for n := 0; n < len(queue); n++ {
		for _, group := range queue[n].needs {
			need := group[0]
			if len(group) > 1 || seen[need] {
				continue
			}
			if need.busy() {
				l.state("/phases/"+ph.id+"/status", ph.id, "", ph.id+" is "+ph.status.String()+" while "+need.id+", which it needs, is "+need.status.String())
				l.manual("Work on one of them", "finish "+need.id+" first")
				return
			}
			seen[need] = true
			queue = append(queue, need)
		}
	}
}

// busy reports whether somebody works on the phase, and on it alone.
//
//go:noinline
func (ph *phase) busy() bool { return ph.status.working() && !ph.done && !ph.parallel() }

func maxIterationsMismatch(l *look, ph *phase) {
	if ph.rec == nil || ph.item == nil || ph.rec.max < 0 || ph.rec.max >= ph.item.max || ph.item.max > 9999 {
		return
	}
	l.phaseField(ph, "max_iterations", "max_iterations of "+ph.id+" is "+itoa(ph.rec.max)+", the plan allows "+itoa(ph.item.max))
	l.fixField(ph, "max_iterations", ph.item.max)
}

// phaseField makes a finding about a field of a phase in the state.
//
//go:noinline
func (l *look) phaseField(ph *phase, key, message string) {
	pointer := "/phases/" + ph.id
	if key != "" {
		pointer += "/" + key
	}
	l.state(pointer, ph.id, "", message)
}

// fixField offers another number for a field of a phase.
//
//go:noinline
func (l *look) fixField(ph *phase, key string, n int) {
	l.fix(sdk.Review, "Set "+key+" of "+ph.id+" to "+itoa(n), "/phases/"+ph.id+"/"+key, itoa(n))
}

// wasTicked reports whether base had the phase with a ticked box.
//
//go:noinline
func (l *look) wasTicked(ph *phase) bool {
	if l.m.base == nil {
		return false
	}
	was := l.m.base.byID[ph.id]
	return was != nil && was.rec != nil && was.item != nil && was.item.ticked
}

func boxNotTicked(l *look, ph *phase) {
	if ph.status == done && ph.item != nil && !ph.item.ticked && !l.wasTicked(ph) {
		l.item(ph.item, "", ph.id+" is done but not ticked")
		l.offer(sdk.Safe, "Tick "+ph.id).box(ph.item, "x")
	}
}

func boxUnticked(l *look, ph *phase) {
	if ph.status == done && ph.item != nil && !ph.item.ticked && l.wasTicked(ph) {
		l.item(ph.item, "", ph.id+" is done; its box was ticked and is empty")
		l.offer(sdk.Safe, "Tick "+ph.id).box(ph.item, "x")
	}
}

func boxTickedEarly(l *look, ph *phase) {
	if ph.item == nil || !ph.item.ticked || ph.status == 0 || ph.status == done || ph.observed == done {
		return
	}
	l.item(ph.item, "", ph.item.doc.Path+" ticks "+ph.id+" but state.json says "+ph.status.String())
	if ph.status == verifying || ph.observed == verifying {
		l.lower()
	}
	l.offer(sdk.Review, "Untick "+ph.id).box(ph.item, " ")
}

func weakPlanItem(l *look, ph *phase) {
	if ph.item == nil {
		return
	}
	var lacks []string
	for _, keys := range [...][2]string{{"Criteria", "Criteria"}, {"Output", "Outputs"}, {"Max iterations", "Max iterations"}} {
		if f := ph.item.sub(keys[0], keys[1]); f == nil || f.value == "" {
			push(&lacks, keys[0])
		}
	}
	if lacks != nil {
		l.item(ph.item, "", ph.id+" has no "+strings.Join(lacks, ", no "))
		l.manual("Say what it takes", "add "+strings.Join(lacks, ", ")+" below the item")
	}
}

func tooManyPhases(l *look) {
	p := l.m.plan
	sum := 0
	for _, it := range p.items {
		sum += it.max
	}
	if !p.parts && (len(p.items) > 6 || sum > 40) {
		l.whole(planPath, "the plan has "+count(len(p.items), "phase")+" and "+count(sum, "iteration")+"; expected at most 6 and 40 in one document")
		l.manual("Split the plan", "move later phases into plan-part2.md")
	}
}

func phaseDropped(l *look) {
	m := l.m
	if len(m.plan.docs) == 0 {
		return
	}
	var before *item
	for _, it := range m.base.plan.items {
		ph := m.byID[it.id]
		if ph != nil && ph.item != nil {
			before = ph.item
			continue
		}
		if len(m.log.trail(it.id).entries) == 0 || ph.status == done && m.plan.parts {
			continue
		}
		l.tell(m.plan.docs[0].Path, "", 0, 0, it.id, "", it.id+" has entries in progress.md and is gone from the plan")
		l.putBack(it, before)
	}
}

// putBack offers an item of base behind the one that it followed.
func (l *look) putBack(it, behind *item) {
	text := strings.TrimRight(it.doc.Text[it.outer:it.out], " \t\r\n")
	if behind == nil || it.parallel || columnOf(it.doc.Text, it.outer) != columnOf(behind.doc.Text, behind.outer) || text[0] != behind.doc.Text[behind.outer] {
		l.manual("Put "+it.id+" back", "add the item of "+it.id+" to the plan again:\n"+text)
		return
	}
	o := l.offer(sdk.Review, "Put "+it.id+" back into the plan")
	if o == nil {
		return
	}
	end := behind.outer + len(strings.TrimRight(behind.doc.Text[behind.outer:behind.out], " \t\r\n"))
	indent := strings.Repeat(" ", columnOf(behind.doc.Text, behind.outer))
	o.replace(behind.doc.Path, end, end, "\n"+indent+text)
	o.added, o.after = it, behind
}
