package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// collected returns the validator's footnote count.
func (a *agent) collected() (float64, bool) { return num(a.metrics.Get("footnotes_collected")) }

// setNotes returns the edits that set every footnote total.
func (a *agent) setNotes(n string, rest ...sdk.Edit) []sdk.Edit {
	edits := append(rest, a.set("/metrics/footnotes_collected", n)...)
	if a.phases[1].body.Get("footnotes_collected").Exists() {
		edits = append(edits, a.set(notesOfPhase, n)...)
	}
	if a.rescue.Get("do_not_repeat_footnotes").Exists() {
		all := `"1-` + n + `"`
		if n == "0" {
			all = `""`
		}
		edits = append(edits, a.set(guardOfNotes, all)...)
	}
	return edits
}

// The pointers of the fields that repeat the total.
const (
	notesOfPhase = "/phases/PHASE_2_FOOTNOTE_EXTRACTION/footnotes_collected"
	guardOfNotes = "/recovery_instructions/do_not_repeat_footnotes"
)

func footnotesDoNotAddUp(l *look, a *agent) {
	collected, has := a.collected()
	sum, off := a.notesSum()
	of, counted := num(a.at(notesOfPhase))
	text, _ := a.at(guardOfNotes).Text()
	_, to, guarded := span(text)
	f := func(pointer, message string) *check.Finding { return l.say(a, pointer, message).Keyed(pointer) }
	switch {
	case !has:
	case off:
		f("/metrics/footnotes_collected", but("footnotes_collected", collected, "the sum of footnotes_extracted", sum)).
			Offer(sdk.Review, "Set the totals to "+figure(sum), a.setNotes(figure(sum))...)
	case counted && of != collected:
		f(notesOfPhase, but("footnotes_collected", collected, notesOfPhase[1:], of)).
			Offer(sdk.Review, "Set the metric to "+figure(of), a.set("/metrics/footnotes_collected", figure(of))...).
			Offer(sdk.Review, "Set the phase's figure to "+figure(collected), a.set(notesOfPhase, figure(collected))...)
	case guarded && float64(to) != collected:
		all := "1-" + figure(collected)
		f(guardOfNotes, say.Wrong("do_not_repeat_footnotes", say.Quote(text),
			say.Quote(all)+", because footnotes_collected is "+figure(collected))).
			Offer(sdk.Safe, "Set do_not_repeat_footnotes to "+all, a.set(guardOfNotes, say.Quote(all))...)
	}
}

// notesSum returns the sum of the sections' footnotes, and whether it differs from the total.
func (a *agent) notesSum() (sum float64, off bool) {
	collected, has := a.collected()
	lettered := 0.0
	for _, it := range a.items {
		v := it.body.Get("footnotes_extracted")
		f, ok := num(v)
		if v.Exists() && v.Kind() != jsondoc.Null && !ok {
			return 0, false // value-unreadable reports it
		}
		off = off || ok
		sum += f
		if it.letter != "" {
			lettered += f
		}
	}
	return sum, off && has && sum != collected && (lettered != collected || lettered == 0)
}

// numberOffRunningTotal compares every section's last number with the running total. Entries without a letter may
// come first or not count.
func numberOffRunningTotal(l *look, a *agent) {
	first := 0.0
	var order []*item
	for _, it := range a.items {
		if it.letter == "" {
			if f, is := num(it.body.Get("footnotes_extracted")); is {
				first += f
			}
			continue
		}
		order = append(order, it)
	}
	sortBy(order, func(it *item) string { return it.letter })
	pointer, message, edits := a.running(order, 0)
	if _, off := a.notesSum(); off || message == "" {
		return
	}
	if first > 0 {
		if _, other, _ := a.running(order, first); other == "" {
			return
		}
	}
	l.say(a, pointer, message).Offer(sdk.Review, "Set the numbers to the running totals", edits...)
}

