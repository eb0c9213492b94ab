package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

func timestampMalformed(l *look) {
	if bad := l.m.th.badCheck; bad != "" {
		l.pointer(thresholdsPath, "/last_check", "last_check "+quote(bad)+" cannot be compared")
		l.manual("Write a time", "write the time of the last check, such as 2026-01-29T14:30:00Z")
	}
	for n := range l.m.ak.bad {
		f := &l.m.ak.bad[n]
		l.pointer(f.path, f.pointer, f.name+" "+quote(f.text)+" cannot be compared")
		l.manual("Write a time", "write the time such as 2026-01-29T14:30:00Z")
	}
}

func ackOutlived(l *look) {
	a := l.m.ak
	for _, e := range a.entries {
		if !e.void {
			continue
		}
		l.pointer(acksPath, e.pointer, quote(e.name)+" was acknowledged before the last reset: it no longer counts")
		if o := l.offer(sdk.Review, "Move it to the history"); o != nil {
			o.set(acksPath, "/acknowledgments", a.without(e))
			if !e.past {
				o.set(acksPath, "/acknowledgment_history", a.historyWith(e))
			}
		}
	}
}

// historyWith is the history as JSON with entries added that the last reset voided.
func (a *acknowledgments) historyWith(added ...*entry) string {
	s := ""
	for _, h := range a.history {
		s += ", " + h.json.Raw()
	}
	for _, e := range added {
		s += ", " + a.withHistory(e, a.reset.text)
	}
	if s == "" {
		return "[]"
	}
	return "[" + s[2:] + "]"
}

func resetHalf(l *look) {
	for _, e := range l.m.ak.entries {
		if e.past && !e.void {
			l.pointer(acksPath, e.pointer, quote(e.name)+" was reset, yet still counts as acknowledged: its alert will not fire")
			l.offer(sdk.Review, "Finish the reset").set(acksPath, "/acknowledgments", l.m.ak.without(e))
		}
	}
}

func historyOrder(l *look) {
	for _, h := range l.m.ak.history {
		if h.reset.before(&h.at) {
			l.pointer(acksPath, h.pointer, "reset "+h.reset.text+" before it was acknowledged "+h.at.text)
			l.manual("Correct the entry", "find out from git log when it was acknowledged and reset")
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

func markWithoutAck(l *look) {
	m := l.m
	if m.pos.stamp.text == "" {
		return
	}
	for k := range kinds {
		at, marked := m.marked(k)
		if !marked || m.ak.valid(k) != nil || m.ak.resetSince(k, &m.pos.stamp) {
			continue
		}
		l.tell(at, kindNames[k], m.pos.path+" says "+kindNames[k]+" is acknowledged, acknowledgments.json does not")
		l.unmark(k)
	}
}

// unmark offers to take out every mark of a type.
func (l *look) unmark(k int) {
	o := l.offer(sdk.Review, "Take out the marks of "+kindNames[k])
	if o == nil {
		return
	}
	p := l.m.pos
	for _, r := range p.limits {
		if r.ofCost() || r.kind != k || !r.acked {
			continue
		}
		if text := r.cells[colAlert]; strings.Contains(text, "ACK") {
			o.row(r, colAlert, oneLine(strings.ReplaceAll(text, "ACK", "")))
		}
		if text := r.cells[colStatus]; strings.Contains(strings.ToLower(text), "(ack)") {
			at := strings.Index(strings.ToLower(text), "(ack)")
			o.row(r, colStatus, oneLine(text[:at]+text[at+len("(ack)"):]))
		}
	}
	for n := range p.acks {
		if a := &p.acks[n]; a.kind == k {
			o.removeItem(l.m.cdoc.Text, &a.item)
		}
	}
	if f := p.get("alertacknowledged"); k == cost && p.layoutB && f != nil {
		o.cell("alertacknowledged", "No")
	}
}

func ackUnmarked(l *look) {
	m := l.m
	for k := range kinds {
		e := m.ak.valid(k)
		if _, marked := m.marked(k); marked || e == nil || m.pos.stamp.text == "" || m.pos.stamp.before(&e.at) {
			continue
		}
		for _, r := range m.pos.limits {
			if !r.ofCost() && r.kind == k && r.level == 2 {
				l.tell(r.at[colStatus], kindNames[k], "acknowledged "+kindNames[k]+" alert is not marked")
				l.manual("Mark it", "write Alert (ack) into the row and list it under Acknowledged Alerts")
			}
		}
	}
}

func ackMismatch(l *look) {
	m := l.m
	for n := range m.pos.acks {
		a := &m.pos.acks[n]
		e := m.ak.valid(a.kind)
		if e == nil {
			continue
		}
		name := kindNames[a.kind]
		switch {
		case a.value.ok && e.value.ok && !a.value.equals(e.value.v):
			l.tell(a.span(), name, "list: "+name+" "+quote(a.text)+", acknowledgments.json: "+clip(e.value.raw, 40))
		case a.stamp.before(&e.at) || e.at.before(&a.stamp):
			l.tell(a.span(), name, "list: "+name+" acknowledged "+a.stamp.text+", acknowledgments.json: "+e.at.text)
		default:
			continue
		}
		if o := l.offer(sdk.Review, "Take the item from acknowledgments.json"); o != nil && a.stop > a.own && e.value.ok && e.at.text != "" {
			value := [...]string{"$", "", "", ""}[a.kind] + e.value.raw + [...]string{"", "%", "%", ""}[a.kind]
			title, _, _ := strings.Cut(a.text, "@")
			o.replace(a.path, a.own, a.stop, strings.TrimSpace(title)+" @ "+value+" — acknowledged "+e.at.text)
		}
	}
}

func triggerUndated(l *look) {
	for _, t := range l.m.triggers {
		if !t.counted || t.count >= 1 == t.dated {
			continue
		}
		message := quote(t.name) + " fired " + plural(int(min(t.count, 999_999_999)), "time") + ", never dated: once-per-session and cool-down cannot hold it"
		if t.dated {
			message = quote(t.name) + " is dated but counted 0 times"
		}
		l.pointer(t.path, t.pointer, message)
		l.manual("Complete the trigger", "write both count and last_triggered, or neither")
	}
}

func triggerClaims(l *look) {
	m := l.m
	for _, t := range m.triggers {
		k := t.kind()
		if k < 0 || !t.acknowledged || m.ak.valid(k) != nil || m.ak.resetSince(k, &t.fired) {
			continue
		}
		l.pointer(t.path, t.pointer+"/acknowledged", quote(t.name)+" says acknowledged, acknowledgments.json does not")
		if o := l.offer(sdk.Review, "Set acknowledged to false"); o != nil {
			o.set(t.path, t.pointer+"/acknowledged", "false")
		}
	}
}
