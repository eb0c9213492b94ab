package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk/instant"
)

// parseTime reads an ISO 8601 or RFC 3339 time: a full date and a time of day,
// seconds and fractions optional. Impossible dates are refused.
func parseTime(s string) (at instant.Time, zone Zone, blank, ok bool) {
	if len(s) < len("2006-01-02T15:04") || !strings.ContainsRune("Tt ", rune(s[10])) {
		return at, zone, false, false
	}
	clock, offset, zone := splitZone(s[11:])
	clock = strings.Replace(clock, ",", ".", 1)
	if len(clock) == len("15:04") {
		clock += ":00"
	}
	at, valid := instant.Parse(s[:10] + "T" + clock + "Z")
	shift, known := parseOffset(offset, zone)
	if !valid || !known {
		return instant.Time{}, zone, false, false
	}
	if zone == ZoneOffset && shift == 0 {
		zone = ZoneUTC
	}
	return at.Add(-shift), zone, s[10] == ' ', true
}

// splitZone cuts a time of day from its zone.
func splitZone(s string) (clock, offset string, zone Zone) {
	if last := len(s) - 1; s[last] == 'Z' || s[last] == 'z' {
		return strings.TrimRight(s[:last], " "), "", ZoneUTC
	}
	if at := strings.LastIndexAny(s, "+-"); at > 0 {
		return strings.TrimRight(s[:at], " "), s[at:], ZoneOffset
	}
	return s, "", ZoneNone
}

// parseOffset reads +hh:mm, +hhmm or +hh.
func parseOffset(s string, zone Zone) (instant.Duration, bool) {
	if zone != ZoneOffset {
		return 0, true
	}
	digits := strings.Replace(s[1:], ":", "", 1)
	if len(digits) == 2 {
		digits += "00"
	}
	if len(digits) != 4 || !allDigits(digits) || len(s) == 6 && s[3] != ':' {
		return 0, false
	}
	hours, minutes := clampedInt(digits[:2]), clampedInt(digits[2:])
	if hours > 23 || minutes > 59 {
		return 0, false
	}
	shift := instant.Duration(hours*60+minutes) * instant.Minute
	if s[0] == '-' {
		shift = -shift
	}
	return shift, true
}
