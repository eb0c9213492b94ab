package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// reached says which limit a value has reached.
func (m *model) reached(k int, v *number) (level int, text string) {
	text = kindNames[k] + " is " + say.Clip(v.json.Raw())
	if level = levelBy(v.v, &m.limits[k]); level > 0 {
		return level, text + ", which is " + levelNames[level] + " (" + trimFloat(m.limits[k][level-1]) + " or more)"
	}
	return level, text + ", which is below every limit"
}

func levelMismatch(l *finder) {
	m := l.m
	for k := range kinds {
		rec, first := &m.th.levels[k], m.th.value(k)
		if rec.n < 0 || !m.ordered[k] || !first.ok {
			continue
		}
		fits := false
		for n := range m.th.values[k] {
			v := &m.th.values[k][n]
			fits = fits || v.ok && fitsLevel(k, v.v, rec.n, &m.limits[k])
		}
		if !fits {
			right, text := m.reached(k, first)
			l.pointer(thresholdsPath, rec.pointer, "the level of "+kindNames[k]+" is "+levelText(rec.n)+", but "+text).
				Offer(sdk.Review, "Record the level of "+kindNames[k], set(thresholdsPath, rec.pointer, levelJSON(right))...)
		}
	}
}

func levelText(n int) string {
	if n > 0 {
		return levelNames[n]
	}
	return "null"
}

func levelJSON(n int) string {
	if n > 0 {
		return `"` + levelNames[n] + `"`
	}
	return "null"
}

func levelUnfounded(l *finder) {
	for k := range kinds {
		rec, right, name := &l.m.th.levels[k], 0, kindNames[k]
		v := l.m.th.value(k)
		if v.ok && l.m.ordered[k] {
			right = levelBy(v.v, &l.m.limits[k])
		}
		title := "Record no level of " + name
		if right > 0 {
			title = "Record the level of " + name
		}
		edit := sdk.Set(thresholdsPath, rec.pointer, levelJSON(right))
		switch {
		case rec.n < 0:
			l.pointer(thresholdsPath, rec.pointer, say.Wrong("the level of "+name, quote(rec.text), "warning, alert, stop or null")).Offer(sdk.Review, title, edit)
		case rec.n > 0 && !v.ok:
			l.pointer(thresholdsPath, rec.pointer, "the level of "+name+" is "+rec.text+", but current_values has no "+valueKeys[k][0]).As(sdk.Warning).
				Offer(sdk.Review, title, edit)
		}
	}
}

func valueForked(l *finder) {
	for k := range kinds {
		v := &l.m.th.values[k]
		if v[0].ok && v[1].ok && v[0].v != v[1].v {
			l.pointer(thresholdsPath, v[1].pointer, valueKeys[k][1]+" is "+say.Clip(v[1].json.Raw())+", but "+valueKeys[k][0]+" is "+say.Clip(v[0].json.Raw())).
				See(sdk.AtPointer(thresholdsPath, v[0].pointer), "the other one").
				Advise("Keep one of them", "keep the number that was written last and remove the other key")
		}
	}
}

func valuesMissing(l *finder) {
	if root := l.m.th.doc.Root(); root.Get("levels_triggered").Exists() && !root.Get("current_values").Exists() {
		l.Whole(thresholdsPath, "thresholds.json has levels_triggered, but no current_values").
			Advise("Check again", "run the threshold check again: it writes both")
	}
}

func stopStanding(l *finder) {
	m := l.m
	for _, k := range [...]int{cost, variance, errors} {
		if m.th.levels[k].n == 3 && !m.s.closed() {
			l.pointer(thresholdsPath, m.th.levels[k].pointer, kindNames[k]+" is at stop: the next session cannot start").
				Advise("Make room", "raise the limit or shrink the remaining work, then /autopilot:cockpit --reset-alerts")
		}
	}
}

func alertUnacknowledged(l *finder) {
	m := l.m
	for k := range kinds {
		if m.pausing(k) && m.ak.doc != nil && !m.s.closed() {
			l.pointer(thresholdsPath, m.th.levels[k].pointer, kindNames[k]+" is at alert and not acknowledged: the next session will pause").
				Advise("Acknowledge it", "acknowledge the alert in the next session, or shrink the remaining work")
		}
	}
}

// pausing reports whether an alert stands that is not acknowledged.
func (m *model) pausing(k int) bool { return m.th.levels[k].n == 2 && m.ak.valid(k) == nil }

