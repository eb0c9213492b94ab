package legalmemo

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// agentFields are the fields that name a state's agent. sessionFields are those that name its session.
var (
	agentFields   = [...]string{"agent", "agent_type"}
	sessionFields = [...]string{"session_directory", "session_id", "session"}
)

func agentOfAnotherFile(l *look, a *agent) {
	for _, key := range agentFields {
		s, _ := a.root.Get(key).Text()
		for _, k := range kinds {
			if s != "" && k.agent == s && k != a.kind {
				f := l.say(a, "/"+key, key+" is "+say.Quote(s)+", but the file is named for "+a.kind.name)
				if is := a.kind.agent; is != "" && a.hasPhases() &&
					len(a.unknown) == 0 { // everything else belongs to this agent
					f.Offer(sdk.Review, "Set "+key+" to "+is, a.set("/"+key, jsondoc.Quote(is))...)
				}
				l.offerBase(f, a)
			}
		}
	}
}

func duplicateStateFile(l *look) {
	for i, a := range l.agents {
		for _, b := range l.agents[:i] {
			if a.subject != b.subject || a.doc == nil || b.doc == nil || a.kind != kinds[writer] &&
				baseName(a.path()) != baseName(b.path()) {
				continue // the files of a cycle and of a pass may share a subject
			}
			keep, drop := a, b
			if l.chosen(a) == b {
				keep, drop = b, a
			}
			f := l.about(a.subject, drop.path(), a.subject+" has two state files: this one, "+
				say.Quote(drop.claimed())+" with "+say.Count(drop.countItems(complete), "done item")+", and "+
				keep.path()+", "+say.Quote(keep.claimed())+" with "+
				say.Int(keep.countItems(complete))).See(sdk.At(keep.path()), "the other state file")
			edits := []sdk.Edit{sdk.Remove(drop.path())}
			if to, _ := keep.place(); to == drop.path() {
				edits = append(edits, sdk.Move(keep.path(), to))
			}
			if keep.read && drop.read && same(keep.root, drop.root) { // neither has what the other lacks
				f.Offer(sdk.Review, "Remove the copy", edits...)
			}
		}
	}
}

// place returns the expected path of the state file, and whether the file's name has a dot before the section, where a
// hyphen is expected.
func (a *agent) place() (to string, dotted bool) {
	name := baseName(a.path())
	dir := cmp.Or(strings.TrimSuffix(a.path()[:len(a.path())-len(name)], "/"), ".")
	if dotted = a.kind == kinds[writer] && strings.HasPrefix(name, a.kind.file+"."); dotted {
		name = baseName(a.home())
	}
	if !holds(strings.Split(a.kind.dirs, " "), dir) {
		dir, _, _ = strings.Cut(a.kind.dirs, " ")
	}
	return strings.TrimPrefix(dir+"/"+name, "./"), dotted
}

func misplacedStateFile(l *look, a *agent) {
	path := a.path()
	to, dotted := a.place()
	if to == path {
		return
	}
	away := l.base != nil && l.base.agentAt(to) != nil && l.agentAt(to) == nil
	f := l.about(a.subject, path, "the state file is "+path+"; expected "+to).As(graded(away || !a.claims,
		sdk.Error, sdk.Warning))
	if l.free(to) && (!dotted || len(a.part) == 1) {
		f.Offer(sdk.Safe, "Move the file to "+to, sdk.Move(path, to))
	}
}

// section returns the section that the state names, without a leading IV.
func (a *agent) section() (id, letter string, ok bool) {
	id, ok = a.root.Get("section_id").Text()
	l := strings.TrimSpace(id)
	if len(l) > 3 && begins(l, "iv") && strings.IndexByte("-._", l[2]) >= 0 {
		l = l[3:]
	}
	return id, upper(l), ok
}

func sectionIDMismatch(l *look, a *agent) {
	if out, _ := a.root.Get("output_file").Text(); capital(a.letter) && sectionLetter(baseName(out)) != "" &&
		sectionLetter(baseName(out)) != a.letter {
		l.say(a, "/output_file", "output_file is "+say.Quote(out)+", but the file is named for section "+
			a.letter).Keyed("output_file")
	}
	id, letter, ok := a.section()
	if !ok || letter == a.letter {
		return
	}
	message := "section_id is " + say.Quote(id) + ", but the file is named for section " + a.letter
	if other := l.copyOf(a); other != nil {
		l.say(a, "/section_id", message+"; it is a copy of "+other.path()).See(sdk.At(other.path()), "the same state").
			Offer(sdk.Review, "Remove the copy", sdk.Remove(a.path()))
		return
	}
	f := l.say(a, "/section_id", message).
		Offer(sdk.Review, "Set section_id to "+a.letter, a.set("/section_id", jsondoc.Quote(a.letter))...)
	if to := a.kind.file + "-" + letter + ".json"; capital(letter) && l.free(to) {
		f.Offer(sdk.Review, "Move the file to "+to, sdk.Move(a.path(), to))
	}
}

func sectionIDNotALetter(l *look, a *agent) {
	if !capital(a.part) {
		l.about(a.subject, a.path(), "the file is named for section "+say.Quote(a.part)+
			"; expected one capital letter, as in section-writer-state-IV-A.json")
		return
	}
	id, letter, ok := a.section()
	if !ok || letter != a.letter || capital(id) {
		return
	}
	l.say(a, "/section_id", say.Wrong("section_id", say.Quote(id), say.Quote(a.letter))).
		Offer(sdk.Safe, "Set section_id to "+a.letter, a.set("/section_id", jsondoc.Quote(a.letter))...)
}

