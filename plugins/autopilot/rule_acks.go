package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func ackOutlived(r *check.Report, m *model) {
	for _, e := range m.ak.entries {
		if e.valid() {
			continue
		}
		edits := []sdk.Edit{sdk.Set(acksPath, "/acknowledgments", m.ak.without(e))}
		if !e.past {
			edits = append(edits, sdk.Set(acksPath, "/acknowledgment_history", m.ak.historyWith(e)))
		}
		f := inJSON(r, acksPath, e.pointer, quote(e.name)+" of "+e.at.Text+
			" is in the reset history but still counts as acknowledged, so its alert does not fire")
		if e.void {
			f.As(sdk.Warning).Message = quote(e.name) + " was acknowledged at " + e.at.Text +
				", before the last reset at " + m.ak.reset.Text + ", so it no longer counts"
		}
		f.Offer(sdk.Review, "Move the acknowledgment to the history", edits...)
	}
}

// ackMalformed finds acknowledgments with an invalid value or level, or with a reset time before their own.
func ackMalformed(r *check.Report, m *model) {
	for _, e := range slices.Concat(m.ak.entries, m.ak.history) {
		base, what := slices.Concat(m.base.ak.entries, m.base.ak.history), "the value of "+quote(e.name)
		had := slices.IndexFunc(base, func(old *entry) bool { return e.is(old) && old.value.ok })
		switch {
		case !e.value.ok:
			f := unless(inJSON(r, acksPath, e.pointer, quote(e.name)+
				" was acknowledged without a value; expected the number at which its alert fired"), had >= 0)
			if had >= 0 {
				was := base[had].value
				f.Offer(sdk.Review, "Restore the value", sdk.Set(acksPath,
					e.pointer+was.pointer[strings.LastIndexByte(was.pointer, '/'):], was.raw))
			}
		case e.value.v < 0:
			inJSON(r, acksPath, e.value.pointer, say.Wrong(what, say.Clip(e.value.raw), "0 or more"))
		}
		if level := levelOf(e.level); e.level != "" && level < 2 || level > 2 { // only an alert can be acknowledged
			unless(inJSON(r, acksPath, e.pointer+"/threshold_level",
				say.Wrong("threshold_level of "+quote(e.name), quote(e.level), "alert")), level < 0).
				Offer(sdk.Review, "Set threshold_level to alert", sdk.SetText(acksPath, e.pointer+
					"/threshold_level", "alert"))
		}
	}
	for _, h := range m.ak.history {
		if h.reset.Before(h.at, 0) {
			inJSON(r, acksPath, h.pointer, quote(h.name)+" was reset at "+h.reset.Text+
				", before it was acknowledged at "+h.at.Text).Keyed("reset " + h.pointer).As(sdk.Warning)
		}
	}
}

// ackMismatch compares the marks in the position file with the acknowledgments.
func ackMismatch(r *check.Report, m *model) {
	lost := !m.ak.OK && m.absent(acksPath) && m.th.OK // files that git ignores are not missing
	says := "acknowledgments.json does not"
	if lost {
		says = "acknowledgments.json is missing"
	}
	for k, name := range kindNames {
		if !m.ak.OK && !lost {
			break
		}
		var marks []mark
		var gone []sdk.Edit
		for _, a := range m.pos.marks {
			if a.kind == k {
				marks, gone = append(marks, a), append(gone, a.gone...)
			}
		}
		switch e := m.ak.valid(k); {
		case e == nil && marks != nil && !m.ak.resetSince(k, m.pos.stamp):
			f := r.At(marks[0].at, m.pos.doc.Path+" marks "+name+" as acknowledged, but "+says).Keyed(name)
			if lost && !m.base.ak.OK {
				f.As(sdk.Warning)
			}
			if was := m.base.ak.valid(k); was != nil && m.ak.OK {
				f.Offer(sdk.Review, "Restore the acknowledgment", sdk.Set(acksPath, was.pointer,
					sdk.Literal(was.json.Raw())))
			}
			f.Offer(sdk.Review, "Remove the marks for "+name, gone[:min(len(gone), 100)]...)
		case e == nil:
		case marks != nil:
			for i := range marks {
				marks[i].differs(r, e)
			}
		case known(m.pos.stamp) && !m.pos.stamp.Before(e.at, 0):
			for _, row := range m.pos.limits {
				if row.kind == k && row.level == 2 {
					r.At(row.at[colStatus], "the alert for "+name+
						" is acknowledged in acknowledgments.json, but not marked here").Keyed(name).As(sdk.Warning)
				}
			}
		}
	}
}

