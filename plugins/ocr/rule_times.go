package ocr

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
)

const (
	slack      = 60 * instant.Second // two times written one after the other may be this far out of order
	clockError = 5 * instant.Minute  // clocks of two machines may differ by this much
	staleAfter = 7 * day             // without an update
	day        = instant.Day
)

func timestampMalformed(r *check.Report, m *Model) {
	for _, st := range m.State.stamps {
		if st.Kind == StampMalformed {
			m.mendTime(m.field(r, st.Field, say.Wrong(st.Field, say.Quote(st.Text), "a time such as 2026-03-10T09:12:41Z")), r.Pass, st.Field)
		}
	}
}

// mendTime offers a value for a time field: now for updated_at, that of base where
// it is sound. Where there is neither, a person must find it.
func (m *Model) mendTime(f *check.Finding, p *sdk.Pass, field string) {
	if field == UpdatedAt {
		f.Offer(sdk.Review, "Set updated_at to the present time", setNow(field))
	}
	m.baseTime(f, p, field)
	if len(f.Remedies) == 0 {
		f.Advise("Find out the time", "Look for the time in the history of the files and write "+field+" as YYYY-MM-DDTHH:MM:SSZ.")
	}
}

// baseTime offers the value that a time field has in base, if it is sound and
// another one.
func (m *Model) baseTime(f *check.Finding, p *sdk.Pass, field string) {
	if m.Base == nil || !m.Base.isSound(p, field) {
		return
	}
	if text := m.Base.State.Text(field); text != m.State.Text(field) {
		f.Offer(sdk.Review, "Set "+field+" to that of base", setText(field, text))
	}
}

func timestampNotUTC(r *check.Report, m *Model) {
	for _, st := range m.State.stamps {
		if !st.OK() || st.isUTC() {
			continue
		}
		said := " is not in UTC"
		switch st.Zone {
		case ZoneNone:
			said = " has no zone"
		case ZoneUTC:
			said = " has a blank instead of T"
		}
		f := m.field(r, st.Field, st.Field+" "+say.Quote(st.Text)+said+"; write UTC with Z")
		if st.Zone == ZoneNone {
			f.Advise("Find out the zone", "Find out in which zone "+st.Field+" was written, and write the same instant in UTC with Z.")
		} else {
			f.Offer(sdk.Safe, "Write "+st.Field+" in UTC", setText(st.Field, st.At.String()))
		}
	}
}

func timestampCopied(r *check.Report, m *Model) {
	for _, st := range m.State.stamps {
		if st.isCopied() {
			m.mendTime(m.field(r, st.Field, st.Field+" "+say.Quote(st.Text)+" is the documentation's example value"), r.Pass, st.Field)
		}
	}
}

func timestampInFuture(r *check.Report, m *Model) {
	for _, st := range m.State.stamps {
		if !st.isAhead(r.Pass) {
			continue
		}
		f := m.field(r, st.Field, st.Field+" "+st.At.String()+" is "+remaining(r.Pass, st.At)+" after now; elapsed time counts down")
		if st.Field == UpdatedAt {
			f.Offer(sdk.Review, "Set updated_at to the present time", setNow(st.Field))
		} else {
			m.mendTime(f, r.Pass, st.Field)
		}
	}
}

// remaining says how long it is until t, rounded down.
func remaining(p *sdk.Pass, t instant.Time) string {
	if p.Before(t.Add(-century)) {
		return "more than 100 years"
	}
	if hours := -p.Since(t, instant.Hour) - 1; hours > 0 {
		return "more than " + say.Int(hours) + " h"
	}
	return "more than " + say.Int(-p.Since(t, instant.Minute)-1) + " min"
}

// century bounds what is counted: times further apart than a Duration can hold
// are of no use, and yet in some files.
const century = 100 * 365 * instant.Day

