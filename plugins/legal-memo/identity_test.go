package legalmemo

import (
	"testing"

	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
)

// A session's identity is the one that all its state files name, even if their paths are from another machine.
// Otherwise it is the directory's name.
func TestIdentity(t *testing.T) {
	for name, c := range map[string]struct {
		fields []string
		want   string
	}{
		"none": {[]string{`"status":"complete"`}, "reports/here"},
		"one":  {[]string{`"session_id":"there"`, `"status":"complete"`}, "reports/there"},
		"all the same": {[]string{`"session_directory":"/home/a/reports/there/"`, `"session":"there"`},
			"reports/there"},
		"not the same": {[]string{`"session":"there"`, `"session":"elsewhere"`}, "reports/here"},
		"not filled":   {[]string{`"session":"{SESSION}"`, `"session":"there"`}, "reports/there"},
	} {
		r := &wire.Request{Root: "reports/here", Name: "here"}
		for i, fields := range c.fields {
			text := "{" + fields + "}"
			path := []string{"assembly-state.json", "synthesis-state.json"}[i]
			r.Documents = append(r.Documents, wire.Document{Path: path, Format: wire.JSON, Need: wire.Content,
				Text: text,
				Size: int64(len(text))})
		}
		p := sdktest.Pass(Workflow, r)
		model, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		if p.Model = model; identity(p) != c.want {
			t.Errorf("%s: got %q, expected %q", name, identity(p), c.want)
		}
	}
}
