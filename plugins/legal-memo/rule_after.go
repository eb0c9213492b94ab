package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

func cachedResultOutdated(l *look, a *agent, s *script) {
	old := l.earlier(a, s)
	// the digest covers the content
	if old == nil || !measured(l.memo) || !measured(l.base.memo) || l.memo.Digest == l.base.memo.Digest {
		return
	}
	// only scripts with an iteration_count run again
	if old.executed && s.executed && s.body.Get("iteration_count").Exists() && same(old.body, s.body) {
		l.say(a, s.at("executed"), memoPath+" changed ("+say.Was("its word count", say.Int(l.memo.Summary.Words),
			say.Int(l.base.memo.Summary.Words), "")+"), but the result of "+s.name+" is older").Keyed(s.name).
			Offer(sdk.Review, "Set the status of "+s.name+" to not_run", a.reset(true, s)...)
	}
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
			l.offerOld(f, was, now)
		}
	})
}

// onlyHere returns the sections that an overwritten memorandum has and the base's lacks.
func (m *model) onlyHere() []string {
	if m.base == nil || !measured(m.memo) || !measured(m.base.memo) ||
		wordCount(m.memo) >= m.opt.lost*wordCount(m.base.memo) {
		return nil
	}
	return m.base.unstarted(m.started)
}

// orchestratorCounters finds a gate whose attempts or cycles are lower than in the base, or missing.
func orchestratorCounters(l *look) {
	for _, old := range l.base.orch.gates {
		now := first(l.orch.gates, func(g gateAt) bool { return g.name == old.name })
		for _, key := range [...]string{"attempts", "cycles"} {
			is, was := now.body.Get(key), old.body.Get(key)
			n, has := num(is)
			o, ok := num(was)
			if l.orch.why != "" || !l.orch.doc.Readable() || !ok || has && n >= o || !has && o <= 0 {
				continue
			}
			what := key + " of " + old.name
			f := l.orchestrator(now.at, say.Was(what, plain(is), plain(was), "")).Keyed(what)
			if now.at.Path != "" {
				f.Offer(sdk.Review, "Restore the gate", sdk.Replace(now.at, sdk.Literal(old.body.Raw())))
			}
		}
	}
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
			continue // an agent of the phase is unfinished; if that is wrong, the agent has the finding
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
