package instant

import "strings"

// A Precision says how precisely a moment is written.
type Precision uint8

// The values of Precision. The zero Moment, which is not a moment, has the zero Precision.
const (
	Date  Precision = iota + 1 // a date
	Local                      // a date and a time of day without a zone
	Zoned                      // the same with a zone
)

// A Moment is a time in one of the formats that people and programs use.
type Moment struct {
	At   Time   // midnight for a Date; in UTC if there is no zone
	Text string // as written
	Precision
	day int64 // the written date, in days since the beginning of year 1
}

// zones is the largest difference between a time without a zone and the same time in UTC.
const zones = 14 * Hour

// Loose parses a text that is a single moment. It accepts everything that [Parse] accepts. It also accepts a blank
// before the time of day, missing seconds, a missing zone, UTC or +0100 as the zone, a comma before the fraction,
// and a date alone (2026-01-16, 2026/01/16, 16.01.2026, January 16, 2026, 16 Jan 2026). On failure, it returns the
// zero Moment and a reason. The reason is worded to follow the name of the value.
func Loose(text string) (m Moment, why string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Moment{}, "is empty"
	}
	m, rest, why := begin(text)
	if why == "" && rest != "" {
		return Moment{}, "has more than a time: " + strings.TrimSpace(rest)
	}
	return m, why
}

// Find returns the first moment in a text and the text after it.
func Find(text string) (m Moment, behind string) {
	for i := 0; i < len(text); i++ {
		starts := isDigit(text[i]) || isLetter(text[i])
		if !starts || i > 0 && (isDigit(text[i-1]) || isLetter(text[i-1])) {
			continue
		}
		if m, rest, why := begin(text[i:]); why == "" {
			return m, rest
		}
	}
	return Moment{}, text
}

// Same reports whether two texts are the same moment, written with the same precision.
func Same(a, b string) bool {
	if a == b {
		return true
	}
	x, whyX := Loose(a)
	y, whyY := Loose(b)
	return whyX == "" && whyY == "" && x.Precision == y.Precision && x.At == y.At
}

// Canon rewrites in UTC every moment in a text that has a zone, so that equal moments are written alike.
func Canon(text string) string {
	if !timed(text) {
		return text
	}
	var b strings.Builder
	for {
		m, rest := Find(text)
		if m.Precision == 0 {
			return b.String() + text
		}
		if m.Precision == Zoned {
			b.WriteString(text[:len(text)-len(rest)-len(m.Text)] + m.At.String())
		} else {
			b.WriteString(text[:len(text)-len(rest)])
		}
		text = rest
	}
}

// timed reports whether a text may contain a time of day: two digits, a colon and two digits.
func timed(text string) bool {
	for i := 2; i+2 < len(text); i++ {
		if text[i] == ':' && shaped(text[i-2:], "00:00") {
			return true
		}
	}
	return false
}

// Before reports whether m is definitely earlier than o by more than a duration. If only a date is known, whole
// days are compared. A time without a zone may be off by 14 hours.
func (m Moment) Before(o Moment, by Duration) bool {
	switch {
	case m.Precision == 0 || o.Precision == 0:
		return false
	case m.Precision == Date || o.Precision == Date:
		return m.day < o.day
	case m.Precision != o.Precision:
		by += zones
	}
	return m.At.Add(by).Before(o.At)
}

// Earliest returns the earliest time that the moment may mean.
func (m Moment) Earliest() Time {
	if m.Precision == Local || m.Precision == Date {
		return m.At.Add(-zones)
	}
	return m.At
}

// begin parses the moment that a text begins with and returns the text after it.
func begin(text string) (m Moment, rest, why string) {
	year, month, day, n := date(text)
	if n == 0 {
		return m, text, "is not a time"
	}
	m.day = dayOf(year, month, day)
	if y, mo, d := civil(m.day); y != year || mo != month || d != day {
		return Moment{}, text, "names a date that does not exist: " + text[:n]
	}
	m.Precision, m.At = Date, Time{sec: m.day * secondsPerDay}
	rest = text[n:]
	if clock := strings.TrimLeft(rest, "Tt, "); len(clock) < len(rest) && len(rest)-len(clock) < 3 &&
		shaped(clock, "00:00") {
		if why = m.clock(clock, &rest); why != "" {
			return Moment{}, text, why
		}
	}
	m.Text = text[:len(text)-len(rest)]
	return m, rest, ""
}

