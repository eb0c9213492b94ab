package print

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// GitLab writes a result as a GitLab Code Quality report. A failure is an issue of severity blocker. A plugin that
// could not be checked in this source is an info.
func GitLab(w io.Writer, r *result.Result, o Options) error {
	issues, seen := []object{}, map[string]int{}
	add := func(description, rule, fingerprint, severity string, at result.Place) {
		seen[fingerprint]++
		if n := seen[fingerprint]; n > 1 { // fingerprints must be unique
			fingerprint += "-" + strconv.Itoa(n)
		}
		lines := object{"begin": max(at.Line, 1)} // the report requires a line
		if at.EndLine > 0 {
			lines["end"] = at.EndLine
		}
		issues = append(issues, object{"description": description, "check_name": rule, "fingerprint": fingerprint,
			"severity": severity,
			"location": object{"path": cmp.Or(at.Path, "."), "lines": lines}})
	}
	for _, f := range r.Failures {
		add(failureText(&f), notChecked, failureFingerprint(&f), "blocker", result.Place{Path: f.Root})
	}
	for i, d := range r.Findings() {
		text := strings.Join(append([]string{Safe(d.Message)}, o.fixTexts(i, d)...), "\n")
		add(text, d.Rule, d.Fingerprint, worded(d.Severity, "critical", "minor", "info"), d.Place)
	}
	for _, u := range r.Skipped {
		unknown := result.Failure{Plugin: u.Plugin}
		add(Safe(u.Plugin)+" was not checked: "+Safe(u.Why), notChecked, failureFingerprint(&unknown), "info",
			result.Place{})
	}
	return encode(w, issues)
}
