package iterativework

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// The kinds of entries in progress.md.
const (
	work    uint8 = iota
	noted         // a note that a phase is blocked, timed out, resumed or the like
	checked       // a verification
	reviewed
	revised
)

// The outcomes of a verification or a review.
const (
	passed uint8 = iota + 1
	failed
)

// An entry is a section of progress.md about an iteration, a verification, a review or a revision.
type entry struct {
	markdown.Section
	title   string
	fields  []field
	kind    uint8
	id      string // of its phase; "" if it has none
	number  int    // of the iteration; -1 if it has none
	when    instant.Moment
	index   int    // its index among the entries
	again   bool   // repeats the phase, number and time of another entry
	lacks   string // what its heading lacks: "iteration number" or "time"
	done    bool
	open    bool   // it leaves work for its phase
	stop    status // blocked or timeout, if it says so
	reason  string // why it is blocked
	verdict uint8  // of the verification of its phase
	review  uint8
	strange []signal // signals for other phases
}

// A signal is the text in an entry that signals something for another phase.
type signal struct {
	text       string
	start, end int
}

func (e *entry) at() sdk.Range { return sdk.AtBytes(logPath, e.Heading().Start(), e.Heading().End()) }

// bare reports whether an entry consists only of a heading without an iteration number, because a session died while
// it wrote the entry.
func (e *entry) bare() bool { return e.number < 0 && e.lacks != "" && len(e.Meaning()) == 0 }

// misses reports whether an entry leaves nothing, but signals for another phase instead of its own.
func (e *entry) misses() bool { return !e.done && !e.open && len(e.strange) > 0 }

// misplaced reports whether an entry is earlier than the one before it, which progress-out-of-order reports.
func (m *model) misplaced(e *entry) bool {
	return e.index > 0 && e.when.Before(m.log.entries[e.index-1].when, 0)
}

// Words in a heading that introduce an iteration number or identify the kind of entry, separated by spaces.
const (
	passWords   = " iteration iter attempt try pass run round session "
	checkWords  = " verify verifying verification verified "
	verifyWords = checkWords + "review reviewing quality adversarial qa "
	againWords  = " confirmation confirm confirming "
	doneWords   = " done complete completed "
	haltWords   = " blocked timeout timed "
	// words that may follow the id directly
	entryWords = passWords + verifyWords + againWords + doneWords + haltWords
	noteWords  = " unblocked resumed resume restarted started raised increased extended simplified relaxed resolved" +
		" lifted cleared removed skipped paused note notes input decision answer longer "
)

// Words that an outcome may begin with.
const (
	goodWords = " verified pass passed passes ok approved approve accepted accept success successful confirmed " +
		"clean met "
	failWords = " gaps_found gaps gap fail failed fails not rejected reject incomplete needs issues issue " +
		"unsuccessful partial partially "
)

// heading reads the heading of a section and reports whether it belongs to an entry. An entry heading begins with a
// phase id and a separator, or with Verify, Review or Revise. An iteration in a phase's group needs no id. A heading
// at a level other than 2 must have a number or a time.
func (e *entry) heading(level int, title, group string) bool {
	e.when, _ = instant.Find(title)
	rest := unmarked(strings.Replace(title, cmp.Or(e.when.Text, "\n"), "", 1))
	first := words.First(rest)
	behind := rest[len(first):]
	e.number, rest = iteration(behind)
	switch id := upper(first); {
	case isID(id):
		e.id = id
		separated, n := strings.TrimLeft(behind, " ]*`"),
			strings.TrimLeft(strings.TrimFunc(behind, markdown.Symbol), "iI")
		switch {
		case e.number >= 0:
		case separated != "" && isLetter(separated[0]) && !among(entryWords, words.First(separated)):
			return false
		case strings.Trim(n, digits) == "":
			e.number, rest = words.Number(n), ""
		}
	case among(" revise revision ", first):
		e.kind = revised
	case among(entryWords, first):
		if e.id = cmp.Or(firstID(behind), group); e.number < 0 {
			behind = first + behind
			e.number, rest = iteration(behind)
		}
		if e.id == "" && words.Alike(first, "Review") {
			e.kind = reviewed
		} else if e.id == "" && !among(checkWords, first) {
			return false
		}
	default:
		return false
	}
	known := e.number >= 0
	if e.kind == work {
		known = e.special(behind, rest) || known
	}
	switch {
	case !known && e.kind != checked:
		e.lacks = "iteration number"
	case e.when.Precision == 0:
		e.lacks = "time"
	}
	return level == 2 || level > 0 && (known && (group != "" || e.number >= 0) || e.when.Precision > 0)
}

// special reads the words in a heading that make its entry something other than an iteration, and reports whether
// there are any. After an iteration number, only words for a verification count, and only if nothing else follows.
func (e *entry) special(behind, rest string) bool {
	if list := wordsOf(rest); e.number >= 0 {
		if len(list) > 0 && !slices.ContainsFunc(list,
			func(w string) bool { return !among(verifyWords+passWords, w) }) {
			e.kind = checked
		}
		return true
	}
	for _, w := range wordsOf(behind) {
		switch {
		case among(noteWords, w):
			e.kind, e.stop = noted, 0
			return true
		case e.kind == noted || e.done:
		case among(haltWords, w):
			if e.kind, e.stop = noted, timeout; words.Alike(w, "blocked") {
				e.stop = blocked
			}
		case among(againWords, w):
			return true
		case among(verifyWords, w):
			e.kind = checked
			return true
		case among(doneWords, w):
			e.done = true
		}
	}
	return e.kind == noted || e.done
}

