package sdktest_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
)

// TestMeaning breaks the law that form does not matter, once for each kind of rewrite.
func TestMeaning(t *testing.T) {
	const text = "A draft.\n\nroot: runs/a\n-- state.json --\n{\"phase\": \"draft\", \"name\": \"é\", \"cost\": " +
		"12.00, \"updated\": \"2025-12-31T00:00:00Z\"}\n" +
		"-- result.md --\n# Résult\n**Key:** x\n\n- item\n\n---\n\n| a |\n|---|\n| b |\n"
	raw := map[string]string{ // texts that a plugin should not search for, by the rewrite that removes them
		"member-order": `"phase": "draft", "name"`, "compact": `, "name"`, "indent": `{"phase"`,
		"escapes": "é\", \"cost", "decimals": "12.00", "zone-as-offset": ":00Z", "milliseconds": "T00:00:00Z",
		"final-newline": "}\n", "crlf": "}\n", "list-marker": "- item", "separator": "\n---\n\n|",
		"bold-colon": "**Key:**", "table-padding": "| b |", "blank-after-heading": "# Résult\n**",
		"closing-heading": "# Résult\n",
	}
	for rewrite, part := range raw {
		k, f := kit(t, first(func(p *sdk.Pass) error {
			text := ""
			for _, d := range p.Docs.All() {
				text += d.Text
			}
			if !strings.Contains(text, part) {
				p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "changed"})
			}
			return nil
		}), text)
		k.Thorough = true
		_, err := k.Check(f)
		if want := "the same meaning has the same answer: same-meaning " + rewrite; err == nil ||
			!strings.Contains(err.Error(), want) {
			// Another rewrite may be found first.
			if err == nil || !strings.Contains(err.Error(), "\nsame-meaning "+rewrite) {
				t.Errorf("%s: the kit says\n%v", rewrite, err)
			}
		}
	}
	k, f := kit(t, nil, text)
	k.Thorough = true
	if _, err := k.Check(f); err == nil || strings.Contains(err.Error(), "same-meaning") {
		t.Errorf("a plugin that reads what documents mean: the kit says\n%v", err)
	}
}

// TestDamage breaks the law that one more fault does not open the gate.
func TestDamage(t *testing.T) {
	const based = "The phase is done.\n\nroot: runs/a\n-- state.json --\n{\"phase\": \"done\", \"n\": 1}\n-- " +
		"result.md --\nx\n-- notes/a.md --\nx\n-- @base/notes/a.md --\nx\n-- @base/state.json --\n{}\n"
	done := func(p *sdk.Pass) bool { return p.Model.(*model).phase == "done" }
	say := func(p *sdk.Pass, pointer string) {
		p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", pointer), Message: "done"})
	}
	for want, check := range map[string]func(p *sdk.Pass) error{
		"damage garble:done-without-result": func(p *sdk.Pass) error {
			if strings.Contains(p.Docs.Get("state.json").Text, `"n": 1`) {
				say(p, "/n")
			}
			return nil
		},
		"damage delete:notes/a.md": func(p *sdk.Pass) error {
			if len(p.Docs.Match("notes/*.md")) > 0 {
				say(p, "/phase")
			}
			return nil
		},
		"damage delete:state.json": func(p *sdk.Pass) error {
			if done(p) {
				say(p, "")
			}
			return nil
		},
	} {
		k, f := kit(t, first(check), based)
		k.Thorough = true
		if _, err := k.Check(f); err == nil || !strings.Contains(err.Error(), "damage does not open the gate") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("the kit says\n%v\nwant\n%s", err, want)
		}
	}
}

// TestDamageThatIsDeleted checks that a document with all errors may be deleted if a warning remains, but not if only
// an info remains.
func TestDamageThatIsDeleted(t *testing.T) {
	for severity, open := range map[sdk.Severity]bool{sdk.Warning: false, sdk.Info: true} {
		k, f := kit(t, first(func(p *sdk.Pass) error {
			if p.Docs.Get("state.json") == nil {
				p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "state.json is gone", Severity: severity})
			}
			return nil
		}),
			"The state was cut off.\n\nroot: runs/a\n-- state.json --\n{\"phase\":\n-- result.md --\nx\n-- "+
				"@base/state.json --\n{\"phase\": \"draft\"}\n")
		k.Thorough = true
		if _, err := k.Check(f); err == nil || strings.Contains(err.Error(), "damage delete:state.json") != open {
			t.Errorf("%v: the kit says\n%v", severity, err)
		}
	}
}

