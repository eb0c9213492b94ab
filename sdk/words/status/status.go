package status

import (
	"strings"
	"unicode/utf8"
)

// A Status says how far along something is. The zero Status is Unknown; do not compare it with other statuses.
type Status uint8

const (
	Unknown    Status = iota // no word, no known word, or a word that its remark withdraws
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

// Finished reports whether no work is left: Done or Cancelled.
func (s Status) Finished() bool { return s == Done || s == Cancelled }

// Left reports whether work is known to be left: the status is neither Finished nor Unknown.
func (s Status) Left() bool { return s != Unknown && !s.Finished() }

// Started reports whether work has begun and was not dropped: InProgress, Review or Done.
func (s Status) Started() bool { return s == InProgress || s == Review || s == Done }

// Of reads the value of a status field. It ignores additions around the word: a leading sign or box, a comment in
// parentheses or after a dash, a date, emphasis, an apostrophe.
//
//	✅ Done (2026-01-02)   Done
//	won't do              Cancelled
//	review → done         Done
//	not done yet          Open
//	done, except tests    Unknown: the remark withdraws the word
//	todo | done           Unknown: a template lists the words
func Of(value string) Status { return new(Vocabulary).Of(value) }

// A Vocabulary is the set of words that a workflow reads. The zero Vocabulary contains the words of all workflows.
type Vocabulary struct {
	Own  map[string]Status // the workflow's own words as Fold returns them; they take precedence
	Only bool              // no shared words, because the workflow's tool has a closed list
}

// Of is like the function [Of] but uses this vocabulary.
func (v *Vocabulary) Of(value string) Status {
	s, _ := v.Split(value)
	return s
}

// Split is like Of but also returns the word in the form that Fold returns, or "" if the value has none. If a
// remark withdraws the word, Split returns it with Unknown.
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
	if text, s = cutPercent(text); s != Unknown && (s != Done || text == "") {
		return s, ""
	}
	if s = v.counted(text); s != Unknown {
		return s, ""
	}
	s, n := v.start(text)
	if n == 0 {
		if rest, ok := cutFiller(text); ok {
			s, n = v.start(rest)
			text = rest
		}
		if n == 0 && sign != denial && !hasLetter(text) { // for example, ✅ 2026-01-02
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

// start is like begins, but the text may begin with a word such as "not" or "almost".
func (v *Vocabulary) start(text string) (s Status, n int) {
	s, n = v.begins(text)
	if is, end := v.degree(text); end > n {
		return is, end
	}
	return s, n
}

// begins returns the status of the longest word that a lowercase text begins with, and its length.
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

// goesOn reports whether some word in the vocabulary begins with a folded text and continues after a blank. It
// returns false for most texts.
func (v *Vocabulary) goesOn(folded string) bool {
	for word := range v.Own {
		if rest, ok := strings.CutPrefix(word, folded); ok && strings.HasPrefix(rest, "_") {
			return true
		}
	}
	return !v.Only && (known().starts[folded] || combined(folded))
}

// word returns the status of a folded word.
func (v *Vocabulary) word(folded string) Status {
	if s := v.Own[folded]; s != Unknown || v.Only {
		return s
	}
	return shared(folded)
}

// lists reports whether the text after a word names another status as well, like an unfilled template: "draft | in
// progress | done".
func (v *Vocabulary) lists(rest string, s Status) bool {
	rest = trimLeft(rest)
	switch {
	case rest == "":
		return false
	case rest[0] == '|' || rest[0] == '/':
		other, n := v.begins(trimLeft(rest[1:]))
		return n > 0 && other != s
	}
	if rest[0] != ',' || !s.Finished() || s == Cancelled && strings.HasPrefix(rest, ", not ") {
		return false
	}
	other, word := v.Split(rest[1:])
	return word != "" && other != s
}
