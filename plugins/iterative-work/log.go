package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/history"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// The kinds of an entry of progress.md.
const (
	work    uint8 = iota
	noted         // that a phase is blocked or timed out
	checked       // a verification
	reviewed
	revised
)

// The outcomes of a verification or a review.
const (
	passed uint8 = iota + 1
	failed
)

// An entry is one section of progress.md about an iteration, a verification, a review or a revision.
type entry struct {
	markdown.Section
	title   string
	pairs   []markdown.Pair
	kind    uint8
	id      string // of its phase, "" if it has none
	number  int    // of the iteration, -1 if it has none
	when    instant.Moment
	index   int    // its place among the entries
	again   bool   // a second one of the same phase, number and time
	lacks   string // what its heading lacks: an iteration number, a time
	done    bool
	halted  bool   // it says that the phase is blocked
	stopped bool   // it says that the phase timed out
	reason  string // why it is blocked
	verdict uint8  // of the verification of its phase
	review  uint8
	strange []signal // signals of other phases, and unknown ones
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
	unread  []markdown.Heading // headings that seem to be those of entries
	opaque  bool               // it has text, and no entry in it can be read
	trails  map[string]*trail
	review  uint8 // the last one's outcome
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
	sections := o.Split(func(h markdown.Heading) bool { return (&entry{}).heading(h.Level(), h.Text()) })
	for _, s := range sections {
		e := &entry{Section: s, title: s.Heading().Text(), pairs: s.Pairs()}
		e.heading(s.Heading().Level(), e.title)
		e.read(d.Text)
		j.entries = append(j.entries, e)
	}
	for _, h := range o.Headings() {
		for len(sections) > 0 && sections[0].End() <= h.Start() {
			sections = sections[1:]
		}
		inside := len(sections) > 0 && sections[0].Start() <= h.Start()
		if h.Level() > 1 && !inside && seemsEntry(h.Text()) {
			j.unread = append(j.unread, h)
		}
	}
	j.opaque = len(j.entries) == 0 && (len(j.unread) > 0 || slices.ContainsFunc(o.Document().Meaning(), mentionsID))
	return j
}

// seemsEntry reports whether a heading that cannot be read as that of an entry seems to be one: it begins
// with an id, or has one and the word iteration.
func seemsEntry(title string) bool {
	return isID(upper(words.First(unmarked(title)))) || mentionsID(title) && words.Mentions(title, "iteration")
}

func (e *entry) at() sdk.Range { return sdk.AtBytes(logPath, e.Heading().Start(), e.Heading().End()) }

// heading reads the heading of a section and reports whether it is one of an entry: a phase's
// id with what parts it from the rest, or Verify, Review or Revise. At another level than 2 it
// has a number or a time as well.
func (e *entry) heading(level int, title string) bool {
	e.number = -1
	rest := unmarked(title)
	first := words.First(rest)
	behind := rest[len(first):]
	switch id := upper(first); {
	case isID(id):
		e.id = id
		separated := strings.TrimLeft(behind, " ]*`")
		if separated != "" && !strings.HasPrefix(separated, "(") && !strings.ContainsAny(separated[:1], "-:|,·#") && separated[0] < 0x80 && !isDigit(separated[0]) && !entryWord(words.First(separated)) {
			return false
		}
	case words.Alike(first, "Verify") || words.Alike(first, "Verification"):
		e.kind, e.id = checked, firstID(behind)
	case words.Alike(first, "Review"):
		e.kind = reviewed
	case words.Alike(first, "Revise") || words.Alike(first, "Revision"):
		e.kind = revised
	default:
		return false
	}
	special := false
	if e.kind != checked {
		if e.number, behind = iteration(behind); e.number < 0 {
			special = e.special(behind)
		}
	}
	e.when, _ = instant.Find(behind)
	switch {
	case e.number < 0 && e.kind != checked && !special:
		e.lacks = "iteration number"
	case e.when.Precision == 0:
		e.lacks = "time"
	}
	return level == 2 || level > 0 && (e.number >= 0 || e.when.Precision > 0)
}