// daysSince counts the days since t, at most those of a century.
func daysSince(p *sdk.Pass, t instant.Time) string {
	if p.After(t.Add(century)) {
		return "more than " + say.Int(int(century/day))
	}
	return say.Int(p.Since(t, day))
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

func timestampsOutOfOrder(r *check.Report, m *Model) {
	for _, pair := range m.timePairs() {
		later, earlier, wrong := m.reversed(pair)
		if !wrong {
			continue
		}
		f := m.field(r, pair.later, pair.later+" "+later.Text+" is before "+pair.earlier+" "+earlier.Text).Keyed(pair.later+" "+pair.earlier).
			See(m.State.At(pair.earlier), pair.earlier+" is here")
		if pair.later == UpdatedAt {
			f.Offer(sdk.Review, "Set updated_at to the present time", setNow(UpdatedAt))
		}
		m.baseTime(f, r.Pass, pair.later)
		m.baseTime(f, r.Pass, pair.earlier)
		if len(f.Remedies) == 0 {
			m.mendTime(f, r.Pass, pair.later)
		}
	}
}

func startDateMismatch(r *check.Report, m *Model) {
	if !m.offDate() {
		return
	}
	date, _ := sessionDate(m.ID)
	m.field(r, StartedAt, "started_at "+m.State.Stamp(StartedAt).At.String()[:len("2006-01-02")]+" in a session of "+date).
		Advise("Correct the start", "Find out when the session was created and write started_at, or rename the session.")
}

// offDate reports whether started_at lies outside the day of the session's
// name, in every time zone there is.
func (m *Model) offDate() bool {
	date, ok := sessionDate(m.ID)
	started := m.State.Stamp(StartedAt)
	if !ok || !started.OK() {
		return false
	}
	day, _ := instant.Loose(date)
	return started.At.Before(day.At.Add(-14*instant.Hour)) || started.At.After(day.At.Add((24+12)*instant.Hour))
}

// isSound reports whether a time field is there and breaches no rule about
// times, so that it can be held against another value.
func (m *Model) isSound(p *sdk.Pass, field string) bool {
	st := m.State.Stamp(field)
	if !st.OK() || !st.isUTC() || st.isCopied() || st.isAhead(p) || m.tooRound() || field == StartedAt && m.offDate() {
		return false
	}
	return !slices.ContainsFunc(m.timePairs(), func(pair timePair) bool {
		_, _, wrong := m.reversed(pair)
		return wrong && (pair.later == field || pair.earlier == field)
	})
}

// roundStartMissing is a warning from the second round on: before the first reviews, the tool's own
// sample has no such field, and in round 1 it is the start of the session.
func roundStartMissing(r *check.Report, m *Model) {
	if m.T == Review && m.sharedStart(r.Pass) {
		m.startShared(r)
		return
	}
	if closes := m.Phase() == "complete" && m.State.Status == "closed"; closes {
		return // as in the tool's own sample: no time runs any more
	}
	inReviews := m.ClaimAtLeast("reviews") && m.Phase() != "complete" && m.Era != EraLegacy
	if m.T != Review || m.Rounds.Working < 2 && !inReviews || m.State.Has(RoundStartedAt) || m.startNotReset(r.Pass) {
		return
	}
	f := r.Whole(StatePath, m.C.title()+" without round_started_at: elapsed time counts from the session").Of(m.C.Name()).
		Advise("Set when the round began", "Add round_started_at with the time when the round began.")
	if m.Rounds.Working < 2 {
		f.As(sdk.Info)
	}
}

// sharedStart reports whether C began, by its field, in the very second in which earlier work did: a later round or
// run of it, or the other workflow.
func (m *Model) sharedStart(p *sdk.Pass) bool {
	own, session, other := m.State.Stamp(m.T.StartField()), m.State.Stamp(StartedAt), m.State.Stamp(m.T.Other().StartField())
	s := m.Series(m.T)
	before := m.Subject(m.T, s.Working-1)
	later := s.Claim == s.Working && before != nil && before.Result().Filled() && session.OK() && own.At == session.At &&
		(m.Base == nil || m.Base.State.Stamp(own.Field).At != own.At)
	both := m.HasTree(m.T.Other()) && other.OK() && own.At == other.At
	return own.OK() && (later || both) && !own.isCopied() && !m.startNotReset(p)
}

func (m *Model) startShared(r *check.Report) {
	field := m.T.StartField()
	m.claim(r, field, field+" "+m.State.Stamp(field).Text+" is not the start of "+m.C.title()+": earlier work began then").
		Advise("Set when it began", "Set "+field+" to the time when "+m.C.title()+" began.")
}

func mapStartMissing(r *check.Report, m *Model) {
	if m.T == Map && m.sharedStart(r.Pass) {
		m.startShared(r)
	}
	if m.T == Map && !m.State.Has(MapStartedAt) && !m.startNotReset(r.Pass) {
		r.Whole(StatePath, "map "+m.C.title()+" without map_started_at: elapsed time counts from the session").Of(m.C.Name()).
			Advise("Set when the run began", "Add map_started_at with the time when the map run began.")
	}
}

func timestampsTooRound(r *check.Report, m *Model) {
	if m.tooRound() {
		r.Whole(StatePath, "all times end in :00; take them from a clock command")
	}
}

// tooRound reports whether there are two different times and all are on whole
// minutes.
func (m *Model) tooRound() bool {
	var first instant.Time
	differ := false
	for _, st := range m.State.stamps {
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

func staleSession(r *check.Report, m *Model) {
	updated := m.State.Stamp(UpdatedAt)
	if m.State.Status != "active" || m.State.Rejected("status") || m.Phase() == "complete" ||
		!updated.OK() || !r.After(updated.At.Add(staleAfter)) {
		return
	}
	m.claim(r, UpdatedAt, "untouched for "+daysSince(r.Pass, updated.At)+" days at "+say.Clip(m.claimed())).
		Advise("Resume or close the session", "Resume the session, or close it if it is no longer needed.")
}
