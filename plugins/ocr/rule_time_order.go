package ocr

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
)

var timestampsOutOfOrder = &sdk.Rule{
	Name: "timestamps-out-of-order", Severity: sdk.Error,
	Doc: "A time lies before another one that must come first.\n\n" +
		"A session starts before its rounds and runs, and is updated after they start. One of the two times was made up, copied, or taken in another zone. A minute of difference is allowed.",
	Check: onState(checkTimestampsOutOfOrder),
}

// A timePair are two fields of which the first may not lie before the second.
type timePair struct{ later, earlier string }

// timePairs are the pairs of fields that the workflow orders; the start of the
// other workflow may linger and is not among them.
func (m *Model) timePairs() []timePair {
	start := m.T.StartField()
	return []timePair{{UpdatedAt, StartedAt}, {start, StartedAt}, {UpdatedAt, start}}
}

// reversed returns the pair's times and whether they are in the wrong order.
func (m *Model) reversed(pair timePair) (later, earlier Stamp, wrong bool) {
	later, earlier = m.State.Stamp(pair.later), m.State.Stamp(pair.earlier)
	return later, earlier, later.OK() && earlier.OK() && later.At.Before(earlier.At.Add(-slack))
}

func checkTimestampsOutOfOrder(p *sdk.Pass, m *Model) {
	for _, pair := range m.timePairs() {
		later, earlier, wrong := m.reversed(pair)
		if !wrong {
			continue
		}
		a, b := clockTexts(later.At, earlier.At)
		d := m.onField(pair.later, pair.later+" "+a+" is before "+pair.earlier+" "+b)
		d.Key = pair.later + " " + pair.earlier
		d.Related = []sdk.Related{{Range: m.State.At(pair.earlier), Message: pair.earlier + " is here"}}
		var offers []sdk.Remedy
		if pair.later == UpdatedAt {
			offers = append(offers, reviewed("Set updated_at to the present time", setNow(UpdatedAt)))
		}
		offers = append(append(offers, m.baseTime(p, pair.later)...), m.baseTime(p, pair.earlier)...)
		if len(offers) == 0 {
			offers = m.mendTime(p, pair.later)
		}
		tell(p, m, d, offers...)
	}
}

// clockTexts writes two times as briefly as they can be told apart: without
// the date if it is the same.
func clockTexts(a, b instant.Time) (string, string) {
	textA, textB := a.Seconds().String(), b.Seconds().String()
	const date = len("2006-01-02")
	if textA[:date] == textB[:date] && textA != textB {
		return textA[date+1 : len(textA)-1], textB[date+1 : len(textB)-1]
	}
	return textA, textB
}

var startDateMismatch = &sdk.Rule{
	Name: "start-date-mismatch", Severity: sdk.Warning,
	Doc: "started_at is not of the day that the session is named for.\n\n" +
		"The name holds the local date of the session's creation, so the two are less than a day apart in any zone. Correct the time, or the name.",
	Check: onState(checkStartDateMismatch),
}

func checkStartDateMismatch(p *sdk.Pass, m *Model) {
	if !m.offDate() {
		return
	}
	date, _ := sessionDate(m.ID)
	started := m.State.Stamp(StartedAt).At.String()[:len("2006-01-02")]
	tell(p, m, m.onField(StartedAt, "started_at "+started+" in a session of "+date),
		manually("Correct the start", "Find out when the session was created and write started_at, or rename the session."))
}

// offDate reports whether started_at lies outside the day of the session's
// name, in every time zone there is.
func (m *Model) offDate() bool {
	date, ok := sessionDate(m.ID)
	started := m.State.Stamp(StartedAt)
	if !ok || !started.OK() {
		return false
	}
	day, _, _, _ := parseTime(date + "T00:00")
	return started.At.Before(day.Add(-14*instant.Hour)) || started.At.After(day.Add((24+12)*instant.Hour))
}

// isSound reports whether a time field is there and breaches no rule about
// times, so that it can be held against another value.
func (m *Model) isSound(p *sdk.Pass, field string) bool {
	st := m.State.Stamp(field)
	if !st.OK() || !st.isUTC() || st.isCopied() || st.isAhead(p) || m.tooRound() || field == StartedAt && m.offDate() {
		return false
	}
	for _, pair := range m.timePairs() {
		if _, _, wrong := m.reversed(pair); wrong && (pair.later == field || pair.earlier == field) {
			return false
		}
	}
	return true
}
