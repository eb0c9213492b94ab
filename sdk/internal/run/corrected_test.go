package run_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/internal/run"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// rounds counts rounds in state.json. The number may only grow, and may not exceed the number of lines in log.md,
// which repeats it. No line of the log may be removed.
func rounds() *sdk.Workflow {
	count := func(d sdk.Docs) (n, lines int, named string) {
		if doc, err := jsondoc.Parse(d.Get("state.json").Text); err == nil {
			v, _ := doc.Root().Get("round").Int()
			n = int(v)
		}
		log := d.Get("log.md").Text
		at := strings.IndexAny(log, "0123456789")
		named = log[at : at+1]
		return n, strings.Count(log, "\n- "), named
	}
	beyond := &sdk.Rule{Name: "beyond", Severity: sdk.Error, Check: func(p *sdk.Pass) error {
		n, lines, named := count(p.Docs)
		if n > lines {
			p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", "/round"), Message: "beyond"})
		}
		if named > say(lines) {
			p.Report(sdk.Diagnostic{Range: sdk.AtLine("log.md", 1), Key: "named", Message: "beyond"})
		}
		return nil
	}}
	back := &sdk.Rule{Name: "back", Severity: sdk.Error, Check: func(p *sdk.Pass) error {
		if p.Base.State != sdk.BaseAt {
			return nil
		}
		n, lines, named := count(p.Docs)
		was, before, called := count(p.Base.Docs)
		if n < was {
			p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", "/round"), Message: "back"})
		}
		if named < called {
			p.Report(sdk.Diagnostic{Range: sdk.AtLine("log.md", 1), Key: "named", Message: "back"})
		}
		if lines < before {
			p.Report(sdk.Diagnostic{Range: sdk.At("log.md"), Key: "lost", Message: "lost"})
		}
		return nil
	}}
	large := &sdk.Rule{Name: "large", Severity: sdk.Error, Check: func(p *sdk.Pass) error {
		if n, _, _ := count(p.Docs); n > 7 {
			p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", "/round"), Message: "large"})
		}
		return nil
	}}
	return workflow(beyond, large, back)
}

func say(n int) string { return string(rune('0' + n)) }

// documents returns a state.json with a round, and a log.md that names a round and has a number of lines.
func documents(round, named, lines int) []wire.Document {
	log := "Rounds: " + say(named) + "\n" + strings.Repeat("\n- x", lines)
	return []wire.Document{
		{Path: "log.md", Need: wire.Content, Text: log},
		{Path: "state.json", Need: wire.Content, Text: `{"round": ` + say(round) + `}`},
	}
}

// A committed fault may be corrected, but nothing else may change back with it.
func TestCorrectionsOfTheBaseAreNoLoss(t *testing.T) {
	inTable := func(list []wire.Document) []wire.Document {
		list[0].Text = strings.Replace(strings.Replace(list[0].Text, "Rounds: ", "| Rounds | ", 1), "\n", " |\n", 1)
		return list
	}
	for name, c := range map[string]struct {
		was, now []wire.Document
		want     string
	}{
		"went back":                          {documents(3, 3, 3), documents(2, 3, 3), "back"},
		"the base was beyond":                {documents(5, 3, 3), documents(3, 3, 3), ""},
		"one of two faults of the base":      {documents(9, 3, 8), documents(8, 3, 8), "large"},
		"the base was beyond, and now again": {documents(6, 3, 3), documents(5, 3, 3), "beyond back"},
		"below what the base proved":         {documents(5, 3, 3), documents(2, 2, 2), "back/named back/lost"},
		"a field of Markdown was beyond":     {documents(3, 5, 3), documents(3, 3, 3), ""},
		"a cell of a table was beyond":       {inTable(documents(3, 5, 3)), inTable(documents(3, 3, 3)), ""},
		"a cell of a table went back": {inTable(documents(3, 3, 3)), inTable(documents(3, 2, 3)),
			"back/named"},
		"another field went back with it":      {documents(3, 5, 3), documents(2, 3, 3), "back"},
		"the state is corrected, the log lost": {documents(5, 3, 3), documents(1, 3, 1), "beyond/named back/lost"},
	} {
		r := &wire.Request{Root: "a", Documents: c.now,
			Base: wire.Base{State: wire.BaseAt, Root: "a", Documents: c.was}}
		var got []string
		for _, d := range run.Examine(rounds(), r).Diagnostics {
			got = append(got, strings.TrimSuffix(d.Rule+"/"+d.Key, "/"))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, expected %q", name, got, c.want)
		}
	}
}

// An unreadable value corrects nothing, even if the base had an error there.
func TestGarbledIsNoCorrection(t *testing.T) {
	value := func(d sdk.Docs) (string, sdk.Range) {
		text := d.Get("log.md").Text
		at := strings.Index(text, ": ") + 2
		return text[at:], sdk.AtBytes("log.md", at, len(text))
	}
	high := &sdk.Rule{Name: "high", Severity: sdk.Error, Check: func(p *sdk.Pass) error {
		if v, at := value(p.Docs); v == "9" {
			p.Report(sdk.Diagnostic{Range: at, Message: "high"})
		}
		return nil
	}}
	changed := &sdk.Rule{Name: "changed", Severity: sdk.Error, Check: func(p *sdk.Pass) error {
		if p.Base.State == sdk.BaseAt {
			if v, at := value(p.Docs); v != "" {
				p.Report(sdk.Diagnostic{Range: at, Message: "changed"})
			}
		}
		return nil
	}}
	for now, want := range map[string]int{"8": 0, "-": 0, "%?%": 1} {
		document := func(value string) []wire.Document {
			return []wire.Document{{Path: "log.md", Need: wire.Content, Text: "Rounds: " + value}}
		}
		r := &wire.Request{Root: "a", Documents: document(now),
			Base: wire.Base{State: wire.BaseAt, Root: "a", Documents: document("9")}}
		if got := run.Examine(workflow(high, changed), r).Diagnostics; len(got) != want {
			t.Errorf("%q: got %+v", now, got)
		}
	}
}
