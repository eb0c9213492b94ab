package print

import "slices"

// Numbers are those of the remedies that a person chooses from. A remedy keeps its
// number while they are used, and new ones get new numbers. The zero Numbers has none.
type Numbers struct{ list []numbered }

type numbered struct {
	id, title string
	applied   bool
}

// Len is the highest number.
func (n *Numbers) Len() int { return len(n.list) }

// ID is that of a number from 1 to Len.
func (n *Numbers) ID(number int) string { return n.list[number-1].id }

// Applied notes that a remedy was applied.
func (n *Numbers) Applied(id string) {
	if at := n.at(id); at >= 0 {
		n.list[at].applied = true
	}
}

func (n *Numbers) at(id string) int {
	return slices.IndexFunc(n.list, func(e numbered) bool { return e.id == id })
}

// of is the number of an offer.
func (n *Numbers) of(f Offer) int {
	if at := n.at(f.ID); at >= 0 {
		return at + 1
	}
	n.list = append(n.list, numbered{id: f.ID, title: f.Title})
	return len(n.list)
}

// settled writes those that are not offered any more.
func (p *printer) settled(n *Numbers, offers []Offer) {
	for i, e := range n.list {
		if slices.ContainsFunc(offers, func(f Offer) bool { return f.ID == e.id }) {
			continue
		}
		word := "gone  " // another one ended it, too
		if e.applied {
			word = p.paint(green, "done  ")
		}
		p.line("  ", ordinal(i+1), "  ", word, "  ", Safe(e.title))
	}
}
