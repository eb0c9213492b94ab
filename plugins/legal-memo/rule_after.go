package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

func scriptRerunUncounted(l *look, a *agent, s *script) {
	old := scriptNamed(a.was.scripts(), s.name)
	if old == nil {
		return
	}
	before, _ := num(old.body.Get("iteration_count"))
	n, has := num(s.body.Get("iteration_count"))
	then, now := old.body.Get("timestamp"), s.body.Get("timestamp")
	if old.executed && s.executed && (!has || n == before) && !empty(then) && !empty(now) && !same(then, now) {
		l.say(a, s.at("iteration_count"), s.name+" was run again: "+l.was(a, "timestamp", now, then)+
			"; but iteration_count is still "+figure(before)).Keyed(s.name).
			Offer(sdk.Review, "Count the run", a.set(s.at("iteration_count"), figure(before+1))...)
	}
}

func cachedResultOutdated(l *look, a *agent, s *script) {
	old := scriptNamed(a.was.scripts(), s.name)
	// the digest covers the content
	if old == nil || !measured(l.memo) || !measured(l.base.memo) || l.memo.Digest == l.base.memo.Digest {
		return
	}
	// scripts that run again
	if old.executed && s.executed && s.body.Get("iteration_count").Exists() && same(old.body, s.body) {
		l.say(a, s.at("executed"), memoPath+" changed ("+say.Was("its word count", say.Int(l.memo.Summary.Words),
			say.Int(l.base.memo.Summary.Words), "")+"), but the result of "+s.name+" is older").Keyed(s.name).
			Offer(sdk.Review, "Set the status of "+s.name+" to not_run", a.reset(true, s)...)
	}
}

func blockerVanished(l *look, a *agent) {
	if !a.was.unresolved() || a.root.Get("blocking_issue").Kind() == jsondoc.Object {
		return
	}
	old := a.was.root.Get("blocking_issue")
	method := a.was.blocker("resolution_method")
	if method == "" {
		method = "not recorded"
	}
	l.say(a, "", "blocking_issue is missing; it was unresolved in the base, with the type "+
		say.Quote(a.was.blocker("type"))+
		say.Line(a.was.doc, old.Start())).
		Offer(sdk.Review, "Restore blocking_issue", a.set("/blocking_issue", old.Raw())...).
		Offer(sdk.Review, "Restore blocking_issue as RESOLVED",
			a.set("/blocking_issue", with(old, "resolution_status", `"RESOLVED"`, "resolution_method",
				jsondoc.Quote(method)))...)
}

// oldTexts calls f for every output in the base that has a subject and at least 200 words.
func (l *look) oldTexts(f func(subject string, was, now *sdk.Document)) {
	for _, was := range l.base.docs.All() {
		if subject := l.ownerOf(was.Path); subject != "" && measured(was) && wordCount(was) >= 200 {
			f(subject, was, l.docs.Get(was.Path))
		}
	}
}

// ownerOf returns the subject that an output belongs to, or "" for other documents.
func (m *model) ownerOf(path string) string {
	switch {
	case strings.HasPrefix(path, reportsDir):
		if l := sectionLetter(baseName(path)); l != "" {
			return "section-writer/" + l
		}
	case path == memoPath && (m.find("synthesis") != nil || m.find("assembly") == nil):
		return "synthesis"
	}
	for _, k := range kinds {
		if k.makes == path || k.soft == path {
			return k.name
		}
	}
	return ""
}

func outputRemoved(l *look) {
	l.oldTexts(func(subject string, was, now *sdk.Document) {
		moved := strings.HasPrefix(was.Path, reportsDir) && len(l.reportsOf(sectionLetter(baseName(was.Path)))) > 0
		if now == nil && !moved {
			l.about(subject, was.Path, was.Path+" does not exist; it had "+say.Count(was.Summary.Words, "word")+
				" in the base").Offer(sdk.Review, "Restore "+was.Path, sdk.Restore(was.Path))
		}
	})
}

