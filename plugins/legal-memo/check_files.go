package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkFile looks at the name and the place of a state file.
func (m *model) checkFile(a *agent) {
	path := a.doc.Path
	dir := "."
	if before, _, ok := strings.Cut(path, "/"); ok {
		dir = before
	}
	dotted := a.kind == kinds[writer] && strings.HasPrefix(baseName(path), a.kind.file+".")
	if !holds(strings.Split(a.kind.dirs, " "), dir) {
		d := m.tell(a.subject, "misplaced-state-file", 0, path, "", path+" belongs at "+a.homeNamed(path))
		m.offerMove(d, path, a.homeNamed(path))
	}
	if dotted {
		d := m.tell(a.subject, "dotted-file-name", 0, path, "", "the name has a dot, expected "+a.home())
		if len(a.part) == 1 {
			m.offerMove(d, path, path[:len(path)-len(baseName(path))]+baseName(a.home()))
		}
	}
	if a.kind == kinds[writer] && !capital(a.part) {
		m.tell(a.subject, "section-name-not-a-letter", 0, path, "", "the file is named for section "+shown(a.part)+", expected one capital letter").Remedies = []sdk.Remedy{{
			Title: "Rename the file", Subject: a.subject, Steps: []string{"name the file by the section's letter: section-writer-state-IV-A.json"}}}
	}
}

// homeNamed is where a file of this name belongs.
func (a *agent) homeNamed(path string) string {
	dir, _, _ := strings.Cut(a.kind.dirs, " ")
	if dir == "." {
		return baseName(path)
	}
	return dir + "/" + baseName(path)
}

func capital(s string) bool { return len(s) == 1 && s[0] >= 'A' && s[0] <= 'Z' }

// offerMove offers to move a file where nothing lies.
func (m *model) offerMove(d *sdk.Diagnostic, from, to string) {
	if m.docs.Get(to) == nil && m.pass.Docs.Known(to) && m.find2(to) == nil {
		offer(d, sdk.Safe, "Move the file to "+to, sdk.Move(from, to))
	} else {
		advise(d, "Keep one of the files", "compare "+from+" with "+to+" and keep the one that is right")
	}
}

// find2 finds the document whose path differs from a path in case alone.
//
//go:noinline
func (m *model) find2(path string) *sdk.Document {
	for _, d := range m.docs.All() {
		if lower(d.Path) == lower(path) {
			return d
		}
	}
	return nil
}

// checkTwins looks for two state files of one subject.
func (m *model) checkTwins() {
	for i, a := range m.agents {
		for _, b := range m.agents[:i] {
			if a.subject != b.subject || a.doc == nil || b.doc == nil {
				continue
			}
			if a.kind != kinds[writer] && baseName(a.path()) != baseName(b.path()) {
				continue // the files of a cycle and of a pass
			}
			keep, drop := a, b
			if b.countItems(complete) > a.countItems(complete) || b.countItems(complete) == a.countItems(complete) && b.path() < a.path() {
				keep, drop = b, a
			}
			d := m.tell(a.subject, "duplicate-state-file", 0, drop.path(), "", "one subject has two state files: this one, "+describe(drop)+", and "+describe(keep))
			if keep.read {
				offer(d, sdk.Review, "Keep the one with more done items", sdk.Remove(drop.path()))
			}
			advise(d, "Keep one of the files", "compare the two files and remove the one that is out of date")
		}
	}
}

func describe(a *agent) string {
	s := a.path() + " (" + shown(a.claimed())
	if n, ok := a.number("word_count"); ok {
		s += ", " + figure(n) + " words"
	}
	return s + ")"
}

// checkIdentity looks at who and what a file says it is of.
func (m *model) checkIdentity(a *agent) {
	for _, key := range [...]string{"agent", "agent_type"} {
		s, _ := a.root.Get(key).Text()
		if s == "" || norm(s) == norm(a.kind.agent) {
			continue
		}
		known := false
		for _, k := range kinds {
			if known = known || k.agent != "" && norm(k.agent) == norm(s); k.agent == s {
				d := m.say(a, "agent-of-another-file", 0, "/"+key, "", key+" says "+shown(s)+", but the file's name says "+a.kind.name)
				m.offerRestore(d, a)
				advise(d, "Find the right file", "restore "+a.path()+", or move it to where "+s+" keeps its state")
			}
		}
		if !known && a.kind.agent != "" {
			advise(m.say(a, "unreadable-value", 0, "/"+key, key, say.Wrong(key, shown(s), shown(a.kind.agent))), "Write the agent", "look whose state it is, and write its name")
		}
	}
	m.checkSection(a)
	m.checkSession(a)
	if v, ok := a.root.Get(a.kind.format).Text(); ok && a.kind.format != "" {
		if n, rest := leading(strings.TrimLeft(v, "v")); rest != v && int64(n) > a.kind.major {
			advise(m.say(a, "newer-format-version", 0, "/"+a.kind.format, "", a.kind.format+" is "+shown(v)+", but versions up to "+itoa(int(a.kind.major))+" are known"),
				"Update the plugin", "look for a version of this plugin that knows the format")
		}
	}
}