// differs compares a mark with the acknowledgment.
func (a *mark) differs(r *check.Report, e *entry) {
	here, there := "at "+trimFloat(a.value.v), "at "+say.Clip(e.value.raw)
	if !a.value.ok || !e.value.ok || a.value.equals(e.value.v) {
		if here, there = "on "+a.stamp.Text, "on "+e.at.Text; !a.stamp.Before(e.at, instant.Minute) &&
			!e.at.Before(a.stamp, instant.Minute) {
			return
		}
	}
	f := r.At(a.at, "the list acknowledges "+kindNames[a.kind]+" "+here+", but acknowledgments.json acknowledges it "+
		there).Keyed(kindNames[a.kind]).As(sdk.Warning).
		See(sdk.AtPointer(acksPath, e.pointer), "the acknowledgment")
	if !a.item.blank && e.value.ok && known(e.at) {
		title, _, _ := strings.Cut(a.item.text, "@")
		text := strings.TrimSpace(title) + " @ " + e.value.amount(a.kind) +
			" — acknowledged " + e.at.Text
		f.Offer(sdk.Review, "Copy the acknowledgment from acknowledgments.json", sdk.Replace(a.at, text))
	}
}

// samePlan reports whether the position is readable and the flight plan has not changed since the base's position.
func (m *model) samePlan() bool { return m.pos.there() && (!m.base.pos.there() || !m.planned()) }

func stateGone(r *check.Report, m *model) {
	b := m.base
	for n, path := range [...]string{acksPath, thresholdsPath, planPath, "PROJECT.md"} {
		had, gone, says := n == 0 && (len(b.ak.entries)+len(b.ak.history) > 0 || known(b.ak.reset)) || n == 1 &&
			b.th.OK || n > 1 && b.docs.Get(path) != nil && !m.s.closed(), m.absent(path), " is missing; the base has it"
		if n == 1 && m.th.OK && !m.th.measured() {
			had, gone, says = b.th.measured(), true, " has no values; the base has some"
		}
		if how := check.Emptied(m.docs.Get(path), b.docs.Get(path)); had && n > 1 && how != "" {
			gone, says = true, how+"; the base has more"
		}
		if had && gone && (m.samePlan() || path == planPath) {
			r.Whole(path, path+says).Offer(sdk.Review, "Restore "+path,
				sdk.Restore(path)).As([...]sdk.Severity{sdk.Error, sdk.Warning, sdk.Warning, sdk.Warning}[n])
		}
	}
}

// advanced reports whether the last reset is later than in the base.
func (m *model) advanced() bool {
	now, then := m.ak.reset, m.base.ak.reset
	return known(now) && (!known(then) || then.Before(now, 0))
}

// lineOf returns the location of an entry of the base, for use in a message.
func (m *model) lineOf(e *entry) string { return say.Line(m.base.ak.Doc.Doc, e.json.Start()) }

