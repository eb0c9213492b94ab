package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func unknownStatus(l *look, a *agent) {
	wrong := func(pointer, key, what string, v value, expected string) {
		l.say(a, pointer, say.Wrong(what, plain(v), expected)).Keyed(key)
	}
	if a.status == unknownWord || a.status == skipped {
		wrong("/status", "", "status", a.root.Get("status"), "initialized, in_progress, complete or blocked")
	}
	if s := a.blocker("resolution_status"); s != "" && !a.unresolved() && !begins(s, "RESOLVED") &&
		!begins(s, "UNRESOLVED") && !strings.Contains(s, " | ") {
		wrong(resolutionPointer, "blocking_issue", "resolution_status", a.at(resolutionPointer),
			"UNRESOLVED or RESOLVED")
	}
	for i, p := range a.phases {
		if p.word == unknownWord {
			wrong(a.phasePointer(i), p.name, "the status of "+p.name, a.at(a.phasePointer(i)),
				"pending, in_progress, complete or skipped")
		}
	}
	for _, it := range a.items {
		if it.word == unknownWord && a.itemsKey != "" {
			wrong(a.itemPointer(it), it.key, "the status of "+say.Clip(it.key), a.at(a.itemPointer(it)),
				"pending, in_progress or complete")
		}
	}
	for _, s := range a.scripts() {
		if v := s.body.Get("status"); v.Kind() == jsondoc.String && !slices.Contains(scriptWords[:], s.status) {
			wrong(s.at("status"), s.name, "the status of "+say.Clip(s.name), v,
				"not_run, running, complete, failed or error")
		}
	}
}

func unknownStageStatus(l *look) {
	for _, s := range l.orch.ids {
		if s.word == unknownWord {
			l.orchestrator(s.at, say.Wrong("the status of "+s.id, say.Quote(s.text),
				"PENDING, IN_PROGRESS or COMPLETE")).Keyed(s.id).As(s.severity())
		}
	}
}

// Fields whose value must be a boolean or a number, at any path.
var (
	truths = [...]string{"executed", "passed", "all_checks_passed", "all_quality_gates_passed", "verification_passed",
		"fact_registry", "risk_summary",
		"executive_summary", "consolidated_footnotes", "environment_healthy", "do_not_rescore", "title_page_written",
		"toc_appended"}
	numbers = [...]string{"footnotes_extracted", "last_global_number", "exit_code", "cat_exit_code", "section_count",
		"section_reports", "sections_appended",
		"attempts", "max_attempts", "cycles", "max_cycles", "current_cycle", "iteration_count", "score"}
)

// garbage reports whether a text consists of signs that no one writes as a value, as after damage. Agents write "???"
// for an unknown value, and "%" or "$" as a unit.
func garbage(s string) bool { return len(s) > 2 && s[0] != '?' && strings.Trim(s, "?%&@^$") == "" }

// unreadableValue finds values that no agent can interpret as the field's type.
func unreadableValue(l *look, a *agent) {
	wrong := func(pointer, key, found, expected string) {
		l.say(a, pointer, say.Wrong(pointer[1:], found, expected)).Keyed(key)
	}
	for _, key := range agentFields {
		s, _ := a.root.Get(key).Text()
		of := func(k *kind) bool { return k.agent != "" && norm(k.agent) == norm(s) }
		if s != "" && a.kind.agent != "" && !slices.ContainsFunc(kinds[:], of) {
			wrong("/"+key, key, say.Quote(s), say.Quote(a.kind.agent))
		}
	}
	if v := a.rescue.Get("do_not_repeat_footnotes"); a.kind == kinds[citation] {
		text, _ := v.Text()
		if collected, ok := num(a.metrics.Get("footnotes_collected")); ok && text != "" && !digit(text[0]) &&
			!covering(text) && (collected > 0 || words.Real(text)) {
			wrong(guardOfNotes, "", say.Quote(text), `"1-`+figure(collected)+`"`)
		}
	}
	if text, _ := a.metrics.Get("findings_written").Text(); a.kind == kinds[writer] && words.Real(text) &&
		!covering(text) && !strings.ContainsAny(text, "0123456789") {
		wrong("/metrics/findings_written", "", say.Quote(text), "a count, such as 4/6")
	}
	for _, t := range a.times {
		if !strings.ContainsAny(t.raw, "0123456789") && template(t.raw) == "" {
			l.say(a, t.pointer, say.Wrong(t.pointer[1:], plain(a.at(t.pointer)),
				"a time such as 2026-01-18T10:45:00Z")).Keyed(t.pointer).As(sdk.Warning)
		}
	}
	for _, g := range a.guards {
		if g.norm == "" {
			wrong(g.pointer(), g.pointer(), say.Quote(g.text), "the name of an item or a phase")
		}
	}
	var walk func(pointer string, v value)
	walk = func(pointer string, v value) {
		for i, e := range v.Elements() {
			at := pointer + "/" + say.Int(i)
			if s, _ := e.Text(); garbage(s) && pointer != repeatPointer { // the guards are read above
				wrong(at, at, say.Quote(s), "readable text")
			}
			walk(at, e)
		}
		for _, e := range v.Members() {
			walk(pointer+"/"+jsondoc.EscapeToken(e.Key), e.Value)
			s, text := e.Value.Text()
			if !text {
				continue
			}
			expected := ""
			if slices.Contains(truths[:], e.Key) && classify(s) == unknownWord {
				expected = "true or false"
			} else if _, number := num(e.Value); !number && slices.Contains(numbers[:], e.Key) &&
				!strings.Contains(s, "/") {
				expected = "a number"
			} else if garbage(s) && e.Key != "findings_written" { // see above
				expected = "readable text"
			}
			if at := pointer + "/" + jsondoc.EscapeToken(e.Key); expected != "" {
				wrong(at, at, say.Quote(s), expected)
			}
		}
	}
	walk("", a.root)
}

