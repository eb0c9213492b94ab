package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
)

func ackOutlived(l *finder) {
	a := l.m.ak
	for _, e := range a.entries {
		if !e.void {
			continue
		}
		edits := []sdk.Edit{sdk.Set(acksPath, "/acknowledgments", a.without(e))}
		if !e.past {
			edits = append(edits, sdk.Set(acksPath, "/acknowledgment_history", a.historyWith(e)))
		}
		l.pointer(acksPath, e.pointer, quote(e.name)+" was acknowledged at "+e.at.Text+", before the last reset at "+a.reset.Text+": it no longer counts").
			Offer(sdk.Review, "Move it to the history", edits...)
	}
}

// historyWith is the history as JSON with entries added that the last reset voided.
func (a *acknowledgments) historyWith(added ...*entry) string {
	var list []string
	for _, h := range a.history {
		list = append(list, h.json.Raw())
	}
	for _, e := range added {
		list = append(list, a.withHistory(e, a.reset.Text))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func resetHalf(l *finder) {
	for _, e := range l.m.ak.entries {
		if e.past && !e.void {
			l.pointer(acksPath, e.pointer, quote(e.name)+" of "+e.at.Text+" is in the history of resets, and still counts as acknowledged: its alert will not fire").
				Offer(sdk.Review, "Finish the reset", set(acksPath, "/acknowledgments", l.m.ak.without(e))...)
		}
	}
}

func historyOrder(l *finder) {
	for _, h := range l.m.ak.history {
		if h.reset.Before(h.at, 0) {
			l.pointer(acksPath, h.pointer, quote(h.name)+" was reset at "+h.reset.Text+", before it was acknowledged at "+h.at.Text).
				Advise("Correct the entry", "find out from git log when it was acknowledged and reset")
		}
	}
}

// marked returns where the position file marks a type as acknowledged.
func (m *model) marked(k int) (at sdk.Range, found bool) {
	p := m.pos
	for _, r := range p.limits {
		if !r.ofCost() && r.kind == k && r.acked {
			if strings.Contains(r.cells[colAlert], "ACK") {
				return r.at[colAlert], true
			}
			return r.at[colStatus], true
		}
	}
	for n := range p.acks {
		if p.acks[n].kind == k {
			return p.acks[n].span(), true
		}
	}
	if f := p.get("alertacknowledged"); k == cost && p.layoutB && strings.HasPrefix(strings.ToLower(f.given()), "yes") {
		return f.at, true
	}
	return at, false
}

func markWithoutAck(l *finder) {
	m := l.m
	if m.ak.doc == nil && (m.pos.layoutB || m.docs.Get(acksPath) != nil || !m.docs.Known(acksPath) || m.th.doc == nil) {
		return // what git does not keep is not missed
	}
	for k := range kinds {
		at, marked := m.marked(k)
		if !marked || m.ak.valid(k) != nil || m.ak.resetSince(k, m.pos.stamp) {
			continue
		}
		says := "acknowledgments.json does not have it"
		if m.ak.doc == nil {
			says = "there is no acknowledgments.json"
		}
		f := l.At(at, m.pos.doc.Path+" calls "+kindNames[k]+" acknowledged, but "+says).Keyed(kindNames[k])
		if m.ak.doc == nil && (m.base == nil || m.base.ak.doc == nil) {
			f.As(sdk.Warning)
		}
		f.Offer(sdk.Review, "Take out the marks of "+kindNames[k], m.unmark(k)...)
	}
}

// unmark takes out every mark of a type.
func (m *model) unmark(k int) (edits []sdk.Edit) {
	p := m.pos
	for _, r := range p.limits {
		if r.ofCost() || r.kind != k || !r.acked {
			continue
		}
		if text := r.cells[colAlert]; strings.Contains(text, "ACK") {
			edits = append(edits, m.row(r, colAlert, oneLine(strings.ReplaceAll(text, "ACK", "")))...)
		}
		text := r.cells[colStatus]
		if at := strings.Index(strings.ToLower(text), "(ack)"); at >= 0 {
			edits = append(edits, m.row(r, colStatus, oneLine(text[:at]+text[at+len("(ack)"):]))...)
		}
	}
	for n := range p.acks {
		if a := &p.acks[n]; a.kind == k && len(edits) < 100 {
			edits = append(edits, a.remove(m.cdoc.Text))
		}
	}
	if k == cost && p.layoutB {
		edits = append(edits, p.get("alertacknowledged").set("No")...)
	}
	return edits
}

func ackUnmarked(l *finder) {
	m := l.m
	for k := range kinds {
		e := m.ak.valid(k)
		if _, marked := m.marked(k); marked || e == nil || !known(m.pos.stamp) || m.pos.stamp.Before(e.at, 0) {
			continue
		}
		for _, r := range m.pos.limits {
			if !r.ofCost() && r.kind == k && r.level == 2 {
				l.At(r.at[colStatus], "the alert of "+kindNames[k]+" is acknowledged in acknowledgments.json, but not marked here").Keyed(kindNames[k]).
					Advise("Mark it", "write Alert (ack) into the row and list it under Acknowledged Alerts")
			}
		}
	}
}

func ackMismatch(l *finder) {
	m := l.m
	for n := range m.pos.acks {
		a := &m.pos.acks[n]
		e := m.ak.valid(a.kind)
		if e == nil {
			continue
		}
		name, message := kindNames[a.kind], ""
		switch {
		case a.value.ok && e.value.ok && !a.value.equals(e.value.v):
			message = "the list acknowledges " + name + " at " + trimFloat(a.value.v) + ", acknowledgments.json at " + say.Clip(e.value.json.Raw())
		case a.stamp.Before(e.at, instant.Minute) || e.at.Before(a.stamp, instant.Minute):
			message = "the list acknowledges " + name + " on " + a.stamp.Text + ", acknowledgments.json on " + e.at.Text
		default:
			continue
		}
		f := l.At(a.span(), message).Keyed(name).See(sdk.AtPointer(acksPath, e.pointer), "the acknowledgment")
		if a.stop > a.own && e.value.ok && known(e.at) {
			title, _, _ := strings.Cut(a.text, "@")
			text := strings.TrimSpace(title) + " @ " + units[a.kind][0] + e.value.json.Raw() + units[a.kind][1] + " — acknowledged " + e.at.Text
			f.Offer(sdk.Review, "Take the item from acknowledgments.json", sdk.Replace(sdk.AtBytes(a.path, a.own, a.stop), text))
		}
	}
}

func triggerUndated(l *finder) {
	for _, t := range l.m.triggers {
		if !t.counted || t.count >= 1 == t.dated {
			continue
		}
		message := quote(t.name) + " fired " + say.Count(int(min(t.count, 999_999_999)), "time") + ", but has no last_triggered: once per session and cool-down cannot hold it"
		if t.dated {
			message = quote(t.name) + " has a last_triggered, but its count is 0"
		}
		l.pointer(t.path, t.pointer, message).
			Advise("Complete the trigger", "write both count and last_triggered, or neither")
	}
}

func triggerClaims(l *finder) {
	m := l.m
	for _, t := range m.triggers {
		if k := t.kind(); k >= 0 && t.acknowledged && m.ak.valid(k) == nil && !m.ak.resetSince(k, t.fired) {
			l.pointer(t.path, t.pointer+"/acknowledged", quote(t.name)+" is called acknowledged, but acknowledgments.json does not have it").
				Offer(sdk.Review, "Set acknowledged to false", set(t.path, t.pointer+"/acknowledged", "false")...)
		}
	}
}