// special reads a word of a heading that stands for an iteration's number, and reports whether there is one.
func (e *entry) special(rest string) bool {
	if e.kind != work {
		return false
	}
	for rest != "" {
		w := words.First(rest)
		switch rest = rest[max(len(w), 1):]; words.Fold(w) {
		case "blocked":
			e.kind, e.halted = noted, true
			return true
		case "timeout", "timed":
			e.kind, e.stopped = noted, true
			return true
		case "verify", "verification", "verified":
			e.kind = checked
			return true
		case "confirmation", "confirm", "confirming":
			return true
		case "done", "complete", "completed":
			e.done = true
			return true
		}
	}
	return false
}

// entryWord reports whether a word may stand behind the id in a heading without anything between.
func entryWord(w string) bool { return isIteration(w) || (&entry{}).special(w) }

// isIteration reports whether a number of an iteration follows a word.
func isIteration(w string) bool {
	return slices.Contains([]string{"iteration", "iter", "attempt", "pass", "run", "round"}, words.Fold(w))
}

// iteration finds "Iteration <n>" and returns the number and what is behind it.
func iteration(s string) (n int, rest string) {
	for at := 0; at < len(s); {
		w := words.First(s[at:])
		if at += max(len(w), 1); !isIteration(w) {
			continue
		}
		behind := strings.TrimLeft(s[at:], " #.:")
		if n := words.Number(behind); n >= 0 {
			return n, strings.TrimLeft(behind, "0123456789")
		}
	}
	return -1, s
}

// pair is the field of one of the keys, as the document has it or as a line spells it.
func (e *entry) pair(keys ...string) *markdown.Pair {
	f := markdown.PairAmong(e.pairs, keys...)
	if f != nil && len(f.Texts()) > 0 {
		return f
	}
	if spelled := e.spelled(keys); spelled != nil {
		return spelled
	}
	return f
}

