package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// The kinds of an entry of progress.md.
const (
	work uint8 = iota
	checked
	reviewed
	revised
)

// The outcomes of a verification or a review.
const (
	passed uint8 = iota + 1
	failed
)

// An entry is one section of progress.md that speaks of an iteration, a
// verification, a review or a revision.
type entry struct {
	*section
	kind    uint8
	id      string // of its phase, "" if it has none
	number  int    // of the iteration, -1 if it has none
	when    stamp
	index   int  // its place among the entries
	again   bool // a second one of the same phase, number and time
	odd     bool // the heading lacks its number or its time
	done    bool
	halted  bool  // it says BLOCKED
	verdict uint8 // of the verification of its phase
	review  uint8
	strange []signal // signals of other phases, and unknown ones
	read    []string // signals read so far, so that each counts once
}

// A signal is one that an entry should not have.
type signal struct {
	text       string
	start, end int
	wrong      bool // of another phase
}

// A journal is progress.md as data.
type journal struct {
	doc     *sdk.Document // nil if there is none
	seen    bool          // it is there and could be read
	entries []*entry
	trails  map[string]*trail
	review  uint8 // the last one's outcome
	// The places of the last entries of a kind, -1 without one.
	lastReview, lastRevise, lastFail int
}

// A trail is what progress.md has of one phase.
type trail struct {
	entries []*entry // work and verifications, none twice
	works   int
	highest int // number of an entry
	done    int // entries with DONE
	gaps    int // entries with GAPS
	// Places among the entries of the journal, -1 without one.
	firstDone, lastDone, lastVerified, lastGaps int
}

var noTrail = newTrail()

func newTrail() *trail { return &trail{firstDone: -1, lastDone: -1, lastVerified: -1, lastGaps: -1} }

func readJournal(d *sdk.Document) *journal {
	j := &journal{doc: d, seen: d.Readable()}
	list := sections(d)
	all := make([]entry, 0, len(list))
	j.entries = make([]*entry, 0, len(list))
	for i := range list {
		all = append(all, entry{section: &list[i], number: -1})
		if e := &all[len(all)-1]; list[i].level == 2 && e.heading() {
			e.signals(d.Text)
			j.entries = append(j.entries, e)
		}
	}
	return j
}

// asOf is the journal of an earlier document that ends where an entry of this
// one begins or ends, nil if it does not: then nothing has to be read twice.
func (j *journal) asOf(d *sdk.Document, parallel func(id string) bool) *journal {
	if !j.seen || !d.Readable() {
		return nil
	}
	text := strings.TrimRight(d.Text, " \t\r\n")
	if !strings.HasPrefix(j.doc.Text, text) {
		return nil
	}
	n := len(j.entries)
	for n > 0 && j.entries[n-1].start >= len(text) {
		n--
	}
	behind := strings.TrimLeft(j.doc.Text[len(text):], " \t\r\n")
	if behind != "" && (n == len(j.entries) || j.entries[n].start != len(j.doc.Text)-len(behind)) {
		return nil
	}
	was := &journal{doc: d, seen: true, entries: j.entries[:n]}
	was.follow(parallel)
	return was
}

// heading reads the heading of a section and reports whether it is one of an
// entry.
func (e *entry) heading() bool {
	s := e.section
	first := word(s.title)
	rest := s.title[len(first):]
	switch {
	case isID(first):
		e.id = first
	case alike(first, "Verify"):
		e.kind = checked
		if id := word(strings.TrimLeft(rest, " -–—:")); isID(id) {
			e.id = id
		}
	case alike(first, "Review"):
		e.kind = reviewed
	case alike(first, "Revise"):
		e.kind = revised
	default:
		return false
	}
	if e.kind != checked {
		e.number, rest = iteration(rest)
	}
	for i := range len(rest) {
		if isDigit(rest[i]) && (i == 0 || !isDigit(rest[i-1])) {
			if e.when = readStamp(rest[i:]); e.when.kind > 0 {
				break
			}
		}
	}
	e.odd = e.number < 0 && e.kind != checked || e.when.kind == 0
	return true
}

// iteration finds "Iteration <n>" and returns the number and what is behind it.
func iteration(s string) (n int, rest string) {
	for at := 0; at < len(s); {
		w := word(s[at:])
		if at += max(len(w), 1); !alike(w, "iteration") {
			continue
		}
		behind := strings.TrimLeft(s[at:], " #")
		if n := leading(behind); n >= 0 {
			return n, strings.TrimLeft(behind, "0123456789")
		}
	}
	return -1, s
}

// signals reads the fields and tags of an entry.
func (e *entry) signals(text string) {
	if f := e.field("Signal"); f != nil && isReal(f.value) && !strings.HasPrefix(f.value, openTag) {
		value := f.value
		if end := strings.IndexAny(value, " \t"); end > 0 && !strings.HasPrefix(value, "BLOCKED") {
			value = value[:end]
		}
		e.signal(strings.TrimRight(value, ".,;"), f.start, f.end)
	}
	e.tags(text)
	f := e.field("Result")
	if f == nil {
		return
	}
	switch result := word(f.value); {
	case e.kind == checked && e.verdict == 0 && alike(result, "VERIFIED"):
		e.verdict = passed
	case e.kind == checked && e.verdict == 0 && alike(result, "GAPS_FOUND"):
		e.verdict = failed
	case e.kind == reviewed && e.review == 0 && alike(result, "PASS"):
		e.review = passed
	case e.kind == reviewed && e.review == 0 && alike(result, "FAIL"):
		e.review = failed
	}
}

