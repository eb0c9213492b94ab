package ocr

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
)

var timeRules = []check.Rule[*Model]{
	{Name: "timestamp-malformed", Severity: sdk.Error, Needs: ofState,
		Replaces:   []string{"timestamp-not-utc"},
		Doc:        "A time is not an ISO 8601 time in UTC, or its date does not exist.",
		SeverityIf: "Warning if it can be read, but is not written in UTC with a Z.",
		Why: "`ocr progress` cannot compute elapsed times from it, or computes wrong ones: a time without a zone is " +
			"a different instant on every machine. Take times from a clock command, never from memory.",
		Find: eachTime(func(r *check.Report, m *Model, st Stamp) {
			switch field := st.Field; {
			case st.Malformed:
				m.mendTime(m.field(r, field, say.Wrong(field, say.Quote(st.Text),
					"a time such as 2026-03-10T09:12:41Z")), r.Pass, field)
			case st.Fault != "" && st.Zoneless:
				m.field(r, field, field+" "+say.Quote(st.Text)+st.Fault+"; write UTC with Z").As(sdk.Warning).
					Advise("Find out the time zone", "Find out which time zone "+field+
						" was written in, and write the same instant in UTC with Z.")
			case st.Fault != "":
				m.field(r, field, field+" "+say.Quote(st.Text)+st.Fault+"; write UTC with Z").As(sdk.Warning).
					Offer(sdk.Safe, "Write "+field+" in UTC", setText(field, st.At.String()))
			}
		})},
	{Name: "timestamp-copied", Severity: sdk.Warning, Needs: ofState,
		Doc: "A time is an example from the tool's documentation.",
		Why: "It was copied with the sample instead of being taken from a clock, so elapsed times are wrong.",
		Find: eachTime(func(r *check.Report, m *Model, st Stamp) {
			if st.isCopied() {
				m.mendTime(m.field(r, st.Field, st.Field+" "+say.Quote(st.Text)+
					" is the documentation's example value"), r.Pass, st.Field)
			}
		})},
	{Name: "timestamp-in-future", Severity: sdk.Error, Needs: ofState, Doc: "A time is in the future.",
		Why: "The time was made up, or is local time written as UTC, so `ocr progress` counts down instead of up. " +
			"Clocks may differ by five minutes.",
		Find: eachTime(func(r *check.Report, m *Model, st Stamp) {
			if !st.isAhead(r.Pass) {
				return
			}
			f := m.field(r, st.Field, st.Field+" "+st.At.String()+" is "+remaining(r.Pass, st.At)+
				" in the future; elapsed time counts down")
			if st.Field == UpdatedAt {
				f.Offer(sdk.Review, "Set updated_at to the current time", setNow(st.Field))
			} else {
				m.mendTime(f, r.Pass, st.Field)
			}
		})},
	{Name: "timestamps-out-of-order", Severity: sdk.Error, Needs: ofState,
		Doc: "A time is earlier than one that must precede it.",
		Why: "A session starts before its rounds and runs, and is updated after they start. One of the two times " +
			"was made up, copied, or taken in another zone. A minute of difference is allowed.",
		Find: func(r *check.Report, m *Model) {
			for _, pair := range m.reversed() {
				later, earlier := pair[0], pair[1]
				if earlier.Field == StartedAt && m.startRewritten(r.Pass) {
					continue // start-time-rewritten reports the wrong one of the two
				}
				f := m.field(r, later.Field, later.Field+" "+later.Text+" is before "+earlier.Field+" "+earlier.Text).
					Keyed(later.Field+" "+earlier.Field).See(m.State.At(earlier.Field), earlier.Field+" is here")
				m.mendTime(f, r.Pass, later.Field, earlier.Field)
			}
		}},
	{Name: "start-date-mismatch", Severity: sdk.Warning, Needs: ofState,
		Doc: "started_at is not on the date in the session's name.",
		Why: "The name contains the local date on which the session was created, so the two are less than a day " +
			"apart in any zone. Correct the time or the name.",
		Find: func(r *check.Report, m *Model) {
			if m.offDate() {
				m.field(r, StartedAt, "started_at is on "+m.State.Stamp(StartedAt).At.String()[:dateLength]+
					", but the session's name begins with "+m.ID[:dateLength]).
					Advise("Correct the start time", "Find out when the session was created and write started_at, or "+
						"rename the session.")
			}
		}},
	{Name: "round-start-missing", Severity: sdk.Warning, Needs: ofState,
		Replaces: []string{"map-start-missing"},
		Doc:      "A later review round or a map run has no start time of its own.",
		Why: "`ocr progress` then measures its time from the start of the session. Set round_started_at or " +
			"map_started_at when it begins.",
		Find: startMissing},
	{Name: "timestamps-too-round", Severity: sdk.Info, Needs: ofState, Doc: "All times are on whole minutes.",
		Why: "Clock times rarely are, so these were probably written by hand. Take them from a clock command.",
		Find: func(r *check.Report, m *Model) {
			if m.tooRound() {
				r.Whole(StatePath, "all times end in :00; take them from a clock command")
			}
		}},
}

const (
	slack      = 60 * instant.Second // two times written one after the other may be this far out of order
	clockError = 5 * instant.Minute  // clocks of two machines may differ by this much
	staleAfter = 7 * instant.Day     // without an update
	// intervals longer than this are not computed, because a Duration cannot hold every interval in a file
	century = 36500 * instant.Day
)

// eachTime returns the Find function of a rule about each time field.
func eachTime(find func(*check.Report, *Model, Stamp)) func(*check.Report, *Model) {
	return func(r *check.Report, m *Model) {
		for _, st := range m.State.stamps {
			find(r, m, st)
		}
	}
}

