package print

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// GitLab writes a result as a Code Quality report of GitLab. A failure is an
// issue of severity blocker; a plugin that the source has nothing for is an info.
func GitLab(w io.Writer, r *result.Result, o Options) error {
	issues, seen := []object{}, map[string]int{}
	add := func(description, rule, fingerprint, severity string, at result.Place) {
		seen[fingerprint]++
		if n := seen[fingerprint]; n > 1 { // no two are alike
			fingerprint += "-" + strconv.Itoa(n)
		}
		issues = append(issues, object{"description": description, "check_name": rule, "fingerprint": fingerprint, "severity": severity, "location": gitlabPlace(at)})
	}
	for _, f := range r.Failures {
		add(failureText(&f), notLookedAt, failureFingerprint(&f), "blocker", result.Place{Path: f.Root})
	}
	for _, f := range findings(r) {
		text := strings.Join(append([]string{Safe(f.Message)}, o.cures(f.instance, f.Diagnostic)...), "\n")
		add(text, f.Rule, f.Fingerprint, gitlabSeverity(f.Severity), f.Place)
	}
	for _, u := range r.NotApplicable {
		unknown := result.Failure{Plugin: u.Plugin}
		add(Safe(u.Plugin)+" was not checked: "+Safe(u.Why), notLookedAt, failureFingerprint(&unknown), "info", result.Place{})
	}
	return encode(w, issues)
}

// gitlabPlace places what has no line on the first: the report must name one.
func gitlabPlace(p result.Place) object {
	lines := object{"begin": max(p.Line, 1)}
	if p.EndLine > 0 {
		lines["end"] = p.EndLine
	}
	return object{"path": cmp.Or(p.Path, "."), "lines": lines}
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
