package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkNotes compares the counts of footnotes with each other and with the file
// that holds them.
func (m *model) checkNotes(a *agent) {
	collected, has := num(a.metrics.Get("footnotes_collected"))
	total, ok1 := num(a.metrics.Get("total_sections"))
	body := a.phases[1].body
	done, ok2 := num(body.Get("sections_processed"))
	rest, ok3 := num(body.Get("sections_remaining"))
	if ok1 && ok2 && ok3 && done+rest != total {
		m.parts(a, "/phases/"+a.phases[1].name+"/sections_processed", "sections_processed", "sections_processed + sections_remaining are "+figure(done+rest), "total_sections is "+figure(total))
	}
	if n, ok := num(a.metrics.Get("placeholders_found")); ok && a.finished && n > 0 {
		advise(m.say(a, "finished-with-placeholders", 0, "/metrics/placeholders_found", "", figure(n)+" placeholders were found and the file is finished"), "Fill them in", "replace the placeholders by citations, and count again")
	}
	m.checkRunning(a)
	if has {
		m.checkSum(a, collected)
		m.checkNoteFigures(a, collected)
	}
	m.checkNoteFile(a, collected, has)
}

// setNotes are the edits that set every total of footnotes.
func (a *agent) setNotes(n string, rest ...sdk.Edit) []sdk.Edit {
	edits := append(rest, a.set("/metrics/footnotes_collected", n))
	if a.phases[1].body.Get("footnotes_collected").Exists() {
		edits = append(edits, a.set("/phases/"+a.phases[1].name+"/footnotes_collected", n))
	}
	if a.rescue.Get("do_not_repeat_footnotes").Exists() {
		edits = append(edits, a.set("/recovery_instructions/do_not_repeat_footnotes", `"1-`+n+`"`))
	}
	return edits
}

func (m *model) checkSum(a *agent, collected float64) {
	sum, lettered, any := 0.0, 0.0, false
	for i := range a.items {
		v := a.items[i].body.Get("footnotes_extracted")
		f, ok := num(v)
		if v.Exists() && v.Kind() != jsondoc.Null && !ok {
			return // a figure that is no number
		}
		if ok {
			any = true
			sum += f
			if sectionLetter(a.items[i].key) != "" {
				lettered += f
			}
		}
	}
	if !any || sum == collected || lettered == collected && lettered > 0 {
		return
	}
	d := m.say(a, "footnotes-do-not-add-up", 0, "/metrics/footnotes_collected", "", "the sections have "+figure(sum)+" footnotes, but footnotes_collected is "+figure(collected))
	offer(d, sdk.Review, "Set the totals to "+figure(sum), a.setNotes(figure(sum))...)
	advise(d, "Count again", "count the footnotes of every section")
}

func (m *model) checkNoteFigures(a *agent, collected float64) {
	pointer := "/phases/" + a.phases[1].name + "/footnotes_collected"
	if f, ok := num(a.phases[1].body.Get("footnotes_collected")); ok && f != collected {
		d := m.say(a, "counter-beside-phase", 0, "/metrics/footnotes_collected", "footnotes_collected", "footnotes_collected is "+figure(collected)+", but "+a.phases[1].name+" says "+figure(f))
		offer(d, sdk.Review, "Set the metric to "+figure(f), a.set("/metrics/footnotes_collected", figure(f)))
		offer(d, sdk.Review, "Set the phase's figure to "+figure(collected), a.set(pointer, figure(collected)))
	}
	text, isText := a.rescue.Get("do_not_repeat_footnotes").Text()
	if n, rest := leading(text); isText && text != "" && rest == text && n == 0 && !covering(text) {
		advise(m.say(a, "unreadable-value", 0, "/recovery_instructions/do_not_repeat_footnotes", "", say.Wrong("do_not_repeat_footnotes", shown(text), `"1-`+figure(collected)+`"`)), "Write the value", "write the numbers that are given, from 1 on")
	}
	if _, to, ok := span(text); ok && float64(to) != collected {
		d := m.say(a, "footnote-guard-off-count", 0, "/recovery_instructions/do_not_repeat_footnotes", "", "do_not_repeat_footnotes is "+shown(text)+", but footnotes_collected is "+figure(collected))
		offer(d, sdk.Safe, "Set it to 1-"+figure(collected), a.set("/recovery_instructions/do_not_repeat_footnotes", `"1-`+figure(collected)+`"`))
	}
}

// checkRunning holds every section's last number against the running total.
// Entries without a letter may be counted first, or not at all.
func (m *model) checkRunning(a *agent) {
	first, ok := 0.0, true
	var order []*item
	for i := range a.items {
		it := &a.items[i]
		if sectionLetter(it.key) == "" {
			if f, is := num(it.body.Get("footnotes_extracted")); is {
				first += f
			}
			continue
		}
		at := len(order)
		order = append(order, it)
		for ; at > 0 && less(sectionLetter(it.key), sectionLetter(order[at-1].key)); at-- {
			order[at], order[at-1] = order[at-1], order[at]
		}
	}
	wrong, edits := running(a, order, 0)
	if wrong == nil {
		return
	}
	if first > 0 {
		other, _ := running(a, order, first)
		ok = other != nil
	}
	if !ok {
		return
	}
	d := m.say(a, "global-number-off-running-total", 0, jsondoc.Pointer(a.itemsKey, wrong.key, wrong.field), "", wrong.key+": "+wrong.field+" is "+wrong.value+", expected "+wrong.expected)
	offer(d, sdk.Review, "Set the numbers to the running totals", edits...)
	advise(d, "Number again", "number the footnotes from 1 in the order of the sections")
}

