package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// unheaded returns the complete subsections that no heading in a report names, if other headings have letters or had
// them in the base.
func (l *look) unheaded(a *agent, report *sdk.Document) []string {
	count := func(d *sdk.Document) int { return len(lettered(d)) }
	was := (*sdk.Document)(nil)
	if l.base != nil {
		was = l.base.docs.Get(report.Path)
	}
	if !measured(report) || cutShort(report) || count(report) < 2 && (!measured(was) || count(was) < 2) {
		return nil
	}
	return a.keys(func(it *item) bool {
		mark, _, ok := strings.Cut(it.norm, "_")
		return ok && it.word == complete && len(mark) == 1 && !headed(report, it.norm)
	})
}

// outputMissing finds recorded work without an output. In a section, complete subsections also count.
func outputMissing(l *look, a *agent) {
	there, path := l.outputs(a), strings.Replace(a.output(), "*", "", 1) // the messages of accepted findings have no *
	if a.kind == kinds[writer] && len(there) == 1 {
		if lost := l.unheaded(a, there[0]); len(lost) > 0 {
			l.say(a, a.itemPointer(a.items[0]), "these subsections are complete, but "+there[0].Path+
				" has no heading for them: "+list(lost)).Keyed("headings").As(sdk.Warning).
				See(sdk.At(there[0].Path), "the report")
		}
	}
	// assembled or removed outputs have another finding
	assembled := func(b *agent) bool { return b.kind.stage == 7 && (b.claims || b.bears(reopenedMark)) }
	early := !l.anyStage7() || l.orch.has(4) && !l.orch.groupComplete(4) && !(l.base != nil && l.base.memo != nil) &&
		!slices.ContainsFunc(l.agents, assembled)
	if first := a.phases[0]; a.kind == kinds[qa] && first.done() && l.seesMemo() && l.memo == nil && early {
		l.say(a, a.phasePointer(0), first.name+" is done, but "+memoPath+" does not exist").Keyed("memorandum")
	}
	if l.copyOf(a) != nil { // the state says nothing about this section
		return
	}
	if path == "" { // the specification does not require a report from these agents
		return
	}
	begun := l.begunText(a)
	emptied := len(there) == 1 && !a.kind.prose && a.proof == partial
	if len(there) > 0 && !emptied || !a.claims && !begun || a.kind == kinds[writer] && len(l.letters) == 0 && !begun {
		return
	}
	what, at := a.claimText(), a.claimPointer()
	if !a.claims && a.kind == kinds[execSummary] {
		what, at = a.phases[structure].name+" is done", a.phasePointer(structure)
	} else if !a.claims {
		what, at = say.Count(a.countItems(complete), "complete subsection")+" recorded", "/"+a.itemsKey
	}
	gone := " does not exist"
	if emptied {
		gone = " is empty"
	}
	f := l.say(a, at, what+", but "+path+gone)
	if at := a.again(); a.kind == kinds[citation] && emptied {
		l.offerNotes(f, a)
		if from, lost := l.missingNotes(a); lost {
			title, edits := a.creditNotes(from, l.notes.count)
			f.Offer(sdk.Review, title, edits...)
			return
		}
		a.offerReopen(f, at)
	} else if at >= 0 {
		l.offerText(f, a)
		f.Offer(sdk.Review, "Reopen the state at "+a.phases[at].name+" to write the output again",
			append(a.lostOutput(), l.reopenGroup(a)...)...)
	}
}

// prose returns an agent's outputs that can be cut off and whose words are counted. The memorandum is compared with
// one agent only.
func (l *look) prose(a *agent) []*sdk.Document {
	if !a.kind.prose || a.kind.stage == 7 && l.chosenMemo() != a || a.doc != nil && !a.read {
		return nil
	}
	return keep(l.outputs(a), measured)
}

// chosenMemo returns the agent whose record is compared with the memorandum.
func (m *model) chosenMemo() *agent {
	var best *agent
	for _, a := range m.agents {
		if a.kind.stage == 7 && a.read && (best == nil || a.claims && !best.claims) {
			best = a
		}
	}
	return best
}

// unowned returns the memorandum if no agent's state covers it.
func (m *model) unowned() *sdk.Document {
	if measured(m.memo) && !m.anyStage7() {
		return m.memo
	}
	return nil
}

// tooShort returns a message about a short text, or "" if it is long enough.
func tooShort(d *sdk.Document, least float64) string {
	if wordCount(d) >= least {
		return ""
	}
	return d.Path + " has " + say.Count(d.Summary.Words, "word") + "; expected at least " + figure(least)
}

