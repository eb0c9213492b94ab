package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A requirement is an item in spec.md that begins with an id, such as FR-001.
type requirement struct {
	id   string
	text string
	at   int // the offset of the id
	line int
}

// words returns a requirement's text without its id.
func (q *requirement) words() string { return strings.Trim(lower(q.text[len(q.id):]), " *:.–—-") }

func requirements(d *sdk.Document) []requirement {
	if !d.Readable() {
		return nil
	}
	var list []requirement
	for _, item := range d.Outline().Document().Items() {
		if raw := item.Own().Raw(); !strings.Contains(raw, "FR-") && !strings.Contains(raw, "SC-") {
			continue
		}
		text := item.Own().Text()
		if n := requirementID(text); n > 0 {
			own := item.Own()
			at := own.Start() + strings.Index(own.Raw(), text[:n])
			list = append(list, requirement{text[:n], text, at, own.Line()})
		}
	}
	return list
}

// requirementID returns the length of the requirement id that text begins with (FR-001, NFR-2, SC-003a), or 0 if there
// is none.
func requirementID(text string) int {
	for _, prefix := range []string{"FR-", "NFR-", "SC-"} {
		if n := len(prefix); strings.HasPrefix(text, prefix) && len(text) > n && digit(text[n]) {
			for n < len(text) && words.IsWord(text[n]) && text[n] < 0x80 {
				n++
			}
			return n
		}
	}
	return 0
}

// requirementLost reports no lost requirement if the spec has a new one, because the spec was then rewritten. A
// requirement that got another number is not lost, but the requirement that had this number may be.
func requirementLost(r *check.Report, m *model) {
	if !m.base.started() || !m.spec.Readable() || !m.base.spec.Readable() {
		return
	}
	var gone []string
	was, now, shown := requirements(m.base.spec), requirements(m.spec), markdown.Shown(m.spec.Text)
	for i := range was {
		q := &was[i]
		if words.Names(shown, q.id) {
			continue
		}
		for range was { // each pass follows a number to the requirement that had it in the base
			to := slices.IndexFunc(now, func(n requirement) bool { return n.words() == q.words() })
			if to < 0 {
				gone = append(gone, say.Quote(q.text))
				break
			}
			n := now[to]
			had := func(o requirement) bool { return o.id == n.id }
			if slices.ContainsFunc(now, func(o requirement) bool { return had(o) && o.at != n.at }) {
				m.numberTaken(r, q, &n)
				break
			}
			if to = slices.IndexFunc(was, had); to < 0 {
				break
			}
			q = &was[to]
		}
	}
	if len(gone) > 0 && !slices.ContainsFunc(now,
		func(q requirement) bool { return !words.Names(m.base.spec.Text, q.id) }) {
		r.Whole(specPath, "spec.md lacks "+say.Count(len(gone), "requirement")+" that the base has: "+say.List(gone)).
			Advise("Restore the requirements", "Restore the requirements, or strike them out with the reason.")
	}
}

// numberTaken reports a requirement whose new number belongs to another one.
func (m *model) numberTaken(r *check.Report, was, now *requirement) {
	r.At(sdk.AtLine(specPath, now.line), "two requirements have the number "+now.id+"; in the base, this one is "+
		was.id+": "+say.Quote(now.text)).Keyed(was.id).
		Offer(sdk.Review, "Number it "+was.id+" again",
			sdk.Replace(sdk.AtBytes(specPath, now.at, now.at+len(now.id)), was.id))
}