// offNumber is the first number that is not the running total.
type offNumber struct{ key, field, value, expected string }

func running(a *agent, order []*item, sum float64) (first *offNumber, edits []sdk.Edit) {
	wrong := func(it *item, field, value, expected, json string) {
		if first == nil {
			first = &offNumber{it.key, field, value, expected}
		}
		edits = append(edits, a.set(jsondoc.Pointer(a.itemsKey, it.key, field), json))
	}
	for _, it := range order {
		last := it.body.Get("last_global_number")
		text, isSpan := it.body.Get("global_range").Text()
		n, counted := num(it.body.Get("footnotes_extracted"))
		if !counted {
			if last.Kind() == jsondoc.Number || isSpan {
				return first, edits // what follows cannot be told
			}
			continue
		}
		before := sum
		sum += n
		if f, ok := num(last); ok && f != sum && it.word == complete {
			wrong(it, "last_global_number", figure(f), figure(sum), figure(sum))
		}
		if from, to, ok := span(text); ok && n > 0 && (float64(from) != before+1 || float64(to) != sum) {
			expected := figure(before+1) + "-" + figure(sum)
			wrong(it, "global_range", shown(text), expected, jsondoc.Quote(expected))
		}
	}
	return first, edits
}

// checkNoteFile holds the totals against the lines of the file, which are right where the two differ.
func (m *model) checkNoteFile(a *agent, collected float64, has bool) {
	n, gone := &m.notes, m.docs.Get(footnotesPath) == nil
	if !has || gone && (a.claims || collected == 0 || !m.tracked || !m.complete) || !gone && (!n.strict || float64(n.count) == collected) {
		return
	}
	what := footnotesPath + " has " + say.Count(n.count, "footnote")
	if gone {
		what = footnotesPath + " is not there"
	}
	d := m.say(a, "footnote-file-off-count", 0, "/metrics/footnotes_collected", "", what+", but footnotes_collected is "+figure(collected)+"; the file counts")
	over := float64(n.count) - collected
	if edits, title := a.creditNotes(over, n.count); len(edits) > 0 {
		offer(d, sdk.Review, title, edits...)
	}
	if over > 0 {
		advise(d, "Find the surplus", "find the section of the notes that the state does not count, and set its figures and the totals")
	} else {
		advise(d, "Find what is missing", "restore "+footnotesPath+" from the repository, or extract the footnotes of the sections that it lacks again")
	}
}

// creditNotes are the edits that make the totals those of the file: more notes are of the section that is next, since
// its state was not written; where notes are missing, the last section is to be extracted again.
func (a *agent) creditNotes(over float64, count int) (edits []sdk.Edit, title string) {
	it := a.lastSection()
	title = "Set the totals to " + itoa(count)
	for i := range a.items {
		if next := &a.items[i]; over > 0 && next.word.open() && next.letter != "" && (it == nil || it.word == complete || less(next.letter, it.letter)) {
			it = next
		}
	}
	if it == nil {
		return nil, ""
	}
	at := func(key string) string { return jsondoc.Pointer(a.itemsKey, it.key, key) }
	extracted, _ := num(it.body.Get("footnotes_extracted"))
	if extracted += over; extracted < 0 {
		return nil, ""
	}
	edits = append(edits, a.set(at("footnotes_extracted"), figure(extracted)), a.set(at("last_global_number"), itoa(count)))
	switch {
	case over < 0:
		title += " and extract section " + it.letter + " again"
		edits = append(edits, a.set(at("status"), `"in_progress"`))
		for _, pointer := range [...]string{"/metrics/sections_processed", "/phases/" + a.phases[1].name + "/sections_processed"} {
			if v, ok := num(a.at(pointer)); ok {
				edits = append(edits, a.set(pointer, figure(v-1)))
			}
		}
		edits = append(edits, a.reopen(1)...)
	case it.word == pending:
		edits = append(edits, a.set(at("status"), `"in_progress"`))
	}
	return a.setNotes(itoa(count), edits...), title
}

// checkNoteLines looks at the file of footnotes alone.
func (m *model) checkNoteLines() {
	n := &m.notes
	if n.strict && len(n.repeated) > 0 {
		d := m.tell(kinds[citation].name, "duplicate-footnote-number", 0, footnotesPath, "", "on two lines: "+list(n.repeated[:min(len(n.repeated), 5)]))
		d.Range.Line = n.line
		advise(d, "Number again", "renumber the footnotes from the first repeated one")
	}
	if n.gap > 0 {
		d := m.tell(kinds[citation].name, "footnote-number-gap", 0, footnotesPath, "", "number "+itoa(n.gap)+" is missing: "+say.Count(n.count, "footnote")+" are numbered up to "+itoa(n.highest))
		advise(d, "Number again", "renumber the footnotes from the gap on, or write the missing ones")
	}
	if n.elided > 0 {
		d := m.tell(kinds[citation].name, "elided-footnotes", 0, footnotesPath, "", itoa(n.elided)+" lines stand for footnotes that are not written out, first "+n.elision)
		d.Range.Line = n.elidedRow
		advise(d, "Write them out", "write the missing footnotes")
	}
}

// lastSection is the last complete entry.
func (a *agent) lastSection() *item {
	var last *item
	for i := range a.items {
		if a.items[i].word == complete && sectionLetter(a.items[i].key) != "" {
			last = &a.items[i]
		}
	}
	return last
}
