package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// measured reports whether any value is recorded.
func (t *thresholds) measured() bool {
	v := &t.values
	return v[cost].ok || v[context].ok || v[variance].ok || v[errors].ok
}

// fitting reports whether a type's level matches its value. A level that does not may be corrected without a new
// threshold check.
func (m *model) fitting(k int) bool {
	rec, v := m.th.levels[k].n, &m.th.values[k]
	return rec >= 0 && (rec == 0 || v.ok) && (!v.ok || !m.ordered(k) || fitsLevel(k, v.v, rec, &m.limits[k]))
}

// impossible reports whether a value cannot have been measured: it is negative, or it is a context share above 100%.
func (n *number) impossible(kind int) bool {
	return n.ok && (n.v < 0 && kind != variance || n.v > 100 && kind == context)
}

func levelMismatch(r *check.Report, m *model) {
	values := m.th.Has("/current_values")
	if m.th.Has("/levels_triggered") && !values {
		r.Whole(thresholdsPath, "thresholds.json has levels_triggered, but no current_values").As(sdk.Warning)
		return
	} else if m.th.measured() && values && !m.th.Has("/last_check") {
		r.Whole(thresholdsPath, "thresholds.json has values, but no last_check that dates them").Keyed(
			"last_check").As(sdk.Warning)
	}
	for k, name := range kindNames {
		rec, v, right, limits := &m.th.levels[k], &m.th.values[k], 0, &m.limits[k]
		judged := v.ok && m.ordered(k)
		what, title, reached := "the level of "+name, "Clear the level of "+name, "below every limit"
		if judged {
			right = levelBy(v.v, limits)
		}
		if right > 0 {
			title, reached = "Record the level of "+name, levelNames[right]+" ("+trimFloat(limits[right-1])+" or more)"
		}
		f := func(message string) *check.Finding {
			found := inJSON(r, thresholdsPath, rec.pointer, message)
			if !v.impossible(k) { // otherwise the value is wrong
				found.Offer(sdk.Review, title, sdk.Set(thresholdsPath, rec.pointer, levelJSON(right)))
			}
			return found
		}
		switch {
		case rec.n < 0:
			f(say.Wrong(what, quote(rec.text), "warning, alert, stop or null"))
		case rec.n > 0 && !v.ok && m.th.Has("/current_values/"+valueKeys[k][0]): // the value is unreadable
		case rec.n > 0 && !v.ok:
			f(what + " is " + levelJSON(rec.n) + ", but current_values has no " + valueKeys[k][0]).As(sdk.Warning)
		case judged && !fitsLevel(k, v.v, rec.n, limits):
			f(what + " is " + levelJSON(rec.n) + ", but " + name + " is " + say.Clip(v.raw) + ", which is " +
				reached).As(sdk.Warning)
		}
	}
}

func levelStanding(r *check.Report, m *model) {
	for k, rec := range m.th.levels {
		switch {
		case m.s.closed():
		case rec.n == 3 && k != context:
			inJSON(r, thresholdsPath, rec.pointer, kindNames[k]+" is at stop, so the next session cannot start")
		case m.pausing(k) && m.ak.OK:
			inJSON(r, thresholdsPath, rec.pointer,
				kindNames[k]+" is at alert and not acknowledged, so the next session will pause")
		}
	}
}

func tableMismatch(r *check.Report, m *model) {
	p := m.pos
	if p.layoutB || !known(p.stamp) || !known(m.th.check) || p.stamp.Before(m.th.check, 0) {
		return
	}
	for _, row := range p.limits {
		name, v, rec, current := kindNames[row.kind], &m.th.values[row.kind], &m.th.levels[row.kind],
			row.amounts[colCurrent]
		var f *check.Finding
		var edits []sdk.Edit
		if v.ok && current.ok && !current.equals(v.v) {
			f = r.At(row.at[colCurrent], name+" is "+say.Clip(row.cells[colCurrent])+" here, but "+say.Clip(v.raw)+
				" in thresholds.json").
				See(sdk.AtPointer(thresholdsPath, v.pointer), "the recorded value")
			edits = row.set(colCurrent, v.amount(row.kind))
		}
		if row.level >= 0 && rec.n >= 0 && row.level != rec.n {
			if edits = append(edits, row.setLevel(rec.n)...); f == nil {
				f = r.At(row.at[colStatus], "the status of "+name+" is "+quote(row.cells[colStatus])+" here, but "+
					levelJSON(rec.n)+" in thresholds.json").
					See(sdk.AtPointer(thresholdsPath, rec.pointer), "the recorded level")
			}
		}
		if f == nil {
			continue
		}
		if f.Keyed(name); m.fitting(row.kind) && !v.impossible(row.kind) { // otherwise thresholds.json is wrong
			f.Offer(sdk.Review, "Copy "+name+" from thresholds.json", edits...)
		}
	}
}