// spelled finds a field that is not a pair of the document: one in a quote or below a heading, one with its
// value on the next line, and one right behind a list.
func (e *entry) spelled(keys []string) *markdown.Pair {
	at, hidden, open := e.Start(), false, false
	for line := range strings.Lines(e.Raw()) {
		start := at
		at += len(line)
		text := strings.TrimPrefix(strings.TrimLeft(line, "> \t-+"), "* ")
		switch {
		case strings.HasPrefix(text, "```"), !hidden && strings.Contains(text, "<!--"), hidden && strings.Contains(text, "-->"):
			hidden = !hidden && !strings.Contains(text, "-->")
			continue
		case open && strings.HasPrefix(text, "<"):
			return nil
		case hidden, strings.TrimSpace(text) == "", start == e.Start():
			continue
		}
		marked := strings.TrimLeft(text, "*# ")
		name := marked[:len(marked)-len(strings.TrimLeft(marked, letters))]
		if name != "" && (strings.HasPrefix(text, "**") || strings.HasPrefix(text, "#")) {
			if open {
				return nil
			}
			if open = slices.ContainsFunc(keys, func(key string) bool { return words.Alike(name, key) }); !open {
				continue
			}
			text = strings.TrimLeft(marked[len(name):], ":*# ")
		}
		if value := strings.TrimSpace(text); open && value != "" {
			from := start + strings.LastIndex(line, value)
			return &markdown.Pair{Value: value, Start: from, End: from + len(value)}
		}
	}
	return nil
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// read reads the fields and tags of an entry.
func (e *entry) read(text string) {
	if f := e.pair("Signal", "Signals"); f != nil && words.Real(f.Value) && !strings.HasPrefix(f.Value, openTag) {
		e.signal(f.Value, f.Start, f.End)
	}
	e.tags(text)
	if f := e.pair("Blockers", "Blocker"); real(f) {
		e.reason = strings.Join(f.Texts(), "; ")
	}
	if e.kind == noted && e.reason == "" {
		for _, line := range e.Meaning() {
			if _, _, ok := strings.Cut(line, ": "); !ok || e.reason == "" {
				e.reason = line
			}
		}
	}
	f := e.pair("Result", "Verdict")
	if f == nil {
		return
	}
	outcome := uint8(0)
	switch words.Fold(words.First(strings.TrimLeftFunc(f.Value, markdown.Symbol))) {
	case "verified", "pass", "passed", "ok":
		outcome = passed
	case "gaps_found", "gaps", "fail", "failed", "not":
		outcome = failed
	}
	switch {
	case e.kind == checked && e.verdict == 0:
		e.verdict = outcome
	case e.kind == reviewed && e.review == 0:
		e.review = outcome
	}
}

const openTag = "<signal>"

// tags reads <signal>X</signal> wherever it stands, but in comments.
func (e *entry) tags(text string) {
	for at := e.Start(); ; {
		i := strings.Index(text[at:e.End()], openTag)
		if i < 0 {
			return
		}
		from := at + i + len(openTag)
		n := strings.Index(text[from:e.End()], "</signal>")
		if n < 0 {
			return
		}
		if strings.Contains(bare(text[e.Start():from+n+1]), text[at+i:from+n+1]) {
			e.signal(strings.TrimSpace(text[from:from+n]), from, from+n)
		}
		at = from + n
	}
}

// signal reads one signal: R1_DONE, also written r1_done, R1 DONE or R1: DONE.
func (e *entry) signal(s string, start, end int) {
	if reason, ok := strings.CutPrefix(upper(s), "BLOCKED"); ok {
		e.halted, e.reason = true, strings.TrimLeft(s[len(s)-len(reason):], " :-–—")
		return
	}
	s = strings.TrimLeftFunc(s, markdown.Symbol)
	id := upper(words.First(strings.ReplaceAll(s, "_", " ")))
	what := s
	if isID(id) {
		what = strings.TrimLeft(s[len(id):], "_ -:")
	}
	what = upper(words.First(what))
	isPhase := isID(id) && slices.Contains([]string{"DONE", "COMPLETE", "VERIFIED", "GAPS", "TIMEOUT"}, what)
	switch {
	case isPhase && (e.kind > checked || e.id == ""):
	case isPhase && id != e.id:
		e.strange = append(e.strange, signal{s, start, end, true})
	case what == "PRELIMINARY_DONE", what == "DONE", isPhase && what == "COMPLETE":
		e.done = e.done || e.kind == work
	case isPhase && what == "VERIFIED":
		e.verdict = passed
	case isPhase && what == "GAPS":
		e.verdict = failed
	case what == "TIMEOUT":
		e.stopped = true
	case what == "REVIEW_PASS":
		e.review = passed
	case what == "REVIEW_FAIL":
		e.review = failed
	case what != "FIXED" && what != "NEEDS_ESCALATION":
		word, _, _ := strings.Cut(s, " ")
		e.strange = append(e.strange, signal{strings.TrimRight(word, ".,;"), start, end, false})
	}
}

// open reports whether the entry leaves work of its own phase: "Proceed to R4" is not.
func (e *entry) open() bool {
	f := e.pair("Remaining")
	if !real(f) {
		return false
	}
	text := strings.Join(f.Texts(), " ")
	return firstID(text) == "" || firstID(text) == e.id || !words.Mentions(text, "proceed", "continue", "move", "start", "next", "begin", "go")
}

func real(f *markdown.Pair) bool {
	says := func(text string) bool {
		return words.Real(text) && words.Real(strings.TrimLeftFunc(text, markdown.Symbol))
	}
	return f != nil && slices.ContainsFunc(f.Texts(), says)
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

// records are the entries as history compares them: moments by what they mean.
func (j *journal) records() []history.Record {
	list := make([]history.Record, len(j.entries))
	for i, e := range j.entries {
		name := strings.Join([]string{e.id, say.Int(int(e.kind)), say.Int(e.number), e.when.At.String()}, " ")
		list[i] = history.Record{Name: name, Lines: e.Meaning(), Start: e.Start(), End: e.End()}
	}
	return list
}
