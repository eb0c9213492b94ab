package instant_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk/instant"
)

// moments returns times in package time's form, including edge cases.
func moments() []time.Time {
	list := []time.Time{
		{}, time.Unix(0, 0), time.Date(2024, 2, 29, 23, 59, 59, 999999999, time.UTC),
		time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(1900, 3, 1, 0, 0, 0, 1, time.UTC), time.Date(2000, 2, 29, 12, 0, 0, 120, time.UTC),
	}
	for day := time.Date(0, 1, 1, 5, 6, 7, 250_000_000,
		time.UTC); day.Year() < 10000; day = day.Add(97*24*time.Hour + 7919*time.Second) {
		list = append(list, day)
	}
	return list
}

func TestLikePackageTime(t *testing.T) {
	for _, want := range moments() {
		want = want.UTC()
		got := instant.Of(want)
		if !got.Std().Equal(want) || got.IsZero() != want.IsZero() {
			t.Fatalf("%s comes back as %s", want, got.Std())
		}
		if text := want.Format(time.RFC3339Nano); got.String() != text {
			t.Fatalf("written %s, expected %s", got, text)
		}
		if read, ok := instant.Parse(got.String()); !ok || read != got {
			t.Fatalf("%s is read as %s, %v", got, read, ok)
		}
		year, month, day := got.Date()
		hour, minute, second := got.Clock()
		if again := time.Date(year, time.Month(month), day, hour, minute, second, int(got.Fraction()),
			time.UTC); !again.Equal(want) {
			t.Fatalf("%s has the date and clock of %s", want, again)
		}
	}
}

func TestDistances(t *testing.T) {
	list := moments()[:400]
	for i, a := range list {
		b := list[(i*7+3)%len(list)]
		x, y := instant.Of(a), instant.Of(b)
		if got, want := x.Sub(y), a.Sub(b); int64(got) != int64(want) {
			t.Fatalf("%s - %s: got %d, expected %d", a, b, got, want)
		}
		if x.Before(y) != a.Before(b) || x.After(y) != a.After(b) {
			t.Fatalf("%s and %s are out of order", a, b)
		}
		for _, d := range []int64{0, 1, -1, 1e9, -1e9, 999_999_999, -86_400_000_000_001, math.MaxInt64, math.MinInt64} {
			if got, want := x.Add(instant.Duration(d)), a.Add(time.Duration(d)); got != instant.Of(want) {
				t.Fatalf("%s + %d: got %s, expected %s", a, d, got, want)
			}
		}
		if got, want := x.Seconds(), a.Truncate(time.Second); got != instant.Of(want) {
			t.Fatalf("the second of %s: got %s, expected %s", a, got, want)
		}
	}
}

func TestTimesThatRFC3339CannotWriteMoveToItsEnds(t *testing.T) {
	for want, year := range map[string]int{"0000-01-01T00:00:00Z": -5, "9999-12-31T23:59:59.999999999Z": 12000} {
		if got := instant.Of(time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC)).String(); got != want {
			t.Errorf("the year %d: got %s, expected %s", year, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2026-01-27T10:00:00Z", "2026-01-27T10:00:00Z"},
		{"2026-01-27T10:00:00.120Z", "2026-01-27T10:00:00.12Z"},
		{"2026-01-27T10:00:00.0000000019Z", "2026-01-27T10:00:00.000000001Z"},
		{"2026-01-27T11:00:00+01:00", "2026-01-27T10:00:00Z"},
		{"2026-01-27T04:30:00-05:30", "2026-01-27T10:00:00Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"2026-01-27t10:00:00z", "2026-01-27T10:00:00Z"},
		{"2026-01-27t11:00:00.5+01:00", "2026-01-27T10:00:00.5Z"},
		{"1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"},
		{"1990-12-31T15:59:60.9-08:00", "1991-01-01T00:00:00Z"},
	} {
		if got, ok := instant.Parse(c.text); !ok || got.String() != c.want {
			t.Errorf("%s: got %s, %v, expected %s", c.text, got, ok, c.want)
		}
	}
	for _, text := range []string{
		"", "2026-01-27", "2026-01-27T10:00:00", "2026-01-27 10:00:00Z", "2026-01-27T23:59:61Z",
		"2026-01-27T23:59:60+01:00",
		"2026-02-29T10:00:00Z", "2026-13-01T10:00:00Z", "2026-00-01T10:00:00Z", "2026-01-00T10:00:00Z",
		"2026-01-32T10:00:00Z",
		"2026-01-27T24:00:00Z", "2026-01-27T10:60:00Z", "2026-01-27T10:00:60Z", "2026-01-27T9:00:00Z",
		"2026-01-27T10:00:00,5Z",
		"2026-01-27T10:00:00.Z", "2026-01-27T10:00:00+24:00", "2026-01-27T10:00:00+01:60", "2026-01-27T10:00:00+0100",
		"2026-01-27T10:00:00+1:000", "2026-01-27T10:00:00ZZ", "+026-01-27T10:00:00Z", "2026-01-27T10:00:00é",
	} {
		if got, ok := instant.Parse(text); ok || !got.IsZero() {
			t.Errorf("%q is read as %s, %v, expected a refusal with the zero time", text, got, ok)
		}
	}
}

// FuzzParse compares Parse with package time. Package time accepts one-digit hours, a comma before the fraction,
// and offsets of 24 hours and 60 minutes (go.dev/issue/54580); it does not accept lowercase letters or leap
// seconds.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2026-01-27T10:00:00Z", "2026-01-27T11:00:00.25+01:00", "0000-02-29T00:00:00-23:59"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := instant.Parse(s)
		if !ok && !got.IsZero() {
			t.Errorf("%q is refused as %s, expected the zero time", s, got)
		}
		s = strings.ToUpper(s)
		want, err := time.Parse(time.RFC3339Nano, s)
		if len(s) > 18 && s[17:19] == "60" {
			return
		}
		if ok && (err != nil || got != instant.Of(want)) {
			t.Errorf("%q: got %s, expected %s, %v", s, got, want, err)
		}
		if ok {
			if again, ok := instant.Parse(got.String()); !ok || again != got && want.UTC().Year() >= 0 &&
				want.UTC().Year() < 10000 {
				t.Errorf("%q: %s is read as %s, %v", s, got, again, ok)
			}
		}
		loose := len(s) < 25 || s[13] != ':' || s[19] == ',' || s[len(s)-6:] > "+23:59" || s[len(s)-2:] > "59"
		if !ok && err == nil && !loose && s[len(s)-6] != '-' {
			t.Errorf("%q is refused, expected %s", s, want)
		}
	})
}
