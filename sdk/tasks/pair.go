package tasks

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A How says how a task was matched with a task of another revision.
type How uint8

// The values of How. After Lost, they are ordered from the most to the least certain.
const (
	Lost       How = iota // not found
	Same                  // by its whole text
	Renumbered            // by its title; the id is different or missing
	Reworded              // by its id and a similar title; see SameTitle
	Grown                 // by its title alone: one title begins with the other, which has at least 12 bytes
	Replaced              // by its id alone; the text is different now
)

// A Pairing maps the tasks of an earlier revision to the present tasks.
type Pairing struct {
	was, is side
	pairs   int
}

// A side holds one revision's tasks, each with its match in the other revision.
type side struct {
	tasks []*Task
	found []match
}

// A match is a task of the other revision, and how it was found.
type match struct {
	*Task
	how How
}

func newSide(list []*Task) side {
	for i, t := range list {
		t.place = i
	}
	return side{list, make([]match, len(list))}
}

// of returns a task's match. The index that a task stores is valid for the list that was paired last, which may be
// another list.
func (s *side) of(t *Task) match {
	i := t.place
	if i >= len(s.tasks) || s.tasks[i] != t {
		if i = slices.Index(s.tasks, t); i < 0 {
			return match{}
		}
	}
	return s.found[i]
}

// Pair matches the tasks of an earlier revision with the present ones. If two tasks of one revision share a text, a
// title or an id, Pair matches neither of them by it, so the result does not depend on their order.
func Pair(was, is []*Task) *Pairing {
	p := newPairing(was, is)
	p.bind(Same, (*Task).Folded)
	p.bindIf(Renumbered, (*Task).FoldedTitle, func(was, t *Task) bool { return was.ID == t.ID || sameDetails(was, t) })
	p.bind(Renumbered, func(t *Task) string {
		if t.Parent == nil {
			return ""
		}
		return t.Parent.FoldedTitle() + "\n" + t.FoldedTitle()
	})
	p.bindIDs(Reworded, func(was, t *Task) bool { return SameTitle(was.FoldedTitle(), t.FoldedTitle()) })
	p.bindGrown()
	p.bindIDs(Replaced, nil)
	return p
}

// Identity pairs tasks that were read from the same text.
func Identity(was, is []*Task) *Pairing {
	p := newPairing(was, is)
	for i := range is {
		p.set(i, i, Same)
	}
	return p
}

func newPairing(was, is []*Task) *Pairing {
	return &Pairing{was: newSide(was), is: newSide(is)}
}

// Now returns the present task for an earlier one, or nil if it is lost or several tasks match it.
func (p *Pairing) Now(was *Task) (*Task, How) {
	m := p.was.of(was)
	return m.Task, m.how
}

// Before returns the earlier task, or nil if the task is new.
func (p *Pairing) Before(t *Task) (*Task, How) {
	m := p.is.of(t)
	return m.Task, m.how
}

// Unticked calls each for every task that was ticked in the earlier revision, is open now and must be done. A task
// that shares only its id with an earlier task counts as a different task.
func (p *Pairing) Unticked(each func(was, t *Task)) {
	for i, was := range p.was.tasks {
		if t := p.was.found[i]; was.Ticked && t.Task != nil && t.how != Replaced && !t.Ticked && t.Open() &&
			!t.Cancelled {
			each(was, t.Task)
		}
	}
}

// Deleted lists the earlier tasks that accept approves and that no longer exist, and edits that restore them. It lists
// none if there are at least as many new tasks, because the plan was then rewritten.
func (p *Pairing) Deleted(path, before, now string, accept func(*Task) bool) (gone []*Task, back []sdk.Edit) {
	if gone = p.Gone(accept); len(gone) <= len(p.New()) {
		return nil, nil
	}
	return gone, p.PutBack(path, before, now, gone)
}

// Texts lists the quoted texts of tasks.
func Texts(list []*Task) (texts []string) {
	for _, t := range list {
		texts = append(texts, say.Quote(t.Text))
	}
	return texts
}

// Gone lists the earlier tasks that accept approves and that no longer exist.
func (p *Pairing) Gone(accept func(*Task) bool) (list []*Task) {
	for i, was := range p.was.tasks {
		if p.was.found[i].Task == nil && accept(was) && !p.hides(was) {
			list = append(list, was)
		}
	}
	return list
}

// hides reports whether an unpaired task may still exist, because a present task contains its text or an unpaired
// present task has its id.
func (p *Pairing) hides(was *Task) bool {
	for i, t := range p.is.tasks {
		if t.Folded() == was.Folded() || was.ID != "" && t.ID == was.ID && p.is.found[i].Task == nil {
			return true
		}
	}
	return false
}

