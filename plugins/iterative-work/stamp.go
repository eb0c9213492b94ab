package iterativework

import (
	"github.com/stategate/stategate/sdk/instant"
)

// A stamp is a time as a document has it.
type stamp struct {
	at   instant.Time // without a zone as if in UTC; of a bare date its midnight
	text string       // as written
	kind uint8
}

// The kinds of a stamp; the zero stamp is none.
const (
	bareDate uint8 = iota + 1
	zoneless
	zoned
)

const (
	dateShape  = "0000-00-00"
	usualShape = "0000-00-00T00:00:00Z"
	slack      = instant.Minute
	zones      = 14 * instant.Hour // how far a time without zone may be off
)

// readStamp reads a time at the beginning of a text and returns it, the zero
// stamp if there is none. Its text is how far it goes.
//
//go:noinline
func readStamp(s string) stamp {
	if !shaped(s, dateShape) {
		return stamp{}
	}
	if n := len(usualShape); shaped(s, usualShape) {
		if t, ok := instant.Parse(s[:n]); ok {
			return stamp{t, s[:n], zoned}
		}
	}
	clock, zone, n := "T00:00:00", "Z", len(dateShape)
	kind := bareDate
	if rest := s[n:]; shaped(rest, "T00:00") || shaped(rest, " 00:00") {
		kind = zoneless
		clock, n = "T"+rest[1:6]+":00", n+6
		if shaped(s[n:], ":00") {
			end := n + 3
			if shaped(s[end:], ".0") {
				for end++; end < len(s) && s[end] >= '0' && s[end] <= '9'; end++ {
				}
			}
			clock = "T" + rest[1:6] + s[n:end]
			n = end
		}
		if name, length := readZone(s[n:]); length > 0 {
			zone, n, kind = name, n+length, zoned
		}
	}
	t, ok := instant.Parse(s[:len(dateShape)] + clock + zone)
	if !ok {
		return stamp{}
	}
	return stamp{t, s[:n], kind}
}

// readZone reads Z, UTC or an offset, which a blank may stand before.
func readZone(s string) (zone string, length int) {
	at := 0
	if s != "" && s[0] == ' ' {
		at = 1
	}
	switch rest := s[at:]; {
	case shaped(rest, "Z"):
		return "Z", at + 1
	case shaped(rest, "UTC"):
		return "Z", at + 3
	case shaped(rest, "+00:00"), shaped(rest, "-00:00"):
		return rest[:6], at + 6
	}
	return "", 0
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

// before reports whether a is surely earlier than b by more than a distance:
// dates are compared by day, and a time without zone may lie anywhere.
func (a *stamp) before(b *stamp, by instant.Duration) bool {
	switch {
	case a.kind == 0 || b.kind == 0:
		return false
	case a.kind == bareDate || b.kind == bareDate:
		return a.text[:len(dateShape)] < b.text[:len(dateShape)]
	case a.kind != b.kind:
		by += zones
	}
	return a.at.Add(by).Before(b.at)
}

// earliest is the first moment that the stamp may mean.
func (a *stamp) earliest() instant.Time {
	if a.kind == zoneless {
		return a.at.Add(-zones)
	}
	return a.at
}
