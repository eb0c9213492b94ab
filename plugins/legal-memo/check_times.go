package legalmemo

import (
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkTimes looks at the times within one file, and at the clock.
func (m *model) checkTimes(a *agent) {
	updated, ok := timeOf(a.root.Get("last_updated"))
	if ok && !a.started.IsZero() && updated.Before(a.started) {
		advise(m.say(a, "timestamps-out-of-order", 0, "/last_updated", "", "last_updated is before started_at"), "Set the time", "write the time of the last update")
	}
	var before instant.Time
	for i := range a.phases {
		t, ok := timeOf(a.phases[i].body.Get("completed_at"))
		if !ok {
			continue
		}
		if t.Before(before) {
			advise(m.say(a, "timestamps-out-of-order", 0, jsondoc.Pointer(a.phaseMap, a.phases[i].name, "completed_at"), "completed_at", a.phases[i].name+" was completed before the phase that precedes it"), "Set the time", "write when the phase was completed")
			break
		}
		before = t
	}
	if !a.newest.IsZero() && m.pass.Before(a.newest.Add(-instant.Day)) {
		advise(m.say(a, "timestamp-in-future", 0, a.newestAt, "", "the newest time, "+a.newest.String()+", is more than a day to come"), "Set the time", "write the time as it was")
	}
	for _, key := range timeFields {
		v := a.root.Get(key)
		if v.Exists() && v.Kind() != jsondoc.Null {
			s, is := v.Text()
			if !is {
				s = v.Raw()
			}
			if _, ok := timeOf(v); !ok && !(is && isTemplate(s)) {
				advise(m.say(a, "timestamp-malformed", 0, "/"+key, "", say.Wrong(key, shown(s), "a time such as 2026-01-18T10:45:00Z")), "Set the time", "write the time with its date and zone")
				break
			}
		}
	}
}
