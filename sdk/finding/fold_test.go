package finding_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

func TestFold(t *testing.T) {
	rules := []wire.Rule{{Name: "low"}, {Name: "mid", Hides: []string{"low", "mid"}},
		{Name: "top", Hides: []string{"mid"}}}
	for _, c := range []struct{ name, list, want string }{
		{"on the same subject", "low:a mid:a", "mid:a(low)"},
		{"on another subject", "low:a mid:b", "low:a mid:b"},
		{"behind the first", "mid:a mid:a low:a low:a", "mid:a(low,low) mid:a"},
		{"a chain", "low:a mid:a top:a low:b", "top:a(mid) low:b"},
		{"nothing hides itself", "mid:a mid:a", "mid:a mid:a"},
		{"nothing hides", "low:a low:a", "low:a low:a"},
		{"an error behind a warning", "low:a:error mid:a:warning", "low:a:error mid:a:warning"},
		{"an error behind the second, which is one", "mid:a:warning low:a:error mid:a:error low:a:info",
			"mid:a:warning(low) mid:a:error(low)"},
		{"a chain without its middle", "low:a:error mid:a:error top:a:warning", "mid:a:error(low) top:a:warning"},
		{"behind a more severe finding", "low:a:info mid:a:error", "mid:a:error(low)"},
	} {
		if got := folded(rules, c.list); got != c.want {
			t.Errorf("%s: got %q, expected %q", c.name, got, c.want)
		}
	}
}

func folded(rules []wire.Rule, text string) string {
	var list []finding.Finding
	for word := range strings.FieldsSeq(text) {
		rule, subject, _ := strings.Cut(word, ":")
		subject, severity, _ := strings.Cut(subject, ":")
		set, _ := wire.ParseSeverity(severity)
		list = append(list, finding.Finding{Diagnostic: wire.Diagnostic{Rule: rule, Subject: subject, Severity: set,
			Message: rule}})
	}
	var out []string
	for _, f := range finding.Fold(&wire.Manifest{Rules: rules}, list) {
		word := f.Rule + ":" + f.Subject
		if f.Severity != wire.Inherit {
			word += ":" + f.Severity.String()
		}
		var notes []string
		for _, r := range f.Related {
			name, _, _ := strings.Cut(r.Message, " [")
			notes = append(notes, name)
		}
		if len(notes) != len(f.RelatedPlaces) {
			word += "!"
		}
		if notes != nil {
			word += "(" + strings.Join(notes, ",") + ")"
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

func TestFoldLeavesItsInputAlone(t *testing.T) {
	room := make([]wire.Related, 1, 4)
	list := []finding.Finding{
		{Diagnostic: wire.Diagnostic{Rule: "top", Related: room}, RelatedPlaces: make([]finding.Place, 1, 4)},
		{Diagnostic: wire.Diagnostic{Rule: "low", Message: "x"}},
	}
	m := &wire.Manifest{Rules: []wire.Rule{{Name: "top", Hides: []string{"low"}}}}
	for range 2 {
		if got := finding.Fold(m, list); len(got) != 1 || len(got[0].Related) != 2 || len(list[0].Related) != 1 {
			t.Fatalf("got %+v", got)
		}
	}
	if room[:2][1].Message != "" {
		t.Error("it wrote behind the notes of its input")
	}
}
