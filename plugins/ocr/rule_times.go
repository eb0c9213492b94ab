package ocr

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
)

const (
	slack      = 60 * instant.Second // two times written one after the other may be this far out of order
	clockError = 5 * instant.Minute  // clocks of two machines may differ by this much
	staleAfter = 7 * day             // without an update
	day        = instant.Day
)

var timestampMalformed = &sdk.Rule{
	Name: "timestamp-malformed", Severity: sdk.Error,
	Doc: "A time field holds no ISO 8601 time, or a date that does not exist.\n\n" +
		"`ocr progress` cannot compute elapsed times from it. Times come from a clock command, never from memory.",
	Check: onState(checkTimestampMalformed),
}

func checkTimestampMalformed(p *sdk.Pass, m *Model) {
	for _, st := range m.stamps() {
		if st.Kind != StampMalformed {
			continue
		}
		tell(p, m, m.onField(st.Field, st.Field+" "+shown(st.Text)+" is no ISO 8601 time"), m.mendTime(p, st.Field)...)
	}
}

// stamps reads the four time fields.
func (m *Model) stamps() []Stamp {
	list := make([]Stamp, len(TimeFields))
	for i, field := range TimeFields {
		list[i] = m.State.Stamp(field)
	}
	return list
}

// mendTime gives a time field a value: now for updated_at, that of base where
// it is sound. Where there is neither, a person must find it.
func (m *Model) mendTime(p *sdk.Pass, field string) []sdk.Remedy {
	var offers []sdk.Remedy
	if field == UpdatedAt {
		offers = append(offers, reviewed("Set updated_at to the present time", setNow(field)))
	}
	offers = append(offers, m.baseTime(p, field)...)
	if len(offers) > 0 {
		return offers
	}
	return []sdk.Remedy{manually("Find out the time", "Look for the time in the history of the files and write "+field+" as YYYY-MM-DDTHH:MM:SSZ.")}
}

// baseTime offers the value that a time field has in base, if it is sound and
// another one.
func (m *Model) baseTime(p *sdk.Pass, field string) []sdk.Remedy {
	if m.Base == nil || !m.Base.isSound(p, field) {
		return nil
	}
	text := m.Base.State.Text(field)
	if text == m.State.Text(field) {
		return nil
	}
	return []sdk.Remedy{reviewed("Set "+field+" to that of base", setText(field, text))}
}

var timestampNotUTC = &sdk.Rule{
	Name: "timestamp-not-utc", Severity: sdk.Warning,
	Doc: "A time is not written in UTC with a Z.\n\n" +
		"A time without zone is read differently on every machine, and other offsets make the file hard to compare by eye. Write UTC.",
	Check: onState(checkTimestampNotUTC),
}

func checkTimestampNotUTC(p *sdk.Pass, m *Model) {
	for _, st := range m.stamps() {
		if !st.OK() || st.isUTC() {
			continue
		}
		said := " is not in UTC"
		offer := safely("Write "+st.Field+" in UTC", setText(st.Field, utcText(st.At)))
		switch {
		case st.Zone == ZoneNone:
			said = " has no zone"
			offer = manually("Find out the zone", "Find out in which zone "+st.Field+" was written, and write the same instant in UTC with Z.")
		case st.Zone == ZoneUTC:
			said = " has a blank instead of T"
		}
		tell(p, m, m.onField(st.Field, st.Field+" "+shown(st.Text)+said+"; write UTC with Z"), offer)
	}
}

// isUTC reports whether the text says UTC in the way that the tool writes it.
func (s Stamp) isUTC() bool { return s.Zone == ZoneUTC && !s.Blank }

func utcText(t instant.Time) string { return t.String() }

var timestampCopied = &sdk.Rule{
	Name: "timestamp-copied", Severity: sdk.Warning,
	Doc: "A time is one of the examples in the tool's documentation.\n\n" +
		"It was copied with the sample instead of being taken from a clock, so elapsed times are wrong.",
	Check: onState(checkTimestampCopied),
}

// printedTimes are the times that the tool's own texts use as examples.
var printedTimes = []string{
	"2026-01-27T09:45:00Z", "2026-01-29T22:00:00Z", "2026-01-29T13:45:22Z",
	"2026-01-26T17:00:00Z", "2026-01-26T17:05:00Z", "2026-01-26T17:30:00Z",
}

func checkTimestampCopied(p *sdk.Pass, m *Model) {
	for _, st := range m.stamps() {
		if st.isCopied() {
			tell(p, m, m.onField(st.Field, st.Field+" "+shown(st.Text)+" is the documentation's example value"), m.mendTime(p, st.Field)...)
		}
	}
}

func (s Stamp) isCopied() bool {
	for _, printed := range printedTimes {
		if at, _, _, _ := parseTime(printed); s.OK() && s.At == at {
			return true
		}
	}
	return false
}

var timestampInFuture = &sdk.Rule{
	Name: "timestamp-in-future", Severity: sdk.Error,
	Doc: "A time has not come yet.\n\n" +
		"It was made up or written in local time as if it were UTC, and `ocr progress` counts down instead of up. Five minutes are allowed for clocks that differ.",
	Check: onState(checkTimestampInFuture),
}