// TestKnownBreaches checks that listed breaches are allowed and others are not.
func TestKnownBreaches(t *testing.T) {
	text := func(p *sdk.Pass) error {
		if !strings.HasSuffix(p.Docs.Get("state.json").Text, "}\n") {
			p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "changed"})
		}
		return nil
	}
	for known, want := range map[string]string{
		"same-meaning crlf x\n\n# why\nsame-meaning final-newline x\n": "",
		"same-meaning crlf x\n": "same-meaning final-newline: ",
		"same-meaning crlf x\nsame-meaning final-newline x\nsame-meaning member-order x\n": "remove this line from " +
			"the known breaches: same-meaning member-order x",
		"same-meaning crlf x\nsame-meaning crlf x\n": "is listed twice",
	} {
		k, f := kit(t, first(text), draftText)
		var err error
		if k.Known, err = fixture.LoadKnown(fstest.MapFS{fixture.KnownBreaches: {Data: []byte(known)}},
			"."); err == nil {
			k.Thorough = true
			_, err = k.Check(f)
		}
		if err == nil || want != "" && !strings.Contains(err.Error(), want) || want == "" &&
			strings.Contains(err.Error(), "same-meaning") {
			t.Errorf("%q: got %v, expected %q", known, err, want)
		}
	}
	if known, err := fixture.LoadKnown(fstest.MapFS{}, "."); err != nil || len(known) > 0 {
		t.Errorf("without a list: got %v, %v", known, err)
	}
}

// TestKnownOfTheirKind checks that a known breach of a document also covers similar documents in worlds that are
// not fixtures, and nothing else.
func TestKnownOfTheirKind(t *testing.T) {
	const text = "A draft.\n\nroot: runs/a\n-- state.json --\n{\"phase\": \"draft\"}\n-- result.md --\na long " +
		"line\nend\n-- notes/b.md --\nx\n-- @base/notes/b.md --\nx\n-- @base/result.md --\na long line\nend\n-- " +
		"@base/state.json --\n{}\n"
	for gone, want := range map[string]string{"": "", "line": "damage cut:result.md: no error is left"} {
		k, f := kit(t, first(func(p *sdk.Pass) error {
			if d := p.Docs.Get("result.md"); p.Docs.Get("notes/b.md") != nil &&
				(d == nil || strings.Contains(d.Text, gone)) {
				p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "there"})
			}
			return nil
		}), text)
		k.Thorough, k.Known = true, map[string]bool{"damage delete:notes/a.md x": true}
		w := f.World()
		w.Damage = []string{"damaged"}
		c := k.Try(w)
		switch {
		case want == "" && c != nil && strings.Contains(c.Why.Error(), "damage"):
			t.Errorf("what is known breaks the law: %v", c.Why)
		case want != "" && (c == nil || !strings.Contains(c.Why.Error(), want) ||
			strings.Contains(c.Why.Error(), "delete")):
			t.Errorf("got %v, expected %q and nothing about a deletion", c, want)
		}
	}
}

// TestDamageOfWhatIsNew checks that prose may be cut off within a line that the base does not have there, unless
// the base has more after it.
func TestDamageOfWhatIsNew(t *testing.T) {
	for base, open := range map[string]bool{"old\nend\n": false, "old\n- this\n": false, "other\nthis\nend\n": false,
		"old\nthis\nend\n": true} {
		k, f := kit(t, first(func(p *sdk.Pass) error {
			if d := p.Docs.Get("result.md"); d == nil || strings.Contains(d.Text, "this") {
				p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "this"})
			}
			return nil
		}),
			"A draft.\n\nroot: runs/a\n-- state.json --\n{\"phase\": \"draft\"}\n-- result.md "+
				"--\nold\nthis\nend\n-- @base/result.md --\n"+base)
		k.Thorough = true
		if _, err := k.Check(f); err == nil || strings.Contains(err.Error(), "damage cut:result.md") != open {
			t.Errorf("%q: the kit says\n%v", base, err)
		}
	}
}

