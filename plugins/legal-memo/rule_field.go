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
		if it.word == unknownWord && a.kind != kinds[waves] && a.itemsKey != "" {
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
		if s.word == unknownWord && !s.differ {
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
			wrong("/recovery_instructions/do_not_repeat_footnotes", "", say.Quote(text), `"1-`+figure(collected)+`"`)
		}
	}
	if text, _ := a.metrics.Get("findings_written").Text(); a.kind == kinds[writer] && words.Real(text) &&
		!covering(text) && !strings.ContainsAny(text, "0123456789") {
		wrong("/metrics/findings_written", "", say.Quote(text), "a count, such as 4/6")
	}
	for _, g := range a.guards {
		if g.norm == "" {
			wrong(g.pointer(), g.pointer(), say.Quote(g.text), "the name of an item or a phase")
		}
	}
	var walk func(pointer string, v value)
	walk = func(pointer string, v value) {
		for _, e := range v.Members() {
			if e.Value.Kind() == jsondoc.Object {
				walk(pointer+"/"+jsondoc.EscapeToken(e.Key), e.Value)
			}
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
			}
			if at := pointer + "/" + jsondoc.EscapeToken(e.Key); expected != "" {
				wrong(at, at, say.Quote(s), expected)
			}
		}
	}
	walk("", a.root)
}

// noncanonicalValue adds one finding per file.
func noncanonicalValue(l *look, a *agent) {
	var edits []sdk.Edit
	add := func(pointer string, v value) {
		s, ok := v.Text()
		f := foldStatus(s)
		_, word := vocabulary.Split(s)
		if ok && f != s && f == word && wordOf(v) != unknownWord && len(edits) < 50 { // a comment stays
			edits = append(edits, a.set(pointer, jsondoc.Quote(f))...)
		}
	}
	add("/status", a.root.Get("status"))
	title := "Write the status in lowercase"
	if text, ok := a.root.Get("status").Text(); ok && len(edits) == 0 && canonical(text) != "" {
		edits, title = a.set("/status", jsondoc.Quote(canonical(text))), "Write the workflow's word for the status"
	}
	for i, p := range a.phases {
		if p.body.Kind() == jsondoc.Object {
			add(a.phasePointer(i), p.body.Get("status"))
		}
	}
	if len(edits) > 0 {
		at := edits[0].Range.Pointer
		l.say(a, at, say.Wrong(at[1:], plain(a.at(at)), edits[0].New)).Offer(sdk.Safe, title, edits...)
	}
}

// canonical returns the workflow's word for a plain one that the specification does not list, or "" if there is none.
func canonical(text string) string {
	switch foldStatus(text) {
	case "done", "finished", "completed", "success":
		return "complete"
	}
	return ""
}

// A moment is a time field in a state file.
type moment struct {
	pointer  string
	at       instant.Moment
	raw      string
	why      string // why the time is unreadable
	template bool
}

