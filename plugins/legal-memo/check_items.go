package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkFinishedItems looks for open items in a file that claims to be done.
func (m *model) checkFinishedItems(a *agent) {
	items := a.openItems()
	if len(items) == 0 {
		return
	}
	d := m.say(a, "finished-with-open-item", 0, a.claimPointer(), "", a.claimText()+", but open: "+list(items))
	at := a.kind.worked
	if at < 0 {
		at = len(a.phases) - 1
	}
	offer(d, sdk.Review, "Reopen it at "+a.phases[at].name, a.reopen(at)...)
	advise(d, "Decide what is done", "look at the output: reopen the state, or mark the items done")
}

// checkItems compares the items with the phase that works through them.
func (m *model) checkItems(a *agent) {
	m.checkWords(a)
	w := a.kind.worked
	if w < 0 || a.claims || !a.phases[w].in {
		return
	}
	open := a.openItems()
	if !a.phases[w].word.open() && len(open) > 0 {
		d := m.say(a, "phase-done-with-open-item", 0, a.phasePointer(w), "", a.phases[w].name+" is done, but open: "+list(open))
		offer(d, sdk.Review, "Set the phase open", a.openFrom(w)...)
		advise(d, "Decide what is done", "set the phase open, or mark the items done")
	}
	if a.kind == kinds[writer] && a.status == inProgress && a.phases[w].word.open() && len(a.items) > 0 && a.countItems(complete) == len(a.items) {
		d := m.say(a, "items-done-phase-open", 0, a.phasePointer(w), "", "all "+itoa(len(a.items))+" subsections are complete, but "+a.phases[w].name+" is open")
		offer(d, sdk.Review, "Mark the phase done", a.setPhase(w, true))
	}
}

// openFrom are the edits that set a phase and all that follow it open.
//
//go:noinline
func (a *agent) openFrom(at int) []sdk.Edit {
	var edits []sdk.Edit
	for i := at; i < len(a.phases); i++ {
		if a.phases[i].in && !a.phases[i].word.open() {
			edits = append(edits, a.setPhase(i, false))
		}
	}
	if a.kind.style == 'P' {
		edits = append(edits, a.set("/current_phase", jsondoc.Quote(a.phases[at].name)))
	}
	return edits
}

// checkWords looks for items whose status cannot be read, and for subsections that are not recorded.
func (m *model) checkWords(a *agent) {
	for i := range a.items {
		if it := &a.items[i]; it.word == unknownWord && a.kind != kinds[waves] && a.itemsKey != "" {
			p, v := jsondoc.Pointer(a.itemsKey, it.key), it.body
			if v.Kind() == jsondoc.Object {
				p, v = p+"/status", v.Get("status")
			}
			advise(m.say(a, "unknown-item-status", 0, p, it.key, say.Wrong("status of "+it.key, plain(v), "pending, in_progress or complete")), "Set a known status", "look at the output, and write complete or pending")
		}
	}
	if a.kind != kinds[writer] || a.finished || a.claims || !a.phases[2].in || a.phases[2].word.open() {
		return
	}
	var missing, there []string
	for i := range a.items {
		if n := a.items[i].norm; n != "" && (len(n) == 1 || n[1] == '_') {
			there = append(there, upper(n[:1]))
		}
	}
	for _, s := range subsections {
		if !holds(there, s[:1]) {
			missing = append(missing, s[:1])
		}
	}
	if len(missing) > 0 && (len(there) > 0 || len(a.items) == 0) {
		advise(m.say(a, "missing-item", 0, "/subsections_status", "", "subsections_status lacks "+list(missing)+"; expected A to F"), "Add the subsections", "add them with what is true of them: complete if the report has them, else pending")
	}
}

// checkGuards looks at what the file says not to repeat.
func (m *model) checkGuards(a *agent) {
	if len(a.guards) > 500 || len(a.items) > 500 {
		return // no file of an agent is like this, and matching all would be slow
	}
	var wrong, lost []string
	kept := map[string][]string{} // by list
	at, lostAt := "", ""
	index := map[string]int{}
	for i := range a.guards {
		g := &a.guards[i]
		n := index[g.field]
		index[g.field]++
		what := a.openMatch(g)
		if what == "" && a.unlisted(g) {
			what = "no entry of " + a.itemsKey + ", and " + a.phases[a.kind.worked].name + " is open"
		}
		if what == "" {
			kept[g.field] = append(kept[g.field], g.text)
			if m.namesNothing(a, g) {
				if lost = append(lost, g.text); lostAt == "" {
					lostAt = jsondoc.Pointer("recovery_instructions", g.field, itoa(n))
				}
			}
			continue
		}
		wrong = append(wrong, shown(g.text)+" names "+what)
		if at == "" {
			at = jsondoc.Pointer("recovery_instructions", g.field, itoa(n))
		}
	}
	if len(wrong) > 0 {
		d := m.say(a, "repeat-guard-on-open-item", 0, at, "", list(wrong))
		var edits []sdk.Edit
		for _, e := range a.rescue.Members() {
			if n := index[e.Key]; n > len(kept[e.Key]) && n == e.Value.Len() {
				edits = append(edits, a.set(jsondoc.Pointer("recovery_instructions", e.Key), texts(kept[e.Key])))
			}
		}
		offer(d, sdk.Review, "Remove the guard", edits...)
		advise(d, "Decide what is done", "remove the guard, or mark what it names done")
	}
	if len(lost) > 0 {
		m.say(a, "guard-names-nothing", 0, lostAt, "", "no item, phase or document is called "+list(lost))
	}
	m.checkUnguarded(a)
}

