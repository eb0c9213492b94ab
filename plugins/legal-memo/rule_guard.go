package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
)

// A guard is an entry in recovery_instructions that keeps agents from repeating work.
type guard struct {
	text   string
	field  string // do_not_repeat or another list
	at     int    // index in the list
	norm   string
	letter string
}

// forbids returns what a guard forbids: "do not reclassify" for do_not_reclassify_exposures. Lists other than
// do_not_repeat forbid only one step.
func (g *guard) forbids() string {
	verb, _, _ := strings.Cut(strings.TrimPrefix(g.field, "do_not_"), "_")
	return "do not " + verb
}

// names reports whether a guard names a key.
func (g *guard) names(norm, letter string) bool {
	if g.norm == "" {
		return false
	}
	return g.norm == norm || len(norm) > len(g.norm) && norm[:len(g.norm)] == g.norm && norm[len(g.norm)] == '_' ||
		g.letter != "" && g.letter == letter
}

func (g *guard) pointer() string {
	return jsondoc.Pointer("recovery_instructions", g.field, say.Int(g.at))
}

func (a *agent) readGuards() {
	for _, m := range a.rescue.Members() {
		if !strings.HasPrefix(m.Key, "do_not_") || m.Value.Kind() != jsondoc.Array {
			continue
		}
		a.hasGuards = a.hasGuards || m.Key == "do_not_repeat"
		for i, e := range m.Value.Elements() {
			if s, ok := e.Text(); ok && !nothing(e) {
				name := s
				// such as "IV-A (done)"
				if head, note, _ := strings.Cut(s, " ("); classify(strings.TrimSuffix(note, ")")) == complete {
					name = head
				}
				a.guards = append(a.guards, &guard{s, m.Key, i, norm(name), sectionLetter(name)})
				a.covered = a.covered || covering(s)
			}
		}
	}
}

// guarded returns a list's guards.
func (a *agent) guarded(field string) []*guard {
	return keep(a.guards, func(g *guard) bool { return g.field == field })
}

// listed returns the texts in a guard list.
func (a *agent) listed(field string) []string {
	return gather(a.guarded(field), func(g *guard) string { return g.text })
}

// setGuards returns the edits that keep only the accepted guards in a list.
func (a *agent) setGuards(field string, stays func(*guard) bool) []sdk.Edit {
	all := a.guarded(field)
	kept := keep(all, stays)
	if len(kept) == len(all) {
		return nil
	}
	said := gather(kept, func(g *guard) string { return g.text })
	return a.set(jsondoc.Pointer("recovery_instructions", field), texts(said))
}

// tooMany reports whether the file has so many guards or items that matching them would be slow. Agents write far
// fewer.
func (a *agent) tooMany() bool { return len(a.guards) > 500 || len(a.items) > 500 }

func repeatGuardOnOpenItem(l *look, a *agent) {
	if a.tooMany() {
		return
	}
	var wrong []string
	at := ""
	for _, g := range a.guards {
		what := a.refuted(g)
		said := say.Quote(g.text) + " names " + what
		if strings.HasPrefix(what, g.text+", ") {
			said = say.Clip(g.field) + " lists " + what
		}
		if what != "" && !holds(wrong, said) {
			wrong, at = append(wrong, said), cmp.Or(at, g.pointer())
		}
	}
	var edits []sdk.Edit
	for _, e := range a.rescue.Members() {
		if len(a.guarded(e.Key)) == e.Value.Len() {
			edits = append(edits, a.setGuards(e.Key, func(g *guard) bool { return a.refuted(g) == "" })...)
		}
	}
	if len(wrong) > 0 {
		l.say(a, at, say.List(wrong)).Offer(sdk.Review, "Remove the guard", edits...)
	}
	for _, g := range a.guards {
		if a.invents(g) {
			l.say(a, g.pointer(), say.Clip(g.field)+" lists "+say.Clip(g.text)+", which is not among the items in "+
				say.Clip(a.itemsKey)).As(sdk.Warning).Keyed(g.field+" "+g.norm).Offer(sdk.Review, "Remove the guard",
				a.setGuards(g.field, func(o *guard) bool { return o != g })...)
		}
	}
}

