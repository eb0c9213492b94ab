package snapshot

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestPartsOfNothing checks that a host drops a part_of that does not name a detection but keeps the detection
// itself, and that a test refuses it.
func TestPartsOfNothing(t *testing.T) {
	m := &wire.Manifest{Lifecycles: []wire.Lifecycle{{Name: "milestone"}, {Name: "phase"}}}
	of := func(lifecycle, subject string) wire.RunName {
		return wire.RunName{Lifecycle: lifecycle, Subject: subject}
	}
	for name, c := range map[string]struct {
		list []wire.Detection
		want string // "" if it is allowed
	}{
		"a part of a run": {[]wire.Detection{{Lifecycle: "milestone", Subject: "v1"},
			{Lifecycle: "phase", Subject: "1", PartOf: of("milestone", "v1")}}, ""},
		"a part of what is not there": {[]wire.Detection{{Lifecycle: "milestone", Subject: "v1"},
			{Lifecycle: "phase", Subject: "1", PartOf: of("milestone", "v2")}},
			`detection 1 (subject "1"): part_of names milestone "v2", which the report does not detect`},
		"two of one subject": {[]wire.Detection{{Lifecycle: "phase", Subject: "1"}, {Lifecycle: "phase", Subject: "1"}},
			`two detections have the lifecycle phase and the subject "1"; give each run a Subject of its own`},
		"parts of each other": {[]wire.Detection{{Lifecycle: "phase", Subject: "1", PartOf: of("phase", "2")},
			{Lifecycle: "phase", Subject: "2", PartOf: of("phase", "1")}}, "or in a circle"},
	} {
		report := &wire.Report{Detections: c.list}
		err := Admit(m, &wire.Request{}, report, Limits{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: a test says %v, want %q", name, err, c.want)
		}
		refused, err := Sift(m, &wire.Request{}, report, Limits{})
		if err != nil || len(refused) > 0 || len(report.Detections) != 2 {
			t.Errorf("%s: a host says %v, %v and keeps %d detections", name, refused, err, len(report.Detections))
		}
		if err := Admit(m, &wire.Request{}, report, Limits{}); err != nil && name != "two of one subject" {
			t.Errorf("%s: a host leaves a part of nothing: %v", name, err)
		}
	}
}

// TestChoosesStateDirectories checks that a report may choose state directories inside the workspace but not
// outside.
func TestChoosesStateDirectories(t *testing.T) {
	for name, c := range map[string]struct {
		roots []string
		want  string // "" if it is allowed
	}{
		"a state directory":     {[]string{"specs/002-till"}, ""},
		"above the workspace":   {[]string{"../other/specs/002-till"}, "the report chooses a state directory"},
		"an absolute directory": {[]string{"/specs/002-till"}, "the report chooses a state directory"},
		"very many": {strings.Split(strings.Repeat("a,", 16)+"a", ","),
			"chooses 17 state directories, the limit is 16"},
	} {
		report := &wire.Report{Chooses: c.roots}
		refused, err := Sift(&wire.Manifest{}, &wire.Request{}, report, Limits{})
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want == "" && (len(refused) > 0 || len(report.Chooses) != len(c.roots)):
			t.Errorf("%s: refused: %v", name, refused)
		case c.want != "" && (len(refused) != 1 || !strings.Contains(refused[0].Error(), c.want) ||
			report.Chooses != nil):
			t.Errorf("%s: %v, keeps %q; want %q", name, refused, report.Chooses, c.want)
		}
	}
}
