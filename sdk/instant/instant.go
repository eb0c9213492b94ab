// Package instant has moments in time and the distances between them, as
// workflows need them: read and written as RFC 3339, compared, moved.
//
// It replaces package time, which a guest cannot afford: time brings its zones, timers and settings along and makes a
// guest 0.4 MB larger, an eighth of its limit.
package instant

// A Time is a moment, exact to the nanosecond and without a zone. Two of them
// are the same moment if they are ==. The zero Time is the beginning of the year 1
// and stands for none.
type Time struct{ sec, nano int64 } // since that beginning; 0 <= nano < 1e9

// A Duration is the distance of two times, in nanoseconds: 292 years at most.
type Duration int64

// The durations that have names.
const (
	Nanosecond Duration = 1
	Second              = 1_000_000_000 * Nanosecond
	Minute              = 60 * Second
	Hour                = 60 * Minute
	Day                 = 24 * Hour // of a clock; zones that change theirs are not known here
)

const (
	secondsPerDay = 24 * 60 * 60
	maxDuration   = Duration(1<<63 - 1)
)

// IsZero reports whether t is the zero Time.
func (t Time) IsZero() bool { return t == Time{} }

// Before reports whether t is earlier than u.
func (t Time) Before(u Time) bool { return t.sec < u.sec || t.sec == u.sec && t.nano < u.nano }

// After reports whether t is later than u.
func (t Time) After(u Time) bool { return u.Before(t) }

// Add returns the time d later, or earlier if d is negative.
func (t Time) Add(d Duration) Time {
	t.sec += int64(d / Second)
	t.nano += int64(d % Second)
	switch {
	case t.nano < 0:
		t.sec, t.nano = t.sec-1, t.nano+int64(Second)
	case t.nano >= int64(Second):
		t.sec, t.nano = t.sec+1, t.nano-int64(Second)
	}
	return t
}

// Sub returns how much later t is than u. A distance that a Duration cannot
// hold becomes the greatest or the least one.
func (t Time) Sub(u Time) Duration {
	d := Duration(t.sec-u.sec)*Second + Duration(t.nano-u.nano)
	switch {
	case u.Add(d) == t:
		return d
	case t.Before(u):
		return -maxDuration - 1
	}
	return maxDuration
}

// Seconds returns the time without the fraction of its second.
func (t Time) Seconds() Time { return Time{sec: t.sec} }

// Fraction returns what Seconds drops, at least 0 and less than Second.
func (t Time) Fraction() Duration { return Duration(t.nano) }

// Date returns the year, the month (1 to 12) and the day (1 to 31) in UTC.
func (t Time) Date() (year, month, day int) { return civil(floor(t.sec, secondsPerDay)) }

// Clock returns the hour, minute and second of the day in UTC.
func (t Time) Clock() (hour, minute, second int) {
	s := int(t.sec - floor(t.sec, secondsPerDay)*secondsPerDay)
	return s / 3600, s / 60 % 60, s % 60
}

// floor divides and rounds down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// civil gives the date of a day, counted from the beginning of the year 1.
// Years begin in March here, so that the odd day is the last (howardhinnant.github.io/date_algorithms.html).
func civil(days int64) (year, month, day int) {
	days += daysToMarch
	era := floor(days, daysPerEra)
	of := days - era*daysPerEra
	y := (of - of/1460 + of/36524 - of/146096) / 365
	of -= 365*y + y/4 - y/100
	m := (5*of + 2) / 153
	day = int(of - (153*m+2)/5 + 1)
	if m += 3; m > 12 {
		m -= 12
		y++
	}
	return int(y + era*400), int(m), day
}

const (
	daysPerEra  = 146097 // 400 years
	daysToMarch = 306    // from March of the year 0 to January of the year 1
)

// dayOf counts the days from the beginning of the year 1 to a date.
func dayOf(year, month, day int) int64 {
	y, m := int64(year), int64(month)
	if m -= 3; m < 0 {
		m += 12
		y--
	}
	era := floor(y, 400)
	y -= era * 400
	return era*daysPerEra + y*365 + y/4 - y/100 + (153*m+2)/5 + int64(day) - 1 - daysToMarch
}
