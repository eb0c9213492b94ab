package instant

// Parse parses an RFC 3339 time in any zone: 2026-01-27T10:00:00Z, 2026-01-27T11:00:00.25+01:00. As RFC 3339
// allows, T and Z may be lowercase, and the last minute of a UTC day may have a second 60, which counts as the
// beginning of the next day. Fractions beyond nanoseconds are ignored. For anything else, including dates and hours
// that do not exist, Parse returns the zero Time and false.
func Parse(s string) (Time, bool) {
	if len(s) < len(shape) {
		return Time{}, false
	}
	for i := range len(shape) {
		if shape[i] == '0' && (s[i] < '0' || s[i] > '9') || shape[i] != '0' && s[i] != shape[i] &&
			(shape[i] != 'T' || s[i] != 't') {
			return Time{}, false
		}
	}
	year, month, day := number(s[:4]), number(s[5:7]), number(s[8:10])
	hour, minute, second := number(s[11:13]), number(s[14:16]), number(s[17:19])
	days := dayOf(year, month, day)
	nano, zone, ok := fraction(s[len(shape):])
	east, known := offset(zone)
	t := Time{days*secondsPerDay + int64(hour*3600+minute*60+second-east), nano}
	if second == 60 && t.sec%secondsPerDay == 0 {
		second, t.nano = 0, 0
	}
	if y, m, d := civil(days); !ok || !known || y != year || m != month || d != day || hour > 23 || minute > 59 ||
		second > 59 {
		return Time{}, false
	}
	return t, true
}

// shape is the beginning of every time; 0 stands for a digit.
const shape = "0000-00-00T00:00:00"

// number parses digits.
func number(s string) int {
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// fraction parses the decimal point and digits that s may begin with.
func fraction(s string) (nano int64, rest string, ok bool) {
	if s == "" || s[0] != '.' {
		return 0, s, true
	}
	i, unit := 1, int64(Second)
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		unit /= 10
		nano += int64(s[i]-'0') * unit
	}
	return nano, s[i:], i > 1
}

// offset parses Z, +hh:mm or -hh:mm as seconds.
func offset(s string) (east int, ok bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != len("+00:00") || s[3] != ':' || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	for _, i := range [...]int{1, 2, 4, 5} {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	hour, minute := number(s[1:3]), number(s[4:])
	if east = hour*3600 + minute*60; s[0] == '-' {
		east = -east
	}
	return east, hour < 24 && minute < 60
}

// The first and last times that RFC 3339 can represent.
var (
	first = Time{sec: -366 * secondsPerDay}
	last  = Time{sec: 315_537_897_599, nano: int64(Second) - 1}
)

// String formats the time as RFC 3339 in UTC, with a fraction if there is one: 2026-01-27T10:00:00Z,
// 2026-01-27T10:00:00.25Z. A time outside the years 0 to 9999 is formatted as the nearest time inside.
func (t Time) String() string {
	if t.Before(first) {
		t = first
	}
	if t.After(last) {
		t = last
	}
	text := []byte(shape + ".000000000Z")
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	for _, part := range [...]struct{ end, n int }{
		{4, year}, {7, month}, {10, day}, {13, hour}, {16, minute}, {19, second}, {29, int(t.nano)},
	} {
		for i := part.end - 1; part.n > 0; i-- {
			text[i] += byte(part.n % 10)
			part.n /= 10
		}
	}
	end := len(text) - 1
	for text[end-1] == '0' && end > len(shape)+1 {
		end--
	}
	if end == len(shape)+1 {
		end--
	}
	return string(append(text[:end], 'Z'))
}