// TestDamageOfWhatIsUnreadable checks that prose may be cut back to its readable part, unless there is another
// error.
func TestDamageOfWhatIsUnreadable(t *testing.T) {
	for _, open := range []bool{false, true} {
		k, f := kit(t, first(func(p *sdk.Pass) error {
			if d := p.Docs.Get("result.md"); open && (d == nil || !d.Readable()) {
				p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "no result"})
			}
			return nil
		}),
			"A draft.\n\nroot: runs/a\n-- state.json --\n{\"phase\": \"draft\"}\n-- result.md (base64) "+
				"--\nb2xkCm9sZAr/Cg==\n-- @base/result.md --\nold\nold\nend\n")
		k.Thorough = true
		if _, err := k.Check(f); err == nil || strings.Contains(err.Error(), "damage cut:result.md") != open {
			t.Errorf("another error %v: the kit says\n%v", open, err)
		}
	}
}

// TestDamageOfWhatIsNewAndWrong checks that a new row may be cut off with its error, but not a row that replaces
// one in the base.
func TestDamageOfWhatIsNewAndWrong(t *testing.T) {
	for base, open := range map[string]bool{"# All runs\n\n| Run, state |\n## Links\n": false,
		"# All runs\n\n| Run, state |\n| 1 | old |\n## Links\n": true} {
		k, f := kit(t, first(func(p *sdk.Pass) error {
			if d := p.Docs.Get("result.md"); d != nil && strings.Contains(d.Text, "new") {
				at := strings.Index(d.Text, "new")
				p.Report(sdk.Diagnostic{Range: sdk.AtBytes("result.md", at, at+len("new")), Message: "new"})
			}
			return nil
		}),
			"A draft.\n\nroot: runs/a\n-- state.json --\n{\"phase\": \"draft\"}\n-- result.md --\n# All runs\n\n| "+
				"Run, state |\n| 1 | new |\n## Links\n-- @base/result.md --\n"+base)
		k.Thorough = true
		if _, err := k.Check(f); err == nil || strings.Contains(err.Error(), "damage cut:result.md") != open {
			t.Errorf("%q: the kit says\n%v", base, err)
		}
	}
}

// TestNearMisses checks which fixtures count as near misses.
func TestNearMisses(t *testing.T) {
	const far = "-- notes/a.md --\na\n-- notes/b.md --\nb\n"
	quiet := func(rule string) string { return strings.Replace(draftText, "root:", "quiet: "+rule+"\nroot:", 1) }
	for _, c := range []struct{ text, want string }{
		{quiet("done-without-result"), "(quiet: RULE in the header of a fixture): state-stale"},
		{quiet("done-without-result") + far, "b is not a near miss of done-without-result: every fixture in which it " +
			"reports differs in more than two documents, including those of the base; the most similar is a, which " +
			"differs in notes/a.md, notes/b.md, state.json\n"},
		{quiet("done-without-result") + "-- @base/notes/a.md --\na\n-- @base/state.json --\n{}\n", "differs in " +
			"state.json, @base/notes/a.md, @base/state.json; use the same base in both (base: NAME.txtar), and " +
			"remove a document that only one of them has there with -- @base/PATH (absent) --"},
		{quiet("state-stale"), "b is not a near miss of state-stale: the rule reports nowhere"},
		{strings.Replace(lost, "root:", "quiet: done-without-result\nroot:", 1),
			"b is not a near miss of done-without-result: the rule reports here"},
	} {
		looks := map[string]*fixture.Look{}
		var k *fixture.Kit
		for name, text := range map[string]string{"a": lost, "b": c.text} {
			var f *fixture.Fixture
			k, f = kit(t, nil, text)
			l, err := k.LookAt(f)
			if err != nil {
				t.Fatal(err)
			}
			looks[name] = l
		}
		if err := k.Gaps(looks); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("gaps\n%v\nwant\n%s", err, c.want)
		}
	}
}

// TestUnchanged breaks the law that a rule about changes reports nothing if nothing has changed.
func TestUnchanged(t *testing.T) {
	for needsBase, want := range map[bool]string{
		true: "no finding about a change: with itself as the base it reports state.json: error", false: ""} {
		k, f := kit(t, func(w *sdk.Workflow) {
			finding(sdk.Diagnostic{Range: sdk.At("state.json")})(w)
			w.Rules[0].NeedsBase = needsBase
		}, draftText)
		_, err := k.Check(f)
		if err == nil || want != "" && !strings.Contains(err.Error(), want) ||
			want == "" && strings.Contains(err.Error(), "with itself") {
			t.Errorf("needs a base %t: the kit says\n%v", needsBase, err)
		}
	}
}