func (m *model) checkSection(a *agent) {
	if a.kind != kinds[writer] {
		return
	}
	id, ok := a.root.Get("section_id").Text()
	if !ok {
		return
	}
	l := strings.TrimSpace(id)
	if len(l) > 3 && lower(l[:2]) == "iv" && strings.IndexByte("-._", l[2]) >= 0 {
		l = l[3:]
	}
	to := a.set("/section_id", jsondoc.Quote(a.letter))
	switch {
	case upper(l) != a.letter:
		d := m.say(a, "section-id-beside-name", 0, "/section_id", "", "section_id is "+shown(id)+", but the file's name says "+a.letter)
		offer(d, sdk.Review, "Set section_id to "+a.letter, to)
		if target := a.kind.file + "-" + upper(l) + ".json"; capital(upper(l)) && m.docs.Get(target) == nil && m.pass.Docs.Known(target) && m.find2(target) == nil {
			offer(d, sdk.Review, "Move the file to "+target, sdk.Move(a.path(), target))
		}
		advise(d, "Decide which section it is", "read the file and set section_id or the name")
	case !capital(id):
		want := "one capital letter"
		if capital(a.letter) {
			want = shown(a.letter)
		}
		d := m.say(a, "section-id-not-a-letter", 0, "/section_id", "", "section_id is "+shown(id)+", expected "+want)
		if capital(a.letter) {
			offer(d, sdk.Safe, "Set section_id to "+a.letter, to)
		} else {
			advise(d, "Name the section by its letter", "rename the section in the file, in its name and in its report")
		}
	}
}

// sessionFields name the session that a state file belongs to.
var sessionFields = [...]string{"session_directory", "session_id", "session"}

// identity is the session that all state files name, or else the one that the directory is called. Sessions lie beside each
// other; a copy that is kept elsewhere is an archive.
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

// checkSession compares the session field with the root, and looks for template
// text.
func (m *model) checkSession(a *agent) {
	for _, key := range sessionFields {
		s, ok := a.root.Get(key).Text()
		if !ok || s == "" {
			continue
		}
		if strings.ContainsAny(s, "{[<") {
			m.placeholder(a, "/"+key, s)
			continue
		}
		last := lastElement(s)
		if last == "" || last == m.name || m.name == "" || m.name == "." {
			continue
		}
		d := m.say(a, "state-of-another-session", 0, "/"+key, key, key+" names "+shown(last)+", but the session is "+shown(m.name))
		offer(d, sdk.Review, "Set "+key+" to "+m.name, a.set("/"+key, jsondoc.Quote(s[:len(strings.TrimRight(s, "/\\ "))-len(last)]+m.name)))
	}
	for _, key := range timeFields {
		if s, ok := a.root.Get(key).Text(); ok && isTemplate(s) {
			m.placeholder(a, "/"+key, s)
		}
	}
	for _, key := range [...]string{"type", "resolution_status"} {
		if s, ok := a.root.Get("blocking_issue").Get(key).Text(); ok && strings.Contains(s, " | ") {
			m.placeholder(a, "/blocking_issue/"+key, s)
		}
	}
	if s, ok := a.metrics.Get("last_checkpoint").Text(); ok && isTemplate(s) {
		m.placeholder(a, "/metrics/last_checkpoint", s)
	}
	for i := range a.phases {
		if s, ok := a.phases[i].body.Get("completed_at").Text(); ok && isTemplate(s) {
			m.placeholder(a, jsondoc.Pointer(a.phaseMap, a.phases[i].name, "completed_at"), s)
		}
	}
}

func isTemplate(s string) bool { return strings.HasPrefix(strings.TrimSpace(s), "[ISO") }

// sameSession reports whether a session field names this session, whatever machine its path is of.
func (m *model) sameSession(s string) bool {
	last := lastElement(s)
	return last == "" || last == m.name || m.name == "" || m.name == "." || strings.ContainsAny(s, "{[<")
}