func (a *agent) readTimes() {
	add := func(pointer string, v value) {
		if nothing(v) {
			return
		}
		t := moment{pointer: pointer, raw: plain(v), why: "is not a string"}
		if s, ok := v.Text(); ok {
			t.at, t.why = readTime(s)
			t.template = begins(s, "[ISO")
		}
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

// readTime reads a time in any form of ISO 8601, including the basic form and bare hours. Week dates are accepted but
// never compared.
func readTime(s string) (m instant.Moment, why string) {
	if m, why = instant.Loose(s); why == "" {
		return m, ""
	}
	text := strings.TrimSpace(s)
	run := func(from int) int { return len(text) - from - len(strings.TrimLeft(text[from:], "0123456789")) }
	if day, _, _ := strings.Cut(text, "T"); run(0) == 4 && strings.Trim(day[4:], "-W0123456789") == "" &&
		strings.Count(day, "W") == 1 {
		return m, "" // 2026-W04-3 and 2026W04
	}
	if run(0) == 8 {
		text = text[:4] + "-" + text[4:6] + "-" + text[6:]
	}
	if len(text) > 12 && (text[10] == 'T' || text[10] == ' ') {
		switch n := run(11); {
		case n == 6:
			text = text[:13] + ":" + text[13:15] + ":" + text[15:]
		case n == 4:
			text = text[:13] + ":" + text[13:]
		case n == 2 && !strings.HasPrefix(text[13:], ":"):
			text = text[:13] + ":00" + text[13:]
		}
	}
	if m, again := instant.Loose(text); again == "" {
		return m, ""
	}
	return m, why
}

func timestampMalformed(l *look, a *agent) {
	for _, t := range a.times {
		if t.why != "" && !t.template {
			l.say(a, t.pointer, t.pointer[1:]+" "+t.why+"; found "+t.raw+
				", expected a time such as 2026-01-18T10:45:00Z")
			return
		}
	}
}

func timestampInFuture(l *look, a *agent) {
	if a.newest.Precision != 0 && l.Before(a.newest.Earliest().Add(-instant.Day)) {
		l.say(a, a.newestAt, a.newestAt[1:]+" is "+a.newest.Text+", which is more than a day in the future")
	}
}

func timestampsOutOfOrder(l *look, a *agent) {
	var before moment
	early := false
	for _, t := range a.times {
		if !early && (!strings.HasSuffix(t.pointer, "_at") || strings.HasSuffix(t.pointer, "/completed_at")) &&
			t.at.Before(a.started, 0) {
			early = true
			l.say(a, t.pointer, t.pointer[1:]+" is "+t.at.Text+", before started_at ("+a.started.Text+")")
		}
		if !strings.HasSuffix(t.pointer, "/completed_at") || t.at.Precision == 0 {
			continue
		}
		if t.at.Before(before.at, 0) {
			l.say(a, t.pointer, t.pointer[1:]+" is "+t.at.Text+", before the time of the preceding phase ("+
				before.at.Text+")").Keyed("completed_at").
				See(sdk.AtPointer(a.path(), before.pointer), before.pointer[1:]+" is "+before.at.Text)
			return
		}
		before = t
	}
}

// orchestratorTimes finds times in the orchestrator's state that are out of order. Phases end in order (except a
// repeated A1), and the file is written after them.
func orchestratorTimes(l *look) {
	var before stamp
	var newest instant.Moment
	for _, s := range l.orch.stamps {
		if s.at.Precision == 0 || s.group < 0 {
			continue
		}
		if before.group < s.group && s.group < 5 && s.at.Before(before.at, 0) {
			l.orchestrator(s.place, s.name+" is "+s.at.Text+", before "+before.name+" ("+
				before.at.Text+")").Keyed(s.name)
		}
		if before = s; newest.Before(s.at, 0) || newest.Precision == 0 {
			newest = s.at
		}
	}
	for _, s := range l.orch.stamps {
		if s.group < 0 && s.at.Before(newest, 0) {
			l.orchestrator(s.place, s.name+" is "+s.at.Text+", before the time of the last phase ("+
				newest.Text+")").Keyed(s.name)
		}
	}
}

func orchestratorFuture(l *look) {
	for _, s := range l.orch.stamps {
		if s.at.Precision != 0 && l.Before(s.at.Earliest().Add(-instant.Day)) {
			l.orchestrator(s.place, s.name+" is "+s.at.Text+", which is more than a day in the future").Keyed(s.name)
		}
	}
}

func orchestratorMalformed(l *look) {
	for _, s := range l.orch.stamps {
		if s.why != "" && !isEllipsis(s.raw) && template(s.raw) == "" {
			l.orchestrator(s.place, s.name+" "+s.why+"; found "+say.Quote(s.raw)+
				", expected a time such as 2026-01-18T10:45:00Z").Keyed(s.name)
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

// mentions reports whether a text contains one of the words.
func mentions(text string, any ...string) bool { return words.Mentions(text, any...) }