func rowContradiction(l *finder) {
	for _, r := range l.m.pos.limits {
		if r.ofCost() {
			if l.costRow(r) {
				return
			}
			continue
		}
		a, name := &r.amounts, kindNames[r.kind]
		if !a[colWarning].ok || !a[colAlert].ok || !a[colStop].ok {
			continue
		}
		limits := [3]float64{a[colWarning].v, a[colAlert].v, a[colStop].v}
		if !ascend(limits) {
			l.At(r.at[colWarning], "the limits of "+name+" are "+trimFloat(limits[0])+", "+trimFloat(limits[1])+" and "+trimFloat(limits[2])+"; expected each above the one before").
				Keyed(name).Advise("Correct the limits", "write warning, alert and stop in this order, each above the one before")
			continue
		}
		if v := a[colCurrent]; v.ok && r.level >= 0 && !fitsLevel(r.kind, v.v, r.level, &limits) {
			right := levelBy(v.v, &limits)
			expected := "OK: " + say.Clip(r.cells[colCurrent]) + " is below every limit"
			if right > 0 {
				expected = levelTitle(right) + ": " + say.Clip(r.cells[colCurrent]) + " has reached " + say.Clip(r.cells[right])
			}
			l.At(r.at[colStatus], say.Wrong("the status of "+name, quote(r.cells[colStatus]), expected)).Keyed(name).
				Offer(sdk.Review, "Write the level of "+name, l.m.row(r, colStatus, r.statusCell(right))...)
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

// row is the edit that gives a cell of the table of thresholds another content.
//
//go:noinline
func (m *model) row(r *limitRow, column int, text string) []sdk.Edit {
	e, ok := r.row.Set(r.columns[column], text)
	if !ok {
		return nil
	}
	return sdk.Edits(m.pos.doc.Path, e)
}

// costRow checks a row of layout B; one finding is enough, since all rows tell of
// the same cost.
func (l *finder) costRow(r *limitRow) bool {
	used, limit, left := r.amounts[colCurrent], r.amounts[colWarning], r.amounts[colAlert]
	name := levelNames[r.kind]
	if !used.ok || !limit.ok {
		return false
	}
	at, message := r.at[colAlert], "Remaining of "+name+" is "+say.Clip(r.cells[colAlert])+", but the limit is "+say.Clip(r.cells[colWarning])+" and "+say.Clip(r.cells[colCurrent])+" are used"
	switch rest := limit.v - used.v - left.v; {
	case used.v > limit.v && strings.Contains(r.cells[colStatus], "✅"):
		at, message = r.at[colStatus], "the status of "+name+" is "+quote(r.cells[colStatus])+", but "+say.Clip(r.cells[colCurrent])+" is beyond the limit of "+say.Clip(r.cells[colWarning])
	case !left.ok || rest <= 0.01+1e-9 && rest >= -0.01-1e-9:
		return false
	}
	l.At(at, message).Keyed(name).Advise("Compute it again", "take the total cost and the limits, and write the rows anew")
	return true
}

func tableMismatch(l *finder) {
	m := l.m
	p := m.pos
	if p.layoutB || !known(p.stamp) || !known(m.th.check) || p.stamp.Before(m.th.check, 0) {
		return
	}
	for _, r := range p.limits {
		if r.ofCost() {
			continue
		}
		v, rec, current := m.th.value(r.kind), m.th.levels[r.kind].n, r.amounts[colCurrent]
		name := kindNames[r.kind]
		var edits []sdk.Edit
		level := r.level >= 0 && rec >= 0 && r.level != rec
		if level {
			edits = m.row(r, colStatus, r.statusCell(rec))
		}
		if v.ok && current.ok && !current.equals(v.v) {
			raw := v.json.Raw()
			edits = append(m.row(r, colCurrent, units[r.kind][0]+raw+units[r.kind][1]), edits...)
			l.At(r.at[colCurrent], name+" is "+say.Clip(r.cells[colCurrent])+" here, and "+say.Clip(raw)+" in thresholds.json").Keyed(name).
				See(sdk.AtPointer(thresholdsPath, v.pointer), "the recorded value").
				Offer(sdk.Review, "Take "+name+" from thresholds.json", edits...)
		} else if level {
			l.At(r.at[colStatus], "the status of "+name+" is "+quote(r.cells[colStatus])+" here, and "+levelText(rec)+" in thresholds.json").Keyed(name).
				See(sdk.AtPointer(thresholdsPath, m.th.levels[r.kind].pointer), "the recorded level").
				Offer(sdk.Review, "Take "+name+" from thresholds.json", edits...)
		}
	}
}