// historyRewritten checks that the history keeps the base's entries and has an entry for each later reset.
func historyRewritten(r *check.Report, m *model) {
	const path = "/acknowledgment_history"
	now, then, line := m.ak.history, m.base.ak.history, m.lineOf
	if len(now)*len(then) > 4_000_000 {
		return
	}
	gone := find(then, func(e *entry) bool { return !slices.ContainsFunc(now, e.same) })
	reset := slices.DeleteFunc(m.vanished(), func(e *entry) bool { return !e.valid() || !m.advanced() })
	var f *check.Finding
	switch kept := m.ak.Has(path) || m.base.ak.Has(path); {
	case gone != nil && (len(now) > 0 || !m.advanced()):
		f = inJSON(r, acksPath, path, "the history lost or changed the entry for "+quote(gone.name)+
			", acknowledged at "+say.Clip(gone.ack)+"; the base has it"+line(gone))
		reset = nil
	case kept && len(reset) > 0:
		f = inJSON(r, acksPath, path, quote(reset[0].name)+
			" was reset, but the history has no entry for it; it was acknowledged in the base"+
			line(reset[0])).As(sdk.Warning)
	case gone != nil:
		f = inJSON(r, acksPath, path, "the history is empty; it had "+say.Count(len(then), "entry")+
			" in the base").As(sdk.Warning)
	}
	if f != nil {
		f.Offer(sdk.Review, "Restore the history", sdk.Set(acksPath, path, m.joinedHistory(reset...)))
	}
}

// joinedHistory returns the base's history, followed by the entries that only the current history has, and by added.
// For changed entries, it uses the base's version.
func (m *model) joinedHistory(added ...*entry) string {
	joined := acknowledgments{history: slices.Clone(m.base.ak.history), reset: m.ak.reset}
	for _, e := range m.ak.history {
		if !slices.ContainsFunc(m.base.ak.history, e.follows) {
			joined.history = append(joined.history, e)
		}
	}
	return joined.historyWith(added...)
}

// vanished returns the acknowledgments from the base that are in neither the current list nor the history.
func (m *model) vanished() (list []*entry) {
	for _, old := range m.base.ak.entries {
		if known(old.at) && !slices.ContainsFunc(m.ak.entries, old.alike) &&
			!slices.ContainsFunc(m.ak.history, old.is) {
			list = append(list, old)
		}
	}
	return list
}

func resetWentBack(r *check.Report, m *model) {
	now, then, key, is := m.ak.reset, m.base.ak.reset, "last_reset", m.ak.reset.Text
	raw, was := m.ak.Root.Get(key), m.base.ak.Root.Get(key)
	if !known(now) {
		is = "null"
	}
	if known(then) && (known(now) || raw.Kind() != jsondoc.String) && (!known(now) || now.Before(then, 0)) {
		inJSON(r, acksPath, "/"+key, say.Was(key, is, then.Text, say.Line(m.base.ak.Doc.Doc, was.Start()))+
			", so reset acknowledgments would count again").
			Offer(sdk.Review, "Restore the last reset", sdk.Set(acksPath, "/"+key, sdk.Literal(was.Raw())))
	}
}

func ackRewritten(r *check.Report, m *model) {
	for _, old := range m.vanished() {
		if !m.advanced() {
			f := r.At(sdk.AtPointer(acksPath, "/acknowledgments"),
				"the acknowledgment of "+quote(old.name)+" was removed without a reset; the base has it"+
					m.lineOf(old)).Keyed(clip(old.name, 100))
			if words.Mentions(m.pos.activityText, "reset") {
				f.Advise("Complete the reset", "Add the acknowledgment to the history, with the time of the reset, "+
					"and set last_reset to it.")
			}
			f.Offer(sdk.Review, "Restore the acknowledgment", sdk.Set(acksPath, old.pointer,
				sdk.Literal(old.json.Raw())))
		}
	}
	for _, e := range m.ak.entries {
		for _, old := range m.base.ak.entries {
			switch {
			case e.name != old.name:
			case e.at.Before(old.at, 0):
				inJSON(r, acksPath, e.pointer, say.Was("acknowledged_at of "+quote(e.name), e.at.Text, old.at.Text,
					m.lineOf(old)))
			case stays(e.at, old.at) && e.value.ok && old.value.ok && e.value.v != old.value.v:
				inJSON(r, acksPath, e.pointer, say.Was("the value of "+quote(e.name), say.Clip(e.value.raw),
					say.Clip(old.value.raw), m.lineOf(old)))
			}
		}
	}
}
