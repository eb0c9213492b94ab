package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkOutput holds an agent's claim against its output.
func (m *model) checkOutput(a *agent) {
	there, path := m.outputs(a)
	if path == "" {
		m.checkSoft(a)
		return
	}
	begun := a.kind == kinds[writer] && a.countItems(complete) > 0 && !m.written(a.letter)
	if a.kind == kinds[writer] && len(m.reports) == 0 && !begun {
		return
	}
	gone := " is not there"
	if len(there) == 1 && !a.kind.hasText() && a.proof == partial {
		gone = " is empty"
	}
	if len(there) == 0 || gone == " is empty" {
		if (a.claims || begun) && m.complete {
			what, at := a.claimText(), a.claimPointer()
			if !a.claims {
				what, at = say.Count(a.countItems(complete), "subsection")+" are complete", "/"+a.itemsKey
			}
			d := m.tell(a.subject, "output-missing", 0, path, "", what+" in "+a.path()+", but "+path+gone)
			d.Range = sdk.AtPointer(a.path(), at)
			m.offerRegenerate(d, a)
			advise(d, "Look for the output", "restore it from the repository, or let the agent write it again")
		}
		return
	}
	if !a.kind.hasText() || a.kind.stage == 7 && m.chosenMemo() != a {
		return
	}
	m.checkLost(a, there)
	for _, d := range there {
		if measured(d) {
			m.checkText(a, d)
		}
	}
}

// chosenMemo is the agent whose claim the memorandum is held against.
func (m *model) chosenMemo() *agent {
	var best *agent
	for _, a := range m.agents {
		if a.kind.stage == 7 && a.read && (best == nil || a.claims && !best.claims) {
			best = a
		}
	}
	return best
}

func (m *model) checkSoft(a *agent) {
	if a.kind.soft == "" || !a.claims || !m.complete {
		return
	}
	if m.softOutput(a) != nil {
		return
	}
	m.say(a, "output-missing", sdk.Info, a.claimPointer(), "", a.claimText()+", but no "+a.kind.soft+" is there")
}

// offerRegenerate offers to reopen a state whose output is lost, so that it is written again: of a section all
// that has no text any more.
func (m *model) offerRegenerate(d *sdk.Diagnostic, a *agent) {
	at := a.kind.output
	switch {
	case at < 0:
		return
	case a.kind == kinds[writer]:
		at = a.kind.worked
	}
	edits := a.reopenLost(at)
	if a.kind == kinds[writer] {
		for i := range a.items {
			p := jsondoc.Pointer(a.itemsKey, a.items[i].key)
			if a.items[i].body.Kind() == jsondoc.Object {
				p += "/status"
			}
			if a.items[i].word != pending {
				edits = append(edits, a.set(p, `"pending"`))
			}
		}
		if a.metrics.Get("word_count").Exists() {
			edits = append(edits, a.set("/metrics/word_count", "0"))
		}
		if edits = append(edits, a.nextAction("write the section again: its report is lost")...); len(a.items) > 0 {
			at = a.kind.worked
		}
	}
	offer(d, sdk.Review, "Reopen it at "+a.phases[at].name+", to be written again", edits...)
}

// nextAction are the edits that record what is next, where the file says so.
//
//go:noinline
func (a *agent) nextAction(text string) []sdk.Edit {
	if !a.root.Get("compaction_summary").Get("next_action").Exists() {
		return nil
	}
	return []sdk.Edit{a.set("/compaction_summary/next_action", jsondoc.Quote(text))}
}

// offerReopen offers to reopen a state whose output does not bear it out: what is recorded as written is written
// again where it is missing.
func (m *model) offerReopen(d *sdk.Diagnostic, a *agent) {
	if a.kind.output < 0 || !a.claims {
		return
	}
	at := a.kind.output
	if a.kind == kinds[writer] {
		at = a.kind.worked
	}
	edits := append(a.reopen(at), a.nextAction("compare the output with what is recorded as done, and write what is missing")...)
	if a.kind == kinds[writer] {
		edits = append(edits, a.unwritten(m.reportsOf(a.letter))...)
	}
	offer(d, sdk.Review, "Reopen it at "+a.phases[at].name, edits...)
}

