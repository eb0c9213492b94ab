package autopilot

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

func stateGone(l *finder) {
	m, b := l.m, l.m.base
	gone := func(path string, read bool) *check.Finding {
		if !read || m.docs.Get(path) != nil || !m.docs.Known(path) || m.pos == nil || b.pos != nil && m.planned() {
			return nil
		}
		return l.Whole(path, path+" is gone; it was in the base").Offer(sdk.Review, "Bring it back", restore(path)...)
	}
	gone(acksPath, len(b.ak.entries)+len(b.ak.history) > 0)
	if f := gone(thresholdsPath, b.th.doc != nil); f != nil {
		f.As(sdk.Warning)
	}
}

// same reports whether two entries of the history say the same.
func (e *entry) same(other *entry) bool {
	return e.alike(other) && e.when(other, "acknowledged_at") && e.when(other, "reset_at") && e.value.ok == other.value.ok && e.value.v == other.value.v
}

// advanced reports whether the last reset is later than in the earlier revision.
func (m *model) advanced() bool {
	now, then := m.ak.reset, m.base.ak.reset
	return known(now) && (!known(then) || then.Before(now, 0))
}

// lineOf says where the base has an entry.
func (l *finder) lineOf(e *entry) string {
	return say.Line(l.m.base.docs.Get(acksPath), e.json.Start())
}

func historyRewritten(l *finder) {
	now, then := l.m.ak.history, l.m.base.ak.history
	if len(now) == 0 && l.m.advanced() || len(now)*len(then) > 4_000_000 {
		return
	}
	for _, e := range then {
		if slices.ContainsFunc(now, e.same) {
			continue
		}
		f := l.pointer(acksPath, "/acknowledgment_history", "the history has no entry of "+quote(e.name)+" acknowledged at "+e.text("acknowledged_at")+"; it was in the base"+l.lineOf(e))
		for _, n := range now {
			if !n.is(e) && !(n.alike(e) && n.when(e, "reset_at")) || slices.ContainsFunc(then, n.same) {
				continue
			}
			key := "value"
			for _, at := range [...]string{"acknowledged_at", "reset_at"} {
				if !n.when(e, at) {
					key = at
				}
			}
			f.Range = sdk.AtPointer(acksPath, n.pointer)
			f.Message = say.Was(key+" of "+quote(e.name), say.Clip(n.json.Get(key).Raw()), say.Clip(e.json.Get(key).Raw()), l.lineOf(e))
		}
		f.Offer(sdk.Review, "Bring the history back", set(acksPath, "/acknowledgment_history", l.m.joinedHistory())...)
		return
	}
}

func (e *entry) text(key string) string {
	text, _ := e.json.Get(key).Text()
	return say.Clip(text)
}

// joinedHistory is the history of the base with the entries that are only here. An entry that was
// changed is taken from the base.
func (m *model) joinedHistory(added ...*entry) string {
	joined := acknowledgments{history: slices.Clone(m.base.ak.history), reset: m.ak.reset}
	for _, e := range m.ak.history {
		known := func(old *entry) bool { return e.same(old) || e.is(old) || e.alike(old) && e.when(old, "reset_at") }
		if !slices.ContainsFunc(m.base.ak.history, known) {
			joined.history = append(joined.history, e)
		}
	}
	return joined.historyWith(added...)
}

// vanished lists the acknowledgments that are neither there nor in the history.
func (m *model) vanished() []*entry {
	var list []*entry
	for _, old := range m.base.ak.entries {
		was := func(h *entry) bool { return h.is(old) }
		if known(old.at) && !slices.ContainsFunc(m.ak.entries, old.alike) && !slices.ContainsFunc(m.ak.history, was) {
			list = append(list, old)
		}
	}
	return list
}

func resetUnrecorded(l *finder) {
	m, b := l.m, l.m.base
	if !m.ak.hasHistory && !b.ak.hasHistory || !m.advanced() {
		return
	}
	var lost []*entry
	for _, e := range m.vanished() {
		if e.valid() {
			lost = append(lost, e)
		}
	}
	message := "the history is empty; it had " + say.Count(len(b.ak.history), "entry") + " in the base"
	switch {
	case len(lost) > 0:
		message = quote(lost[0].name) + " was reset, but the history has no entry of it; it was acknowledged in the base" + l.lineOf(lost[0])
	case len(b.ak.history) == 0 || len(m.ak.history) > 0:
		return
	}
	l.pointer(acksPath, "/acknowledgment_history", message).
		Offer(sdk.Review, "Record the reset", set(acksPath, "/acknowledgment_history", m.joinedHistory(lost...))...)
}

