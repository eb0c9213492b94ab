package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkBase compares the session with an earlier revision of it.
func (m *model) checkBase() {
	for _, was := range m.base.agents {
		if was.doc == nil || m.base.chosen(was) != was {
			continue
		}
		now := m.find(was.subject)
		if now == nil || now.doc == nil {
			m.checkRemoved(was)
			continue
		}
		now = m.chosen(now)
		if was.read && now.read {
			m.checkStep(now, was)
		}
	}
	m.checkTexts()
	switch {
	case m.base.orch == nil:
	case m.orch != nil:
		m.checkOrchestratorStep()
	case m.complete:
		m.sayRemoved("orchestrator", orchestratorPath, m.base.orch.current)
	}
}

func (m *model) checkRemoved(was *agent) {
	if m.complete {
		m.sayRemoved(was.subject, was.path(), was.claimed())
	}
}

func (m *model) sayRemoved(subject, path, claim string) {
	d := m.tell(subject, "state-file-removed", 0, path, "", path+" was "+shown(claim)+" and is gone")
	offer(d, sdk.Safe, "Create it with the text of the base revision", sdk.Restore(path))
	advise(d, "Look for the file", "restore it from the repository")
}

// offerRestore offers the text that the file has in base.
func (m *model) offerRestore(d *sdk.Diagnostic, a *agent) {
	if m.base == nil || a.doc == nil {
		return
	}
	if was := m.base.agentAt(a.doc.Path); was != nil && !a.unchanged(was) {
		offer(d, sdk.Review, "Restore "+a.doc.Path+" from the base revision", sdk.Restore(a.doc.Path))
	}
}

// agentAt is the agent whose state file has a path, nil for none.
//
//go:noinline
func (m *model) agentAt(path string) *agent {
	for _, a := range m.agents {
		if a.doc != nil && a.doc.Path == path {
			return a
		}
	}
	return nil
}

// unchanged reports whether a state file says what it said in the base.
func (a *agent) unchanged(was *agent) bool { return a.read && was.read && same(a.root, was.root) }

// repaired reports whether what went back in a subject repairs an error that the base has, and that is gone now.
func (m *model) repaired(subject string) bool {
	if !m.base.checked {
		m.base.checked = true
		m.base.check()
	}
	for _, was := range m.base.found {
		if was.Subject != subject || severityOf(was) != sdk.Error {
			continue
		}
		still := func(d *sdk.Diagnostic) bool { return d.Rule == was.Rule && d.Subject == subject && d.Key == was.Key }
		if !slices.ContainsFunc(m.found, still) {
			return true
		}
	}
	return false
}

// was says what a value is now, what it was, and on which line of the base.
func (m *model) was(a *agent, what string, now, before value) string {
	doc := m.base.docs.Get(a.path())
	return say.Was(what, plain(now), plain(before), say.Line(doc, before.Start()))
}

// back tells of something that went back, and offers what it was.
//
//go:noinline
func (m *model) back(a *agent, rule, pointer, key, message string, edits ...sdk.Edit) {
	if m.repaired(a.subject) {
		return
	}
	d := m.say(a, rule, 0, pointer, key, message)
	offer(d, sdk.Review, "Restore what the base revision has", edits...)
	m.offerRestore(d, a)
	advise(d, "Compare with the earlier revision", "find out which is right, and restore what was lost")
}

// restored is the edit that sets a field to the value v of the base.
//
//go:noinline
func (a *agent) restored(pointer string, v value) sdk.Edit { return a.set(pointer, v.Raw()) }