// placeholder tells of template text, once per file.
func (m *model) placeholder(a *agent, pointer, text string) {
	for _, d := range m.found {
		if d.Rule == "unfilled-placeholder" && d.Range.Path == a.path() {
			d.Related = append(d.Related, sdk.Related{Range: sdk.AtPointer(a.path(), pointer), Message: pointer[1:] + " is " + shown(text)})
			return
		}
	}
	advise(m.say(a, "unfilled-placeholder", 0, pointer, "", pointer[1:]+" is "+shown(text)+", which is template text"), "Fill it in", "put the real value in place of the template text")
}

// checkCommon looks at the objects that every file should have.
func (m *model) checkCommon(a *agent) {
	if a.kind != kinds[assembly] {
		m.checkSummaryObject(a)
		m.checkGuardList(a)
	}
	missing := a.missingCommon()
	if len(missing) > 0 {
		m.say(a, "missing-common-field", 0, "", "", "the file has no "+list(missing))
	}
	if (a.kind == kinds[citation] || a.kind == kinds[synthesis]) && a.root.Get("environment_checks").Kind() != jsondoc.Object {
		d := m.say(a, "missing-environment-checks", 0, "", "", "the file has no environment_checks")
		_, output := m.outputs(a)
		offer(d, sdk.Review, "Add the checks to fill in", a.set("/environment_checks", `{"on_resume": [`+
			jsondoc.Quote("Read "+baseName(a.path()))+`, `+jsondoc.Quote("Verify that "+output+" exists and is not truncated")+
			`, "Resume from current_phase, not from the beginning"], "last_verified": null}`))
	}
	e := a.root.Get("environment_checks")
	if ok, is := e.Get("environment_healthy").Bool(); is && !ok {
		when, _ := e.Get("last_verified").Text()
		advise(m.say(a, "unhealthy-environment", 0, "/environment_checks/environment_healthy", "", "environment_healthy is false, last verified "+shown(when)),
			"Run the checks", "carry out environment_checks.on_resume and repair what fails")
	}
	if a.status == unknownWord || a.status == skipped {
		advise(m.say(a, "unknown-status", 0, "/status", "", say.Wrong("status", shown(a.statusText), "initialized, in_progress, complete or blocked")),
			"Set a known status", "write initialized, in_progress, complete or blocked")
	}
	m.checkKinds(a, "", a.root)
	m.checkSpelling(a)
}

func (m *model) checkSummaryObject(a *agent) {
	object := a.root.Get("compaction_summary")
	var missing []string
	for _, key := range [...]string{"task", "progress", "next_action", "critical_context"} {
		v := object.Get(key)
		if !v.Exists() || key == "next_action" && empty(v) && !a.finished {
			missing = append(missing, key)
		}
		if s, ok := v.Text(); ok && template(s) != "" && key != "critical_context" {
			m.placeholder(a, "/compaction_summary/"+key, s)
		}
	}
	if len(missing) == 0 {
		return
	}
	d := m.say(a, "missing-compaction-summary", graded(a.finished, sdk.Info, sdk.Warning), "/compaction_summary", "", "compaction_summary has no "+list(missing))
	if !object.Exists() || object.Kind() == jsondoc.Object {
		var edits []sdk.Edit
		for _, key := range missing {
			json := `"unknown"`
			switch key {
			case "critical_context":
				json = "[]"
			case "next_action":
				json = jsondoc.Quote(m.nextStep(a))
			case "progress":
				json = jsondoc.Quote(m.progressText(a))
			}
			edits = append(edits, a.set("/compaction_summary/"+key, json))
		}
		if !object.Exists() { // one edit: several would each make the parent
			edits = []sdk.Edit{a.set("/compaction_summary", `{"task": "unknown", "progress": `+jsondoc.Quote(m.progressText(a))+`, "next_action": `+jsondoc.Quote(m.nextStep(a))+`, "critical_context": []}`)}
		}
		offer(d, sdk.Review, "Add what the files tell", edits...)
	}
}

func (m *model) checkGuardList(a *agent) {
	if a.hasGuards {
		if a.finished && len(a.rescue.Get("do_not_repeat").Elements()) == 0 {
			d := m.say(a, "empty-repeat-guard", 0, "/recovery_instructions/do_not_repeat", "", "do_not_repeat is empty in a finished file")
			m.offerFill(d, a)
		}
		return
	}
	d := m.say(a, "missing-repeat-guard", graded(a.finished, sdk.Info, sdk.Warning), "/recovery_instructions", "", "recovery_instructions has no do_not_repeat")
	if !a.rescue.Exists() || a.rescue.Kind() == jsondoc.Object {
		offer(d, sdk.Review, "Add a list of the done items", a.set("/recovery_instructions/do_not_repeat", texts(m.provenItems(a))))
	}
	if a.finished {
		m.offerFill(m.say(a, "empty-repeat-guard", 0, "/recovery_instructions", "", "a finished file has no do_not_repeat"), a)
	}
}

