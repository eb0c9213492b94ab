package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkMemo looks at what synthesis and assembly say of the memorandum.
func (m *model) checkMemo(a *agent) {
	if a.kind == kinds[synthesis] {
		m.checkChecks(a)
		m.checkWordFigures(a)
		m.checkInputs(a)
		m.checkSectionCount(a)
	} else if f, ok := num(a.phases[2].body.Get("cat_exit_code")); ok && f != 0 && !a.phases[2].word.open() {
		d := m.say(a, "assembly-complete-with-exit-code", 0, "/phases/PHASE_3_BASH_ASSEMBLY/cat_exit_code", "", "PHASE_3_BASH_ASSEMBLY is done, but cat_exit_code is "+figure(f))
		offer(d, sdk.Review, "Set PHASE_3_BASH_ASSEMBLY pending", a.setPhase(2, false), a.set("/phases/PHASE_3_BASH_ASSEMBLY/cat_exit_code", "null"))
		advise(d, "Run the assembly again", "run it from the start: it is all or nothing")
	}
	m.checkSize(a)
	m.checkNoteTotal(a)
	if m.tracked {
		m.checkStarted(a)
		m.checkOtherName(a)
	}
}

// checkChecks holds every check against its own figures.
func (m *model) checkChecks(a *agent) {
	var failed []string
	for _, where := range [...]string{"/verification_status", "/phases/PHASE_5_QUALITY"} {
		object := a.root.Get("verification_status")
		if where != "/verification_status" {
			object = a.phases[4].body
		}
		for _, c := range object.Members() {
			passed, ok := c.Value.Get("passed").Bool()
			if !ok {
				continue
			}
			figures := "target " + c.Value.Get("target").Raw() + ", actual " + c.Value.Get("actual").Raw()
			if !c.Value.Get("target").Exists() {
				figures = "no figures"
			}
			if !passed && !holds(failed, c.Key+" ("+figures+")") {
				failed = append(failed, c.Key+" ("+figures+")")
			}
			if holdsGood, judged := judge(c.Key, c.Value); judged && holdsGood != passed {
				m.sayCheck(a, where+"/"+jsondoc.EscapeToken(c.Key)+"/passed", c, passed, figures)
			}
		}
	}
	if len(failed) == 0 {
		return
	}
	for _, flag := range [...]string{"all_checks_passed", "all_quality_gates_passed", "verification_passed"} {
		if yes, _ := a.phases[4].body.Get(flag).Bool(); yes {
			d := m.say(a, "all-passed-beside-failed-check", 0, "/phases/PHASE_5_QUALITY/"+flag, "", flag+" is true, but failed: "+list(failed))
			offer(d, sdk.Review, "Set the flag false and reopen PHASE_5_QUALITY", append(a.reopen(4), a.set("/phases/PHASE_5_QUALITY/"+flag, "false"))...)
			advise(d, "Repair what failed", "repair what the check found, then set its figures")
			break
		}
	}
	if a.finished {
		advise(m.say(a, "finished-with-failed-check", 0, "/verification_status", "", a.claimText()+", but failed: "+list(failed)), "Repair what failed", "repair what the check found, or say in the check why it does not matter")
	}
}

func (m *model) sayCheck(a *agent, pointer string, c jsondoc.Member, passed bool, figures string) {
	for _, d := range m.found {
		if d.Key == c.Key && d.Range.Path == a.path() && strings.HasPrefix(d.Rule, "check-") {
			return // the same check in the other place
		}
	}
	if passed {
		noted := c.Value.Get("note").Exists() || c.Value.Get("reason").Exists()
		d := m.say(a, "check-passed-against-figures", graded(noted, sdk.Warning, sdk.Error), pointer, c.Key, c.Key+" says passed, but "+figures)
		offer(d, sdk.Review, "Set passed to false", a.set(pointer, "false"))
		advise(d, "Check again", "run the check and write its figures")
		return
	}
	d := m.say(a, "check-failed-against-figures", 0, pointer, c.Key, c.Key+" says not passed, but "+figures)
	offer(d, sdk.Review, "Set passed to true", a.set(pointer, "true"))
}

// judge says whether a check's figures pass, if they can be judged.
func judge(name string, c value) (good, judged bool) {
	target, actual := c.Get("target"), c.Get("actual")
	t, ok1 := num(target)
	n, ok2 := num(actual)
	if ok1 && ok2 {
		if strings.Contains(lower(name), "placeholder") || t == 0 {
			return n <= t, true
		}
		return n >= t, true
	}
	yes, ok1 := target.Bool()
	is, ok2 := actual.Bool()
	return yes == is, ok1 && ok2
}

