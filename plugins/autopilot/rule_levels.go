package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

func levelMismatch(l *look) {
	m := l.m
	for k := range kinds {
		rec, first := &m.th.levels[k], m.th.value(k)
		if rec.n < 0 || !m.ordered[k] || !first.ok {
			continue
		}
		fits := false
		for n := range m.th.values[k] {
			v := &m.th.values[k][n]
			fits = fits || v.ok && m.fitsLevel(k, v.v, rec.n)
		}
		if fits {
			continue
		}
		right := levelBy(first.v, &m.limits[k])
		message := kindNames[k] + " " + clip(first.raw, 40) + " is "
		if right > 0 {
			message += levelNames[right] + " (≥ " + trimFloat(m.limits[k][right-1]) + ")"
		} else {
			message += "below every limit"
		}
		l.pointer(thresholdsPath, rec.pointer, message+", recorded "+levelText(rec.n))
		l.offer(sdk.Review, "Record the level of "+kindNames[k]).set(thresholdsPath, rec.pointer, levelJSON(right))
	}
}

func levelText(n int) string {
	if n > 0 {
		return levelNames[n]
	}
	return "none"
}

func levelJSON(n int) string {
	if n > 0 {
		return `"` + levelNames[n] + `"`
	}
	return "null"
}

func levelUnfounded(l *look) {
	for k := range kinds {
		rec, right := &l.m.th.levels[k], 0
		if v := l.m.th.value(k); v.ok && l.m.ordered[k] {
			right = levelBy(v.v, &l.m.limits[k])
		}
		switch {
		case rec.n < 0:
			l.pointer(thresholdsPath, rec.pointer, kindNames[k]+" level "+quote(rec.text)+" is unknown")
		case rec.n > 0 && !l.m.th.value(k).ok:
			l.pointer(thresholdsPath, rec.pointer, kindNames[k]+" is recorded as "+rec.text+" without a value")
		default:
			continue
		}
		title := "Record no level of "
		if right > 0 {
			title = "Record the level of "
		}
		l.offer(sdk.Review, title+kindNames[k]).set(thresholdsPath, rec.pointer, levelJSON(right))
	}
}

func valueForked(l *look) {
	for k := range kinds {
		v := &l.m.th.values[k]
		if v[0].ok && v[1].ok && v[0].v != v[1].v {
			l.pointer(thresholdsPath, v[1].pointer, valueKeys[k][0]+" "+clip(v[0].raw, 40)+", "+valueKeys[k][1]+" "+clip(v[1].raw, 40))
			l.manual("Keep one of them", "keep the number that was written last and remove the other key")
		}
	}
}

func stopStanding(l *look) {
	m := l.m
	for _, k := range [...]int{cost, variance, errors} {
		if m.th.levels[k].n == 3 && !m.s.closed() {
			l.pointer(thresholdsPath, m.th.levels[k].pointer, kindNames[k]+" is at stop: the next session cannot start")
			l.manual("Make room", "raise the limit or shrink the remaining work, then /autopilot:cockpit --reset-alerts")
		}
	}
}

func alertUnacknowledged(l *look) {
	m := l.m
	for k := range kinds {
		if m.pausing(k) && m.ak.doc != nil && !m.s.closed() {
			l.pointer(thresholdsPath, m.th.levels[k].pointer, kindNames[k]+" is at alert, unacknowledged: the next session will pause")
			l.manual("Acknowledge it", "acknowledge the alert in the next session, or shrink the remaining work")
		}
	}
}

// pausing reports whether an alert stands that is not acknowledged.
func (m *model) pausing(k int) bool { return m.th.levels[k].n == 2 && m.ak.valid(k) == nil }

