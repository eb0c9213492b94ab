package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

func (a *agent) blocker(key string) string {
	v := a.root.Get("blocking_issue").Get(key)
	if s, _ := v.Text(); !nothing(v) {
		return s
	}
	return ""
}

// unresolved reports whether a blocker is unresolved and blocks the agent.
func (a *agent) unresolved() bool {
	s := a.blocker("resolution_status")
	return begins(s, "UNRESOLVED") && !strings.Contains(s, " | ")
}

const resolutionPointer = "/blocking_issue/resolution_status"

func finishedWithBlocker(l *look, a *agent) {
	if !a.unresolved() || !a.claims {
		return
	}
	f := l.say(a, resolutionPointer, a.claimText()+", but resolution_status of the blocker is "+
		say.Quote(a.blocker("resolution_status")))
	f.Advise("Find out whether the blocker was resolved", cmp.Or(a.blocker("resolution_method"),
		"Check the blocker in "+a.path())+"; then set resolution_status")
	open := a.kind.output
	if open < 0 {
		open = len(a.phases) - 1
	}
	if a.phases[open].in {
		a.offerReopen(f, open)
	}
	if a.proof == proven {
		f.Offer(sdk.Review, "Set the blocker to RESOLVED, because its output is complete",
			a.set(resolutionPointer, `"RESOLVED"`)...)
	}
}

func unresolvedBlocker(l *look, a *agent) {
	if a.claims || !a.unresolved() {
		return
	}
	method, text := a.blocker("resolution_method"), "a blocker is unresolved"
	if kind := a.blocker("type"); kind != "" {
		text = "a blocker of type " + say.Quote(kind) + " is unresolved"
	}
	if what := a.blocker("description"); what != "" {
		text += ": " + say.Quote(what)
	}
	if method != "" {
		text += "; to resolve it: " + say.Quote(method)
	}
	f := l.say(a, resolutionPointer, text)
	if a.status == blocked && a.blocker("description") != "" {
		f.As(sdk.Info) // recorded as the workflow asks
	}
	if method != "" {
		f.Advise("Resolve the blocker", method)
	}
}

// hasBlocker reports whether blocking_issue contains a value other than null.
func (a *agent) hasBlocker() bool {
	return slices.ContainsFunc(a.root.Get("blocking_issue").Members(),
		func(m jsondoc.Member) bool { return !nothing(m.Value) })
}

// blockedWithoutReason finds a blocked file whose blocker is resolved or missing.
func blockedWithoutReason(l *look, a *agent) {
	v := a.root.Get("blocking_issue").Get("resolution_status")
	text, _ := v.Text()
	named := a.status != blocked
	if !named && (begins(text, "RESOLVED") || a.hasBlocker() && v.Exists() && nothing(v)) {
		l.say(a, "/status", "status is "+say.Quote(a.statusText)+", but resolution_status of the blocker is "+plain(v)).
			Offer(sdk.Review, "Set status to in_progress", a.set("/status", `"in_progress"`)...)
		return
	}
	for _, e := range a.root.Members() {
		named = named || begins(e.Key, "block") && !nothing(e.Value) &&
			(a.hasBlocker() || e.Key != "blocking_issue" || e.Value.Kind() != jsondoc.Object)
	}
	if !named {
		l.say(a, "/status", "status is "+say.Quote(a.statusText)+", but blocking_issue does not give a reason").
			Advise("Record the blocker",
				"Add blocking_issue with its type, description, resolution_status UNRESOLVED and "+
					"resolution_method.")
	}
}

// A try is the number of attempts or cycles at a gate, with its limit.
type try struct {
	what     string
	n, limit float64
	failed   value // why the last attempt failed
}

// tries reads a gate's number and limit. It reports false if the gate has none.
func tries(g value) (t try, ok bool) {
	for _, of := range [...][3]string{{"attempts", "max", "max_attempts"}, {"cycles", "max_cycles"}} {
		n, is := num(g.Get(of[0]))
		limit, has := num(g.Get(of[1]))
		if !has {
			limit, has = num(g.Get(of[2]))
		}
		if is && has && (!ok || n > limit) {
			t, ok = try{of[0], n, limit, g.Get("last_failure_reason")}, true
		}
	}
	return t, ok
}

// exhausted reports whether the last allowed attempt failed.
func (t try) exhausted() bool {
	return t.n == t.limit && !nothing(t.failed)
}

// fault returns a message if the attempts exceed the limit or are used up, or "" if they do not.
func (t try) fault(gate string) string {
	switch {
	case t.n > t.limit:
		return gate + " has " + figure(t.n) + " " + t.what + "; expected at most " + figure(t.limit)
	case t.exhausted():
		return gate + " has used " + figure(t.n) + " of " + figure(t.limit) + " " + t.what +
			", and the last one failed: " + plain(t.failed)
	}
	return ""
}