// noncanonicalValue finds a status in capitals, with spaces, or in a word that the specification does not list.
func noncanonicalValue(l *look, a *agent) {
	s, ok := a.root.Get("status").Text()
	to, folded := "", foldStatus(s)
	switch folded {
	case "done", "finished", "completed", "success": // plain words that the specification does not list
		to = "complete"
	}
	if _, word := vocabulary.Split(s); to == "" && folded != s && folded == word && a.status != unknownWord {
		to = folded // a comment stays
	}
	if ok && to != "" {
		l.say(a, "/status", say.Wrong("status", say.Quote(s), say.Quote(to))).
			Offer(sdk.Safe, "Set status to "+to, a.set("/status", jsondoc.Quote(to))...)
	}
}

// A moment is a time field in a state file.
type moment struct {
	pointer string
	at      instant.Moment
	raw     string
}

func (a *agent) readTimes() {
	add := func(pointer string, v value) {
		if nothing(v) {
			return
		}
		s, _ := v.Text()
		t := moment{pointer: pointer, raw: s}
		t.at, _ = instant.Loose(s) // any other form is not compared
		if a.times = append(a.times, t); pointer == "/started_at" {
			a.started = t.at
		}
		if t.at.Precision != 0 && t.at.At.After(a.newest.At) {
			a.newest, a.newestAt = t.at, pointer
		}
	}
	for _, key := range [...]string{"started_at", "last_updated", "last_checkpoint", "timestamp"} {
		add("/"+key, a.root.Get(key))
	}
	add("/metrics/last_checkpoint", a.metrics.Get("last_checkpoint"))
	for _, p := range a.phases {
		add("/"+a.phaseMap+"/"+p.name+"/completed_at", p.body.Get("completed_at"))
	}
}

func timestampsOutOfOrder(l *look, a *agent) {
	for _, t := range a.times {
		if t.at.Before(a.started, 0) {
			l.say(a, t.pointer, t.pointer[1:]+" is "+t.at.Text+", before started_at ("+a.started.Text+")")
			return
		}
	}
}

// resultKey returns the field that contains a complete item's result.
func (a *agent) resultKey() string {
	if a.kind == kinds[qa] {
		return "score"
	}
	return "key_finding"
}

// lacksResult reports whether an item is complete but its result is empty.
func (a *agent) lacksResult(it *item) bool {
	v := it.body.Get(a.resultKey())
	return it.word == complete && v.Exists() && (v.Kind() == jsondoc.Null && a.kind == kinds[qa] ||
		empty(v) && a.kind == kinds[execSummary])
}

// itemWithoutResult compares the items' statuses with their results.
func itemWithoutResult(l *look, a *agent) {
	key := a.resultKey()
	for _, it := range a.items {
		v := it.body.Get(key)
		_, number := num(v)
		message := ""
		switch {
		case a.lacksResult(it):
			message = it.key + " is complete, but its " + key + " is " + plain(v)
		case a.kind == kinds[qa] && it.word == pending && number:
			message = it.key + " is pending, but its score is " + plain(v)
		}
		if message != "" {
			l.say(a, jsondoc.Pointer(a.itemsKey, it.key, key), message).Keyed(it.key).
				As(graded(it.word == complete, sdk.Error, sdk.Warning))
		}
	}
}