// running finds the first number that differs from the running total, and returns the edits that correct all such
// numbers.
func (a *agent) running(order []*item, sum float64) (at, message string, edits []sdk.Edit) {
	wrong := func(it *item, field, expected string) {
		p := jsondoc.Pointer(a.itemsKey, it.key, field)
		if message == "" {
			at, message = p, say.Wrong(field+" of "+say.Clip(it.key), plain(it.body.Get(field)),
				expected+", the running total")
		}
		edits = append(edits, a.set(p, expected)...)
	}
	for _, it := range order {
		last := it.body.Get("last_global_number")
		text, isSpan := it.body.Get("global_range").Text()
		n, counted := num(it.body.Get("footnotes_extracted"))
		if !counted {
			if last.Kind() == jsondoc.Number || isSpan {
				return at, message, edits // later numbers are unknown
			}
			continue
		}
		before := sum
		sum += n
		if f, ok := num(last); ok && f != sum && it.word == complete {
			wrong(it, "last_global_number", figure(sum))
		}
		if from, to, ok := span(text); ok && n > 0 && (float64(from) != before+1 || float64(to) != sum) {
			wrong(it, "global_range", jsondoc.Quote(figure(before+1)+"-"+figure(sum)))
		}
	}
	return at, message, edits
}

// footnoteFileOffCount compares the totals with the file's lines. If they differ, the file is right.
func footnoteFileOffCount(l *look, a *agent) {
	collected, has := a.collected()
	n, gone := &l.notes, l.notesGone(a)
	if _, off := a.notesSum(); off || !has || gone && (a.claims || collected == 0) ||
		n.bare && n.words == 0 && (a.claims || a.bears(reopenedMark)) ||
		!gone && (!n.strict && !n.lacks(collected) || float64(n.count) == collected) {
		return
	}
	what := footnotesPath + " has " + say.Count(n.count, "footnote")
	if gone {
		what = footnotesPath + " does not exist"
	}
	from, lost := l.missingNotes(a)
	if !lost {
		from = -1
	}
	title, edits := a.creditNotes(from, n.count)
	if lost {
		edits = append(edits, l.reopenGroup(a)...)
	}
	message := "footnotes_collected is " + figure(collected) + ", but " + what
	if inBase := l.notesInBase(a); inBase {
		message += "; the base has " + say.Count(l.base.notes.count, "footnote")
	} else if !gone {
		message += "; the file is right"
	}
	f := l.say(a, "/metrics/footnotes_collected", message).See(sdk.At(footnotesPath), what)
	l.offerNotes(f, a)
	f.Offer(sdk.Review, title, edits...)
}

// notesInBase reports whether the footnote file is gone or was cut off, and the base has exactly the recorded
// footnotes.
func (m *model) notesInBase(a *agent) bool {
	collected, has := a.collected()
	if m.base == nil || a.kind != kinds[citation] || !has || !m.base.notes.strict ||
		float64(m.base.notes.count) != collected {
		return false
	}
	d, was := m.docs.Get(footnotesPath), m.base.docs.Get(footnotesPath)
	return m.notesGone(a) || whole(d) && d.Digest != was.Digest &&
		strings.HasPrefix(was.Text, strings.TrimRight(d.Text, " \r\n"))
}

// offerNotes offers to restore the footnote file, so that no section is extracted again.
func (l *look) offerNotes(f *check.Finding, a *agent) {
	if l.notesInBase(a) {
		f.Offer(sdk.Review, "Restore "+footnotesPath+" from the base", sdk.Restore(footnotesPath))
	}
}

// bears reports whether the file's critical context contains a mark.
func (a *agent) bears(mark string) bool {
	return holds(textsOf(a.root.Get("compaction_summary").Get("critical_context")), mark)
}

// notesGone reports whether the footnote file is known to be missing.
func (m *model) notesGone(a *agent) bool {
	return a.kind == kinds[citation] && m.docs.Get(footnotesPath) == nil && m.tracked && m.complete
}

// lostNotes reports whether recorded footnotes must be extracted again, and from which item on.
func (m *model) lostNotes(a *agent) (from int, lost bool) {
	if m.notesInBase(a) {
		return 0, false
	}
	return m.missingNotes(a)
}

