package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkOutput holds an agent's claim against its output.
func (m *model) checkOutput(a *agent) {
	there, path := m.outputs(a)
	if path == "" {
		m.checkSoft(a)
		return
	}
	if a.kind == kinds[writer] && len(m.reports) == 0 {
		return
	}
	gone := " is not there"
	if len(there) == 1 && !a.kind.hasText() && a.proof == partial {
		gone = " is empty"
	}
	if len(there) == 0 || gone == " is empty" {
		if a.claims && m.complete {
			d := m.tell(a.subject, "output-missing", 0, path, "", a.claimText()+" in "+a.path()+", but "+path+gone)
			d.Range = sdk.AtPointer(a.path(), a.claimPointer())
			if a.kind.output >= 0 {
				offer(d, sdk.Review, "Reopen it at "+a.phases[a.kind.output].name, a.reopenLost(a.kind.output)...)
			}
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

// offerReopen offers to reopen a state whose output does not bear it out.
func (m *model) offerReopen(d *sdk.Diagnostic, a *agent) {
	if a.kind.output >= 0 && a.claims {
		offer(d, sdk.Review, "Reopen it at "+a.phases[a.kind.output].name, a.reopen(a.kind.output)...)
	}
}

// checkText looks for an output that is short or breaks off.
func (m *model) checkText(a *agent, d *sdk.Document) {
	// A file with open phases is told of them: that its text is short follows.
	least, severity := m.opt.section, graded(a.finished, sdk.Error, sdk.Off)
	switch a.kind.stage {
	case 5:
		least, severity = m.opt.floor, sdk.Warning
		if words(d) >= least {
			least, severity = m.opt.summary, sdk.Info
		}
		if !a.finished {
			severity = sdk.Off
		}
	case 7:
		least = m.opt.memorandum
	}
	if words(d) < least && severity != sdk.Off {
		f := m.tell(a.subject, "output-below-minimum", severity, d.Path, "", itoa(d.Summary.Words)+" words, expected at least "+figure(least)+" when "+a.claimText())
		if severity != sdk.Info {
			m.offerReopen(f, a)
			advise(f, "Write the rest", "continue the text; never start over")
		}
	}
	m.sayTruncated(a, d)
	if a.kind == kinds[writer] && !footed(d) {
		m.tell(a.subject, "section-footer-unseen", 0, d.Path, "", "no heading speaks of footnotes, and no rule or END OF ends the text")
	}
}

func (m *model) sayTruncated(a *agent, d *sdk.Document) {
	line := truncated(d)
	if line == "" {
		return
	}
	f := m.tell(a.subject, "truncated-output", graded(a.claims, sdk.Error, sdk.Warning), d.Path, "", "the text breaks off: "+shown(line))
	if d.Summary.Lines > 0 && d.Need != sdk.Listed {
		f.Range.Line = d.Summary.Lines
	}
	if a.read {
		m.offerReopen(f, a)
	}
	advise(f, "Continue the text", "continue from the last complete line")
}

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
	n, ok := a.metrics.Get("word_count").Float()
	if !ok || n <= 0 || len(there) != 1 || !measured(there[0]) || a.kind == kinds[writer] && !m.complete {
		return
	}
	d := there[0]
	switch {
	case words(d) < m.opt.lost*n:
		f := m.tell(a.subject, "output-lost-text", 0, d.Path, "", itoa(d.Summary.Words)+" words, but "+a.path()+" recorded "+figure(n))
		if m.base != nil {
			if was := m.base.docs.Get(d.Path); was != nil && words(was) >= m.opt.lost*n {
				offer(f, sdk.Review, "Restore the text of the base revision", sdk.Restore(d.Path))
			}
		}
		if a.claims && a.kind.output >= 0 {
			offer(f, sdk.Review, "Record the measured words and reopen it", append(a.reopen(a.kind.output), a.set("/metrics/word_count", itoa(d.Summary.Words)))...)
		}
		advise(f, "Restore the text", "restore the text from the repository, or write what is lost again")
	case words(d) < m.opt.short*n:
		advise(m.tell(a.subject, "output-shorter-than-recorded", 0, d.Path, "", itoa(d.Summary.Words)+" words, but "+a.path()+" recorded "+figure(n)), "Look what is missing", "compare the text with an earlier revision")
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
	m.checkPending()
	m.checkNoteLines()
	if m.memo != nil && measured(m.memo) && m.chosenMemo() == nil && !m.anyStage7() {
		if words(m.memo) < m.opt.memorandum {
			advise(m.tell("", "output-below-minimum", sdk.Warning, memoPath, "", itoa(m.memo.Summary.Words)+" words, expected at least "+figure(m.opt.memorandum)), "Write the rest", "look which sections are missing, and append them")
		}
		if line := truncated(m.memo); line != "" {
			advise(m.tell("", "truncated-output", sdk.Warning, memoPath, "", "the text breaks off: "+shown(line)), "Continue the text", "continue from the last complete line")
		}
	}
}

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

// checkUnrecordedText looks at the reports of a section without a state.
func (m *model) checkUnrecordedText(a *agent) {
	for _, d := range m.reportsOf(a.letter) {
		if measured(d) {
			m.sayTruncated(a, d)
			if !footed(d) {
				m.tell(a.subject, "section-footer-unseen", 0, d.Path, "", "no heading speaks of footnotes, and no rule or END OF ends the text")
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
		if (key == "input_files_read" || key == "reports_list" || key == "files_verified") && !m.folderHolds(path, key) {
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
	if n, ok := a.phases[0].body.Get("specialist_count").Float(); ok && a.kind == kinds[synthesis] && n != float64(len(m.specialists())) {
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
	for _, d := range m.docs.All() {
		if dir != "" && strings.HasPrefix(d.Path, dir) {
			return true
		}
	}
	return false
}

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
