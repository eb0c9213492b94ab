package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/iterative-work/history"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/markdown"
)

func records(t testing.TB, text string) []history.Record {
	o, err := snapshot.Outline(text)
	if err != nil {
		t.Fatal(err)
	}
	return history.Records(o.Split(func(h markdown.Heading) bool { return h.Level() == 2 }))
}

func losses(list []history.Loss) string {
	var b strings.Builder
	for _, l := range list {
		switch {
		case l.Now == nil:
			b.WriteString(l.Was.Name + " gone;")
		default:
			fmt.Fprintf(&b, "%s lacks %q;", l.Was.Name, l.Line)
		}
	}
	return b.String()
}

const before = "# Log\n\n## A\n- one\n- two\n\n## B\n**Did:** b\n"

func TestAppended(t *testing.T) {
	for now, want := range map[string]string{
		before:                        "",
		before + "\n## C\nc\n":        "",
		before + "**Signal:** done\n": "",
		"# L\n## A\n* one\n* two\n\n---\n## B\n\n**Did**: b\n": "",
		"## A\n- one\n\n## B\n**Did:** b\n":                    `A lacks "- two";`,
		"## A\n- one\n- two\n- three\n## B\n**Did:** b":        `A lacks "";`,
		"## B\n**Did:** b\n":                                   "A gone;",
		"## B\n**Did:** b\n\n## A\n- one\n- two\n":             `B lacks "";`,
		"": "A gone;B gone;",
	} {
		if got := losses(history.Appended(records(t, before), records(t, now))); got != want {
			t.Errorf("%q: got %s, expected %s", now, got, want)
		}
	}
}

func TestKept(t *testing.T) {
	for now, want := range map[string]string{
		"## B\n**Did:** b\n## Renamed\n- one\n- two\n- three": "",
		"## A\n- one\n- TWO\n## B\n**Did:** b":                `A lacks "- two";`,
		"## A\n- one\n- two\n":                                "B gone;",
	} {
		if got := losses(history.Kept(records(t, before), records(t, now))); got != want {
			t.Errorf("%q: got %s, expected %s", now, got, want)
		}
	}
}

func TestLostRecordsAreRestored(t *testing.T) {
	for _, now := range []string{"", "# Log\n", "# Other\n\n## B\n**Did:** c\n\n## C\nc\n",
		"## A\n- one\n\n## B\n**Did:** b"} {
		was := records(t, before)
		edit, ok := history.Rejoined(before, was, now, records(t, now))
		after := now[:edit.Start] + edit.New + now[edit.End:]
		if !ok || len(history.Appended(was, records(t, after))) > 0 ||
			strings.Contains(now, "## C") != strings.Contains(after, "## C") {
			t.Errorf("%q becomes %q", now, after)
		}
		for text := now; ; {
			list := history.Kept(was, records(t, text))
			if len(list) == 0 {
				break
			}
			edit, ok := history.PutBack(before, &list[0], text)
			text = text[:edit.Start] + edit.New + text[edit.End:]
			if !ok || len(history.Kept(was, records(t, text))) >= len(list) {
				t.Fatalf("%q becomes %q", now, text)
			}
		}
	}
	grown := "## A\n- 1\n\n# Aside\nx\n\n## B\n**Did:** b\n**Signal:** done\n\n## B\nagain\n\n# End\ny\n"
	edit, _ := history.Rejoined(before, records(t, before), grown, records(t, grown))
	for _, text := range []string{"- one\n- two", "Did:** b\n**Signal:** done", "# Aside\nx", "## B\nagain",
		"# End\ny"} {
		if !strings.Contains(edit.New, text) {
			t.Errorf("%q is lost in %q", text, edit.New)
		}
	}
	if _, ok := history.Rejoined(before, records(t, before), "## A\n```\nnever closed",
		records(t, "## A\n```\nnever closed")); !ok {
		t.Error("what is replaced swallows nothing")
	}
	if _, ok := history.Rejoined(before, records(t, before), "```\n\n", nil); ok {
		t.Error("an open fence swallows the appended text")
	}
}

func ExampleAppended() {
	var t testing.T
	for _, loss := range history.Appended(records(&t, before), records(&t, "## A\n- one\n- 2\n\n## B\nDid: b\n")) {
		fmt.Printf("%s no longer says %q\n", loss.Was.Name, loss.Line)
	}
	// Output: A no longer says "- two"
}