// clock parses a time of day with its zone.
func (m *Moment) clock(s string, rest *string) (why string) {
	m.Precision = Local
	second, nano := 0, int64(0)
	hour, minute, behind := number(s[:2]), number(s[3:5]), s[5:]
	if shaped(behind, ":00") {
		second, behind = number(behind[1:3]), behind[3:]
		if shaped(behind, ".0") || shaped(behind, ",0") {
			nano, behind, _ = fraction("." + behind[1:])
		}
	}
	east, length := looseZone(behind)
	if length > 0 {
		m.Precision = Zoned
	}
	m.At = Time{m.day*secondsPerDay + int64(hour*3600+minute*60+second-east), nano}
	if second == 60 && m.At.sec%secondsPerDay == 0 {
		second, m.At.nano = 0, 0
	}
	if hour > 23 || minute > 59 || second > 59 {
		return "names a time of day that does not exist: " + s[:len(s)-len(behind)]
	}
	*rest = behind[length:]
	return ""
}

// looseZone parses Z, UTC, GMT, +01:00, +0100 or a final +01, with or without a blank before it.
func looseZone(s string) (east, length int) {
	bare := strings.TrimPrefix(s, " ")
	blank := len(s) - len(bare)
	for _, name := range [...]string{"UTC", "GMT", "Z", "z"} {
		if after, ok := strings.CutPrefix(bare, name); ok && (after == "" || !isLetter(after[0])) {
			return 0, blank + len(name)
		}
	}
	n := 0
	text := ""
	switch {
	case shaped(bare, "+00:00") || shaped(bare, "-00:00"):
		n, text = 6, bare[:6]
	case shaped(bare, "+0000") || shaped(bare, "-0000"):
		n, text = 5, bare[:3]+":"+bare[3:5]
	case len(bare) == 3 && (shaped(bare, "+00") || shaped(bare, "-00")):
		n, text = 3, bare+":00"
	}
	east, ok := offset(text)
	if !ok {
		return 0, 0
	}
	return east, blank + n
}

// date parses the date that a text begins with and returns its length, or 0 if there is none.
func date(s string) (year, month, day, length int) {
	switch {
	case shaped(s, "0000-00-00"), shaped(s, "0000/00/00"):
		return number(s[:4]), number(s[5:7]), number(s[8:10]), 10
	case shaped(s, "00.00.0000"):
		return number(s[6:10]), number(s[3:5]), number(s[:2]), 10
	}
	first, rest := token(s)
	second, rest := token(rest)
	third, rest := token(rest)
	if isDigit(first[0]) {
		first, second = second, first
	}
	month, day = monthNamed(first), number(second)
	if month == 0 || len(second) > 2 || !digits(second) || len(third) != 4 || !digits(third) {
		return 0, 0, 0, 0
	}
	return number(third), month, day, len(s) - len(rest)
}

// token reads a word or a number, and the blanks, comma or period after it if another token follows.
func token(s string) (word, rest string) {
	n := 0
	for n < len(s) && (isDigit(s[n]) || isLetter(s[n])) && isDigit(s[n]) == isDigit(s[0]) {
		n++
	}
	rest = strings.TrimLeft(s[n:], " ,.")
	if n == 0 {
		return "?", s
	}
	if rest == "" || len(s)-n-len(rest) > 2 || !isDigit(rest[0]) && !isLetter(rest[0]) || n == 4 && isDigit(s[0]) {
		rest = s[n:]
	}
	return s[:n], rest
}

// monthNamed returns the number of a month from its English name or an abbreviation of at least three letters, or
// 0.
func monthNamed(name string) int {
	const months = "january february march april may june july august september october november december "
	rest := months
	for n := 1; rest != ""; n++ {
		full, next, _ := strings.Cut(rest, " ")
		same := len(name) >= 3 && len(name) <= len(full)
		for i := 0; same && i < len(name); i++ {
			same = name[i]|0x20 == full[i]
		}
		if same {
			return n
		}
		rest = next
	}
	return 0
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// shaped reports whether s begins with the shape, in which 0 stands for any digit.
func shaped(s, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for i := range len(shape) {
		if shape[i] == '0' && !isDigit(s[i]) || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	return true
}