func rowContradiction(l *look) {
	for _, r := range l.m.pos.limits {
		if r.ofCost() {
			if l.costRow(r) {
				return
			}
			continue
		}
		a := &r.amounts
		if !a[colWarning].ok || !a[colAlert].ok || !a[colStop].ok {
			continue
		}
		limits := [3]float64{a[colWarning].v, a[colAlert].v, a[colStop].v}
		name := kindNames[r.kind]
		if !ascend(limits) {
			l.tell(r.at[colWarning], name, name+" limits do not ascend: "+trimFloat(limits[0])+", "+trimFloat(limits[1])+", "+trimFloat(limits[2]))
			l.manual("Correct the limits", "write warning, alert and stop in this order, each above the one before")
			continue
		}
		v := a[colCurrent]
		if right := levelBy(v.v, &limits); v.ok && r.level >= 0 && right != r.level && !(r.kind == variance && v.v < 0 && levelBy(-v.v, &limits) == r.level) {
			message := name + " " + clip(r.cells[colCurrent], 40) + " is below every limit"
			if right > 0 {
				message = name + " " + clip(r.cells[colCurrent], 40) + " is at " + levelNames[right] + " (" + clip(r.cells[right], 40) + ")"
			}
			l.tell(r.at[colStatus], name, message+", row says "+clip(r.cells[colStatus], 40))
			l.offer(sdk.Review, "Write the level of "+name).row(r, colStatus, r.statusCell(right))
		}
	}
}

// statusCell is the status of a row at another level.
func (r *limitRow) statusCell(level int) string {
	if strings.Contains(strings.ToLower(r.cells[colStatus]), "(ack)") {
		return levelTitle(level) + " (ack)"
	}
	return levelTitle(level)
}

// row gives a cell of the table of thresholds another content.
func (o *offer) row(r *limitRow, column int, text string) {
	if o == nil {
		return
	}
	e, ok := r.row.Set(r.columns[column], text)
	o.markdown(o.m.pos.path, e, ok)
}

// costRow looks at a row of layout B; one finding is enough, since all rows tell of
// the same cost.
func (l *look) costRow(r *limitRow) bool {
	used, limit, left := r.amounts[colCurrent], r.amounts[colWarning], r.amounts[colAlert]
	name := levelNames[r.kind]
	if !used.ok || !limit.ok {
		return false
	}
	switch rest := limit.v - used.v - left.v; {
	case used.v >= limit.v && strings.Contains(r.cells[colStatus], "✅"):
		l.tell(r.at[colStatus], name, name+" limit "+r.cells[colWarning]+" is reached by "+r.cells[colCurrent]+", row says "+clip(r.cells[colStatus], 40))
	case left.ok && (rest > 0.01+1e-9 || rest < -0.01-1e-9):
		l.tell(r.at[colAlert], name, name+" limit "+r.cells[colWarning]+" less "+r.cells[colCurrent]+" is not "+r.cells[colAlert])
	default:
		return false
	}
	l.manual("Compute it again", "take the total cost and the limits, and write the rows anew")
	return true
}

func tableMismatch(l *look) {
	m := l.m
	p := m.pos
	if p.layoutB || p.stamp.text == "" || m.th.check.text == "" || p.stamp.before(&m.th.check) {
		return
	}
	for _, r := range p.limits {
		if r.ofCost() {
			continue
		}
		v, rec, current := m.th.value(r.kind), m.th.levels[r.kind].n, r.amounts[colCurrent]
		differs := v.ok && current.ok && !current.equals(v.v)
		level := r.level >= 0 && rec >= 0 && r.level != rec
		name := kindNames[r.kind]
		switch {
		case differs:
			l.tell(r.at[colCurrent], name, "table: "+name+" "+clip(r.cells[colCurrent], 40)+", thresholds.json: "+clip(v.raw, 40))
		case level:
			l.tell(r.at[colStatus], name, "table: "+name+" "+clip(r.cells[colStatus], 40)+", thresholds.json: "+levelText(rec))
		default:
			continue
		}
		l.d.Related = []sdk.Related{{Range: sdk.AtPointer(thresholdsPath, v.pointer), Message: "the recorded value"}}
		if o := l.offer(sdk.Review, "Take "+name+" from thresholds.json"); o != nil {
			if differs {
				o.row(r, colCurrent, [...]string{"$", "", "", ""}[r.kind]+v.raw+[...]string{"", "%", "%", ""}[r.kind])
			}
			if level {
				o.row(r, colStatus, r.statusCell(rec))
			}
		}
	}
}
