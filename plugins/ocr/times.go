package ocr

import (
	"strings"
	"time"
)

// parseTime reads an ISO 8601 or RFC 3339 time: a full date and a time of day,
// seconds and fractions optional. Impossible dates are refused.
func parseTime(s string) (at time.Time, zone Zone, blank, ok bool) {
	if len(s) < len("2006-01-02T15:04") || !strings.ContainsRune("Tt ", rune(s[10])) {
		return at, zone, false, false
	}
	clock, offset, zone := splitZone(s[11:])
	clock = strings.Replace(clock, ",", ".", 1)
	layout := "2006-01-02T15:04:05"
	if len(clock) == len("15:04") {
		layout = "2006-01-02T15:04"
	}
	at, err := time.Parse(layout, s[:10]+"T"+clock)
	shift, known := parseOffset(offset, zone)
	if err != nil || !known || len(clock) > 2 && clock[2] != ':' {
		return time.Time{}, zone, false, false
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
func parseOffset(s string, zone Zone) (time.Duration, bool) {
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
	shift := time.Duration(hours*60+minutes) * time.Minute
	if s[0] == '-' {
		shift = -shift
	}
	return shift, true
}