// New lists the tasks that did not exist in the earlier revision.
func (p *Pairing) New() (list []*Task) {
	for i, t := range p.is.tasks {
		if p.is.found[i].Task == nil {
			list = append(list, t)
		}
	}
	return list
}

// set pairs the tasks at two indexes.
func (p *Pairing) set(was, is int, how How) {
	p.was.found[was], p.is.found[is] = match{p.is.tasks[is], how}, match{p.was.tasks[was], how}
	p.pairs++
}

func (p *Pairing) full() bool { return p.pairs == len(p.was.tasks) || p.pairs == len(p.is.tasks) }

// bind pairs unpaired tasks by a key.
func (p *Pairing) bind(how How, key func(*Task) string) { p.bindIf(how, key, nil) }

// bindIDs pairs unpaired tasks by id if accept approves.
func (p *Pairing) bindIDs(how How, accept func(was, t *Task) bool) {
	p.bindIf(how, func(t *Task) string { return t.ID }, accept)
}

func (p *Pairing) bindIf(how How, key func(*Task) string, accept func(was, t *Task) bool) {
	if p.full() {
		return
	}
	now, before := p.is.single(key), p.was.single(key)
	for k, was := range before {
		if t := now[k]; was != nil && t != nil && (accept == nil || accept(was, t)) {
			p.set(was.place, t.place, how)
		}
	}
}

// single returns the unpaired tasks by key; a key that two tasks share maps to nil.
func (s *side) single(key func(*Task) string) map[string]*Task {
	by := map[string]*Task{}
	for i, t := range s.tasks {
		if k := key(t); s.found[i].Task == nil && k != "" {
			if _, twice := by[k]; twice {
				t = nil
			}
			by[k] = t
		}
	}
	return by
}

// bindGrown pairs two tasks if one title begins with the other and no third task matches.
func (p *Pairing) bindGrown() {
	if p.full() {
		return
	}
	for i, was := range p.was.tasks {
		if p.was.found[i].Task != nil {
			continue
		}
		if t := p.is.only(was); t != nil && p.was.only(t) == was {
			p.set(i, t.place, Grown)
		}
	}
}

// only returns the unpaired task whose title begins with the other task's title, or the other way around. It returns
// nil if there is not exactly one such task.
func (s *side) only(other *Task) (found *Task) {
	for i, t := range s.tasks {
		if s.found[i].Task != nil || !grown(t.FoldedTitle(), other.FoldedTitle()) &&
			!grown(other.FoldedTitle(), t.FoldedTitle()) {
			continue
		}
		if found != nil {
			return nil
		}
		found = t
	}
	return found
}

// grown reports whether a title begins with another title of at least 12 bytes.
func grown(title, beginning string) bool {
	rest, ok := strings.CutPrefix(title, beginning)
	return ok && len(beginning) >= 12 && strings.HasPrefix(rest, " ")
}

// SameTitle reports whether two folded titles describe one task: one begins with the other, or they share two
// thirds of their significant words. "Write 5 files" and "Write 6 files" differ.
func SameTitle(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return true
	}
	then, now := telling(a), telling(b)
	shared := 0
	for _, word := range now {
		if slices.Contains(then, word) {
			shared++
		} else if numbered(word) {
			return false
		}
	}
	return shared > 0 && shared*3 >= max(len(then), len(now))*2
}

// sameDetails reports whether the details of two tasks share half of their significant words, or one contains all
// significant words of the other. The title alone is not enough, because a later part of a plan may have another task
// with the same title: "Update the tests".
func sameDetails(was, t *Task) bool {
	then, now := telling(was.Details()), telling(t.Details())
	shared := 0
	for _, word := range now {
		if slices.Contains(then, word) {
			shared++
		}
	}
	return shared*2 >= max(len(then), len(now)) || shared >= min(len(then), len(now))
}

// telling lists the significant words of a folded title: all words of at least three bytes except articles and
// prepositions. For scripts without spaces, whose characters take three bytes, it lists pairs of characters.
func telling(title string) (list []string) {
	for title != "" {
		word := words.First(title)
		if word == "" {
			title = title[1:]
			continue
		}
		title = title[len(word):]
		if word[0] >= 0xe3 && len(word)%3 == 0 {
			for i := 0; i+6 <= len(word); i += 3 {
				list = append(list, word[i:i+6])
			}
		} else if numbered(word) || len(word) > 2 && !strings.Contains(" the and for with from into that this ",
			" "+word+" ") {
			list = append(list, word)
		}
	}
	return list
}

// numbered reports whether a word begins with a digit.
func numbered(word string) bool { return word[0] >= '0' && word[0] <= '9' }