func (m *model) checkWordFigures(a *agent) {
	least, most := 0.0, 0.0
	text := ""
	add := func(name string, v value) {
		f, ok := num(v)
		if !ok || f <= 0 {
			return
		}
		if least == 0 || f < least {
			least = f
		}
		most = max(most, f)
		text += ", " + name + " " + figure(f)
	}
	add("word_count", a.metrics.Get("word_count"))
	add("words_written", a.phases[3].body.Get("words_written"))
	for i := range a.phases {
		add("final_word_count", a.phases[i].body.Get("final_word_count"))
	}
	add("final_word_count", a.metrics.Get("final_word_count"))
	if a.finished {
		add("word_count_check", a.root.Get("verification_status").Get("word_count_check").Get("actual"))
	}
	if most > 0 && (most-least)/most > .05 {
		advise(m.say(a, "word-figures-differ", 0, "/metrics/word_count", "", "the figures of words differ: "+text[2:]), "Count again", "count the words of "+memoPath+" and set the figures")
	}
}

// checkSize compares the recorded size with the measured one.
func (m *model) checkSize(a *agent) {
	if !a.finished || !measured(m.memo) {
		return
	}
	n, ok := num(a.metrics.Get("line_count"))
	if lines := float64(m.memo.Summary.Lines); ok && n > 0 && off(n, lines) {
		advise(m.say(a, "memorandum-size-differs", 0, "/metrics/line_count", "line_count", "line_count is "+figure(n)+", but "+memoPath+" has "+figure(lines)+" lines"), "Count again", "look whether the memorandum changed after it was recorded")
	}
	kb, ok := num(a.metrics.Get("file_size_kb"))
	if size := float64(m.memo.Size); ok && a.kind == kinds[assembly] && kb > 0 && size > 0 && off(kb, size/1000) && off(kb, size/1024) {
		advise(m.say(a, "memorandum-size-differs", 0, "/metrics/file_size_kb", "file_size_kb", "file_size_kb is "+figure(kb)+", but "+memoPath+" has "+itoa(int(size)/1024)+" KB"), "Count again", "look whether the memorandum changed after it was recorded")
	}
}

// off reports whether two figures differ by more than a twentieth.
func off(recorded, measured float64) bool {
	return abs(recorded-measured) > .05*max(recorded, measured)
}

func (m *model) checkNoteTotal(a *agent) {
	key := "footnotes_included"
	if a.kind == kinds[assembly] {
		key = "footnote_count"
	}
	n, ok := num(a.metrics.Get(key))
	for _, c := range m.agents {
		if c.kind != kinds[citation] || !c.finished || !a.finished || !ok {
			continue
		}
		if f, has := num(c.metrics.Get("footnotes_collected")); has && f != n {
			d := m.say(a, "footnote-totals-differ", 0, "/metrics/"+key, "", key+" is "+figure(n)+", but the citation validator collected "+figure(f))
			d.Related = append(d.Related, sdk.Related{Range: sdk.AtPointer(c.path(), "/metrics/footnotes_collected"), Message: "footnotes_collected is " + figure(f)})
			advise(d, "Count again", "count the footnotes of the memorandum")
		}
		return
	}
}

// checkInputs looks for the files that input_files_verified speaks of.
func (m *model) checkInputs(a *agent) {
	if !m.tracked || !m.complete {
		return
	}
	for _, e := range a.root.Get("input_files_verified").Members() {
		flag, ok := e.Value.Bool()
		if !ok {
			continue
		}
		name := strings.ReplaceAll(lower(e.Key), "_", "-")
		path := ""
		for _, d := range m.docs.All() {
			if n := strings.ReplaceAll(lower(d.Path), "_", "-"); path == "" && !d.Dir && name != "" && strings.Contains(n, name) {
				path = d.Path
			}
		}
		pointer := "/input_files_verified/" + jsondoc.EscapeToken(e.Key)
		switch {
		case flag && path == "":
			d := m.say(a, "verified-input-missing", 0, pointer, e.Key, e.Key+" is true, but no file is called "+name)
			offer(d, sdk.Review, "Set it false and reopen PHASE_1_DISCOVERY", append(a.reopen(0), a.set(pointer, "false"))...)
			advise(d, "Find the input", "restore the file, or have its agent write it again")
		case !flag && path != "":
			d := m.say(a, "input-marked-absent", 0, pointer, e.Key, e.Key+" is false, but "+path+" exists")
			offer(d, sdk.Review, "Set it true", a.set(pointer, "true"))
		}
	}
}