// wordsOf returns the words in text, without ids, numbers and non-ASCII characters.
func wordsOf(s string) []string {
	return slices.DeleteFunc(tokens(s), func(w string) bool { return !isLetter(w[0]) && w[0] != '_' || isID(upper(w)) })
}

// iteration finds "Iteration <n>" and returns the number and the text after it.
func iteration(s string) (n int, rest string) {
	for rest = s; rest != ""; {
		w := words.First(rest)
		rest = rest[max(len(w), 1):]
		if n := words.Number(strings.TrimLeft(rest, " #.:")); n >= 0 && among(passWords, w) {
			return n, strings.TrimLeft(rest, " #.:"+digits)
		}
	}
	return -1, s
}

// read reads the fields and tags of an entry.
func (e *entry) read(o *markdown.Outline) {
	e.fields = readFields(o, e.Section)
	for i := range e.fields {
		if f := &e.fields[i]; among(signalKeys, f.name) && words.Real(f.value()) {
			e.signal(f.value(), f.start, f.end)
		}
	}
	if e.open = e.leaves(); e.when.Precision == 0 {
		e.timed()
	}
	if f := e.field(blockKeys); f.real() {
		e.reason = strings.Join(f.texts, "; ")
	}
	if e.stop != 0 && e.reason == "" {
		for _, line := range e.Meaning() {
			if e.reason == "" || !strings.Contains(line, ": ") {
				e.reason = line
			}
		}
	}
	switch {
	case e.kind == checked && e.verdict == 0:
		if e.verdict = e.outcome(); e.verdict == 0 && e.open {
			e.verdict = failed
		}
	case e.kind == reviewed && e.review == 0:
		e.review = e.outcome()
	}
}

// timed reads the time from the line after the heading, or from a field.
func (e *entry) timed() {
	text := ""
	if f := e.field(" time timestamp date when at completed finished started "); f != nil {
		text = f.value()
	} else if lines := e.Meaning(); len(lines) > 0 {
		text = strings.Trim(lines[0], "*_`()[]> ")
	}
	if m, why := instant.Loose(text); why == "" {
		e.when, e.lacks = m, strings.TrimPrefix(e.lacks, "time")
	}
}

// outcome returns the result of a check according to the entry, or 0 if it does not state one.
func (e *entry) outcome() uint8 {
	text := ""
	if f := e.field(outcomeKeys); f != nil {
		text = f.value()
	} else if e.kind != work {
		for _, line := range e.Meaning() {
			if text == "" && !strings.Contains(line, ": ") {
				text = line
			}
		}
	}
	bare := strings.TrimLeftFunc(text, markdown.Symbol)
	first := words.First(bare)
	whole := words.Alike(first, "all") && !words.Mentions(bare, " but ", "except", " not ")
	switch {
	case strings.ContainsAny(text, "❌✗✘"):
		return failed
	case among(goodWords, first), first == "" && marked(text),
		among(none+"0 ", first) && words.Mentions(bare, "gap", "issue", "problem", "fault"),
		whole && words.Mentions(bare, " met", " pass", "satisfied", "fulfilled", " ok"):
		return passed
	case among(failWords, first):
		return failed
	}
	return 0
}

// signal reads one signal: R1_DONE, also written r1_done, R1 DONE or R1: DONE.
func (e *entry) signal(s string, start, end int) {
	if reason, ok := strings.CutPrefix(upper(s), "BLOCKED"); ok {
		e.stop, e.reason = blocked, strings.TrimLeft(s[len(s)-len(reason):], " :-–—")
		return
	}
	s = unmarked(s)
	id := upper(words.First(strings.ReplaceAll(s, "_", " ")))
	isPhase, what := isID(id), s
	if isPhase {
		what = strings.TrimLeft(s[len(id):], "_ -:")
	}
	what = upper(words.First(what))
	isPhase = isPhase && among(" done complete verified gaps timeout ", what)
	switch {
	case isPhase && (e.kind > checked || e.id == ""):
	case isPhase && id != e.id:
		e.strange = append(e.strange, signal{s, start, end})
	case what == "PRELIMINARY_DONE", what == "DONE", isPhase && what == "COMPLETE":
		e.done = e.done || e.kind == work
	case isPhase && what == "VERIFIED":
		e.verdict = passed
	case isPhase && what == "GAPS":
		e.verdict = failed
	case what == "TIMEOUT":
		e.stop = timeout
	case what == "REVIEW_PASS":
		e.review = passed
	case what == "REVIEW_FAIL":
		e.review = failed
	}
}

// leaves reports whether the entry leaves work for its own phase; "Proceed to R4" does not. An iteration that failed,
// such as a confirmation, leaves work even if the entry does not say which.
func (e *entry) leaves() bool {
	f := e.field(leftKeys)
	if !f.real() {
		return e.kind == work && !e.done && e.outcome() == failed
	}
	id := firstID(f.value())
	return id == "" || id == e.id || !words.Mentions(f.value(), "proceed", "continue", "move", "start", "next", "begin",
		"go")
}