// invents reports whether a guard names an item that never existed: one after the last item, such as issue_9 if the
// items are issue_1 to issue_8. An item of the base, or one of a report's subsections A to F, does not count, because
// the item is missing from the list.
func (a *agent) invents(g *guard) bool {
	pattern := patternOf(g.norm)
	if pattern == "" || a.itemsKey == "" || len(a.items) < 2 || a.elided() || a.kind == kinds[writer] &&
		g.norm[0] <= 'f' || len(a.guarded(g.field)) != a.rescue.Get(g.field).Len() {
		return false
	}
	known := a.items
	if a.was != nil {
		known = slices.Concat(known, a.was.items)
	}
	return !slices.ContainsFunc(known, func(it *item) bool {
		return patternOf(it.norm) != pattern || ordinal.Compare(it.norm, g.norm) >= 0 || g.names(it.norm, it.letter)
	})
}

// patternOf returns the common part of the names in a numbered or lettered series: "issue_" for issue_9 and "_" for
// a_analysis. It returns "" for other names.
func patternOf(norm string) string {
	at := strings.LastIndexByte(norm, '_') + 1
	if last := norm[at:]; at > 0 && (len(last) == 1 || strings.Trim(last, "0123456789") == "") {
		return norm[:at]
	}
	if at > 0 && norm[1] == '_' {
		return "_"
	}
	return ""
}

// guardedIn reports whether a guard in a file names the item.
func (it *item) guardedIn(a *agent) bool {
	return slices.ContainsFunc(a.guards, func(g *guard) bool { return g.names(it.norm, it.letter) })
}

// refuted returns the unfinished work that a guard names, or "" if there is none.
func (a *agent) refuted(g *guard) string {
	_, _, what := a.match(g)
	return what
}

// match reports whether a guard names a done item or phase, and whether that is an item. If it names none, match
// returns the open item or phase that it names, or "".
func (a *agent) match(g *guard) (done, item bool, open string) {
	for _, it := range a.items {
		switch {
		case !g.names(it.norm, it.letter):
		case it.word == complete || it.word == skipped:
			return true, true, ""
		case it.word.left():
			open = say.Clip(it.key) + ", which is " + wordNames[it.word]
		}
	}
	for _, p := range a.phases {
		switch {
		case !p.in || !g.names(p.norm, ""):
		case p.done():
			return true, false, ""
		case open == "":
			open = p.name + ", which is open"
		}
	}
	return false, false, open
}

func doneItemUnguarded(l *look, a *agent) {
	if a.finished || a.covered || a.tooMany() || a.kind == kinds[assembly] {
		return
	}
	names := a.keys(func(it *item) bool {
		return it.word == complete && !it.guardedIn(a)
	})
	if a.kind == kinds[synthesis] && a.observed == a.kind.output && !l.remediating() {
		done := a.recorded()
		names = append(names, sectionNames(keep(l.started, func(l string) bool { return !holds(done, l) }))...)
	}
	if len(names) == 0 {
		return
	}
	f := l.say(a, repeatPointer, "do_not_repeat lacks these complete items: "+list(names)).As(graded(a.kind.strict,
		sdk.Warning, sdk.Info))
	safety := sdk.Review
	if a.proof == proven {
		safety = sdk.Safe
	}
	if a.mayGuard() {
		f.Offer(safety, "Add the items to do_not_repeat",
			a.set(repeatPointer, texts(append(a.listed("do_not_repeat"), names...)))...)
	}
}

// namesAny reports whether a guard names any of the items.
func namesAny(g *guard, items []*item) bool {
	return slices.ContainsFunc(items, func(it *item) bool { return g.names(it.norm, it.letter) })
}
