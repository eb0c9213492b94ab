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

// A journal is the parsed progress.md.
type journal struct {
	doc     *sdk.Document // nil if there is none
	seen    bool          // it exists and could be read
	entries []*entry
	unread  []markdown.Heading // unreadable headings that seem to belong to entries
	opaque  bool               // it has text, but no readable entry
	trails  map[string]*trail
	review  uint8 // outcome of the last review
	// Indexes of the last entries of each kind; -1 if there are none.
	lastReview, lastRevise, lastFail int
}

// A trail is the part of progress.md about one phase.
type trail struct {
	entries          []*entry // without duplicates
	last, lastWork   *entry   // nil if there is none
	work, workBefore *entry   // its last two work entries, but none after DONE that neither repeats it nor leaves work
	works            int
	number, highest  int    // iteration numbers: the last and the highest
	done             int    // entries with DONE
	gaps             int    // entries with GAPS
	verified         bool   // its last verification passed, and no later entry leaves work
	time, finished   string // time of its last entry, and of the last one up to its last verification
	// Indexes among the entries of the journal; -1 if there are none.
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

// readHeadings maps the offsets of headings to their entries. A heading that only names a phase, and has entry
// headings under it, begins a group and maps to nil. Entries in the group need no id.
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
			// Markdown reads a field above a line of hyphens as a heading
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

// seemsEntry reports whether an unreadable heading seems to belong to an entry: it begins with an id, or contains one
// and the word iteration.
func seemsEntry(title string) bool {
	return isID(upper(words.First(unmarked(title)))) || mentionsID(title) && words.Mentions(title, "iteration")
}

// follow builds the trails. Work entries for a phase with the same number and time count once, unless agents work on
// the phase in parallel.
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
		if !e.bare() {
			t.works++
		}
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

// after counts the iterations after the first one that leaves nothing, because those may be confirmations.
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

// trail returns the part of the journal about a phase.
func (j *journal) trail(id string) *trail {
	if j.trails[id] == nil {
		j.trails[id] = newTrail(nil)
	}
	return j.trails[id]
}

// anchor returns the index of the last passed verification, or else of the first entry with DONE, or -1.
func (t *trail) anchor() int {
	if t.lastVerified < 0 {
		return t.firstDone
	}
	return t.lastVerified
}

// reopens reports whether a failed review or a revision follows an entry.
func (j *journal) reopens(behind int) bool { return max(j.lastFail, j.lastRevise) > behind }

// name identifies an entry by its heading, with its time in canonical form.
func (e *entry) name() string {
	return strings.Join([]string{e.id, say.Int(int(e.kind)), say.Int(e.number), e.when.At.String()}, " ")
}

// records returns the entries in the form that package history compares.
func (j *journal) records() []history.Record {
	list := make([]history.Record, len(j.entries))
	for i, e := range j.entries {
		list[i] = history.Record{Name: e.name(), Lines: e.Meaning(), Start: e.Start(), End: e.End()}
	}
	return list
}