// categories are the items of the fact validator.
const categories = " key_dates quantitative_facts liability_exposures entity_names assumption_status "

// unlisted reports whether a guard names an item as the others are called that is not among them, while they are
// being worked through. An object that holds less than its counter says is an excerpt.
func (a *agent) unlisted(g *guard) bool {
	w := a.kind.worked
	if w < 0 || len(a.items) == 0 || a.kind.style != 'B' || !a.phases[w].in || !a.phases[w].word.open() || elided(a) {
		return false
	}
	stem := strings.TrimRight(g.norm, "0123456789")
	called := a.kind == kinds[facts] && strings.Contains(categories, " "+g.norm+" ")
	for i := range a.items {
		n := a.items[i].norm
		if g.names(n, a.items[i].letter) {
			return false
		}
		called = called || stem != g.norm && strings.HasSuffix(stem, "_") && strings.TrimRight(n, "0123456789") == stem
	}
	n, counted := num(a.metrics.Get(a.itemsKey))
	return called && (!counted || n <= float64(len(a.items)))
}

// openMatch says which open item or phase a guard names, "" if none or if it
// names a complete one.
func (a *agent) openMatch(g *guard) string {
	found := ""
	for i := range a.items {
		it := &a.items[i]
		if !g.names(it.norm, it.letter) {
			continue
		}
		switch it.word {
		case complete, skipped:
			return ""
		case pending, inProgress, blocked:
			found = it.key + ", which is " + wordNames[it.word]
		}
	}
	for i := range a.phases {
		p := &a.phases[i]
		if !p.in || !g.names(p.norm, "") {
			continue
		}
		if !p.word.open() {
			return ""
		}
		if found == "" {
			found = p.name + ", which is open"
		}
	}
	return found
}

var wordNames = [...]string{complete: "complete", inProgress: "in progress", pending: "pending", blocked: "blocked", skipped: "skipped"}

// namesNothing reports whether a guard is a name, and of nothing.
func (m *model) namesNothing(a *agent, g *guard) bool {
	if !m.tracked || a.kind == kinds[synthesis] || strings.ContainsAny(g.text, " \t") || covering(g.text) || g.letter != "" || g.norm == "" {
		return false
	}
	for i := range a.items {
		if g.names(a.items[i].norm, "") {
			return false
		}
	}
	for i := range a.phases {
		if g.names(a.phases[i].norm, "") {
			return false
		}
	}
	for _, e := range a.root.Members() {
		for _, inner := range e.Value.Members() {
			if norm(inner.Key) == g.norm {
				return false
			}
		}
	}
	n := norm(baseName(g.text))
	for _, name := range m.normal() {
		if strings.HasPrefix(name, n) {
			return false
		}
	}
	return true
}

func (m *model) checkUnguarded(a *agent) {
	if a.finished || a.covered || a.kind.stage == 7 && a.kind != kinds[synthesis] {
		return
	}
	var names []string
	for i := range a.items {
		if a.items[i].word == complete && !a.guarded(&a.items[i]) {
			names = append(names, a.items[i].key)
		}
	}
	if len(names) == 0 {
		return
	}
	d := m.say(a, "done-item-unguarded", graded(a.kind.strict, sdk.Warning, sdk.Info), "/recovery_instructions/do_not_repeat", "", "no guard of do_not_repeat names "+list(names))
	safety := sdk.Review
	if a.proof == proven {
		safety = sdk.Safe
	}
	if !a.rescue.Exists() || a.rescue.Kind() == jsondoc.Object {
		all := a.plainGuards()
		offer(d, safety, "Add them to do_not_repeat", a.set("/recovery_instructions/do_not_repeat", texts(append(all, names...))))
	}
}

// plainGuards are the texts of do_not_repeat.
func (a *agent) plainGuards() []string {
	var all []string
	for i := range a.guards {
		if a.guards[i].field == "do_not_repeat" {
			all = append(all, a.guards[i].text)
		}
	}
	return all
}