// checkStep compares one file with what it was.
func (m *model) checkStep(a, was *agent) {
	restarted := !was.started.IsZero() && a.started.After(was.started)
	if restarted {
		d := m.say(a, "run-restarted", 0, "/started_at", "", "started_at is "+a.started.String()+", it was "+was.started.String())
		m.offerRestore(d, a)
	}
	if !restarted && !(a.kind == kinds[qa] && a.cycle > was.cycle) {
		m.checkStatusStep(a, was)
		m.checkItemStep(a, was)
		m.checkGuardStep(a, was)
		m.checkCounterStep(a, was)
		m.checkNumberStep(a, was)
		m.checkFindingStep(a, was)
	}
	if a.kind == kinds[qa] {
		m.checkCycleStep(a, was)
		m.checkScriptStep(a, was)
	}
	m.checkGateStep(a, was)
	if was.unresolved() && a.root.Get("blocking_issue").Kind() != jsondoc.Object {
		d := m.say(a, "blocker-vanished", 0, "", "", "the blocker "+shown(was.blocker("type"))+" was unresolved and is gone")
		b := was.root.Get("blocking_issue")
		if doc, err := jsondoc.Parse(b.Raw()); err == nil {
			text := b.Raw()
			if c, err := doc.Set("/resolution_status", `"RESOLVED"`); err == nil {
				text = c.Apply(text)
			}
			if method := was.blocker("resolution_method"); method == "" {
				if c, err := jsondoc.Set(text, "/resolution_method", `"not recorded"`); err == nil {
					text = c.Apply(text)
				}
			}
			offer(d, sdk.Review, "Put it back as RESOLVED", a.set("/blocking_issue", text))
		}
		advise(d, "Look at the blocker", "put it back with how it was resolved, or as unresolved if it still stands in the way")
	}
	m.checkLists(a, was)
	if !a.newest.IsZero() && a.newest.Before(was.newest) {
		m.say(a, "time-went-back", 0, a.newestAt, "", "the newest time is "+a.newest.String()+"; it was "+was.newest.String()+" in the base")
	}
	m.checkCheckpoint(a, was)
}

// growing are the lists that only grow in a run, by their field.
var growing = [...]string{"errors", "conflicts_detected", "issues_found", "decisions_made"}

// checkLists looks for entries that a list of the base has and the file has not.
func (m *model) checkLists(a, was *agent) {
	for _, field := range growing {
		now, old := a.root.Get(field), was.root.Get(field)
		if old.Len() == 0 || old.Kind() != jsondoc.Array || field != "errors" && (a.kind == kinds[qa] && a.cycle > was.cycle || a.started != was.started) {
			continue
		}
		for i, e := range old.Elements() {
			if slices.ContainsFunc(now.Elements(), func(n value) bool { return same(n, e) }) || i < now.Len() && now.Len() >= old.Len() {
				continue
			}
			d := m.say(a, "list-shrunk", 0, "/"+field, field, field+" has "+say.Count(now.Len(), "entry")+"; it had "+itoa(old.Len())+" in the base"+say.Line(was.doc, old.Start())+", and "+shown(e.Raw())+" is gone")
			offer(d, sdk.Review, "Restore "+field, a.restored("/"+field, old))
			advise(d, "Compare with the earlier revision", "put the entry back, or note why it is gone")
			break
		}
	}
}

func (m *model) checkStatusStep(a, was *agent) {
	fell := was.status == complete && (a.status == inProgress || a.status == pending) || (was.status == inProgress || was.status == blocked) && a.status == pending
	if fell {
		m.back(a, "status-went-back", "/status", "", m.was(a, "status", a.root.Get("status"), was.root.Get("status")), a.restored("/status", was.root.Get("status")))
	}
	var names []string
	var edits []sdk.Edit
	at := ""
	for i := range was.phases {
		if was.phases[i].word == complete && a.phases[i].word.open() {
			names = append(names, was.phases[i].name)
			edits = append(edits, a.setPhase(i, true))
			if at == "" {
				at = a.phasePointer(i)
			}
		}
	}
	if len(names) > 0 {
		m.back(a, "phase-reopened", at, "", "open now, and done in the base: "+list(names), edits...)
	}
}

func (m *model) checkItemStep(a, was *agent) {
	var names []string
	var edits []sdk.Edit
	at := ""
	for i := range was.items {
		old := &was.items[i]
		if old.word != complete {
			continue
		}
		now := a.itemLike(old.key)
		if now != nil && now.word == complete {
			continue
		}
		names = append(names, old.key)
		if was.itemsKey == "" {
			continue
		}
		p := jsondoc.Pointer(was.itemsKey, old.key)
		if now != nil {
			p = jsondoc.Pointer(a.itemsKey, now.key)
		}
		edits = append(edits, a.set(p, old.body.Raw()))
		if at == "" {
			at = p
		}
	}
	if len(names) > 0 {
		if _, guards := lostGuards(a, was); len(edits) > 0 {
			edits = append(edits, guards...)
		}
		m.back(a, "item-reopened", at, "", "complete in the base, and not now: "+list(names), edits...)
	}
}