const openTag = "<signal>"

// tags reads <signal>X</signal> wherever it stands, but in comments.
func (e *entry) tags(text string) {
	for at := e.start; ; {
		i := strings.Index(text[at:e.stop], openTag)
		if i < 0 {
			return
		}
		from := at + i + len(openTag)
		n := strings.Index(text[from:e.stop], "</signal>")
		if n < 0 {
			return
		}
		if strings.Contains(bare(text[e.start:from+n+1]), text[at+i:from+n+1]) {
			e.signal(strings.TrimSpace(text[from:from+n]), from, from+n)
		}
		at = from + n
	}
}

func (e *entry) signal(s string, start, end int) {
	if slices.Contains(e.read, s) {
		return
	}
	e.read = append(e.read, s)
	id, what, _ := strings.Cut(s, "_")
	what, _, _ = strings.Cut(what, ":")
	isPhase := isID(id) && (what == "DONE" || what == "VERIFIED" || what == "GAPS")
	switch {
	case isPhase && (e.kind > checked || e.id == ""):
	case isPhase && id != e.id:
		e.strange = append(e.strange, signal{s, start, end, true})
	case s == "PRELIMINARY_DONE", isPhase && what == "DONE":
		e.done = e.done || e.kind == work
	case isPhase && what == "VERIFIED":
		e.verdict = passed
	case isPhase:
		e.verdict = failed
	case s == "BLOCKED", strings.HasPrefix(s, "BLOCKED:"):
		e.halted = true
	case s == "REVIEW_PASS":
		e.review = passed
	case s == "REVIEW_FAIL":
		e.review = failed
	case s != "FIXED" && s != "NEEDS_ESCALATION":
		e.strange = append(e.strange, signal{s, start, end, false})
	}
}

// again is the journal with entries of its own, followed anew.
func (j *journal) again(parallel func(id string) bool) *journal {
	n := &journal{doc: j.doc, seen: j.seen}
	for _, e := range j.entries {
		kept := *e
		n.entries = append(n.entries, &kept)
	}
	n.follow(parallel)
	return n
}

// follow makes the trails. Entries of a phase with the same number and time
// count once, unless agents work in parallel on it.
func (j *journal) follow(parallel func(id string) bool) {
	j.trails = map[string]*trail{}
	j.review, j.lastReview, j.lastRevise, j.lastFail = 0, -1, -1, -1
	id := ""
	var t *trail
	for i, e := range j.entries {
		e.index, e.again = i, false
		switch e.kind {
		case reviewed:
			j.lastReview = i
		case revised:
			j.lastRevise = i
		}
		if e.review > 0 {
			j.review = e.review
		}
		if e.review == failed {
			j.lastFail = i
		}
		if e.id == "" {
			continue
		}
		if e.id != id {
			id, t = e.id, j.trails[e.id]
		}
		if t == nil {
			t = newTrail()
			j.trails[id] = t
		}
		if e.again = !parallel(e.id) && t.has(e); !e.again {
			t.add(e)
		}
	}
}

// has looks for an entry of the same number and time among the latest.
func (t *trail) has(e *entry) bool {
	const latest = 1000
	if e.kind != work || e.number < 0 || e.number > t.highest || e.when.kind == 0 {
		return false
	}
	for i := len(t.entries) - 1; i >= max(0, len(t.entries)-latest); i-- {
		if o := t.entries[i]; o.kind == work && o.number == e.number && o.when.at == e.when.at && o.when.kind == e.when.kind {
			return true
		}
	}
	return false
}

func (t *trail) add(e *entry) {
	t.entries = append(t.entries, e)
	if e.kind == work {
		t.works++
		t.highest = max(t.highest, e.number)
	}
	if e.done {
		t.done++
		t.lastDone = e.index
		if t.firstDone < 0 {
			t.firstDone = e.index
		}
	}
	switch e.verdict {
	case passed:
		t.lastVerified = e.index
	case failed:
		t.gaps++
		t.lastGaps = e.index
	}
}

// trail is what the journal has of a phase, never nil.
//
//go:noinline
func (j *journal) trail(id string) *trail {
	if t := j.trails[id]; t != nil {
		return t
	}
	return noTrail
}

// last is the last entry of the phase, nil without one.
//
//go:noinline
func (t *trail) last() *entry {
	if len(t.entries) == 0 {
		return nil
	}
	return t.entries[len(t.entries)-1]
}

// lastWork is the last work entry of the phase, nil without one.
//
//go:noinline
func (t *trail) lastWork() *entry {
	for i := len(t.entries) - 1; i >= 0; i-- {
		if t.entries[i].kind == work {
			return t.entries[i]
		}
	}
	return nil
}

// reopens reports whether a failed review or a revision stands behind a place.
//
//go:noinline
func (j *journal) reopens(behind int) bool { return max(j.lastFail, j.lastRevise) > behind }
