package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk/instant"
)

// A stamp is a time as a document has it: an interval of a day, a minute or a
// second. Its text is "" if it is none.
type stamp struct {
	from, to instant.Time
	text     string
	zoned    bool
	midnight bool // a date, or 00:00:00
}

const zones = 14 * instant.Hour // how far a time without zone may be off

// readStamp reads a text that is a time and nothing else.
func readStamp(s string) stamp {
	const dateShape = "0000-00-00"
	s = strings.TrimSpace(s)
	if !shaped(s, dateShape) {
		return stamp{}
	}
	clock, zone, length := "T00:00:00", "Z", instant.Day
	rest := s[len(dateShape):]
	zoned := false
	if shaped(rest, "T00:00") || shaped(rest, " 00:00") {
		clock, length = "T"+rest[1:6]+":00", instant.Minute
		rest = rest[6:]
		if shaped(rest, ":00") {
			end := 3
			if shaped(rest[end:], ".0") {
				for end++; end < len(rest) && rest[end] >= '0' && rest[end] <= '9'; end++ {
				}
			}
			clock, length = clock[:6]+rest[:end], instant.Second
			rest = rest[end:]
		}
	}
	switch name := strings.TrimLeft(rest, " "); {
	case name == "":
	case name == "Z" || name == "UTC":
		zoned = true
	case len(name) == 6 && (shaped(name, "+00:00") || shaped(name, "-00:00")):
		zone, zoned = name, true
	default:
		return stamp{}
	}
	t, ok := instant.Parse(s[:len(dateShape)] + clock + zone)
	if !ok {
		return stamp{}
	}
	return stamp{t, t.Add(length), s, zoned, strings.HasPrefix(clock, "T00:00:00")}
}

// shaped reports whether s begins with the shape, a 0 standing for any digit.
func shaped(s, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for i := range len(shape) {
		if shape[i] == '0' && (s[i] < '0' || s[i] > '9') || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

// before reports whether a is over, whatever its zone, when b begins.
func (a *stamp) before(b *stamp) bool { return a.beforeBy(b, 0) }

// beforeBy is before with b a while earlier.
func (a *stamp) beforeBy(b *stamp, while instant.Duration) bool {
	if a.text == "" || b.text == "" {
		return false
	}
	if a.zoned != b.zoned {
		while += zones
	}
	return !a.to.Add(while).After(b.from)
}

// backFrom reports whether a is earlier than b, by day if either has no clock.
func (a *stamp) backFrom(b *stamp) bool {
	if a.text != "" && b.text != "" && (a.midnight || b.midnight) {
		return a.text[:10] < b.text[:10]
	}
	return a.before(b)
}

// same reports whether two times are written for the same moment.
func (a *stamp) same(b *stamp) bool { return a.from == b.from && a.to == b.to && a.text != "" }