// outputBelowMinimum checks finished files. Files with open phases have a finding about those.
func outputBelowMinimum(l *look) {
	for _, a := range l.agents {
		for _, d := range l.prose(a) {
			least, severity := l.least(a.kind), sdk.Error
			if a.kind == kinds[execSummary] && wordCount(d) >= least {
				least, severity = l.opt.summary, sdk.Info
			}
			if text := tooShort(d, least); text != "" && a.finished {
				f := l.about(a.subject, d.Path, text+", because "+
					a.claimText()).As(severity).See(sdk.AtPointer(a.path(),
					a.claimPointer()), a.claimText())
				if severity == sdk.Error && a.claims {
					l.offerLonger(f, a, d)
					f.Offer(sdk.Review, "Reopen the state at "+a.phases[a.again()].name, l.rewritten(a)...)
				}
			}
		}
	}
	if memo := l.unowned(); memo != nil && tooShort(memo, l.opt.memorandum) != "" {
		l.about("", memoPath, tooShort(memo, l.opt.memorandum)).As(sdk.Warning)
	}
}

func truncatedOutput(l *look) {
	for _, a := range l.agents {
		for _, d := range l.prose(a) {
			if at := brokenAt(d); at >= 0 && !a.claims && (a.kind.stage < 7 || len(l.started) == 0) &&
				isHeading(d.Summary.Tail[at]) {
				continue // the headings are written before the text
			}
			f := l.breaksOff(a.subject, d)
			switch {
			case f != nil && !a.claims: // a separate finding while the agent is in progress
				f.Keyed("at work").As(sdk.Warning)
				continue
			case f == nil && d.Path == memoPath && a.finished && !ended(d):
				f = l.about(a.subject, d.Path, a.claimText()+", but "+d.Path+
					" does not end with END OF MEMORANDUM").Keyed("end")
			case f == nil:
				continue
			}
			l.offerLonger(f, a, d)
			f.Offer(sdk.Review, "Reopen the state at "+a.phases[a.again()].name, l.rewritten(a)...)
		}
	}
	if f := l.breaksOff("", l.unowned()); f != nil {
		f.As(sdk.Warning)
	}
}

// breaksOff adds a finding about a text that is cut off. It returns nil if the text is not.
func (l *look) breaksOff(subject string, d *sdk.Document) *check.Finding {
	if at := brokenAt(d); at >= 0 {
		line := d.Summary.Lines - len(d.Summary.Tail) + at + 1
		text := "the text is cut off after "
		if unfilled(d) {
			text = "a finished text must not contain [TBD]; line " + say.Int(line) + " is "
		}
		return l.At(sdk.AtLine(d.Path, line), text+say.Quote(d.Summary.Tail[at])).About(subject)
	}
	return nil
}

func sectionFooterUnseen(l *look) {
	for _, a := range l.agents {
		for _, d := range l.prose(a) {
			if a.kind == kinds[writer] && a.finished && !footed(d) {
				l.about(a.subject, d.Path, "the report has no heading Footnotes, and does not end with a rule (---) "+
					"or END OF")
			}
		}
	}
}

// summaryWithoutReferences finds a finished summary without a line that names a section.
func summaryWithoutReferences(l *look, a *agent) {
	if d := l.docs.Get(summaryPath); a.finished && measured(d) && wordCount(d) >= l.opt.floor &&
		len(d.Summary.Probes) == 1 && d.Summary.Probes[0].Count == 0 {
		l.about(a.subject, summaryPath, summaryPath+" does not refer to any section; expected references such as IV.A")
	}
}

// footed reports whether a section report ends properly: under a Footnotes heading, with a rule, or with footnotes
// after a rule. If there are more footnotes than tail lines, the tail does not show the rule.
func footed(d *sdk.Document) bool {
	tail := d.Summary.Tail
	notes := func(h wire.HeadingLine) bool { return words.Mentions(h.Text, "footnote") }
	rule := func(line string) bool {
		return strings.HasPrefix(line, "---") || strings.HasPrefix(line, "***") || strings.Contains(line, "END OF")
	}
	end := len(tail)
	for end > 0 && isNote(tail[end-1]) {
		end--
	}
	return cutShort(d) || slices.ContainsFunc(d.Summary.Headings, notes) || end == 0 && len(tail) > 0 ||
		slices.ContainsFunc(tail[max(0, end-5):end], rule)
}

// isNote reports whether a line is a footnote.
func isNote(line string) bool {
	_, ok := noteNumber(line)
	return ok
}

// recordedWords returns the output whose word count an agent records, with the count, or nil if they cannot be
// compared.
func (l *look) recordedWords(a *agent) (*sdk.Document, float64) {
	n, ok := num(a.metrics.Get("word_count"))
	if docs := l.prose(a); ok && n > 0 && len(docs) == 1 && len(l.outputs(a)) == 1 &&
		(a.kind != kinds[writer] || l.complete) {
		return docs[0], n
	}
	return nil, 0
}