func resetWentBack(l *finder) {
	m, b := l.m, l.m.base
	now, then := m.ak.reset, b.ak.reset
	if raw := m.ak.doc.Root().Get("last_reset"); !known(then) || !known(now) && raw.Kind() == jsondoc.String || known(now) && !now.Before(then, 0) {
		return
	}
	is := "null"
	if known(now) {
		is = now.Text
	}
	was := b.ak.doc.Root().Get("last_reset")
	l.pointer(acksPath, "/last_reset", say.Was("last_reset", is, then.Text, say.Line(b.docs.Get(acksPath), was.Start()))+": what was reset then would count again").
		Offer(sdk.Review, "Put the last reset back", set(acksPath, "/last_reset", was.Raw())...).
		Advise("Find out when it was reset", "look at git log and write the time of the last reset")
}

func ackVanished(l *finder) {
	if l.m.advanced() {
		return
	}
	for _, e := range l.m.vanished() {
		l.At(sdk.AtPointer(acksPath, "/acknowledgments"), "the acknowledgment of "+quote(e.name)+" is gone without a reset; it was in the base"+l.lineOf(e)).Keyed(clip(e.name, 100)).
			Offer(sdk.Review, "Put it back", set(acksPath, e.pointer, e.json.Raw())...)
	}
}

func ackRewritten(l *finder) {
	for _, e := range l.m.ak.entries {
		for _, old := range l.m.base.ak.entries {
			if e.name != old.name {
				continue
			}
			message := ""
			switch {
			case e.at.Before(old.at, 0):
				message = say.Was("acknowledged_at of "+quote(e.name), e.at.Text, old.at.Text, l.lineOf(old))
			case stays(e.at, old.at) && e.value.ok && old.value.ok && e.value.v != old.value.v:
				message = say.Was("the value of "+quote(e.name), say.Clip(e.value.json.Raw()), say.Clip(old.value.json.Raw()), l.lineOf(old))
			default:
				continue
			}
			l.pointer(acksPath, e.pointer, message).
				Advise("Find out what was acknowledged", "look at git log and keep what the user acknowledged")
		}
	}
}

func checkWentBack(l *finder) {
	m, b := l.m.th, l.m.base.th
	line := say.Line(l.m.base.docs.Get(thresholdsPath), 0)
	if b.doc != nil {
		line = say.Line(l.m.base.docs.Get(thresholdsPath), b.doc.Root().Get("last_check").Start())
	}
	switch {
	case m.check.Before(b.check, 0):
		l.pointer(thresholdsPath, "/last_check", say.Was("last_check", m.check.Text, b.check.Text, line)).
			Advise("Check again", "an older copy overwrote a newer one: run the threshold check again")
	case stays(m.check, b.check):
		for k := range kinds {
			if now, was := m.value(k), b.value(k); now.ok != was.ok || now.v != was.v || m.levels[k].n != b.levels[k].n {
				l.pointer(thresholdsPath, "/last_check", "the value or level of "+kindNames[k]+" changed, but last_check is still "+m.check.Text).
					Advise("Check again", "run the threshold check again: it writes values, levels and last_check together")
				return
			}
		}
	}
}

func triggerDecreased(l *finder) {
	m, b := l.m, l.m.base
	if start := session(m.triggers); start != session(b.triggers) && !instant.Same(start, session(b.triggers)) {
		return
	}
	for _, t := range m.triggers {
		for _, old := range b.triggers {
			if t.name == old.name && t.path == old.path && t.counted && old.counted && t.count < old.count {
				l.pointer(t.path, t.pointer+"/count", say.Was("count of "+quote(t.name), itoa(int(t.count)), itoa(int(old.count)), "")+", in the same session").
					Advise("Take the newer copy", "an older copy overwrote a newer one: compare both in git")
			}
		}
	}
}

// session is when the session of the triggers began.
func session(list []*trigger) string {
	for _, t := range list {
		if t.name == "time_elapsed" {
			return t.start
		}
	}
	return ""
}
