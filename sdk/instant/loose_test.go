package instant_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/instant"
)

func TestLoose(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-16T10:00:00Z":          "2026-01-16T10:00:00Z zoned",
		"2026-01-16t10:00:00.500z":      "2026-01-16T10:00:00.5Z zoned",
		"2026-01-16 10:00:00 UTC":       "2026-01-16T10:00:00Z zoned",
		"2026-01-16T10:00Z":             "2026-01-16T10:00:00Z zoned",
		"2026-01-16T11:00:00,25+0100":   "2026-01-16T10:00:00.25Z zoned",
		"2026-01-16T12:00:00+02":        "2026-01-16T10:00:00Z zoned",
		"2026-01-16T11:00:00+01:00":     "2026-01-16T10:00:00Z zoned",
		"1990-12-31T23:59:60Z":          "1991-01-01T00:00:00Z zoned",
		" 2026-01-16 10:00 ":            "2026-01-16T10:00:00Z local",
		"2026-01-16":                    "2026-01-16T00:00:00Z day",
		"2026/01/16":                    "2026-01-16T00:00:00Z day",
		"16.01.2026":                    "2026-01-16T00:00:00Z day",
		"January 16, 2026":              "2026-01-16T00:00:00Z day",
		"Jan 16, 2026":                  "2026-01-16T00:00:00Z day",
		"16 Sept. 2026":                 "2026-09-16T00:00:00Z day",
		"16 January 2026 10:30":         "2026-01-16T10:30:00Z local",
		"16 Jan 2026, 10:30 UTC":        "2026-01-16T10:30:00Z zoned",
		"":                              "is empty",
		"soon":                          "is not a time",
		"01/16/2026":                    "is not a time",
		"16 Jam 2026":                   "is not a time",
		"2026-02-30":                    "names a date that does not exist: 2026-02-30",
		"2026-01-16T25:00:00Z":          "names a time of day that does not exist: 25:00:00",
		"2026-01-16T10:00:00Z or later": "has more than a time: or later",
	} {
		m, why := instant.Loose(text)
		got := why
		if why == "" {
			got = m.At.String() + [...]string{"", " day", " local", " zoned"}[m.Precision]
		}
		if got != want {
			t.Errorf("%q: got %s, expected %s", text, got, want)
		}
		if why != "" && m != (instant.Moment{}) {
			t.Errorf("%q: not a moment, and yet not the zero Moment", text)
		}
	}
}

func TestFind(t *testing.T) {
	for text, want := range map[string][2]string{
		"R1 - Iteration 1 - 2026-01-16T10:00:00Z (late)": {"2026-01-16T10:00:00Z", " (late)"},
		"on 16 January 2026, at last":                    {"16 January 2026", ", at last"},
		"R12026-01-16":                                   {"", "R12026-01-16"},
		"no time at all":                                 {"", "no time at all"},
	} {
		if m, behind := instant.Find(text); m.Text != want[0] || behind != want[1] {
			t.Errorf("%q: got %q and %q, expected %q", text, m.Text, behind, want)
		}
	}
}

func TestMomentsAreComparedAsFarAsTheyAreKnown(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2026-01-16T10:00:00Z", "2026-01-16T10:02:00Z", true},
		{"2026-01-16T10:00:00Z", "2026-01-16T10:00:30Z", false},
		{"2026-01-16T10:00:00", "2026-01-16T20:00:00Z", false},
		{"2026-01-15T10:00:00", "2026-01-16T20:00:00Z", true},
		{"2026-01-16", "2026-01-16T20:00:00Z", false},
		{"2026-01-15", "2026-01-16T20:00:00Z", true},
		{"2026-01-16T23:30:00-05:00", "2026-01-17", true},
		{"soon", "2026-01-16", false},
	} {
		a, _ := instant.Loose(c.a)
		b, _ := instant.Loose(c.b)
		if got := a.Before(b, instant.Minute); got != c.want {
			t.Errorf("%s before %s: got %v, expected %v", c.a, c.b, got, c.want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, other := range []string{"2026-01-16T10:00:00+00:00", "2026-01-16T10:00:00.000Z", "2026-01-16T11:00:00+01:00",
		"2026-01-16 10:00:00 UTC"} {
		if !instant.Same("2026-01-16T10:00:00Z", other) {
			t.Errorf("%s is the same moment", other)
		}
	}
	for _, other := range []string{"2026-01-16T10:00:00", "2026-01-16T10:00:01Z", "2026-01-16", "soon"} {
		if instant.Same("2026-01-16T10:00:00Z", other) {
			t.Errorf("%s is another moment", other)
		}
	}
}

func ExampleLoose() {
	m, _ := instant.Loose("2026-01-16 10:00 UTC")
	_, why := instant.Loose("2026-01-32")
	fmt.Println(m.At, "it", why)
	// Output: 2026-01-16T10:00:00Z it names a date that does not exist: 2026-01-32
}

func FuzzLoose(f *testing.F) {
	f.Add("2026-01-16T10:00:00Z and 16 Jan 2026")
	f.Fuzz(func(t *testing.T, s string) {
		if at, ok := instant.Parse(s); ok {
			if m, why := instant.Loose(s); why != "" || m.At != at || m.Precision != instant.Zoned {
				t.Errorf("%q: Parse reads it as %s, Loose as %s, %s", s, at, m.At, why)
			}
		}
		if m, why := instant.Loose(s); why == "" && strings.TrimSpace(s) != m.Text {
			t.Errorf("%q: the moment is %q", s, m.Text)
		}
		if once := instant.Canon(s); instant.Canon(once) != once {
			t.Errorf("%q: Canon gives %q, and of that %q", s, once, instant.Canon(once))
		}
	})
}
