package ocr

import (
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	const instant = "2026-03-10T09:12:41Z"
	for _, c := range []struct {
		text, instant string
		zone          Zone
		blank         bool
	}{
		{text: "2026-03-10T09:12:41Z", instant: instant},
		{text: "2026-03-10t09:12:41z", instant: instant},
		{text: "2026-03-10T09:12:41.000Z", instant: instant},
		{text: "2026-03-10T09:12:41,5Z", instant: "2026-03-10T09:12:41.5Z"},
		{text: "2026-03-10T09:12:41+00:00", instant: instant},
		{text: "2026-03-10T09:12:41-00:00", instant: instant},
		{text: "2026-03-10T10:12:41+01:00", instant: instant, zone: ZoneOffset},
		{text: "2026-03-10T03:42:41-0530", instant: instant, zone: ZoneOffset},
		{text: "2026-03-10T11:12:41+02", instant: instant, zone: ZoneOffset},
		{text: "2026-03-10T09:12:41", instant: instant, zone: ZoneNone},
		{text: "2026-03-10 09:12:41Z", instant: instant, blank: true},
		{text: "2026-03-10T09:12Z", instant: "2026-03-10T09:12:00Z"},
		{text: "2024-02-29T00:00:00Z", instant: "2024-02-29T00:00:00Z"},
		{text: "2026-02-29T00:00:00Z"},
		{text: "2026-13-10T09:12:41Z"},
		{text: "2026-03-10T24:00:00Z"},
		{text: "2026-03-10T09:60:00Z"},
		{text: "2026-03-10T9:12:41Z"},
		{text: "2026-03-10T09:12:41.Z"},
		{text: "2026-03-10T09:12:41+1:00"},
		{text: "2026-03-10T09:12:41+25:00"},
		{text: "2026-03-10T"},
		{text: "2026-03-10"},
		{text: "10.03.2026 09:12:41"},
		{text: "1773133961"},
		{text: "yesterday"},
		{text: ""},
	} {
		at, zone, blank, ok := parseTime(c.text)
		if ok != (c.instant != "") {
			t.Errorf("%q: read %v, want %v", c.text, ok, c.instant != "")
			continue
		}
		if ok && (at.String() != c.instant || zone != c.zone || blank != c.blank) {
			t.Errorf("%q: got %s zone %d blank %v, want %s zone %d blank %v", c.text, at, zone, blank, c.instant, c.zone, c.blank)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{"2026-03-10T09:12:41Z", "2026-03-10T10:12:41.25+01:00", "2026-03-10 09:12"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := time.Parse(time.RFC3339, s) // which takes T9:12, too
		at, _, _, ok := parseTime(s)
		if err == nil && s[13] == ':' && (!ok || !at.Std().Equal(want)) {
			t.Errorf("%q: got %v %v, want %v as Go reads RFC 3339", s, at, ok, want)
		}
		if again, _, _, same := parseTime(s); same != ok || again != at {
			t.Errorf("%q: a second reading differs", s)
		}
	})
}