// unwritten are the edits that set pending what no heading of the reports names, and the last subsection that one names.
func (a *agent) unwritten(reports []*sdk.Document) []sdk.Edit {
	last := -1
	for _, r := range reports {
		last = max(last, lastSubsection(r))
	}
	var edits []sdk.Edit
	var kept []string
	for i := range a.items {
		it := &a.items[i]
		if n := it.norm; n != "" && int(n[0]-'a') < last {
			kept = append(kept, it.key)
		} else if it.word == complete {
			p := jsondoc.Pointer(a.itemsKey, it.key)
			if it.body.Kind() == jsondoc.Object {
				p += "/status"
			}
			edits = append(edits, a.set(p, `"pending"`))
		}
	}
	if len(edits) > 0 && a.hasGuards {
		edits = append(edits, a.set("/recovery_instructions/do_not_repeat", texts(kept)))
	}
	return edits
}

// checkText looks for an output that is short or breaks off.
func (m *model) checkText(a *agent, d *sdk.Document) {
	// A file with open phases is told of them: that its text is short follows.
	least, severity := m.opt.section, graded(a.finished, sdk.Error, sdk.Off)
	switch a.kind.stage {
	case 5:
		least, severity = m.opt.floor, sdk.Error
		if wordCount(d) >= least {
			least, severity = m.opt.summary, sdk.Info
		}
		if !a.finished {
			severity = sdk.Off
		}
	case 7:
		least = m.opt.memorandum
	}
	if wordCount(d) < least && severity != sdk.Off {
		f := m.tell(a.subject, "output-below-minimum", severity, d.Path, "", d.Path+" has "+say.Count(d.Summary.Words, "word")+"; expected at least "+figure(least)+", since "+a.claimText())
		if severity != sdk.Info {
			m.offerReopen(f, a)
			advise(f, "Write the rest", "continue the text; never start over")
		}
	}
	m.sayTruncated(a, d)
	if d.Path == memoPath && a.finished && truncated(d) == "" && !ended(d) {
		f := m.tell(a.subject, "truncated-output", 0, d.Path, "end", d.Path+" does not end with END OF MEMORANDUM, although "+a.claimText())
		m.offerReopen(f, a)
		advise(f, "Complete the text", "look where it breaks off, write the rest, and end it with END OF MEMORANDUM")
	}
	if a.kind == kinds[writer] && !footed(d) {
		m.tell(a.subject, "section-footer-unseen", graded(a.finished, sdk.Warning, sdk.Info), d.Path, "", footerText)
	}
}

func (m *model) sayTruncated(a *agent, d *sdk.Document) {
	line := truncated(d)
	if line == "" {
		return
	}
	key := "" // a finding of another kind while the agent is at work
	if !a.claims {
		key = "at work"
	}
	f := m.tell(a.subject, "truncated-output", graded(a.claims, sdk.Error, sdk.Warning), d.Path, key, "the text breaks off: "+shown(line))
	if d.Summary.Lines > 0 && d.Need != sdk.Listed {
		f.Range.Line = d.Summary.Lines
	}
	if a.read {
		m.offerReopen(f, a)
	}
	advise(f, "Continue the text", "continue from the last complete line")
}

const footerText = "the report has no heading Footnotes, and does not end with a rule (---) or END OF"

// footed reports whether a section report ends as they do.
func footed(d *sdk.Document) bool {
	for i := range d.Summary.Headings {
		if strings.Contains(lower(d.Summary.Headings[i].Text), "footnote") {
			return true
		}
	}
	tail := d.Summary.Tail
	for i := max(0, len(tail)-5); i < len(tail); i++ {
		if strings.HasPrefix(tail[i], "---") || strings.HasPrefix(tail[i], "***") || strings.Contains(tail[i], "END OF") {
			return true
		}
	}
	return len(d.Summary.Headings) >= 500
}

// checkLost compares the recorded number of words with the measured one.
func (m *model) checkLost(a *agent, there []*sdk.Document) {
	n, ok := num(a.metrics.Get("word_count"))
	if !ok || n <= 0 || len(there) != 1 || !measured(there[0]) || a.kind == kinds[writer] && !m.complete {
		return
	}
	d := there[0]
	switch {
	case wordCount(d) < m.opt.lost*n:
		f := m.tell(a.subject, "output-lost-text", 0, d.Path, "", d.Path+" has "+say.Count(d.Summary.Words, "word")+", but word_count of "+a.path()+" is "+figure(n))
		if m.base != nil {
			if was := m.base.docs.Get(d.Path); was != nil && wordCount(was) >= m.opt.lost*n {
				offer(f, sdk.Review, "Restore the text of the base revision", sdk.Restore(d.Path))
			}
		}
		if a.claims && a.kind.output >= 0 {
			m.offerReopen(f, a)
			if r := f.Remedies; len(r) > 0 {
				last := &r[len(r)-1]
				last.Title, last.Edits = "Record the measured words and reopen it", append(last.Edits, a.set("/metrics/word_count", itoa(d.Summary.Words)))
			}
		}
		advise(f, "Restore the text", "restore the text from the repository, or write what is lost again")
	case wordCount(d) < m.opt.short*n:
		advise(m.tell(a.subject, "output-shorter-than-recorded", 0, d.Path, "", d.Path+" has "+say.Count(d.Summary.Words, "word")+", but word_count of "+a.path()+" is "+figure(n)), "Look what is missing", "compare the text with an earlier revision")
	}
}

