package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkBlocker looks at what blocks an agent.
func (m *model) checkBlocker(a *agent) {
	b := a.root.Get("blocking_issue")
	text, _ := b.Get("resolution_status").Text()
	switch {
	case a.unresolved() && a.claims:
		d := m.say(a, "finished-with-blocker", 0, "/blocking_issue/resolution_status", "", a.claimText()+", but the blocker is "+shown(text))
		if a.proof == proven {
			offer(d, sdk.Review, "Set the blocker RESOLVED", a.set("/blocking_issue/resolution_status", `"RESOLVED"`))
		}
		open := a.kind.output
		if open < 0 {
			open = len(a.phases) - 1
		}
		if a.phases[open].in {
			offer(d, sdk.Review, "Reopen it at "+a.phases[open].name, a.reopen(open)...)
		}
		advise(d, "Look at the blocker", "if it is gone set resolution_status to RESOLVED, else reopen the state")
	case a.unresolved():
		method := a.blocker("resolution_method")
		d := m.say(a, "unresolved-blocker", 0, "/blocking_issue/resolution_status", "", "blocked by "+shown(a.blocker("type"))+": "+shown(a.blocker("description"))+"; method "+shown(method))
		if method == "" {
			method = "resolve the blocker, then set resolution_status to RESOLVED"
		}
		advise(d, "Resolve the blocker first", method)
	}
	if up := upperAll(text); up != "" && !strings.HasPrefix(up, "UNRESOLVED") && !strings.HasPrefix(up, "RESOLVED") && !strings.Contains(up, " | ") {
		advise(m.say(a, "unknown-status", 0, "/blocking_issue/resolution_status", "blocking_issue", say.Wrong("resolution_status", shown(text), "UNRESOLVED or RESOLVED")), "Set a known status", "look whether the blocker is gone, and write RESOLVED or UNRESOLVED")
	}
	m.checkBlocked(a, b, text)
}

// checkBlocked looks at a status that says blocked.
func (m *model) checkBlocked(a *agent, b value, text string) {
	if (a.status == blocked || a.unresolved()) && m.laterFinished(a) && !a.claims {
		advise(m.say(a, "blocked-but-passed", 0, "/status", "", a.subject+" is blocked, but "+m.laterName(a)+" is finished"), "Decide what holds", "look whether the blocker is gone, or the later agent went on without")
	}
	if a.status != blocked {
		return
	}
	present := false // an object of nulls is no blocker
	for _, e := range b.Members() {
		present = present || e.Value.Kind() != jsondoc.Null
	}
	if strings.HasPrefix(upperAll(text), "RESOLVED") || present && b.Get("resolution_status").Kind() == jsondoc.Null {
		if text == "" {
			text = "null"
		}
		d := m.say(a, "blocked-after-resolution", 0, "/status", "", "status is "+shown(a.statusText)+", but resolution_status of the blocker is "+shown(text))
		offer(d, sdk.Review, "Set status to in_progress", a.set("/status", `"in_progress"`))
	}
	named := false
	for _, e := range a.root.Members() {
		named = named || strings.HasPrefix(lower(e.Key), "block") && e.Value.Kind() != jsondoc.Null && (present || e.Key != "blocking_issue" || e.Value.Kind() != jsondoc.Object)
	}
	if !named {
		d := m.say(a, "blocked-without-reason", 0, "/status", "", "status is "+shown(a.statusText)+", and nothing says why")
		offer(d, sdk.Review, "Add a blocking_issue to fill in", a.set("/blocking_issue", `{"type": "MISSING_INPUT", "description": "unknown", "resolution_status": "UNRESOLVED", "resolution_method": "find out what blocks this agent"}`))
	}
}

//go:noinline
func (a *agent) blocker(key string) string {
	s, _ := a.root.Get("blocking_issue").Get(key).Text()
	return s
}

// checkGates looks at the attempts at every gate.
func (m *model) checkGates(a *agent) {
	for _, g := range a.root.Get("gate_attempts").Members() {
		if text, beyond := gateText(g.Key, g.Value); text != "" {
			rule, step := gateRule(beyond)
			advise(m.say(a, rule, 0, jsondoc.Pointer("gate_attempts", g.Key), g.Key, text), "Escalate", step)
		}
	}
}

func gateRule(beyond bool) (rule, step string) {
	if beyond {
		return "attempts-beyond-max", "ask a person how to go on: the limit is passed"
	}
	return "attempts-exhausted", "ask a person how to go on: no attempt is left"
}

// gateText says what is wrong with the attempts at a gate, "" if nothing is.
func gateText(name string, g value) (text string, beyond bool) {
	n, ok := num(g.Get("attempts"))
	limit, has := num(g.Get("max"))
	if !has {
		limit, has = num(g.Get("max_attempts"))
	}
	what := "attempts"
	if c, is := num(g.Get("cycles")); is {
		if most, some := num(g.Get("max_cycles")); some && (!ok || !has || c > most) {
			n, limit, ok, has, what = c, most, true, true, "cycles"
		}
	}
	if !ok || !has {
		return "", false
	}
	switch reason := g.Get("last_failure_reason"); {
	case n > limit:
		return name + ": " + what + " are " + figure(n) + ", but at most " + figure(limit) + " are allowed", true
	case n == limit && reason.Exists() && reason.Kind() != jsondoc.Null:
		s, _ := reason.Text()
		return name + ": all " + figure(limit) + " " + what + " are spent, the last failed: " + shown(s), false
	}
	return "", false
}