func (m *model) checkSectionCount(a *agent) {
	if !m.tracked || len(m.letters) == 0 || !m.complete {
		return
	}
	there := float64(len(m.letters))
	var wrong []string
	at := ""
	add := func(name, pointer string, v value, least bool) {
		f, ok := num(v)
		if !ok || f == there || least && f > there {
			return
		}
		wrong = append(wrong, name+" is "+figure(f))
		if at == "" {
			at = pointer
		}
	}
	add("section_reports", "/input_files_verified/section_reports", a.root.Get("input_files_verified").Get("section_reports"), false)
	add("section_count", "/phases/PHASE_1_DISCOVERY/section_count", a.phases[0].body.Get("section_count"), false)
	if a.finished {
		add("sections_integrated", "/metrics/sections_integrated", a.metrics.Get("sections_integrated"), true)
	}
	if len(wrong) > 0 {
		advise(m.say(a, "section-count-off-reports", graded(a.finished, sdk.Error, sdk.Warning), at, "", list(wrong)+", but "+figure(there)+" sections have reports: "+list(m.letters)),
			"Count again", "look which section is missing or was added, and set the figures")
	}
}

// checkStarted looks for sections that should be in the memorandum.
func (m *model) checkStarted(a *agent) {
	if a.kind == kinds[assembly] && (!a.finished || m.memo == nil) || !m.seesMemo() {
		return
	}
	letters := a.recorded()
	if a.finished && m.memo != nil {
		for _, l := range m.letters {
			if !holds(letters, l) {
				letters = append(letters, l)
			}
		}
		sorted(letters)
	}
	missing := m.unstarted(letters)
	if len(missing) == 0 {
		return
	}
	message := "not in " + memoPath + ": IV." + list(missing)
	if m.memo == nil {
		message = memoPath + " is not there, but recorded as in it: IV." + list(missing)
	}
	pointer := "/recovery_instructions/do_not_repeat"
	if !a.hasGuards {
		pointer = "/sections_complete"
	}
	d := m.say(a, "section-not-in-memorandum", 0, pointer, "", message)
	if a.kind == kinds[synthesis] {
		offer(d, sdk.Review, "Take the sections off the lists and reopen PHASE_4_ASSEMBLY", a.forget(missing)...)
	}
	for _, o := range m.others() {
		var has []string
		for _, l := range startedIn(o) {
			if holds(missing, l) {
				has = append(has, l)
			}
		}
		if len(has) > 0 {
			d.Related = append(d.Related, sdk.Related{Range: sdk.At(o.Path), Message: "has IV." + list(has)})
			advise(d, "Adopt "+o.Path, "compare it with "+memoPath+", and if it is the better one move it there")
			return
		}
	}
	advise(d, "Append the sections", "append the reports to "+memoPath+", never start over")
}

// forget are the edits after which sections are not recorded as appended.
func (a *agent) forget(letters []string) []sdk.Edit {
	keep := func(v value) []string {
		var kept []string
		for _, e := range v.Elements() {
			s, ok := e.Text()
			if ok && !holds(letters, sectionLetter(s)) {
				kept = append(kept, s)
			}
		}
		return kept
	}
	edits := a.reopen(3)
	guards := a.rescue.Get("do_not_repeat")
	kept := keep(guards)
	for i, e := range edits {
		if e.Range.Pointer == "/recovery_instructions/do_not_repeat" {
			edits = append(edits[:i], edits[i+1:]...)
			break
		}
	}
	if len(kept) < guards.Len() {
		edits = append(edits, a.set("/recovery_instructions/do_not_repeat", texts(kept)))
	}
	done := a.root.Get("sections_complete")
	if kept := keep(done); len(kept) < done.Len() {
		edits = append(edits, a.set("/sections_complete", texts(kept)))
	}
	return edits
}

// others lists the memoranda under other names.
func (m *model) others() []*sdk.Document {
	var found []*sdk.Document
	for _, d := range m.docs.All() {
		if strings.HasPrefix(d.Path, "final-memorandum-") && measured(d) {
			found = append(found, d)
		}
	}
	return found
}

func (m *model) checkOtherName(a *agent) {
	if a.finished {
		return
	}
	for _, o := range m.others() {
		if has := startedIn(o); wordCount(o) >= m.opt.memorandum && len(has) > len(m.started) {
			advise(m.say(a, "memorandum-under-another-name", 0, a.claimPointer(), o.Path, o.Path+" has "+itoa(o.Summary.Words)+" words and "+itoa(len(has))+" sections, "+memoPath+" has "+itoa(len(m.started))),
				"Adopt "+o.Path, "compare the two, and if it is the better one move it to "+memoPath)
		}
	}
}