// identity returns the session that all state files name, or else the directory's name. Sessions are next to each
// other; a copy elsewhere is an archive.
func identity(p *sdk.Pass) string {
	m, named := p.Model.(*model), ""
	for _, a := range m.agents {
		for _, key := range sessionFields {
			s, ok := a.root.Get(key).Text()
			if !ok || s == "" || strings.ContainsAny(s, "{[<") {
				continue
			}
			last := lastElement(s)
			if named != "" && last != named {
				return p.Beside(m.name)
			}
			named = last
		}
	}
	if named == "" {
		named = m.name
	}
	return p.Beside(named)
}

// foreign returns the session that a text names, or "" if it is this session, even under a path on another machine.
func (m *model) foreign(s string) string {
	last := lastElement(s)
	if last == m.name || last == "." || m.name == "" || m.name == "." || strings.ContainsAny(s, "{[<") ||
		!strings.ContainsAny(s, `/\`) && dated(s) != dated(m.name) {
		return "" // the id does not name a directory
	}
	return last
}

// dated reports whether a name starts with a year and a hyphen.
func dated(name string) bool {
	n, rest := leading(name)
	return n > 999 && strings.HasPrefix(rest, "-")
}

func stateOfAnotherSession(l *look, a *agent) {
	for _, key := range sessionFields {
		s, _ := a.root.Get(key).Text()
		if last := l.foreign(s); last != "" {
			l.say(a, "/"+key, key+" is "+say.Quote(s)+", but the session directory is "+
				say.Quote(l.name)).Keyed(key).
				Offer(sdk.Review, "Set "+key+" to "+l.name,
					a.set("/"+key, jsondoc.Quote(s[:len(strings.TrimRight(s, "/\\ "))-len(last)]+l.name))...)
		}
	}
}

func orchestratorOfAnotherSession(l *look) {
	if o := l.orch; l.foreign(o.session) != "" {
		l.orchestrator(o.sessionAt, "the session is "+say.Quote(lastElement(o.session))+", but the directory is "+
			say.Quote(l.name)).Keyed("session")
	}
}

func missingCompactionSummary(l *look, a *agent) {
	object := a.root.Get("compaction_summary")
	var missing []string
	for _, key := range [...]string{"task", "progress", "next_action", "critical_context"} {
		if v := object.Get(key); !v.Exists() || key == "next_action" && empty(v) && !a.finished {
			missing = append(missing, key)
		}
	}
	if a.kind == kinds[assembly] || len(missing) == 0 {
		return
	}
	f := l.say(a, "/compaction_summary", "compaction_summary has no "+list(missing)).As(graded(a.finished, sdk.Info,
		graded(object.Len() > 0, sdk.Warning, sdk.Error)))
	if len(missing) == 1 && missing[0] == "next_action" { // only the agent knew the other parts
		f.Offer(sdk.Review, "Set next_action to the next open step",
			a.set("/compaction_summary/next_action", jsondoc.Quote(l.nextStep(a)))...)
	}
	l.offerBase(f, a)
}

func missingRepeatGuard(l *look, a *agent) {
	if a.kind == kinds[assembly] || a.hasGuards && (!a.finished || a.rescue.Get("do_not_repeat").Len() > 0) {
		return
	}
	pointer, message := "/recovery_instructions", "recovery_instructions has no do_not_repeat"
	if a.hasGuards {
		pointer, message = repeatPointer, "do_not_repeat is empty, but the file is finished"
	}
	done := append(l.provenItems(a), gather(keep(a.phases, (*phase).done), func(p *phase) string { return p.name })...)
	f := l.say(a, pointer, message)
	if (len(done) > 0 || !a.finished) && a.mayGuard() {
		f.Offer(sdk.Review, "Add the done items to do_not_repeat", a.set(repeatPointer, texts(done))...)
	}
}

// mayGuard reports whether recovery_instructions can contain a list.
func (a *agent) mayGuard() bool { return !a.rescue.Exists() || a.rescue.Kind() == jsondoc.Object }

// provenItems returns the complete items that outputs do not refute.
func (m *model) provenItems(a *agent) []string {
	refuted := a.proof == absent || a.proof == partial && a.kind != kinds[synthesis]
	return a.keys(func(it *item) bool {
		return it.word == complete && !refuted && !(a.kind == kinds[synthesis] && m.tracked && !m.starts(it.letter))
	})
}

func missingField(l *look, a *agent) {
	var missing []string
	need := func(when bool, keys ...string) {
		for _, key := range keys {
			when = when && !a.root.Get(key).Exists()
		}
		if when {
			missing = append(missing, keys[0])
		}
	}
	P, B := a.kind.style == 'P', a.kind.style == 'B'
	need(P, a.kind.format, "schema_version")
	need(P, sessionFields[:]...)
	need(P, "started_at")
	need(P, "last_updated", "last_checkpoint")
	need(B || a.kind == kinds[research], agentFields[:]...)
	need(a.kind == kinds[citation] || a.kind == kinds[synthesis], "environment_checks")
	need(B && !a.metrics.Get("last_checkpoint").Exists(), "last_checkpoint", "last_updated", "timestamp")
	if len(missing) > 0 {
		l.say(a, "", "the file has no "+list(missing))
	}
}