// gateCount says how many attempts at a gate were made, "" for none.
func gateCount(name string, g value) string {
	for _, of := range [...][3]string{{"attempts", "max_attempts", "max"}, {"cycles", "max_cycles", "max"}} {
		n, ok := num(g.Get(of[0]))
		limit, has := num(g.Get(of[1]))
		if !has {
			limit, has = num(g.Get(of[2]))
		}
		if ok && has && n > 0 {
			return "gate " + name + ": " + figure(n) + " of " + figure(limit) + " " + of[0] + " made"
		}
	}
	return ""
}

// checkQA looks at cycles, dimensions, issues and scripts.
func (m *model) checkQA(a *agent) {
	m.checkCycles(a)
	m.checkScores(a)
	m.checkIssues(a)
	m.checkDetails(a)
	m.checkScripts(a)
}

func (m *model) checkScores(a *agent) {
	for i := range a.items {
		it := &a.items[i]
		if it.body.Kind() != jsondoc.Object {
			continue
		}
		score := it.body.Get("score")
		p := jsondoc.Pointer(a.itemsKey, it.key, "score")
		n, is := num(score)
		if word := wordOf(it.body.Get("status")); word == complete && score.Kind() == jsondoc.Null {
			advise(m.say(a, "scored-without-score", 0, p, it.key, it.key+" is complete, but its score is null"), "Score it", "write the score, or set the dimension pending")
		} else if word == pending && is {
			advise(m.say(a, "score-on-pending-dimension", 0, p, it.key, it.key+" is pending, but its score is "+figure(n)), "Decide whether it is scored", "set the dimension complete, or its score to null")
		}
		m.checkBound(a, p, it.key, it.body)
	}
	for _, c := range a.root.Get("scoring_breakdown").Get("dimension_contributions").Members() {
		m.checkBound(a, jsondoc.Pointer("scoring_breakdown", "dimension_contributions", c.Key), c.Key, c.Value)
	}
}

func (m *model) checkBound(a *agent, pointer, key string, v value) {
	most, ok := num(v.Get("max"))
	if !ok {
		most = 100
	}
	for _, field := range [...]string{"score", "contribution"} {
		if n, is := num(v.Get(field)); is && n > most {
			advise(m.say(a, "score-beyond-max", 0, pointer, key, key+": "+field+" is "+figure(n)+", but at most "+figure(most)+" is possible"), "Score again", "look at the deductions and set the score")
			return
		}
	}
}

var severities = [...]string{"critical", "high", "medium", "low"}

func (m *model) checkIssues(a *agent) {
	found := a.root.Get("issues_found")
	sum, all := 0.0, true
	var off []string
	for _, s := range severities {
		n, ok := num(a.metrics.Get(s + "_issues"))
		all = all && ok
		sum += n
		count := 0
		for _, e := range found.Elements() {
			if t, _ := e.Get("severity").Text(); lower(t) == s {
				count++
			}
		}
		if ok && found.Kind() == jsondoc.Array && !isExcerpt(found) && float64(count) != n {
			off = append(off, s+"_issues is "+figure(n)+" and the list has "+itoa(count))
		}
	}
	if total, ok := num(a.metrics.Get("total_issues")); ok && all && total != sum {
		m.parts(a, "/metrics/total_issues", "total_issues", "the issues by severity are "+figure(sum), "total_issues is "+figure(total))
	}
	short := len(off) > 0 // issues_found takes every issue when it is found
	if history := a.root.Get("qa_cycle").Get("cycle_history"); a.finished && history.Len() > 0 && found.Kind() == jsondoc.Array && !isExcerpt(found) {
		if n, ok := num(history.Element(history.Len() - 1).Get("issues_remaining")); ok && n != float64(found.Len()) {
			off = append(off, "issues_remaining is "+figure(n)+" and the list has "+itoa(found.Len()))
		}
	}
	if len(off) > 0 {
		m.say(a, "issue-count-off-list", graded(short, sdk.Warning, sdk.Info), "/issues_found", "", list(off))
	}
}

// checkDetails compares the parts of two dimensions with their whole.
func (m *model) checkDetails(a *agent) {
	d := a.root.Get("dimension_5_citation_detail")
	total, ok := num(d.Get("total_citations"))
	for _, key := range [...]string{"pincites", "verification_tags"} {
		there, ok1 := num(d.Get(key).Get("present"))
		gone, ok2 := num(d.Get(key).Get("missing"))
		if ok && ok1 && ok2 && there+gone != total {
			m.parts(a, "/dimension_5_citation_detail/"+key, key, "present + missing "+key+" are "+figure(there+gone), "total_citations is "+figure(total))
		}
	}
	p := a.root.Get("dimension_9_provision_detail")
	total, ok = num(p.Get("total_provisions"))
	sum, any := 0.0, false
	for _, e := range p.Get("by_severity").Members() {
		f, is := num(e.Value)
		if !is {
			return
		}
		sum, any = sum+f, true
	}
	if ok && any && sum != total {
		m.parts(a, "/dimension_9_provision_detail/total_provisions", "total_provisions", "the provisions by severity are "+figure(sum), "total_provisions is "+figure(total))
	}
}
