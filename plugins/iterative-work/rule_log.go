package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

func malformedEntry(l *look) {
	for _, e := range l.m.log.entries {
		if !e.odd {
			continue
		}
		lacks := "time"
		if e.number < 0 && e.kind != checked {
			lacks = "iteration number"
		}
		l.entry(e, quote(short(e.title))+" has no "+lacks+"; expected a heading like R1 - Iteration 1 - 2026-01-16T10:00:00Z")
		l.manual("Complete the heading", "add the "+lacks+" to the heading")
	}
}

func numberGap(l *look) {
	type count struct {
		last, highest int
		turned        bool // the entry before had DONE or GAPS
		done          int  // place of the last DONE
	}
	counts := map[string]*count{}
	var c *count
	id, review := "", -1
	for _, e := range l.m.log.entries {
		if e.kind == reviewed {
			review = e.index
		}
		if e.id == "" || l.m.parallel(e.id) {
			continue
		}
		if e.id != id {
			id, c = e.id, counts[e.id]
		}
		if c == nil {
			c = &count{done: -1}
			counts[id] = c
		}
		if n := e.number; e.kind == work && n >= 0 {
			again := n == 1 && (c.turned || c.done >= 0 && review > c.done)
			if !again && n != c.last+1 && n != c.highest+1 && (n != c.last || c.last == 0) {
				says := e.id + " goes from iteration " + itoa(c.last) + " to " + itoa(n)
				if c.last == 0 {
					says = e.id + " begins with iteration " + itoa(n)
				}
				l.entry(e, says)
			}
			c.last, c.highest = n, max(c.highest, n)
		}
		c.turned = e.done || e.verdict == failed
		if e.done {
			c.done = e.index
		}
	}
}

func duplicateIteration(l *look) {
	for _, e := range l.m.log.entries {
		if e.again {
			l.entry(e, quote(short(e.title))+" is there twice: the same phase, iteration and time")
			l.manual("Tell the iterations apart", "if it is another iteration, append it again with its own number and time")
		}
	}
}

func outOfOrder(l *look) {
	var last *entry
	for _, e := range l.m.log.entries {
		if e.when.kind == 0 || l.m.parallel(e.id) {
			continue
		}
		if last != nil && e.when.before(&last.when, 0) {
			l.entry(e, quote(short(e.title))+" is at "+e.when.text+", the entry before it at "+last.when.text)
		}
		last = e
	}
}

func unplannedEntry(l *look) {
	if len(l.m.plan.items) == 0 || !l.m.stateSeen() {
		return
	}
	for _, e := range l.m.log.entries {
		if e.id != "" && !l.m.byID[e.id].known() {
			l.entry(e, e.id+" is neither in the plan nor in state.json")
			l.manual("Plan it", "add "+e.id+" to the plan and to state.json")
		}
	}
}

func entryFieldMissing(l *look) {
	for _, e := range l.m.log.entries {
		if e.kind != work {
			continue
		}
		var lacks []string
		for _, key := range [...]string{"Did", "Remaining"} {
			if e.field(key) == nil {
				push(&lacks, key)
			}
		}
		if lacks != nil {
			l.entry(e, quote(short(e.title))+" has no field "+strings.Join(lacks, " and no field "))
			l.manual("Add what is missing", "say it in the next entry; the log is append-only")
		}
	}
}

func doneWithRemaining(l *look) {
	for _, e := range l.m.log.entries {
		if !e.done {
			continue
		}
		f := e.field("Remaining")
		if !f.real() {
			continue
		}
		says := quote(short(f.value)) + " remaining"
		if f.value == "" {
			says = count(len(f.items), "item") + " remaining"
		}
		l.tell(logPath, "", f.start, f.end, e.id, short(e.title), e.id+"_DONE with "+says)
		l.manual("Settle it", "append an entry that says whether the work is done")
	}
}

func wrongSignal(l *look) { l.signals(true) }

func unknownSignal(l *look) { l.signals(false) }

