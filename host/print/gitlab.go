package print

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
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
		lines := object{"begin": max(at.Line, 1)} // the report must name a line
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