// checkOutputs looks at outputs that no agent's file speaks of.
func (m *model) checkOutputs() {
	if !m.tracked {
		if m.complete {
			why := "no output is among the documents"
			if m.opt.outputs != "auto" {
				why = "the option outputs is " + shown(m.opt.outputs)
			}
			m.tell("", "outputs-not-tracked", 0, "", "", why+": what the states say of outputs is not checked")
		}
		m.checkPending()
		return
	}
	m.checkReports()
	m.checkUnrecorded()
	m.checkPending()
	m.checkNoteLines()
	if m.memo != nil && measured(m.memo) && m.chosenMemo() == nil && !m.anyStage7() {
		if wordCount(m.memo) < m.opt.memorandum {
			advise(m.tell("", "output-below-minimum", sdk.Warning, memoPath, "", memoPath+" has "+say.Count(m.memo.Summary.Words, "word")+"; expected at least "+figure(m.opt.memorandum)), "Write the rest", "look which sections are missing, and append them")
		}
		if line := truncated(m.memo); line != "" {
			advise(m.tell("", "truncated-output", sdk.Warning, memoPath, "", "the text breaks off: "+shown(line)), "Continue the text", "continue from the last complete line")
		}
	}
}

//go:noinline
func (m *model) anyStage7() bool {
	for _, a := range m.agents {
		if a.kind.stage == 7 {
			return true
		}
	}
	return false
}

func (m *model) checkReports() {
	var without []string
	states := false
	for _, a := range m.agents {
		if a.kind != kinds[writer] {
			continue
		}
		if a.doc == nil {
			without = append(without, a.letter)
			m.checkUnrecordedText(a)
		} else {
			states = true
		}
	}
	if len(without) > 0 && m.complete {
		at := m.reportsOf(without[0])[0].Path
		d := m.tell("section-writer/"+without[0], "section-without-state", graded(states, sdk.Warning, sdk.Info), at, "", "no state file for section "+list(without))
		advise(d, "Create the state", "choose the recovery that rebuilds the state file from the report")
	}
	for _, l := range m.letters {
		if docs := m.reportsOf(l); len(docs) > 1 {
			d := m.tell("section-writer/"+l, "several-reports-for-section", 0, docs[1].Path, "", docs[0].Path+" is a report of section "+l+", too")
			advise(d, "Keep one report", "compare them and keep the one that the memorandum holds")
		}
	}
}

// checkUnrecorded looks for outputs whose agent has no state file although others of its phase have one.
func (m *model) checkUnrecorded() {
	for i, k := range kinds {
		a := &agent{kind: k, subject: k.name}
		there, _ := m.outputs(a)
		if i == writer || i == assembly || len(there) == 0 || m.find(k.name) != nil || !m.complete || i == synthesis && m.anyStage7() {
			continue
		}
		beside := false // of a phase that is over the state is not needed to go on
		for _, b := range m.agents {
			beside = beside || b.doc != nil && b.kind.group() == k.group()
		}
		beside = beside && m.furthest() <= k.group()
		d := m.tell(k.name, "output-without-state", graded(beside, sdk.Warning, sdk.Info), there[0].Path, "", there[0].Path+" is there, but "+a.home()+" is not")
		advise(d, "Create the state", "look how far the output is, and write the state file; stategate recover rebuilds it")
	}
}

// checkUnrecordedText looks at the reports of a section without a state.
func (m *model) checkUnrecordedText(a *agent) {
	for _, d := range m.reportsOf(a.letter) {
		if measured(d) {
			m.sayTruncated(a, d)
			if !footed(d) {
				m.tell(a.subject, "section-footer-unseen", sdk.Info, d.Path, "", footerText)
			}
		}
	}
}