func (l *look) signals(wrong bool) {
	for _, e := range l.m.log.entries {
		for i := range e.strange {
			s := &e.strange[i]
			if s.wrong != wrong {
				continue
			}
			says := " is no signal of the workflow"
			if wrong {
				says = " in an entry of " + e.id
			}
			l.tell(logPath, "", s.start, s.end, e.id, short(e.title)+" "+short(s.text), quote(short(s.text))+says)
			if wrong {
				l.manual("Signal for the right phase", "append an entry of the phase that is meant")
			}
		}
	}
}

func progressRewritten(l *look) {
	was, is := l.m.base.log, l.m.log
	if !was.seen || len(was.entries) == 0 || is.doc != nil && !is.seen {
		return
	}
	if is.doc == nil {
		l.whole(logPath, "progress.md is gone; the log is append-only")
		if o := l.offer(sdk.Review, "Restore progress.md from base"); o != nil {
			o.edit(wire.Restore, logPath, "", "")
			o.log, o.sure = was.again(l.m.parallel), true
		}
		return
	}
	from := len(is.doc.Text)
	if len(is.entries) > 0 {
		from = is.entries[0].start
	}
	at := diverges(was.doc.Text[was.entries[0].start:], is.doc.Text[from:])
	if at < 0 {
		return
	}
	at += was.entries[0].start
	changed := was.entries[0]
	for _, e := range was.entries {
		if e.start <= at {
			changed = e
		}
	}
	says := " is gone"
	var place *entry
	for _, e := range is.entries {
		if e.title == changed.title {
			says, place = " changed", e
			break
		}
	}
	l.tell(logPath, "", 0, 0, "", "", "entry "+quote(short(changed.title))+says+"; the log is append-only")
	if place != nil {
		l.finding.Range.Start, l.finding.Range.End = place.start, place.end
	}
	l.restoreLog(was, is, from)
}

// diverges is the place in the first text where a line differs from that of the
// second, -1 if the second goes on where the first ends.
func diverges(was, is string) int {
	was = strings.TrimRight(was, " \t\r\n")
	if rest, ok := strings.CutPrefix(is, was); ok {
		if rest = strings.TrimLeft(rest, " \t\r"); rest == "" || rest[0] == '\n' {
			return -1
		}
	}
	for at := 0; at < len(was); {
		line, _, more := strings.Cut(was[at:], "\n")
		other, rest, _ := strings.Cut(is, "\n")
		if strings.TrimRight(line, " \t\r") != strings.TrimRight(other, " \t\r") {
			return at
		}
		is = rest
		if at += len(line) + 1; !more {
			break
		}
	}
	return -1
}

// restoreLog offers the text of base with the entries behind it that base lacks.
func (l *look) restoreLog(was, is *journal, from int) {
	text := strings.TrimRight(was.doc.Text[was.entries[0].start:], " \t\r\n") + "\n"
	if from > 0 && is.doc.Text[from-1] == '\r' || from > 0 && len(is.entries) == 0 {
		text = "\n" + text
	}
	n := &journal{seen: true}
	titles := map[string]bool{}
	for _, e := range was.entries {
		titles[e.title] = true
		kept := *e
		n.entries = append(n.entries, &kept)
	}
	for _, e := range is.entries {
		if !titles[e.title] {
			text += "\n" + strings.TrimRight(is.doc.Text[e.start:e.stop], " \t\r\n") + "\n"
			kept := *e
			n.entries = append(n.entries, &kept)
		}
	}
	if fragile(text) || fragile(is.doc.Text[:from]) {
		l.manual("Restore the log", "put the text of the earlier revision back and append what is new")
		return
	}
	if o := l.offer(sdk.Review, "Restore the earlier entries and append the new ones"); o != nil {
		n.doc = &sdk.Document{Path: logPath, Text: was.doc.Text[:was.entries[0].start] + strings.TrimPrefix(text, "\n")} // the places of base's entries
		n.follow(l.m.parallel)
		o.log, o.sure = n, true
		o.replace(logPath, from, len(is.doc.Text), text)
	}
}

// fragile reports whether a text has marks that may swallow what is put behind it.
//
//go:noinline
func fragile(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t>-*+0123456789.")
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "<") || strings.Contains(line, "<!") {
			return true
		}
	}
	return false
}