// itemLike finds an item by key, or by its section letter.
func (a *agent) itemLike(key string) *item {
	n, l := norm(key), sectionLetter(key)
	var second *item
	for i := range a.items {
		if a.items[i].key == key {
			return &a.items[i]
		}
		if norm(a.items[i].key) == n || l != "" && sectionLetter(a.items[i].key) == l {
			second = &a.items[i]
		}
	}
	return second
}

// lostGuards are the guards against repeating work that the base has and that are gone, and the edit that puts them back.
func lostGuards(a, was *agent) (lost []string, back []sdk.Edit) {
	if a.claims && a.covered || len(a.guards) > 500 || len(was.guards) > 500 {
		return nil, nil
	}
	for _, old := range was.plainGuards() {
		found := false
		for _, now := range a.plainGuards() {
			found = found || now == old || matches(now, old) || matches(old, now)
		}
		if !found {
			lost = append(lost, old)
		}
	}
	if len(lost) > 0 {
		back = append(back, a.set("/recovery_instructions/do_not_repeat", texts(append(a.plainGuards(), lost...))))
	}
	return lost, back
}

func (m *model) checkGuardStep(a, was *agent) {
	lost, back := lostGuards(a, was)
	if len(lost) == 0 || m.repaired(a.subject) {
		return
	}
	d := m.say(a, "repeat-guard-shrunk", 0, "/recovery_instructions/do_not_repeat", "", "do_not_repeat lacks what it has in the base: "+list(lost))
	offer(d, sdk.Safe, "Put them back", back...)
	advise(d, "Compare with the earlier revision", "put back what is done")
}

// rising are the counters of metrics that never go down in a run.
const rising = "facts_ critical_issues_checked exposures_ sections_ dimensions_scored footnotes_c high_findings_count tasks_"

func (m *model) checkCounterStep(a, was *agent) {
	var names []string
	var edits []sdk.Edit
	at := ""
	fell := func(pointer, name string, old, now value, share float64) {
		o, ok1 := num(old)
		n, ok2 := num(now)
		if ok1 && ok2 && n < share*o {
			names = append(names, m.was(a, name, now, old))
			edits = append(edits, a.set(pointer, old.Raw()))
			if at == "" {
				at = pointer
			}
		}
	}
	for _, e := range was.metrics.Members() {
		for _, r := range strings.Split(rising, " ") {
			if e.Key == r || strings.HasSuffix(r, "_") && strings.HasPrefix(e.Key, r) || r == "footnotes_c" && strings.HasPrefix(e.Key, r) {
				fell(jsondoc.Pointer("metrics", e.Key), e.Key, e.Value, a.metrics.Get(e.Key), 1)
				break
			}
		}
	}
	fell("/metrics/word_count", "word_count", was.metrics.Get("word_count"), a.metrics.Get("word_count"), m.opt.short)
	if len(names) > 0 {
		m.back(a, "counter-went-back", at, "", list(names), edits...)
	}
}

// checkFindingStep looks for what a complete item of the base recorded, and that is empty now.
func (m *model) checkFindingStep(a, was *agent) {
	for i := range was.items {
		old := &was.items[i]
		now := a.itemLike(old.key)
		if old.word != complete || now == nil || now.word != complete {
			continue
		}
		for _, e := range old.body.Members() {
			n := now.body.Get(e.Key)
			if empty(e.Value) || !empty(n) {
				continue
			}
			p := jsondoc.Pointer(a.itemsKey, now.key, e.Key)
			d := m.say(a, "item-emptied", 0, p, now.key+" "+e.Key, m.was(a, now.key+": "+e.Key, n, e.Value))
			offer(d, sdk.Review, "Restore it", a.set(p, e.Value.Raw()))
			advise(d, "Compare with the earlier revision", "put it back")
		}
	}
}

// empty reports whether a value says nothing.
//
//go:noinline
func empty(v value) bool {
	s, text := v.Text()
	return !v.Exists() || v.Kind() == jsondoc.Null || text && strings.TrimSpace(s) == ""
}