func (m *model) checkPending() {
	var paths []string
	for _, d := range m.docs.All() {
		if strings.HasPrefix(d.Path, "section-IV") && (strings.HasSuffix(d.Path, "-integrated.md") || strings.HasSuffix(d.Path, "-pending.md")) {
			paths = append(paths, d.Path)
		}
	}
	if len(paths) > 0 {
		advise(m.tell("", "pending-section-file", 0, paths[0], "", "a section lies beside the memorandum: "+list(paths)), "Append and remove them", "append each to "+memoPath+", then remove it")
	}
}

// listKeys are the fields of a state file that name files.
var listKeys = [...]string{"output_file", "files_created", "output_files", "output_files_created", "output_files_generated", "outputs_created", "files_verified", "input_files_read", "reports_list"}

// checkListed looks for the files that a state file names.
func (m *model) checkListed(a *agent) {
	if !m.complete {
		return
	}
	var lost []string
	at := ""
	look := func(pointer, key string, v value) {
		text, ok := v.Text()
		if !ok {
			return
		}
		path := m.local(text)
		name := baseName(path)
		if !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".json") || strings.ContainsAny(name, "*{[< ") || m.known(name) || holds(lost, path) {
			return
		}
		if input := key == "input_files_read" || key == "reports_list" || key == "files_verified"; input && !m.folderHolds(path, key) || !input && !m.tracked {
			return
		}
		lost = append(lost, path)
		if at == "" {
			at = pointer
		}
	}
	lookAll := func(prefix string, object value) {
		for _, key := range listKeys {
			v := object.Get(key)
			look(prefix+"/"+key, key, v)
			for i, e := range v.Elements() {
				look(prefix+"/"+key+"/"+itoa(i), key, e)
			}
			for _, e := range v.Members() {
				look(prefix+jsondoc.Pointer(key, e.Key), key, e.Value)
			}
		}
	}
	lookAll("", a.root)
	for i := range a.phases {
		lookAll("/"+jsondoc.Pointer(a.phaseMap, a.phases[i].name)[1:], a.phases[i].body)
	}
	if len(lost) > 0 {
		advise(m.say(a, "listed-file-missing", 0, at, "", "found nowhere: "+list(lost)), "Look for the files", "restore them, or take them off the list")
	}
	if a.kind == kinds[research] {
		m.checkInventory(a)
	}
	if n, ok := num(a.phases[0].body.Get("specialist_count")); ok && m.tracked && a.kind == kinds[synthesis] && n != float64(len(m.specialists())) {
		m.say(a, "specialist-count-off-reports", 0, "/phases/PHASE_1_DISCOVERY/specialist_count", "", "specialist_count is "+figure(n)+", but "+itoa(len(m.specialists()))+" specialist reports are there")
	}
}

// folderHolds reports whether the folder of an input has files: inputs of a
// folder that is not kept are not missing.
func (m *model) folderHolds(path, key string) bool {
	dir := path[:len(path)-len(baseName(path))]
	if dir == "" && key == "reports_list" {
		dir = specialistsDir
	}
	if dir == "" && key == "files_verified" {
		return m.tracked && strings.Contains(" research-plan.md "+summaryPath+" "+footnotesPath+" ", " "+path+" ")
	}
	for _, d := range m.docs.All() {
		if dir != "" && strings.HasPrefix(d.Path, dir) {
			return true
		}
	}
	return false
}

//go:noinline
func (m *model) specialists() []*sdk.Document {
	var found []*sdk.Document
	for _, d := range m.docs.All() {
		if strings.HasPrefix(d.Path, specialistsDir) && !d.Dir {
			found = append(found, d)
		}
	}
	return found
}

// checkInventory looks for specialist reports that the review did not list.
func (m *model) checkInventory(a *agent) {
	inventory := a.phases[1].body.Get("reports_list")
	if inventory.Len() == 0 || isExcerpt(inventory) {
		return
	}
	var names, missing []string
	for _, e := range inventory.Elements() {
		if s, ok := e.Text(); ok {
			names = append(names, baseName(m.local(s)))
		}
	}
	for _, d := range m.specialists() {
		if !holds(names, baseName(d.Path)) {
			missing = append(missing, baseName(d.Path))
		}
	}
	if len(missing) > 0 {
		advise(m.say(a, "report-not-in-inventory", 0, "/phases/PHASE_1_REPORT_INVENTORY/reports_list", "", "not in reports_list: "+list(missing)), "Review the reports", "add the reports to the inventory and review them")
	}
}
