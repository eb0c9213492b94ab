package tasks

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// A How says by what a task was found again.
type How uint8

// From the surest to the least sure.
const (
	Lost       How = iota // it was not
	Same                  // by all that it says
	Renumbered            // by its title, under another id or none
	Reworded              // by its id, and a title that begins with the other or shares most of its telling words
	Grown                 // by the beginning of a title alone, of 12 bytes and more
	Replaced              // by its id alone: it says something else now
)

// A Pairing tells which task of an earlier revision is which one now.
type Pairing struct {
	was, is     []*Task
	now, before map[*Task]*Task
	how         map[*Task]How // by the earlier one
}

// Pair finds the tasks of an earlier revision among those of now. What two tasks of one revision share pairs none, so
// that the answer does not depend on their order.
func Pair(was, is []*Task) *Pairing {
	p := newPairing(was, is)
	p.bind(Same, (*Task).Folded)
	p.bind(Renumbered, (*Task).FoldedTitle)
	p.bind(Renumbered, func(t *Task) string {
		if t.Parent == nil {
			return ""
		}
		return t.Parent.FoldedTitle() + "\n" + t.FoldedTitle()
	})
	p.bindIDs(Reworded, func(a, b *Task) bool { return reworded(a.FoldedTitle(), b.FoldedTitle()) })
	p.bindGrown()
	p.bindIDs(Replaced, func(a, b *Task) bool { return true })
	return p
}

// Identity pairs tasks that were read from the same text.
func Identity(was, is []*Task) *Pairing {
	p := newPairing(was, is)
	for i, t := range is {
		p.set(was[i], t, Same)
	}
	return p
}

func newPairing(was, is []*Task) *Pairing {
	return &Pairing{was, is, make(map[*Task]*Task, len(is)), make(map[*Task]*Task, len(is)),
		make(map[*Task]How, len(was))}
}

// Now returns the task that an earlier one is, nil if it is lost or cannot be told from another.
func (p *Pairing) Now(was *Task) (*Task, How) { return p.now[was], p.how[was] }

// Before returns the earlier task, nil for one that is new.
func (p *Pairing) Before(t *Task) (*Task, How) {
	was := p.before[t]
	return was, p.how[was]
}

// Unticked calls each with every task that was ticked, is open and has to be done.
func (p *Pairing) Unticked(each func(was, t *Task, how How)) {
	for _, was := range p.was {
		if t := p.now[was]; was.Ticked && t != nil && !t.Ticked && t.Open() && !t.Cancelled {
			each(was, t, p.how[was])
		}
	}
}

// Gone lists the accepted tasks of the earlier revision that are nowhere now.
func (p *Pairing) Gone(accept func(*Task) bool) (list []*Task) {
	for _, was := range p.was {
		if p.now[was] == nil && accept(was) && !p.hides(was) {
			list = append(list, was)
		}
	}
	return list
}

// hides reports whether a task that was paired with none may be one that cannot be told from another: one with its
// words, or one with its id that is not paired either.
func (p *Pairing) hides(was *Task) bool {
	for _, t := range p.is {
		if t.Folded() == was.Folded() || was.ID != "" && t.ID == was.ID && p.before[t] == nil {
			return true
		}
	}
	return false
}

// New lists the tasks that the earlier revision does not have.
func (p *Pairing) New() (list []*Task) {
	for _, t := range p.is {
		if p.before[t] == nil {
			list = append(list, t)
		}
	}
	return list
}

func (p *Pairing) set(was, t *Task, how How) { p.now[was], p.before[t], p.how[was] = t, was, how }

func (p *Pairing) full() bool { return len(p.now) == len(p.was) || len(p.before) == len(p.is) }

// bind pairs tasks that have none by a key.
func (p *Pairing) bind(how How, key func(*Task) string) {
	p.bindIf(how, key, func(a, b *Task) bool { return true })
}

// bindIDs pairs tasks that have none by their ids, if they are accepted.
func (p *Pairing) bindIDs(how How, accept func(was, t *Task) bool) {
	p.bindIf(how, func(t *Task) string { return t.ID }, accept)
}

func (p *Pairing) bindIf(how How, key func(*Task) string, accept func(was, t *Task) bool) {
	if p.full() {
		return
	}
	now, before := single(p.is, p.before, key), single(p.was, p.now, key)
	for k, was := range before {
		if t := now[k]; was != nil && t != nil && accept(was, t) {
			p.set(was, t, how)
		}
	}
}

// bindGrown pairs tasks of which one's title begins with that of the other, if that holds for no third one.
func (p *Pairing) bindGrown() {
	if p.full() {
		return
	}
	before, now := single(p.was, p.now, (*Task).FoldedTitle), single(p.is, p.before, (*Task).FoldedTitle)
	partner := map[*Task]*Task{} // nil if there are several
	meet := func(a, b *Task) {
		if a != nil {
			if _, met := partner[a]; met {
				b = nil
			}
			partner[a] = b
		}
	}
	for _, side := range [][2]map[string]*Task{{before, now}, {now, before}} {
		for title, t := range side[0] {
			for i := 12; i < min(len(title), 501); i++ {
				if title[i] != ' ' {
					continue
				}
				if other, ok := side[1][title[:i]]; ok {
					meet(t, other)
					meet(other, t)
				}
			}
		}
	}
	for _, was := range p.was {
		if t := partner[was]; t != nil && partner[t] == was {
			p.set(was, t, Grown)
		}
	}
}

// single returns the tasks that have no partner, by a key; nil for a key that two have.
func single(list []*Task, paired map[*Task]*Task, key func(*Task) string) map[string]*Task {
	by := make(map[string]*Task, len(list)-len(paired))
	for _, t := range list {
		if paired[t] != nil {
			continue
		}
		k := key(t)
		if _, twice := by[k]; twice || k == "" {
			t = nil
		}
		by[k] = t
	}
	return by
}

// reworded reports whether one of two titles begins with the other, or they share two thirds of their telling words.
func reworded(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return true
	}
	has := map[string]bool{}
	for _, word := range telling(a) {
		has[word] = true
	}
	all, shared := len(has), 0
	seen := map[string]bool{}
	for _, word := range telling(b) {
		if !seen[word] && has[word] {
			shared++
		}
		seen[word] = true
	}
	all = max(all, len(seen))
	return shared > 0 && shared*3 >= all*2
}

// telling lists the words of a folded title that tell what it is about: all of three bytes and more but articles and
// prepositions. Scripts without blanks give pairs of characters.
func telling(title string) (list []string) {
	for _, word := range strings.FieldsFunc(title, func(c rune) bool { return c < 0x80 && !words.IsWord(byte(c)) }) {
		switch runes := []rune(word); {
		case runes[0] >= 0x3000:
			for i := range len(runes) - 1 {
				list = append(list, string(runes[i:i+2]))
			}
		case len(word) > 2 && !strings.Contains(" the and for with from into that this ", " "+word+" "):
			list = append(list, word)
		}
	}
	return list
}

// Similar reports whether two titles say nearly the same: one begins with the other, or they share two thirds of their
// telling words.
func Similar(a, b string) bool { return reworded(FoldTitle(a), FoldTitle(b)) }