func checkTimestampInFuture(p *sdk.Pass, m *Model) {
	for _, st := range m.stamps() {
		if !st.isAhead(p) {
			continue
		}
		message := st.Field + " " + utcText(st.At) + " is " + remaining(p, st.At) + " after now; elapsed time counts down"
		offers := m.baseTime(p, st.Field)
		switch {
		case st.Field == UpdatedAt:
			offers = []sdk.Remedy{reviewed("Set updated_at to the present time", setNow(st.Field))}
		case len(offers) == 0:
			offers = m.mendTime(p, st.Field)
		}
		tell(p, m, m.onField(st.Field, message), offers...)
	}
}

// isAhead reports whether the time is to come, clocks that differ allowed for.
func (s Stamp) isAhead(p *sdk.Pass) bool { return s.OK() && p.Before(s.At.Add(-clockError)) }

// remaining says how long it is until t, rounded down.
func remaining(p *sdk.Pass, t instant.Time) string {
	if p.Before(t.Add(-century)) {
		return "more than 100 years"
	}
	if hours := -p.Since(t, instant.Hour) - 1; hours > 0 {
		return "more than " + itoa(hours) + " h"
	}
	return "more than " + itoa(-p.Since(t, instant.Minute)-1) + " min"
}

// century bounds what is counted: times further apart than a Duration can hold
// are in nobody's interest, and yet in some files.
const century = 100 * 365 * instant.Day

// daysSince counts the days since t, at most those of a century.
func daysSince(p *sdk.Pass, t instant.Time) string {
	if p.After(t.Add(century)) {
		return "more than " + itoa(int(century/day))
	}
	return itoa(p.Since(t, day))
}

var roundStartMissing = &sdk.Rule{
	Name: "round-start-missing", Severity: sdk.Warning,
	Doc: "A later review round has no round_started_at.\n\n" +
		"`ocr progress` then counts the round's time from the start of the session. Set the field when a round begins.",
	Check: onState(checkRoundStartMissing),
}

func checkRoundStartMissing(p *sdk.Pass, m *Model) {
	inReviews := m.ClaimAtLeast("reviews") && m.Phase() != "complete" // before, the tool's own sample has no such field
	if m.T != Review || m.Rounds.Working < 2 && !inReviews || m.State.Has(RoundStartedAt) || m.startNotReset(p) || m.Era == EraLegacy {
		return
	}
	d := sdk.Diagnostic{Subject: m.C.Name(), Range: sdk.At(StatePath),
		Message: m.C.title() + " without round_started_at: elapsed time counts from the session"}
	if m.Rounds.Working < 2 {
		d.Severity = sdk.Info
	}
	tell(p, m, d, manually("Set when the round began", "Add round_started_at with the time when the round began."))
}

var mapStartMissing = &sdk.Rule{
	Name: "map-start-missing", Severity: sdk.Warning,
	Doc: "A map run has no map_started_at.\n\n" +
		"`ocr progress` then counts the map's time from the start of the session, which may have been a review. Set the field whenever a map run begins.",
	Check: onState(checkMapStartMissing),
}

func checkMapStartMissing(p *sdk.Pass, m *Model) {
	if m.T != Map || m.State.Has(MapStartedAt) || m.startNotReset(p) {
		return
	}
	d := sdk.Diagnostic{Subject: m.C.Name(), Range: sdk.At(StatePath),
		Message: "map " + m.C.title() + " without map_started_at: elapsed time counts from the session"}
	tell(p, m, d, manually("Set when the run began", "Add map_started_at with the time when the map run began."))
}

var timestampsTooRound = &sdk.Rule{
	Name: "timestamps-too-round", Severity: sdk.Info,
	Doc: "All times are on whole minutes.\n\n" +
		"Times from a clock rarely are: these were probably written by hand. Take them from a clock command.",
	Check: onState(checkTimestampsTooRound),
}

func checkTimestampsTooRound(p *sdk.Pass, m *Model) {
	if m.tooRound() {
		tell(p, m, sdk.Diagnostic{Range: sdk.At(StatePath), Message: "all times end in :00; take them from a clock command"})
	}
}

// tooRound reports whether there are two different times and all are on whole
// minutes.
func (m *Model) tooRound() bool {
	var first instant.Time
	differ := false
	for _, st := range m.stamps() {
		if !st.OK() {
			continue
		}
		if _, _, second := st.At.Clock(); second != 0 || st.At.Fraction() != 0 {
			return false
		}
		if first.IsZero() {
			first = st.At
		}
		differ = differ || st.At != first
	}
	return differ
}

var staleSession = &sdk.Rule{
	Name: "stale-session", Severity: sdk.Info,
	Doc: "An open session was not touched for more than seven days.\n\n" +
		"It was probably forgotten, and the tool still offers it. Resume it or close it.",
	Check: onState(checkStaleSession),
}

func checkStaleSession(p *sdk.Pass, m *Model) {
	updated := m.State.Stamp(UpdatedAt)
	if m.State.Status != "active" || m.State.Rejected("status") || m.Phase() == "complete" ||
		!updated.OK() || !p.After(updated.At.Add(staleAfter)) {
		return
	}
	d := m.onC(UpdatedAt, "untouched for "+daysSince(p, updated.At)+" days at "+short(m.claimed()))
	tell(p, m, d, manually("Resume or close the session", "Resume the session, or close it if nobody needs it any more."))
}
