package iterativework

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/iterative-work/history"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A journal is progress.md as data.
type journal struct {
	doc     *sdk.Document // nil if there is none
	seen    bool          // it is there and could be read
	entries []*entry
	unread  []markdown.Heading // headings that seem to be those of entries
	opaque  bool               // it has text, and no entry in it can be read
	// Its entries are read from the end: those of a phase count down, and no entry is later than the one above it.
	latestFirst bool
	trails      map[string]*trail
	review      uint8 // the last one's outcome
	// The places of the last entries of a kind, -1 without one.
	lastReview, lastRevise, lastFail int
}

// A trail is what progress.md has of one phase.
type trail struct {
	entries          []*entry // none twice
	last, lastWork   *entry   // nil without one
	work, workBefore *entry   // the last two of its work, without those behind DONE that leave nothing
	works            int
	number, highest  int    // of an iteration: the last one, and the highest
	done             int    // entries with DONE
	gaps             int    // entries with GAPS
	verified         bool   // by its last verification, behind which no work is left
	time, finished   string // of its last entry, and that of the last up to its verification
	// Places among the entries of the journal, -1 without one.
	firstDone, lastDone, lastVerified, lastGaps int
}

func newTrail(entries []*entry) *trail {
	t := &trail{number: -1, firstDone: -1, lastDone: -1, lastVerified: -1, lastGaps: -1}
	for _, e := range entries {
		t.add(e)
	}
	return t
}

func readJournal(d *sdk.Document, parallel func(id string) bool) *journal {
	j := &journal{doc: d, seen: d.Readable(), trails: map[string]*trail{}, lastReview: -1, lastRevise: -1, lastFail: -1}
	if !j.seen {
		return j
	}
	o := d.Outline()
	headings := o.Headings()
	read := readHeadings(headings)
	sections := o.Split(func(h markdown.Heading) bool { return read[h.Start()] != nil })
	for _, s := range sections {
		e := read[s.Start()]
		if e.Section, e.title = s, s.Heading().Text(); e.id != "" && !strings.Contains(upper(e.title), e.id) {
			e.title = e.id + " - " + e.title
		}
		e.read(o)
		j.entries = append(j.entries, e)
	}
	if j.latestFirst = j.countsDown(); j.latestFirst {
		slices.Reverse(j.entries)
	}
	for _, h := range headings {
		e, known := read[h.Start()]
		if group := known && e == nil; !group && h.Level() > 1 && seemsEntry(h.Text()) && !inside(sections, h.Start()) {
			j.unread = append(j.unread, h)
		}
	}
	j.opaque = len(j.entries) == 0 && (len(j.unread) > 0 || slices.ContainsFunc(o.Document().Meaning(), mentionsID))
	j.follow(parallel)
	return j
}

// readHeadings reads the headings of entries, by where they begin. One that names a phase and nothing else of an
// entry, with headings of entries below it, is that of a group: nil. Those in the group need no id.
func readHeadings(headings []markdown.Heading) map[int]*entry {
	read := map[int]*entry{}
	group, end := "", 0
	for i, h := range headings {
		if i >= end {
			group = ""
		}
		e := &entry{}
		reads := e.heading(h.Level(), h.Text(), group)
		alone := isID(upper(words.First(unmarked(h.Text())))) && e.number < 0 && e.when.Precision == 0 &&
			e.kind == work && !e.done
		if group == "" && alone {
			// fields above a line of hyphens
			for end = i + 1; end < len(headings) &&
				(headings[end].Level() > h.Level() || keyed(headings[end].Text())); {
				end++
			}
			if slices.ContainsFunc(headings[i+1:end],
				func(h markdown.Heading) bool { return (&entry{}).heading(h.Level(), h.Text(), e.id) }) {
				group, read[h.Start()] = e.id, nil
				continue
			}
		}
		if reads {
			read[h.Start()] = e
		}
	}
	return read
}

// keyed reports whether a text begins with a key of an entry.
func keyed(text string) bool {
	key, _, ok := strings.Cut(text, ":")
	return ok && isKey(key)
}