func (l *look) fewer(a *agent, d *sdk.Document, n float64) string {
	return d.Path + " has " + say.Count(d.Summary.Words, "word") + ", but word_count of " + a.path() + " is " +
		figure(n)
}

func outputLostText(l *look, a *agent) {
	d, n := l.recordedWords(a)
	if d == nil || wordCount(d) >= l.opt.lost*n {
		return
	}
	f := l.about(a.subject, d.Path, l.fewer(a, d, n)).See(sdk.AtPointer(a.path(), "/metrics/word_count"),
		"word_count is "+figure(n))
	if l.base != nil && wordCount(l.base.docs.Get(d.Path)) >= l.opt.lost*n {
		l.offerOld(f, l.base.docs.Get(d.Path), d)
	}
	if edits := l.rewritten(a); len(edits) > 0 {
		f.Offer(sdk.Review, "Record the measured word count and reopen the state", append(edits,
			a.recordWords(d.Summary.Words)...)...)
	}
}

// recordWords returns the edits after which a file records no more words than its text has.
func (a *agent) recordWords(words int) (edits []sdk.Edit) {
	for _, pointer := range writtenFigures {
		if n, ok := num(a.at(pointer)); ok && n > float64(words) {
			edits = append(edits, a.set(pointer, say.Int(words))...)
		}
	}
	const check = "/verification_status/word_count_check/"
	if target, ok := num(a.at(check + "target")); ok && target > float64(words) && a.at(check+"passed").Exists() {
		edits = append(append(edits, a.set(check+"passed", "false")...), a.failChecks()...)
	}
	return edits
}

// writtenFigures holds the pointers where a synthesis records the memorandum's word count. The count never falls,
// because a synthesis only appends to the memorandum.
var writtenFigures = [...]string{"/metrics/word_count", "/phases/PHASE_4_ASSEMBLY/words_written",
	"/verification_status/word_count_check/actual"}

func outputShorterThanRecorded(l *look, a *agent) {
	if a.kind == kinds[synthesis] && !a.finished && measured(l.memo) && len(l.prose(a)) > 0 {
		at, most := "", 0.0
		for _, pointer := range writtenFigures {
			if n, ok := num(a.at(pointer)); ok && n > most {
				at, most = pointer, n
			}
		}
		if words := wordCount(l.memo); words < l.opt.edited*most && words >= l.opt.lost*most {
			l.about(a.subject, memoPath, memoPath+" has "+say.Count(l.memo.Summary.Words, "word")+", but "+at[1:]+
				" of "+
				a.path()+" is "+figure(most)).See(sdk.AtPointer(a.path(), at), at[1:]+" is "+figure(most))
		}
		return
	}
	if d, n := l.recordedWords(a); d != nil && wordCount(d) >= l.opt.lost*n && wordCount(d) < l.opt.short*n {
		l.about(a.subject, d.Path, l.fewer(a, d, n))
	}
}

func severalReportsForSection(l *look) {
	for _, letter := range l.letters {
		if docs := l.reportsOf(letter); len(docs) > 1 {
			l.about("section-writer/"+letter, docs[1].Path,
				"section "+letter+" has another report, "+docs[0].Path).See(sdk.At(docs[0].Path), "the other report")
		}
	}
}

// outputWithoutState finds outputs whose agent has no state file. It is a warning if other agents in its phase have
// one.
func outputWithoutState(l *look) {
	sections := keep(l.agents, func(a *agent) bool { return a.kind == kinds[writer] })
	if without := keep(sections, func(a *agent) bool { return a.doc == nil }); len(without) > 0 {
		letters := gather(without, func(a *agent) string { return a.letter })
		severity := graded(len(without) < len(sections), sdk.Warning, sdk.Info)
		f := l.about(without[0].subject, l.reportsOf(letters[0])[0].Path,
			"these sections have a report, but no state file: "+list(letters)).As(severity)
		l.offerRebuilt(f, severity, without)
	}
	for _, a := range l.unrecorded() {
		path := l.outputs(a)[0].Path
		beside := slices.ContainsFunc(l.agents, func(b *agent) bool {
			return b.doc != nil && b.kind.group() == a.kind.group()
		})
		severity := graded(beside && l.furthest() <= a.kind.group(), sdk.Warning, sdk.Info)
		f := l.about(a.subject, path, path+" exists, but "+a.home()+" does not").As(severity)
		l.offerRebuilt(f, severity, []*agent{a})
	}
}

// under returns the documents whose paths have a prefix, such as a directory with its slash.
func (m *model) under(dir string) []*sdk.Document {
	return keep(m.docs.All(), func(d *sdk.Document) bool { return strings.HasPrefix(d.Path, dir) && !d.Dir })
}

func (m *model) specialists() []*sdk.Document { return m.under(specialistsDir) }
