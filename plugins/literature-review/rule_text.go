package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func outputBoxes(k *look) {
	docs := k.documents()
	for _, t := range k.outputs {
		for _, d := range append(docs[:], k.m.index.document) {
			switch {
			case !strings.Contains(t.Text(), d.name()):
			case t.Checked() && (d == k.sm || d == k.lr) && d.empty():
				offer(k.tell(k.taskAt(t), d.name(), d.name()+" is ticked, but it is missing or empty"), "Untick "+d.name(), k.rp.edit(t.Uncheck()))
			case !t.Checked() && k.observed == complete && d.filled:
				k.tell(k.taskAt(t), d.name(), d.name()+" exists, but it is not ticked").As(sdk.Info).Offer(sdk.Safe, "Tick "+d.name(), k.rp.edit(t.Check())...)
			}
		}
	}
}

// unfilledPlaceholder counts what was never filled, outside comments and code.
func unfilledPlaceholder(k *look) {
	n := 0
	var first *value
	for i := range k.lr.o.Nodes {
		switch p := k.lr.o.At(i); p.Node().Kind {
		case markdown.KindHeading, markdown.KindParagraph, markdown.KindCell, markdown.KindTask:
			found := placeholders(p.Raw())
			if found == 0 && isPlaceholder(p.Raw()) {
				found = 1
			}
			if n += found; found > 0 {
				first = first.or(k.lr.part(p))
			}
		}
	}
	if n > 0 {
		k.tell(first, "", "the review is complete, but "+textName+" has "+say.Count(n, "placeholder")+"; the first is here")
	}
}

// missingSynthesis finds a finished review whose text has entries and nothing that was made of them.
func missingSynthesis(k *look) {
	if !k.synthesized() {
		f := k.tell(k.lr.whole(), "", "the review is complete, but "+textName+" has no synthesis; expected text below Key Methodological Insights, Quantitative Summary, Gaps and Limitations or the like")
		k.offerStatus(f, synthesizing)
	}
}

// synthesized reports whether the review text has anything but entries: text in a section that
// synthesizing writes, or below a heading of a topic before its entries.
func (r *review) synthesized() bool {
	for i := range r.lr.heads {
		h := &r.lr.heads[i]
		n := closing(h.name)
		if n >= 0 && n < allClosings && n != references && r.lr.real(h.Heading, true) || h.level > 1 && n < 0 && kindOf(h.name) == nowhere && !r.inEntry(h) && r.lr.real(h.Heading, false) {
			return true
		}
	}
	return len(r.entries) == 0
}

// inEntry reports whether a heading of the review text is that of an entry, or stands in one.
func (r *review) inEntry(h *head) bool {
	return slices.ContainsFunc(r.entries, func(e *entry) bool { return h.Start() >= e.Start() && h.Start() < e.Section().End() })
}