// checkNumberStep looks for footnotes that were numbered again, and dimensions
// that were scored again.
func (m *model) checkNumberStep(a, was *agent) {
	fields, rule := []string{"footnotes_extracted", "last_global_number"}, "footnote-numbers-rewritten"
	if a.kind == kinds[qa] {
		if keep, _ := a.rescue.Get("do_not_rescore").Bool(); !keep {
			return
		}
		fields, rule = []string{"score"}, "dimension-rescored"
	} else if a.kind != kinds[citation] {
		return
	}
	var changed []string
	var edits []sdk.Edit
	for i := range was.items {
		old := &was.items[i]
		now := a.itemLike(old.key)
		if now == nil || old.word != complete || now.word != complete {
			continue
		}
		for _, f := range fields {
			o, n := old.body.Get(f), now.body.Get(f)
			if !o.Exists() || same(o, n) {
				continue
			}
			changed = append(changed, m.was(a, now.key+" "+f, n, o))
			edits = append(edits, a.set(jsondoc.Pointer(a.itemsKey, now.key, f), o.Raw()))
		}
	}
	if len(changed) > 0 {
		m.back(a, rule, edits[0].Range.Pointer, "", list(changed)+", although it was complete", edits...)
	}
}

// checkCheckpoint looks for an output that grew while its state stood still.
func (m *model) checkCheckpoint(a, was *agent) {
	if a.claims || !a.unchanged(was) || !a.kind.hasText() {
		return
	}
	least := 1000.0
	if a.kind.stage == 7 {
		least = 10000
	}
	there, _ := m.outputs(a)
	for _, d := range there {
		old := m.base.docs.Get(d.Path)
		if !measured(d) || old != nil && !measured(old) || wordCount(d)-wordCount(old) < least {
			continue
		}
		f := m.say(a, "output-ahead-of-state", 0, "", d.Path, d.Path+" has "+itoa(d.Summary.Words)+" words, it had "+figure(wordCount(old))+", but the state is unchanged")
		advise(f, "Write the checkpoint", "record what the output holds")
	}
}

// checkTexts looks for outputs that shrank or are gone.
func (m *model) checkTexts() {
	for _, was := range m.base.docs.All() {
		subject := m.ownerOf(was.Path)
		if subject == "" || !measured(was) || wordCount(was) < 200 {
			continue
		}
		now := m.docs.Get(was.Path)
		before := itoa(was.Summary.Words)
		switch {
		case now == nil:
			l := sectionLetter(baseName(was.Path))
			if strings.HasPrefix(was.Path, reportsDir) && len(m.reportsOf(l)) > 0 || !m.complete {
				continue
			}
			d := m.tell(subject, "output-removed", 0, was.Path, "", was.Path+" had "+before+" words and is gone")
			offer(d, sdk.Review, "Restore it", sdk.Restore(was.Path))
			advise(d, "Look for the text", "restore it from the repository")
		case !measured(now):
		case wordCount(now) < m.opt.lost*wordCount(was):
			d := m.tell(subject, "output-overwritten", 0, was.Path, "", was.Path+" has "+say.Count(now.Summary.Words, "word")+"; it had "+before+" in the base")
			offer(d, sdk.Review, "Restore the text", sdk.Restore(was.Path))
			advise(d, "Compare the texts", "put back what was lost; append, never overwrite")
		case wordCount(now) < m.opt.edited*wordCount(was):
			advise(m.tell(subject, "output-shrank", 0, was.Path, "", was.Path+" has "+say.Count(now.Summary.Words, "word")+"; it had "+before+" in the base"), "Compare the texts", "look whether what is gone was meant to go")
		}
	}
}

// ownerOf is the subject that an output belongs to, "" for other documents.
func (m *model) ownerOf(path string) string {
	switch {
	case strings.HasPrefix(path, reportsDir):
		if l := sectionLetter(baseName(path)); l != "" {
			return "section-writer/" + l
		}
	case path == summaryPath:
		return "executive-summary"
	case path == footnotesPath:
		return "citation-validator"
	case path == memoPath:
		if m.find("synthesis") == nil && m.find("assembly") != nil {
			return "assembly"
		}
		return "synthesis"
	}
	return ""
}