// missingNotes reports whether the file lacks recorded footnotes, and from which item on.
func (m *model) missingNotes(a *agent) (from int, lost bool) {
	collected, has := a.collected()
	if a.kind != kinds[citation] || !has || m.notes.elided > 0 || !m.notes.strict &&
		!m.notes.lacks(collected) && !m.notesGone(a) || float64(m.notes.count) >= collected {
		return 0, false
	}
	sum := 0.0
	for i, it := range a.items {
		n, _ := num(it.body.Get("footnotes_extracted"))
		if sum += n; sum > float64(m.notes.count) && it.word == complete {
			return i, true
		}
	}
	return 0, false
}

// extractAgain returns the step that extracts an item's footnotes again.
func extractAgain(it *item, there int) string {
	return "extract " + it.key + " again, from footnote " + say.Int(there+1) + " on"
}

// creditNotes returns the edits that set the totals from the file. Extra footnotes belong to the next section, whose
// state was not written. Sections with missing footnotes must be extracted again.
func (a *agent) creditNotes(from, count int) (title string, edits []sdk.Edit) {
	title = "Set the totals to " + say.Int(count)
	set := func(it *item, status string, extracted int) {
		at := func(key string) string { return jsondoc.Pointer(a.itemsKey, it.key, key) }
		if edits = append(edits, a.set(at("footnotes_extracted"), say.Int(extracted), at("last_global_number"),
			say.Int(count))...); status != "" {
			edits = append(edits, a.set(at("status"), jsondoc.Quote(status))...)
		}
	}
	extracted := func(it *item) int { n, _ := integer(it.body.Get("footnotes_extracted")); return n }
	left := count // the file's footnotes that remain for later items
	var last *item
	for i, it := range a.items {
		n := extracted(it)
		switch {
		case from >= 0 && i == from && left > 0:
			set(it, "in_progress", left)
		case from >= 0 && i >= from && it.word == complete:
			set(it, "pending", 0)
		case from < 0 && it.letter != "" && (it.word == complete || it.word.open() &&
			(last == nil || last.word == complete)):
			last = it
		}
		left -= n
	}
	if from < 0 && last != nil && left+extracted(last) >= 0 {
		status := ""
		if last.word == pending {
			status = "in_progress"
		}
		set(last, status, left+extracted(last))
	}
	if len(edits) == 0 {
		return "", nil
	}
	done := a.countItems(complete)
	if from >= 0 {
		left := keep(a.items[from:], func(it *item) bool { return it.word == complete })
		again, sections := len(left), gather(left, func(it *item) string { return it.letter })
		done -= again
		title += ", and extract again: section " + say.And(sections...)
		for i, pointer := range [...]string{"/metrics/sections_processed",
			"/phases/PHASE_2_FOOTNOTE_EXTRACTION/sections_processed",
			"/phases/PHASE_2_FOOTNOTE_EXTRACTION/sections_remaining"} {
			if v, ok := integer(a.at(pointer)); ok {
				edits = append(edits, a.set(pointer, say.Int(v+[...]int{-again, -again, again}[i]))...)
			}
		}
		edits = append(edits, a.reopen(1, func(g *guard) bool {
			return !namesAny(g, a.items[from:]) &&
				!a.guardsPhase(g, 1, len(a.phases), true)
		})...)
		edits = append(edits, a.nextAction(extractAgain(a.items[from], count))...)
	}
	return title, append(a.setNotes(say.Int(count), edits...), a.setProgress(done, len(a.items), "sections")...)
}

func duplicateFootnoteNumber(l *look) {
	if n := &l.notes; len(n.repeated) > 0 {
		l.At(sdk.AtLine(footnotesPath, n.line), "these numbers appear on two lines: "+
			list(n.repeated)).About(kinds[citation].name)
	}
}

func footnoteNumberGap(l *look) {
	n := &l.notes
	if n.gap > 0 {
		l.about(kinds[citation].name, footnotesPath,
			"number "+say.Int(n.gap)+" is missing: "+say.Count(n.count, "footnote")+", numbered up to "+
				say.Int(n.highest))
	}
	if n.elided > 0 {
		l.At(sdk.AtLine(footnotesPath, n.elidedRow),
			say.Count(n.elided, "line")+" in place of footnotes, the first for "+
				n.elision).About(kinds[citation].name).Keyed("elided")
	}
}
