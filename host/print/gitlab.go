package print

import (
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// gitlabIssue is one entry of a Code Quality report.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"` // no two are alike
	Severity    string         `json:"severity"`    // info, minor, major, critical or blocker
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end,omitempty"`
}

// GitLab writes a result as a Code Quality report of GitLab. A failure is an
// issue of severity blocker; a plugin that the source has nothing for is an info.
func GitLab(w io.Writer, r *result.Result, o Options) error {
	issues, seen := []gitlabIssue{}, map[string]int{}
	add := func(i gitlabIssue) {
		seen[i.Fingerprint]++
		if n := seen[i.Fingerprint]; n > 1 {
			i.Fingerprint += "-" + strconv.Itoa(n)
		}
		issues = append(issues, i)
	}
	for _, f := range r.Failures {
		add(gitlabIssue{failureText(&f), notLookedAt, failureFingerprint(&f), "blocker", gitlabPlace(result.Place{Path: f.Root})})
	}
	for n := range r.Instances {
		i := &r.Instances[n]
		for at := range i.Diagnostics {
			d := &i.Diagnostics[at]
			text := strings.Join(append([]string{Safe(d.Message)}, o.cures(i, d)...), "\n")
			add(gitlabIssue{text, d.Rule, d.Fingerprint, gitlabSeverity(d.Severity), gitlabPlace(d.Place)})
		}
	}
	for _, u := range r.NotApplicable {
		unknown := result.Failure{Plugin: u.Plugin}
		add(gitlabIssue{Safe(u.Plugin) + " was not checked: " + Safe(u.Why), notLookedAt, failureFingerprint(&unknown), "info", gitlabPlace(result.Place{})})
	}
	return encode(w, issues)
}

// gitlabPlace places what has no line on the first: the report must name one.
func gitlabPlace(p result.Place) gitlabLocation {
	if p.Path == "" {
		p.Path = "."
	}
	return gitlabLocation{p.Path, gitlabLines{max(p.Line, 1), p.EndLine}}
}

func gitlabSeverity(s wire.Severity) string {
	switch s {
	case wire.Error:
		return "critical"
	case wire.Warning:
		return "minor"
	}
	return "info"
}
