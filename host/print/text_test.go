package print

import (
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// TestExcerpt: the mark is below the location, however long the line is. A line is truncated only if the terminal is
// narrower.
func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 500)
	fits := "- [x] 2. Create the endpoint, its schema and the tests that cover every error"
	for _, c := range []struct {
		before, marked, after string
		width                 int
		line, mark            string
	}{
		{`{"a": `, `"b"`, `}`, 0, `{"a": "b"}`, `      ^~~`},
		{"\t安全 ", "é", "", 0, "    安全 é", "         ^"},
		{"a", "", "b", 0, "ab", " ^"},
		{long, "!", long, 0, long + "!" + long, strings.Repeat(" ", 500) + "^"},
		{long, "!", long, 84, "…" + long[:38] + "!" + long[:39] + "…", strings.Repeat(" ", 39) + "^"},
		{"ab", "!", long, 24, "ab!" + long[:16] + "…", "  ^"},
		{long, "!", "ab", 24, "…" + long[:16] + "!ab", strings.Repeat(" ", 17) + "^"},
		{"", long, "", 84, long[:79] + "…", "^" + strings.Repeat("~", 79)},
		{"- ", fits[2:5], fits[5:], 80, fits[:75] + "…", "  ^~~"},
		{"- ", fits[2:5], fits[5:], 81, fits, "  ^~~"},
		{"  ", "::x", "", 0, `  \x3a:x`, "  ^~~~~~"},
	} {
		var b strings.Builder
		place := result.Place{Path: "p", Line: 1, Excerpt: c.before + c.marked + c.after, ExcerptFrom: len(c.before),
			ExcerptEnd: len(c.before) + len(c.marked)}
		r := &result.Result{Instances: []result.Instance{{Diagnostics: []result.Diagnostic{{Place: place,
			Severity: wire.Error}}}}}
		if err := Text(&b, r, Options{Width: c.width}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		if lines[1] != "    "+c.line || lines[2] != "    "+c.mark {
			t.Errorf("%.20q:\ngot\n%s\n%s\nwant\n    %s\n    %s", c.before, lines[1], lines[2], c.line, c.mark)
		}
	}
}

// several returns a result with findings of every severity.
func several() *result.Result {
	remedy := func(id string, s wire.Safety, title string) result.Remedy {
		return result.Remedy{ID: id, Remedy: wire.Remedy{Title: title, Safety: s}}
	}
	at := func(line int) result.Place { return result.Place{Path: "a/s.json", Line: line, Column: 2} }
	return &result.Result{Source: wire.Index, Instances: []result.Instance{
		{Plugin: "toy", Root: "a", Touched: true, Diagnostics: []result.Diagnostic{
			{Rule: "toy/wrong", Severity: wire.Error, Place: at(1),
				Message: "it is wrong in a way that takes some words to say", Fingerprint: "aaaa1",
				Remedies: []result.Remedy{remedy("bbbb10", wire.Review, "Decide"),
					remedy("bbbb20", wire.Safe, "Set it to what the files of this run say that it is")}},
			{Rule: "toy/late", Severity: wire.Warning, Place: at(2), Message: "late", Fingerprint: "cccc1",
				Remedies: []result.Remedy{remedy("dddd1", wire.Safe, "Hurry")}},
			{Rule: "toy/old", Severity: wire.Info, Place: at(3), Message: "old", Fingerprint: "eeee1"},
		}, Recoveries: []result.Remedy{remedy("ffff1", wire.Review, "Rebuild it")}},
		{Plugin: "toy", Root: "b", Diagnostics: []result.Diagnostic{
			{Rule: "toy/late", Severity: wire.Warning, Place: result.Place{Path: "b"}, Message: "late",
				Fingerprint: "cccc2"},
			{Rule: "toy/by-hand", Severity: wire.Info, Place: result.Place{Path: "b"}, Message: "old",
				Fingerprint: "9999"},
		}},
	}}
}