// seemsEntry reports whether a heading that cannot be read as that of an entry seems to be one: it begins
// with an id, or has one and the word iteration.
func seemsEntry(title string) bool {
	return isID(upper(words.First(unmarked(title)))) || mentionsID(title) && words.Mentions(title, "iteration")
}

// countsDown reports whether the log is read from its end.
func (j *journal) countsDown() bool {
	down := false
	for i, e := range j.entries[min(1, len(j.entries)):] {
		above := j.entries[i]
		down = down || e.id == above.id && e.number < above.number && e.when.Before(above.when, 0)
		if e.when.Precision == 0 || above.when.Before(e.when, 0) || e.id == above.id && e.number > above.number &&
			above.number >= 0 {
			return false
		}
	}
	return down
}

// follow makes the trails. Work on a phase with the same number and time counts once, unless
// agents work in parallel on it.
func (j *journal) follow(parallel func(id string) bool) {
	seen := map[string]bool{}
	for i, e := range j.entries {
		e.index = i
		switch e.kind {
		case reviewed:
			j.lastReview = i
		case revised:
			j.lastRevise = i
		}
		if j.review = cmp.Or(e.review, j.review); e.review == failed {
			j.lastFail = i
		}
		if e.id == "" {
			continue
		}
		name := e.name()
		if e.again = e.kind == work && e.number >= 0 && e.when.Precision > 0 && !parallel(e.id) &&
			seen[name]; !e.again {
			j.trail(e.id).add(e)
		}
		seen[name] = true
	}
}

func (t *trail) add(e *entry) {
	t.entries, t.last = append(t.entries, e), e
	t.time = cmp.Or(e.when.Text, t.time)
	if t.lastVerified < 0 || e.verdict == passed {
		t.finished = t.time
	}
	if e.done {
		t.done++
		if t.lastDone = e.index; t.firstDone < 0 {
			t.firstDone = e.index
		}
	}
	if e.kind == work {
		t.lastWork = e
		t.works++
		if e.number >= 0 {
			t.number, t.highest = e.number, max(t.highest, e.number)
		}
		t.verified = t.verified && (e.done || !e.open)
		if t.work == nil || !t.work.done || e.done || e.open {
			t.work, t.workBefore = e, t.work
		}
	}
	switch e.verdict {
	case passed:
		t.lastVerified, t.verified = e.index, true
	case failed:
		t.lastGaps, t.verified = e.index, false
		t.gaps++
	}
}

// after counts the iterations after the first one that leaves nothing: those may be confirmations.
func (t *trail) after() int {
	n, over := 0, false
	for _, e := range t.entries {
		if e.kind == work && over {
			n++
		}
		over = over || e.kind == work && (e.done || !e.open && e.field(leftKeys) != nil)
	}
	return n
}

// trail is what the journal has of a phase.
func (j *journal) trail(id string) *trail {
	if j.trails[id] == nil {
		j.trails[id] = newTrail(nil)
	}
	return j.trails[id]
}

// anchor is the place of the last verification that passed, or else of the first entry with DONE, -1 without.
func (t *trail) anchor() int {
	if t.lastVerified < 0 {
		return t.firstDone
	}
	return t.lastVerified
}

// reopens reports whether a failed review or a revision follows an entry.
func (j *journal) reopens(behind int) bool { return max(j.lastFail, j.lastRevise) > behind }

// name tells an entry from others as far as its heading does: its time by what it means.
func (e *entry) name() string {
	return strings.Join([]string{e.id, say.Int(int(e.kind)), say.Int(e.number), e.when.At.String()}, " ")
}

// records are the entries as history compares them, from the end of the document or not.
func (j *journal) records(fromEnd bool) []history.Record {
	list := make([]history.Record, len(j.entries))
	for i, e := range j.entries {
		if fromEnd != j.latestFirst {
			i = len(list) - 1 - i
		}
		list[i] = history.Record{Name: e.name(), Lines: e.Meaning(), Start: e.Start(), End: e.End()}
	}
	return list
}
