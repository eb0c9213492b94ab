package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// left lists what the last iteration left open.
func (b *writer) left(last *entry) {
	said := "the last entry, "
	if last != nil && last.breaksOff() { // the session was interrupted while it wrote the entry
		b.Verify(say.Clip(last.title) + " breaks off before it says what remains: compare it with the outputs")
		said = "the last complete entry, "
		last = b.m.before(last)
	}
	if last != nil && last.open {
		texts := last.field(leftKeys).items()
		b.Left(texts...)
		b.Know(said + say.Clip(last.title) + ", lists as remaining: " + say.List(texts))
	}
}

// breaksOff reports whether an iteration says neither what remains nor that it is done.
func (e *entry) breaksOff() bool {
	return e.kind == work && !e.done && e.stop == 0 && e.field(leftKeys) == nil && e.field(nextKeys) == nil
}

// before returns the last complete iteration of the same phase before an entry, or nil if there is none.
func (m *model) before(e *entry) (last *entry) {
	for _, was := range m.log.entries[:e.index] {
		if was.id == e.id && was.kind == work && !was.breaksOff() {
			last = was
		}
	}
	return last
}

// gaps lists what the last verification found, if nothing was done about it.
func (b *writer) gaps(ph *phase) {
	if t := ph.trail; t.lastGaps >= 0 && t.lastGaps > t.lastDone {
		b.failed("the verification ", t.lastGaps, " found gaps")
	}
}

func (b *writer) failed(what string, at int, how string) {
	e := b.m.log.entries[at]
	b.Left(e.field(gapKeys).items()...)
	b.Know(what + say.Clip(e.title) + how)
}

// review writes the brief of a task whose phases are all done.
func (b *writer) review() {
	m := b.m
	b.readAll(planPath, briefPath)
	b.Do("review the whole task against the criteria of every phase, and append a Review entry")
	if m.log.review == failed {
		b.Do("reopen the phases whose outputs the issues name, revise them, and review again")
		b.failed("the review ", m.log.lastFail, " failed")
	}
	for _, ph := range m.phases {
		b.Know(ph.criteria())
	}
	b.Left("deliver: package the outputs", "archive: move the directory to .iterative-work/archive/"+m.name)
	if c := m.current; c != nil && c.status.working() {
		b.Know("the state says that " + c.is() + " again")
	}
}

// criteria returns the criteria of a phase, or "" if there are none.
func (ph *phase) criteria() string {
	if ph.item.said(criteriaKeys...) == "" {
		return ""
	}
	return ph.id + ": " + strings.Join(markdown.PairAmong(ph.item.subs, criteriaKeys...).Texts(), "; ")
}

// outputs adds the existing outputs of phases.
func (b *writer) outputs(of ...*phase) {
	for _, ph := range of {
		b.Read(ph.item.outputs(b.m.root)...)
	}
}
