package ocr

import "testing"

func TestStamps(t *testing.T) {
	const instant = "2026-03-10T09:12:41Z"
	for _, c := range []struct {
		text, instant, fault string
	}{
		{text: "2026-03-10T09:12:41Z", instant: instant},
		{text: "2026-03-10t09:12:41z", instant: instant},
		{text: "2026-03-10T09:12:41.000Z", instant: instant},
		{text: "2026-03-10T09:12:41,5Z", instant: "2026-03-10T09:12:41.5Z"},
		{text: "2026-03-10T09:12:41+00:00", instant: instant},
		{text: "2026-03-10T09:12:41-00:00", instant: instant},
		{text: "2026-03-10T10:12:41+01:00", instant: instant, fault: " is not in UTC"},
		{text: "2026-03-10T03:42:41-0530", instant: instant, fault: " is not in UTC"},
		{text: "2026-03-10T11:12:41+02", instant: instant, fault: " is not in UTC"},
		{text: "2026-03-10T09:12:41", instant: instant, fault: " has no zone"},
		{text: "2026-03-10 09:12:41Z", instant: instant},
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
		st := Stamp{Text: c.text}
		st.read()
		if st.OK != (c.instant != "") {
			t.Errorf("%q: read %v, want %v", c.text, st.OK, c.instant != "")
			continue
		}
		if st.OK && (st.At.String() != c.instant || st.Fault != c.fault) {
			t.Errorf("%q: got %+v, want %s and %q", c.text, st, c.instant, c.fault)
		}
	}
}
