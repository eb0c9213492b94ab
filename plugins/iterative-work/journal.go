package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/history"
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
	entries []*entry // none twice
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
	if !j.seen {
		return j
	}
	o := d.Outline()
	groups := groupsOf(o.Headings())
	sections := o.Split(func(h markdown.Heading) bool { return (&entry{}).headed(h, groups) })
	for _, s := range sections {
		e := &entry{Section: s, title: s.Heading().Text()}
		e.headed(s.Heading(), groups)
		if e.id != "" && !strings.Contains(upper(e.title), e.id) {
			e.title = e.id + " - " + e.title
		}
		e.read()
		j.entries = append(j.entries, e)
	}
	if j.latestFirst = j.countsDown(); j.latestFirst {
		slices.Reverse(j.entries)
	}
	for _, h := range o.Headings() {
		for len(sections) > 0 && sections[0].End() <= h.Start() {
			sections = sections[1:]
		}
		inside := len(sections) > 0 && sections[0].Start() <= h.Start()
		if g, grouped := groups[h.Start()]; h.Level() > 1 && !inside && seemsEntry(h.Text()) && (!grouped || g.child) {
			j.unread = append(j.unread, h)
		}
	}
	j.opaque = len(j.entries) == 0 && (len(j.unread) > 0 || slices.ContainsFunc(o.Document().Meaning(), mentionsID))
	return j
}

func (j *journal) countsDown() bool {
	down := false
	for i, e := range j.entries {
		if i == 0 {
			continue
		}
		above := j.entries[i-1]
		down = down || e.id == above.id && e.number < above.number && e.when.Before(above.when, 0)
		if e.when.Precision == 0 || above.when.Before(e.when, 0) || e.id == above.id && e.number > above.number && above.number >= 0 {
			return false
		}
	}
	return down
}

// A place is where a heading stands in a log that groups the entries of each phase under a heading of their own.
type place struct {
	id    string // of the group's phase
	child bool   // it is in the group, and does not begin it
}

// groupsOf finds such groups: a heading that names a phase and nothing else of an entry, with headings
// of entries below it. Places are by the offsets of headings.
func groupsOf(headings []markdown.Heading) map[int]place {
	groups := map[int]place{}
	for i, h := range headings {
		title := unmarked(h.Text())
		id, e := upper(words.First(title)), entry{}
		if e.heading(2, h.Text(), ""); !isID(id) || e.number >= 0 || e.when.Precision > 0 || e.kind != work || e.done || groups[h.Start()].id != "" {
			continue
		}
		end := i + 1
		for end < len(headings) && (headings[end].Level() > h.Level() || keyed(headings[end].Text())) { // fields above a line of hyphens
			end++
		}
		isEntry := func(below markdown.Heading) bool { return (&entry{}).heading(below.Level(), below.Text(), id) }
		if slices.ContainsFunc(headings[i+1:end], isEntry) {
			groups[h.Start()] = place{id, false}
			for _, below := range headings[i+1 : end] {
				groups[below.Start()] = place{id, true}
			}
		}
	}
	return groups
}

// keyed reports whether a text begins with a key of an entry.
func keyed(text string) bool {
	key, _, ok := strings.Cut(text, ":")
	return ok && isKey(key)
}

// headed reads a heading where it stands.
func (e *entry) headed(h markdown.Heading, groups map[int]place) bool {
	g, grouped := groups[h.Start()]
	if grouped && !g.child {
		return false
	}
	return e.heading(h.Level(), h.Text(), g.id)
}

// seemsEntry reports whether a heading that cannot be read as that of an entry seems to be one: it begins
// with an id, or has one and the word iteration.
func seemsEntry(title string) bool {
	return isID(upper(words.First(unmarked(title)))) || mentionsID(title) && words.Mentions(title, "iteration")
}

// follow makes the trails. Entries of a phase with the same number and time count once, unless
// agents work in parallel on it.
func (j *journal) follow(parallel map[string]bool) *journal {
	j.trails = map[string]*trail{}
	j.review, j.lastReview, j.lastRevise, j.lastFail = 0, -1, -1, -1
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
		t := j.trails[e.id]
		if t == nil {
			t = newTrail()
			j.trails[e.id] = t
		}
		if e.again = !parallel[e.id] && t.has(e); !e.again {
			t.add(e)
		}
	}
	return j
}

// has looks for an entry of the same number and time among the latest.
func (t *trail) has(e *entry) bool {
	const latest = 1000
	if e.kind != work || e.number < 0 || e.number > t.highest || e.when.Precision == 0 {
		return false
	}
	return slices.ContainsFunc(t.entries[max(0, len(t.entries)-latest):], func(o *entry) bool {
		return o.kind == work && o.number == e.number && o.when.At == e.when.At && o.when.Precision == e.when.Precision
	})
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
func (j *journal) trail(id string) *trail {
	if t := j.trails[id]; t != nil {
		return t
	}
	return noTrail
}

// last is the last entry of the phase, nil without one.
func (t *trail) last() *entry {
	if len(t.entries) == 0 {
		return nil
	}
	return t.entries[len(t.entries)-1]
}

// lastWork is the last work entry of the phase, nil without one.
func (t *trail) lastWork() *entry {
	for i := len(t.entries) - 1; i >= 0; i-- {
		if t.entries[i].kind == work {
			return t.entries[i]
		}
	}
	return nil
}

// reopens reports whether a failed review or a revision stands behind a place.
func (j *journal) reopens(behind int) bool { return max(j.lastFail, j.lastRevise) > behind }

// records are the entries as history compares them: moments by what they mean, from the end of the document or not.
func (j *journal) records(fromEnd bool) []history.Record {
	list := make([]history.Record, len(j.entries))
	for i, e := range j.entries {
		if fromEnd != j.latestFirst {
			i = len(list) - 1 - i
		}
		name := strings.Join([]string{e.id, say.Int(int(e.kind)), say.Int(e.number), e.when.At.String()}, " ")
		list[i] = history.Record{Name: name, Lines: e.Meaning(), Start: e.Start(), End: e.End()}
	}
	return list
}
