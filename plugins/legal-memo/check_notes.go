package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkNotes compares the counts of footnotes with each other and with the file
// that holds them.
func (m *model) checkNotes(a *agent) {
	collected, has := a.metrics.Get("footnotes_collected").Float()
	total, ok1 := a.metrics.Get("total_sections").Float()
	body := a.phases[1].body
	done, ok2 := body.Get("sections_processed").Float()
	rest, ok3 := body.Get("sections_remaining").Float()
	if ok1 && ok2 && ok3 && done+rest != total {
		m.parts(a, "/phases/"+a.phases[1].name+"/sections_processed", "sections_processed", "sections_processed + sections_remaining are "+figure(done+rest), "total_sections is "+figure(total))
	}
	if n, ok := a.metrics.Get("placeholders_found").Float(); ok && a.finished && n > 0 {
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
		f, ok := v.Float()
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
	if f, ok := a.phases[1].body.Get("footnotes_collected").Float(); ok && f != collected {
		d := m.say(a, "counter-beside-phase", 0, "/metrics/footnotes_collected", "footnotes_collected", "footnotes_collected is "+figure(collected)+", but "+a.phases[1].name+" says "+figure(f))
		offer(d, sdk.Review, "Set the metric to "+figure(f), a.set("/metrics/footnotes_collected", figure(f)))
		offer(d, sdk.Review, "Set the phase's figure to "+figure(collected), a.set(pointer, figure(collected)))
	}
	text, _ := a.rescue.Get("do_not_repeat_footnotes").Text()
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
			if f, is := it.body.Get("footnotes_extracted").Float(); is {
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
		n, counted := it.body.Get("footnotes_extracted").Float()
		if !counted {
			if last.Kind() == jsondoc.Number || isSpan {
				return first, edits // what follows cannot be told
			}
			continue
		}
		before := sum
		sum += n
		if f, ok := last.Float(); ok && f != sum && it.word == complete {
			wrong(it, "last_global_number", figure(f), figure(sum), figure(sum))
		}
		if from, to, ok := span(text); ok && n > 0 && (float64(from) != before+1 || float64(to) != sum) {
			expected := figure(before+1) + "-" + figure(sum)
			wrong(it, "global_range", shown(text), expected, jsondoc.Quote(expected))
		}
	}
	return first, edits
}

func (m *model) checkNoteFile(a *agent, collected float64, has bool) {
	n := &m.notes
	if n.strict && has && float64(n.count) != collected {
		d := m.say(a, "footnote-file-off-count", 0, "/metrics/footnotes_collected", "", footnotesPath+" has "+itoa(n.count)+" footnotes, but footnotes_collected is "+figure(collected)+"; the file is authoritative")
		var more []sdk.Edit
		if it := a.lastSection(); it != nil {
			extracted, ok := it.body.Get("footnotes_extracted").Float()
			if f, ok2 := it.body.Get("last_global_number").Float(); ok && ok2 && f == collected && extracted+float64(n.count)-collected >= 0 {
				more = append(more, a.set(jsondoc.Pointer(a.itemsKey, it.key, "footnotes_extracted"), figure(extracted+float64(n.count)-collected)),
					a.set(jsondoc.Pointer(a.itemsKey, it.key, "last_global_number"), itoa(n.count)))
			}
		}
		offer(d, sdk.Review, "Set the totals to "+itoa(n.count), a.setNotes(itoa(n.count), more...)...)
		advise(d, "Find the surplus", "find the section of the notes that the state does not count, and set its figures and the totals")
	}
}

// checkNoteLines looks at the file of footnotes alone.
func (m *model) checkNoteLines() {
	n := &m.notes
	if n.strict && len(n.repeated) > 0 {
		d := m.tell(kinds[citation].name, "duplicate-footnote-number", 0, footnotesPath, "", "on two lines: "+list(n.repeated[:min(len(n.repeated), 5)]))
		d.Range.Line = n.line
		advise(d, "Number again", "renumber the footnotes from the first repeated one")
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
