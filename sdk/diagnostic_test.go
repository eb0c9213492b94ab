package sdk_test

import (
	"reflect"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/sdktest"
)

// SetText must write valid JSON for any text; strconv.Quote would write \a and \x7f, which JSON does not allow.
func TestSetWritesJSON(t *testing.T) {
	for _, text := range []string{"done", "\a\x7f\U000e0001", `"\`, "\u2028", "a\xffb"} {
		e := sdk.SetText("state.json", "/phase", text)
		doc, err := jsondoc.Parse(e.New)
		if err != nil {
			t.Errorf("SetText of %q writes %s: %v", text, e.New, err)
			continue
		}
		if got, ok := doc.Root().Text(); !ok || got != text && text != "a\xffb" {
			t.Errorf("SetText of %q is read as %q", text, got)
		}
	}
	for want, e := range map[string]sdk.Edit{`-3`: sdk.SetInt("a", "/n", -3), `"${now}"`: sdk.SetNow("a", "/t")} {
		if e.New != want || e.Range.Path != "a" {
			t.Errorf("got %+v, want %s", e, want)
		}
	}
}

func TestEdits(t *testing.T) {
	want := []sdk.Edit{sdk.Replace(sdk.AtBytes("a", 1, 2), "x"), sdk.Replace(sdk.AtBytes("a", 5, 5), "y")}
	if got := sdk.Edits("a", markdown.Edit{Start: 1, End: 2, New: "x"},
		markdown.Edit{Start: 5, End: 5, New: "y"}); !reflect.DeepEqual(got, want) {
		t.Errorf("Markdown: got %+v", got)
	}
	if got := sdk.Edits("a", jsondoc.Change{Start: 1, End: 2, New: "x"},
		jsondoc.Change{Start: 5, End: 5, New: "y"}); !reflect.DeepEqual(got, want) {
		t.Errorf("JSON: got %+v", got)
	}
}

func TestCompleteBelow(t *testing.T) {
	for glob, want := range map[string]map[string]bool{
		"phases/*.md":       {"phases": false, "phases/": false, "other/": true, "": false, "phases/a/": true},
		"{phases,old}/x/**": {"old/": false, "old/x": false, "old/y": true, "phases/x/": false},
		`\{a\}/b`:           {"{a}/": false, "a": true},
		"[not a glob/":      {"phases/": false},
	} {
		docs := sdktest.Docs(nil, glob)
		for dir, complete := range want {
			if got := docs.CompleteBelow(dir); got != complete {
				t.Errorf("with %s unseen, CompleteBelow(%q) is %v, want %v", glob, dir, got, complete)
			}
		}
	}
	if !sdktest.Docs(nil).CompleteBelow("") {
		t.Error("with nothing unseen, CompleteBelow is false")
	}
}