// gates returns the gates whose attempts a diagnostic counts.
func (a *agent) gates() (list []gateAt) {
	for _, g := range a.root.Get("gate_attempts").Members() {
		list = append(list, gateAt{name: g.Key, body: g.Value,
			at: sdk.AtPointer(a.path(), jsondoc.Pointer("gate_attempts", g.Key))})
	}
	return list
}

// attemptsBeyondMax checks the gates of the agents and the orchestrator.
func attemptsBeyondMax(l *look) {
	find := func(subject string, gates []gateAt) {
		for _, g := range gates {
			if t, ok := tries(g.body); ok && t.fault(g.name) != "" {
				l.At(g.at, t.fault(g.name)).About(subject).Keyed(g.name).
					As(graded(t.n > t.limit, sdk.Error, sdk.Warning))
			}
		}
	}
	for _, a := range l.agents {
		find(a.subject, a.gates())
	}
	find("orchestrator", l.orch.gates)
}

// cycles returns a diagnostic's current cycle and the last allowed one.
func (a *agent) cycles() (current, limit int, isCurrent, isLimit bool) {
	c := a.root.Get("qa_cycle")
	current, isCurrent = integer(c.Get("current_cycle"))
	limit, isLimit = integer(c.Get("max_cycles"))
	return current, limit, isCurrent, isLimit
}

func (a *agent) history() []value { return a.root.Get("qa_cycle").Get("cycle_history").Elements() }

// recordOf returns the history's last entry for a cycle.
func recordOf(history []value, cycle int) (last value) {
	for _, e := range history {
		if n, ok := integer(e.Get("cycle")); ok && n == cycle {
			last = e
		}
	}
	return last
}

const cyclePointer = "/qa_cycle/current_cycle"

func cycleBeyondMax(l *look, a *agent) {
	current, limit, ok1, ok2 := a.cycles()
	if ok1 && ok2 && current > limit {
		l.say(a, cyclePointer, say.Wrong("current_cycle", say.Int(current), "at most "+say.Int(limit)+
			" (max_cycles)")).Advise("Ask the user", "Certify with limitations at cycle "+say.Int(limit)+
			", or raise max_cycles if the user allows another cycle.")
	} else if a.exhausted() {
		l.say(a, "/qa_cycle", "cycle "+say.Int(current)+" of "+say.Int(limit)+" ended with "+
			say.Quote(a.outcome())).As(sdk.Warning)
	}
}

func cycleBehindHistory(l *look, a *agent) {
	current, _, ok, _ := a.cycles()
	highest := current
	for _, e := range a.history() {
		if n, is := integer(e.Get("cycle")); is {
			highest = max(highest, n)
		}
	}
	if ok && highest > current {
		l.say(a, cyclePointer, "current_cycle is "+say.Int(current)+", but cycle_history ends at "+say.Int(highest)).
			Offer(sdk.Review, "Set current_cycle to "+say.Int(highest), a.set(cyclePointer, say.Int(highest))...)
	}
}

// cycleHistoryGap finds cycles that are missing from the history or out of order.
func cycleHistoryGap(l *look, a *agent) {
	before := -1
	for _, e := range a.history() {
		n, is := integer(e.Get("cycle"))
		if is && n <= before {
			l.say(a, "/qa_cycle/cycle_history", "cycle "+say.Int(n)+" follows cycle "+say.Int(before)+
				" in cycle_history; expected rising numbers").Keyed("order")
			break
		}
		if is {
			before = n
		}
	}
	var gaps []string
	current, limit, _, limited := a.cycles()
	for n := 1; n < current && current < 1000 && !(limited && current > limit) &&
		a.root.Get("qa_cycle").Get("cycle_history").Kind() == jsondoc.Array; n++ {
		if !recordOf(a.history(), n).Exists() {
			gaps = append(gaps, say.Int(n))
		}
	}
	if len(gaps) > 0 {
		l.say(a, "/qa_cycle/cycle_history", "current_cycle is "+say.Int(current)+
			", but cycle_history lacks these cycles: "+list(gaps))
	}
}

// exhausted reports whether the last allowed cycle ended without a certificate.
func (a *agent) exhausted() bool {
	current, limit, _, ok := a.cycles()
	record := recordOf(a.history(), current)
	outcome, _ := record.Get("outcome").Text()
	return a.kind == kinds[qa] && ok && current >= limit && record.Exists() && !begins(outcome, "CERTIF")
}

// with returns the text of an object in which some keys have other values. The pairs are keys and JSON texts.
func with(object value, pairs ...string) string {
	o := jsondoc.NewObject()
	for _, m := range object.Members() {
		if i := slices.Index(pairs, m.Key); i >= 0 {
			o.Raw(m.Key, pairs[i+1])
		} else {
			o.Value(m.Key, m.Value)
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		if !object.Get(pairs[i]).Exists() {
			o.Raw(pairs[i], pairs[i+1])
		}
	}
	return strings.TrimSpace(o.Text())
}