// offerFill offers to guard what a finished file has done: its items, or its
// phases where it has none.
func (m *model) offerFill(d *sdk.Diagnostic, a *agent) {
	done := m.provenItems(a)
	for i := range a.phases {
		if len(a.items) == 0 && a.phases[i].in && !a.phases[i].word.open() {
			done = append(done, a.phases[i].name)
		}
	}
	if len(done) > 0 && (!a.rescue.Exists() || a.rescue.Kind() == jsondoc.Object) {
		offer(d, sdk.Review, "Fill it with what is done", a.set("/recovery_instructions/do_not_repeat", texts(done)))
	}
}

// provenItems lists the complete items that outputs do not refute.
func (m *model) provenItems(a *agent) []string {
	var names []string
	for i := range a.items {
		it := &a.items[i]
		if it.word != complete || a.proof == absent || a.proof == partial && a.kind != kinds[synthesis] {
			continue
		}
		if a.kind == kinds[synthesis] && m.tracked && !m.starts(it.letter) {
			continue
		}
		names = append(names, it.key)
	}
	return names
}

// Fields whose value has to be a truth or a number, wherever they stand.
const (
	truths  = " executed passed all_checks_passed all_quality_gates_passed verification_passed fact_registry risk_summary executive_summary consolidated_footnotes environment_healthy do_not_rescore "
	numbers = " footnotes_extracted last_global_number exit_code cat_exit_code section_count section_reports sections_appended attempts max_attempts cycles max_cycles current_cycle iteration_count score "
)

// checkKinds looks for values that no reader can take for what the field holds.
func (m *model) checkKinds(a *agent, pointer string, v value) {
	for _, e := range v.Members() {
		at := pointer + "/" + jsondoc.EscapeToken(e.Key)
		s, text := e.Value.Text()
		_, number := num(e.Value)
		switch key := " " + e.Key + " "; {
		case !text:
			m.checkKinds(a, at, e.Value)
		case strings.Contains(truths, key) && classify(s) == unknownWord:
			advise(m.say(a, "unreadable-value", 0, at, at, say.Wrong(at[1:], shown(s), "true or false")), "Write the value", "look what is true, and write true or false")
		case strings.Contains(numbers, key) && !number && !strings.Contains(s, "/"):
			advise(m.say(a, "unreadable-value", 0, at, at, say.Wrong(at[1:], shown(s), "a number")), "Write the value", "count again, and write the number")
		}
	}
}

// missingCommon lists the fields of the common table that the kind's own example
// has and the file has not. Fields with a rule of their own are not among them.
func (a *agent) missingCommon() []string {
	var missing []string
	need := func(keys ...string) {
		for _, key := range keys {
			if a.root.Get(key).Exists() {
				return
			}
		}
		missing = append(missing, keys[0])
	}
	if a.kind.style == 'P' {
		need(a.kind.format, "schema_version")
		need("session_directory", "session_id", "session")
		need("started_at")
		need("last_updated", "last_checkpoint")
	}
	if a.kind.style == 'B' || a.kind == kinds[research] {
		need("agent", "agent_type")
	}
	if a.kind.style == 'B' && !a.metrics.Get("last_checkpoint").Exists() {
		need("last_checkpoint", "last_updated", "timestamp")
	}
	return missing
}

// checkSpelling looks for status words that are known only by folding.
func (m *model) checkSpelling(a *agent) {
	var edits []sdk.Edit
	first, text := "", ""
	add := func(pointer string, v value) {
		s, ok := v.Text()
		if !ok || len(edits) >= 50 {
			return
		}
		if f := foldStatus(s); f != s && wordOf(v) != unknownWord {
			if first == "" {
				first, text = pointer, s
			}
			edits = append(edits, a.set(pointer, jsondoc.Quote(f)))
		}
	}
	add("/status", a.root.Get("status"))
	for i := range a.phases {
		if p := &a.phases[i]; p.in && p.body.Kind() == jsondoc.Object {
			add(a.phasePointer(i), p.body.Get("status"))
		}
	}
	if first == "" {
		return
	}
	d := m.say(a, "noncanonical-value", 0, first, "", say.Wrong(first[1:], shown(text), shown(foldStatus(text))))
	offer(d, sdk.Safe, "Write the status in lower case", edits...)
}