// shrank finds outputs with at least the share least, but less than the share most, of their words in the base.
func (l *look) shrank(least, most float64, offer bool) {
	l.oldTexts(func(subject string, was, now *sdk.Document) {
		if !measured(now) || wordCount(now) < least*wordCount(was) || wordCount(now) >= most*wordCount(was) {
			return
		}
		f := l.about(subject, was.Path, say.Was("the word count of "+was.Path, say.Int(now.Summary.Words),
			say.Int(was.Summary.Words), ""))
		if offer {
			f.Offer(sdk.Review, "Restore "+was.Path, sdk.Restore(was.Path))
		}
	})
}

func outputOverwritten(l *look) { l.shrank(0, l.opt.lost, true) }

func outputShrank(l *look) { l.shrank(l.opt.lost, l.opt.edited, false) }

// gatesBeside finds gate figures that are wrong compared with the base. has reports whether the figure still exists.
func (l *look) gatesBeside(wrong func(n, was float64, has bool) bool, fields ...string) {
	for _, old := range l.base.orch.gates {
		now := gateAt{name: old.name}
		for _, g := range l.orch.gates {
			if g.name == old.name {
				now = g
			}
		}
		for _, key := range fields {
			is, was := now.body.Get(key), old.body.Get(key)
			n, has := num(is)
			if o, ok := num(was); l.orch.why != "" || !l.orch.doc.Readable() || !ok || !wrong(n, o, has) {
				continue
			}
			what := key + " of " + old.name
			f := l.orchestrator(now.at, say.Was(what, plain(is), plain(was), "")).Keyed(what)
			if now.at.Path != "" && !now.prose {
				f.Offer(sdk.Review, "Restore the gate", sdk.Replace(now.at, sdk.Literal(old.body.Raw())))
			}
		}
	}
}

func orchestratorCounters(l *look) {
	l.gatesBeside(func(n, was float64, has bool) bool { return has && n < was || !has && was > 0 }, "attempts",
		"cycles")
}

func orchestratorLimits(l *look) {
	l.gatesBeside(func(n, was float64, has bool) bool { return has && n > was }, "max", "max_attempts", "max_cycles")
}

// orchestratorReopened finds reopened phases that are complete in the base. Only A1 may be reopened.
func orchestratorReopened(l *look) {
	if l.orch.why != "" || !l.orch.doc.Readable() {
		return // an unread phase is not missing
	}
	for _, old := range l.base.orch.ids {
		now := l.orch.find(old.id)
		if old.word != complete || old.group == 4 || now != nil && now.word == complete {
			continue
		}
		if now != nil && now.word.open() && l.unfinishedOf(old.group) != nil {
			continue // it is complete; if that is wrong, the agent has the finding
		}
		line := say.Line(l.base.orch.doc, old.at.Start)
		if now == nil {
			l.restoreOrchestrator(l.orchestrator(sdk.Range{}, old.id+" is missing; it is complete in the base"+
				line).Keyed(old.id).As(old.severity()), (*orchestrator).readable)
			continue
		}
		l.orchestrator(now.at, say.Was("the status of "+old.id, say.Quote(now.text), say.Quote(old.text),
			line)).Keyed(old.id).As(now.severity()).
			Offer(sdk.Review, "Restore the status", l.orch.setStatus(now, old.text)...)
	}
}

// bounds holds the limits that only a person may raise.
var bounds = [...]string{"/qa_cycle/max_cycles", "/gate_attempts/*/max", "/gate_attempts/*/max_attempts",
	"/gate_attempts/*/max_cycles"}

func limitRaised(l *look, a *agent) {
	for _, pattern := range bounds {
		eachAt(a.was.root, pattern, func(pointer string, was value) {
			o, ok1 := num(was)
			if n, ok2 := num(a.at(pointer)); ok1 && ok2 && n > o {
				l.say(a, pointer, l.was(a, pointer[1:], a.at(pointer), was)).Keyed(pointer).Offer(sdk.Review,
					"Restore the limit", a.set(pointer, was.Raw())...)
			}
		})
	}
}