func shownAs(t *testing.T, show func(io.Writer, *result.Result, Options) error, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := show(&b, several(), o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestText: infos are counted unless they are requested, ids are as short as possible, text wraps, and the command
// that fixes the most severe finding comes last.
func TestText(t *testing.T) {
	late := "a/s.json:2:2: warning: late [toy/late]\n  dddd  safe  Hurry\n\n"
	fix := "fix: stategate recover  asks, and shows every change first\nor:  stategate recover --apply bbbb1  then " +
		"git add and commit again\n"
	first := `a/s.json:1:2: error: it is wrong in a way that takes some words to say [toy/wrong]
  bbbb1  review  Decide
  bbbb2  safe    Set it to what the files of this run say that it is
  ffff   review  Rebuild it

`
	o := Options{FailOn: wire.Error, Show: wire.Warning, Recover: "stategate recover"}
	for name, c := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"as usual": {func(*Options) {}, first + late +
			"b: warning: late [toy/late]\n\n2 runs: 1 error, 2 warnings, 2 infos (--show info): the gate is closed\n" +
			fix},
		"--show info": {func(o *Options) { o.Show = wire.Info },
			first + late + "b: warning: late [toy/late]\n\na/s.json:3:2: info: old [toy/old]\n\nb: info: old " +
				"[toy/by-hand]\n\n" +
				"2 runs: 1 error, 2 warnings, 2 infos: the gate is closed\n" + fix},
		"--show error": {func(o *Options) { o.Show = wire.Error },
			first + "2 runs: 1 error, 2 warnings (--show warning), 2 infos (--show info): the gate is closed\n" + fix},
		"-q": {func(o *Options) { o.Quiet = true },
			first + "2 runs: 1 error, 2 warnings, 2 infos: the gate is closed\n" + fix},
		"what closes the gate is shown": {func(o *Options) {
			o.Show, o.FailOn, o.Recover = wire.Error, wire.Warning,
				""
		},
			first + late + "b: warning: late [toy/late]\n\n2 runs: 1 error, 2 warnings, 2 infos (--show info): the " +
				"gate is closed\n"},
		"40 columns": {func(o *Options) { o.Width, o.Quiet, o.Recover = 40, true, "" },
			`a/s.json:1:2:
  error: it is wrong in a way that takes
    some words to say [toy/wrong]
  bbbb1  review  Decide
  bbbb2  safe    Set it to what the
                 files of this run say
                 that it is
  ffff   review  Rebuild it

2 runs: 1 error, 2 warnings, 2 infos: the gate is closed
`},
	} {
		how := o
		c.change(&how)
		if got := shownAs(t, Text, how); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestFindingThatDoesNotFit: at every width, a finding that needs more than one line begins with its location alone,
// and its rule is never alone on the last line.
func TestFindingThatDoesNotFit(t *testing.T) {
	d := &result.Diagnostic{Rule: "toy/wrong", Severity: wire.Error, Place: result.Place{Path: "a/s.json"},
		Message: "one two three four five six"}
	for width, want := range map[int]string{
		60: "a/s.json: error: one two three four five six [toy/wrong]\n",
		56: "a/s.json: error: one two three four five six [toy/wrong]\n",
		55: "a/s.json:\n  error: one two three four five six [toy/wrong]\n",
		47: "a/s.json:\n  error: one two three four five\n    six [toy/wrong]\n",
		36: "a/s.json:\n  error: one two three four five\n    six [toy/wrong]\n",
	} {
		var b strings.Builder
		p := newReport(&b, nil, Options{Width: width})
		p.finding(d)
		if err := p.w.Flush(); err != nil || b.String() != want {
			t.Errorf("%d columns: %v, got\n%s\nwant\n%s", width, err, b.String(), want)
		}
	}
}

// TestUnseen: what was not checked is reported even with -q, because the gate would look clean otherwise.
func TestUnseen(t *testing.T) {
	r := &result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a"}}, Notes: []result.Note{
		{Kind: result.IgnoreUnused, Place: result.Place{Path: ".stategate.yaml"},
			Message: "this ignore matches no finding"},
		{Kind: result.PathsNotChecked, Place: result.Place{Path: "a"}, Message: "1 of 2 paths was not looked up"},
	}}
	var b strings.Builder
	if err := Text(&b, r, Options{Quiet: true, FailOn: wire.Error}); err != nil ||
		b.String() != "note: a: 1 of 2 paths was not looked up\nno runs: the gate is open\n" {
		t.Errorf("%v, got %q", err, b.String())
	}
}

// TestSilent: an open gate prints nothing with -q, and nothing in a hook if the change touches no run. Otherwise it
// prints one line.
func TestSilent(t *testing.T) {
	open := &result.Result{Changed: true, Instances: []result.Instance{{Plugin: "toy", Root: "a",
		Diagnostics: []result.Diagnostic{{Severity: wire.Info}}}}}
	for want, o := range map[string]Options{
		"1 run: 1 info (--show info): the gate is open\n": {},
		"":     {Quiet: true},
		"\x00": {Hook: true},
	} {
		o.FailOn, o.Show = wire.Error, wire.Warning
		var b strings.Builder
		if err := Text(&b, open, o); err != nil || b.String() != strings.Trim(want, "\x00") {
			t.Errorf("%+v: %v, got %q", o, err, b.String())
		}
	}
}

// TestConcise: each finding is one line, as problem matchers expect.
func TestConcise(t *testing.T) {
	want := `a/s.json:1:2: error: it is wrong in a way that takes some words to say [toy/wrong]
a/s.json:2:2: warning: late [toy/late]
b: warning: late [toy/late]
2 runs: 1 error, 2 warnings, 2 infos (--show info): the gate is closed
`
	if got := shownAs(t, Concise, Options{FailOn: wire.Error, Show: wire.Warning,
		Recover: "stategate recover"}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestStatistics: findings are counted by rule, most severe first.
func TestStatistics(t *testing.T) {
	want := `     1  error    toy/wrong
     2  warning  toy/late
     1  info     toy/by-hand
     1  info     toy/old
2 runs: 1 error, 2 warnings, 2 infos: the gate is closed
`
	if got := shownAs(t, Statistics, Options{FailOn: wire.Error, Show: wire.Warning}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestColors: the mark below a location has the color of its finding's severity, and the location is a link if the
// terminal supports links.
func TestColors(t *testing.T) {
	r := several()
	for n := range 2 {
		d := &r.Instances[0].Diagnostics[n]
		d.Place.Excerpt, d.Place.ExcerptEnd = "x", 1
	}
	var b strings.Builder
	if err := Text(&b, r,
		Options{Color: true, Link: func(path string) string { return "file:///top/" + path }}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\x1b]8;;file:///top/a/s.json\x1b\\\x1b[1ma/s.json:1:2\x1b[0m\x1b]8;;\x1b\\: \x1b[31merror\x1b[0m: ",
		"\n    \x1b[31m^\x1b[0m\n", "\n    \x1b[33m^\x1b[0m\n", "\x1b[2m[toy/late]\x1b[0m",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%q", want, b.String())
		}
	}
}

// TestShortIDs: each displayed id is a unique prefix that every command accepts.
func TestShortIDs(t *testing.T) {
	r := &result.Result{Instances: []result.Instance{{Diagnostics: []result.Diagnostic{
		{Fingerprint: "abcdef0123456789", Remedies: []result.Remedy{{ID: "abcd"}, {ID: "abcd-2"},
			{ID: "1234567890abcdef"}}},
		{Fingerprint: "1234567891", Remedies: []result.Remedy{{ID: "x"}}},
	}, Recoveries: []result.Remedy{{ID: "ffffffff"}}}}}
	want := map[string]string{"abcdef0123456789": "abcde", "abcd": "abcd", "abcd-2": "abcd-",
		"1234567890abcdef": "1234567890", "1234567891": "1234567891", "x": "x", "ffffffff": "ffff"}
	if got := shortIDs(r); !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
