package status

import (
	"strings"
	"unicode/utf8"
)

// A Status says how far something is. The zero Status is Unknown: nothing is compared with it.
type Status uint8

const (
	Unknown    Status = iota // no word, no known word, or one that its own comment takes back
	Open                     // todo, pending, backlog, not started, 未开始
	Ready                    // ready, planned, ready for dev
	InProgress               // in progress, started, doing, 进行中
	Review                   // in review, testing, ready for review
	Done                     // done, complete, shipped, 完成, erledigt
	Cancelled                // deferred, cancelled, superseded, won't do: it need not be done
	Blocked                  // blocked, waiting for something else
)

var names = [...]string{"unknown", "open", "ready", "in-progress", "review", "done", "cancelled", "blocked"}

// String returns the name that the table of forms uses: "in-progress".
func (s Status) String() string {
	if int(s) < len(names) {
		return names[s]
	}
	return names[Unknown]
}

// Finished reports whether nothing is left to do: Done or Cancelled.
func (s Status) Finished() bool { return s == Done || s == Cancelled }

// Left reports whether something is known to be left to do: neither Finished nor Unknown.
func (s Status) Left() bool { return s != Unknown && !s.Finished() }

// Started reports whether work has begun, and was not given up: InProgress, Review or Done.
func (s Status) Started() bool { return s == InProgress || s == Review || s == Done }

// Of reads the value of a status field. It ignores additions around the word: a leading sign or box, a comment in
// brackets or after a dash, a date, emphasis, an apostrophe.
//
//	✅ Done (2026-01-02)   Done
//	won't do              Cancelled
//	review → done         Done
//	not done yet          Open
//	done, except tests    Unknown: the value takes its word back
//	todo | done           Unknown: a template lists the words
func Of(value string) Status { return new(Vocabulary).Of(value) }

// A Vocabulary is the words that a workflow reads. The zero Vocabulary is that of all workflows.
type Vocabulary struct {
	Own  map[string]Status // words of the workflow, as Fold writes them; they come before the shared ones
	Only bool              // no shared word counts, because the workflow's tool has a closed list
}

// Of is [Of] in a vocabulary.
func (v *Vocabulary) Of(value string) Status {
	s, _ := v.Split(value)
	return s
}

// Split is Of that also returns the word, as Fold writes it, "" if the value has none. A word that the value takes back
// is returned with Unknown.
func (v *Vocabulary) Split(value string) (s Status, word string) {
	text := plain(value)
	if before, after, ok := cutArrow(text); ok {
		if s, word = v.Split(after); word != "" {
			return s, word
		}
		text = before
	}
	text, sign := cutSign(undatedInFront(text))
	if text == "" && sign == denial {
		return Unknown, ""
	} else if text == "" {
		return sign, ""
	}
	if text, s = cutPercent(text); s != Unknown && (s == InProgress || text == "") {
		return s, ""
	}
	s, n := v.start(text)
	if n == 0 {
		if rest, ok := cutFiller(text); ok {
			s, n = v.start(rest)
			text = rest
		}
		if n == 0 && sign != denial && !hasLetter(text) { // ✅ 2026-01-02
			return sign, ""
		} else if n == 0 {
			return Unknown, ""
		}
	}
	rest := text[n:]
	word = Fold(text[:n])
	if !separate(rest, s) {
		return Unknown, ""
	}
	if (word == "closed" || word == "resolved") && v.endsAs(rest) == Cancelled {
		return Cancelled, word
	}
	if v.lists(rest, s) || takesBack(rest, s) || s == Done && sign != Unknown && sign != Done {
		return Unknown, word
	}
	return s, word
}

// start is begins for a text that may begin with a word such as not, or almost.
func (v *Vocabulary) start(text string) (s Status, n int) {
	s, n = v.begins(text)
	if is, end := v.degree(text); end > n {
		return is, end
	}
	return s, n
}

// begins returns the status of the longest word that a text in lower case begins with, and its length.
func (v *Vocabulary) begins(text string) (s Status, n int) {
	for end := 1; end <= min(len(text), longest); end++ {
		if end < len(text) && !utf8.RuneStart(text[end]) || !wordEnds(text, end) {
			continue
		}
		folded := Fold(text[:end])
		if is := v.word(folded); is != Unknown {
			s, n = is, end
		}
		if end < len(text) && text[end] == ' ' && !v.goesOn(folded) {
			break
		}
	}
	return s, n
}

// goesOn reports whether a word may start with a folded text and continue after a blank. For most texts none does.
func (v *Vocabulary) goesOn(folded string) bool {
	for word := range v.Own {
		if rest, ok := strings.CutPrefix(word, folded); ok && strings.HasPrefix(rest, "_") {
			return true
		}
	}
	return !v.Only && (known().starts[folded] || combined(folded))
}

// word is the status of a folded word.
func (v *Vocabulary) word(folded string) Status {
	if s := v.Own[folded]; s != Unknown || v.Only {
		return s
	}
	return shared(folded)
}

// lists reports whether what follows a word names another status as well, as the line of a template does that was not
// filled in: "draft | in progress | done".
func (v *Vocabulary) lists(rest string, s Status) bool {
	rest = trimLeft(rest)
	switch {
	case rest == "":
		return false
	case rest[0] == '|' || rest[0] == '/':
		other, n := v.begins(trimLeft(rest[1:]))
		return n > 0 && other != s
	}
	if rest[0] != ',' || !s.Finished() {
		return false
	}
	other, word := v.Split(rest[1:])
	return word != "" && other != s
}
