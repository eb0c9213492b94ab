package declare

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/work"
)

// history are the rules that compare the items of a kind with the base.
func (k *kind) history(shared *work.Kind[*run, *item]) (list []*rule) {
	if k.keep {
		list = append(list, k.rule("lost", sdk.Error, "An ITEM in the base is missing.",
			"Removing agreed work from the list does not complete it.", "Restore it from the base.",
			func(m *run, c *report) {
				shared.ItemLost(c, m, nil)
			}))
	}
	switch {
	case k.moves != nil && !k.canJump():
	case k.moves != nil:
		list = append(list, k.rule("status-jumped", sdk.Error,
			"The STATE of an ITEM changed in a way that `moves` does not permit.", "A workflow step was skipped.",
			"Go through the steps in between.", func(m *run, c *report) { m.jumped(k, c) }))
	case k.knowsDone():
		list = append(list, k.rule("reopened", sdk.Warning, "An ITEM that was done in the base is open again.",
			"It was reopened, or a merge restored an old file.", "Close it again, or explain why it is open.",
			func(m *run, c *report) {
				shared.TickLost(c, m, func(f *found) {
					if is, was := f.Item, f.Others[0]; is.state != nil {
						set(f.Finding, is.state, was.state, "Set "+k.word+" back to "+say.Clip(was.state.String()))
					} else if k.doneWhen.Member() != "" {
						set(f.Finding, is.mark, was.mark, "Set "+k.doneWhen.Member()+" back to "+was.mark.String())
					}
				})
			}))
	}
	if len(k.frozen) > 0 {
		list = append(list, k.rule("rewritten", sdk.Error, "The promise of an ITEM differs from the base.",
			"If promises may change, any work can be declared done.", "Restore the text from the base.",
			func(m *run, c *report) { m.rewritten(k, c) }))
	}
	for _, r := range list {
		r.base = true
	}
	return list
}

// set offers to write a value of the base back.
func set(f *check.Finding, at, to *expr.Value, title string) {
	if at == nil || at.From == nil || to.Kind == expr.Null {
		return
	}
	if e, ok := at.From.Edit(to); ok {
		f.Offer(sdk.Review, title, e)
	}
}

// knows reports whether a word is one of words, if there are any: others are status-unknown.
func (k *kind) knows(word string) bool { return len(k.words) == 0 || slices.Contains(k.words, word) }

// canJump reports whether moves forbids anything.
func (k *kind) canJump() bool {
	for from, next := range k.moves {
		if len(k.words) == 0 || slices.ContainsFunc(k.words, func(w string) bool {
			return w != from && !slices.Contains(next, w)
		}) {
			return true
		}
	}
	return false
}

func (m *run) jumped(k *kind, c *report) {
	now, _ := m.pair(k)
	for _, i := range now.list {
		if i.was == nil || i.state.Kind != expr.String || i.was.state.Kind != expr.String {
			continue
		}
		from, to := i.was.state.Text, i.state.Text
		next, known := k.moves[from]
		if from == to || !known || slices.Contains(next, to) || !k.knows(to) {
			continue
		}
		message := i.Called() + " went from " + say.Clip(from) + " to " + say.Clip(to) + "; "
		if len(next) == 0 {
			message += from + " is the last step"
		} else {
			message += "expected " + say.Or(next...)
		}
		f := c.At(m.place(i.state, i.v), message).About(i.key)
		set(f, i.state, i.was.state, "Set "+k.word+" back to "+say.Clip(from))
	}
}

func (m *run) rewritten(k *kind, c *report) {
	now, _ := m.pair(k)
	for _, i := range now.list {
		if i.was == nil {
			continue
		}
		if k.frozenWhen != nil && !k.frozenWhen.Eval(m.compared(i)).Is() {
			continue
		}
		for _, what := range k.frozen {
			is, was := what.expr.Eval(i.scope).Open(), what.expr.Eval(i.was.scope).Open()
			if is.Kind == expr.Unknown || was.Kind == expr.Unknown || was.Kind == expr.Null || expr.Equal(is, was) {
				continue
			}
			message := what.name + " of " + i.Called() + " is missing"
			if is.Kind != expr.Null {
				message = what.name + " of " + i.Called() + " was rewritten"
			}
			f := c.At(m.place(is, i.v), message+"; in the base it is "+say.Quote(was.String())).About(i.key).
				Keyed(what.name)
			set(f, is, was, "Restore the "+strings.TrimPrefix(what.name, "the ")+" from the base")
		}
	}
}