// mendTime offers values for time fields: the current time for updated_at, and valid values from the base. The first of
// the fields is the wrong one. If there are no values, a person must find the time.
func (m *Model) mendTime(f *check.Finding, p *sdk.Pass, fields ...string) {
	if fields[0] == UpdatedAt {
		f.Offer(sdk.Review, "Set updated_at to the current time", setNow(UpdatedAt))
	}
	for _, field := range fields {
		if b := m.Base; b != nil && b.isSound(p, field) && b.State.Text(field) != m.State.Text(field) {
			f.Offer(sdk.Review, "Set "+field+" to its value in the base", setText(field, b.State.Text(field)))
		}
	}
	if len(f.Remedies) == 0 {
		f.Advise("Find out the time", "Find the time in the file history, and write "+fields[0]+
			" as YYYY-MM-DDTHH:MM:SSZ.")
	}
}

// remaining describes how long it is until t, rounded down.
func remaining(p *sdk.Pass, t instant.Time) string {
	if p.Before(t.Add(-century)) {
		return "more than 100 years"
	}
	if hours := -p.Since(t, instant.Hour) - 1; hours >= 48 {
		return "more than " + say.Count(hours/24, "day")
	} else if hours > 0 {
		return "more than " + say.Count(hours, "hour")
	}
	return "more than " + say.Count(-p.Since(t, instant.Minute)-1, "minute")
}

// reversed returns the pairs of times that are in the wrong order. It skips the start of the other workflow, which may
// be left over.
func (m *Model) reversed() (pairs [][2]Stamp) {
	for _, pair := range [][2]string{{UpdatedAt, StartedAt}, {m.T.Start, StartedAt}, {UpdatedAt, m.T.Start}} {
		later, earlier := m.State.Stamp(pair[0]), m.State.Stamp(pair[1])
		if later.OK && earlier.OK && later.At.Before(earlier.At.Add(-slack)) {
			pairs = append(pairs, [2]Stamp{later, earlier})
		}
	}
	return pairs
}

// offDate reports whether started_at is not on the date in the session's name, in any time zone.
func (m *Model) offDate() bool {
	day, ok := sessionDate(m.ID)
	started := m.State.Stamp(StartedAt)
	return ok && started.OK && (started.At.Before(day.Add(-14*instant.Hour)) ||
		started.At.After(day.Add((24+12)*instant.Hour)))
}

// isSound reports whether a time field exists and no rule about times reports it, so that it can be compared with
// another value.
func (m *Model) isSound(p *sdk.Pass, field string) bool {
	st := m.State.Stamp(field)
	if !st.OK || st.Fault != "" || st.isCopied() || st.isAhead(p) || field == StartedAt && m.offDate() {
		return false
	}
	return !slices.ContainsFunc(m.reversed(), func(pair [2]Stamp) bool {
		return pair[0].Field == field ||
			pair[1].Field == field
	})
}

// startMissing finds a round or run without its own start time. For rounds it is a warning from the second one on. The
// tool's own sample lacks the field before the first reviews and when the session is closed, and round 1 starts with
// the session.
func startMissing(r *check.Report, m *Model) {
	k, phase, first := m.T, m.State.Phase, m.T == Review && m.Rounds.Working < 2
	inReviews := m.ClaimAtLeast("reviews") && phase != "complete"
	closes := k == Review && phase == "complete" && m.State.Status == "closed"
	switch {
	case m.sharedStart(r.Pass):
		m.claim(r, k.Start, k.Start+" "+m.State.Stamp(k.Start).Text+" is not the start of "+m.C.title()+
			"; earlier work began then").
			Advise("Set the start time", "Set "+k.Start+" to the time when "+m.C.title()+" began.")
	case closes, first && !inReviews, m.State.Has(k.Start), m.startNotReset(r.Pass):
	default:
		f := r.Whole(StatePath, m.C.title()+" has no "+k.Start+
			", so elapsed time counts from the start of the session").About(m.C.Name()).
			Advise("Set the start time of the "+k.Unit, "Add "+k.Start+" with the time when the "+k.Unit+" began.")
		if first {
			f.As(sdk.Info)
		}
	}
}

// sharedStart reports whether C's start time is exactly that of earlier work: of the session although C is a later
// round or run, or of the other workflow.
func (m *Model) sharedStart(p *sdk.Pass) bool {
	own, session, other := m.State.Stamp(m.T.Start), m.State.Stamp(StartedAt), m.State.Stamp(m.T.Other().Start)
	s := m.Series(m.T)
	before := m.Subject(m.T.name(s.Working - 1))
	later := s.Claim == s.Working && before != nil && before.Result.Filled() && session.OK && own.At == session.At &&
		(m.Base == nil || m.Base.State.Stamp(own.Field).At != own.At)
	both := m.HasTree(m.T.Other()) && other.OK && own.At == other.At
	return own.OK && (later || both) && !own.isCopied() && !m.startNotReset(p)
}

// tooRound reports whether there are at least two different times and all are on whole minutes.
func (m *Model) tooRound() bool {
	var first instant.Time
	differ := false
	for _, st := range m.State.stamps {
		if st.OK && !st.isRound() {
			return false
		}
		if st.OK && first.IsZero() {
			first = st.At
		}
		differ = differ || st.OK && st.At != first
	}
	return differ
}

// stale returns for how long an open session has not been updated, or "" if that is normal.
func (m *Model) stale(p *sdk.Pass) string {
	updated := m.State.Stamp(UpdatedAt)
	switch {
	case m.State.Status != "active" || m.State.Phase == "complete" || !updated.OK ||
		!p.After(updated.At.Add(staleAfter)):
		return ""
	case p.After(updated.At.Add(century)):
		return "more than 36500 days"
	}
	return say.Int(p.Since(updated.At, instant.Day)) + " days"
}
