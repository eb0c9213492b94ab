package print

import (
	"fmt"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// counts returns how much was checked and how many findings there are. For findings less severe than show, it says
// how to list them.
func counts(r *result.Result, show wire.Severity) string {
	s := r.Summary()
	var list []string
	for _, c := range []struct {
		n        int
		name     string
		severity wire.Severity
	}{{s.Errors, "error", wire.Error}, {s.Warnings, "warning", wire.Warning}, {s.Infos, "info", wire.Info},
		{s.Failures, "failure", wire.Error}} {
		if c.n == 0 {
			continue
		}
		text := Count(c.n, c.name)
		if c.severity < show {
			text += " (--show " + c.name + ")"
		}
		list = append(list, text)
	}
	list = append(list, accepted(&s)...)
	switch {
	case s.Runs == 0 && len(list) == 0:
		return "no runs"
	case s.Runs == 0: // the findings are outside of runs
		return strings.Join(list, ", ")
	case len(list) == 0:
		return Count(s.Runs, "run")
	}
	return Count(s.Runs, "run") + ": " + strings.Join(list, ", ")
}

func accepted(s *result.Summary) (list []string) {
	if n := s.Suppressed - s.InBaseline; n > 0 {
		list = append(list, fmt.Sprintf("%d ignored", n))
	}
	if s.InBaseline > 0 {
		list = append(list, fmt.Sprintf("%d in baseline (stategate check --baseline none)", s.InBaseline))
	}
	return list
}

func verdict(r *result.Result, failOn wire.Severity) string {
	return counts(r, wire.Inherit) + ": " + gateWords[r.Gate(failOn)]
}

var gateWords = map[result.Gate]string{result.Open: "the gate is open", result.Closed: "the gate is closed",
	result.Incomplete: "the check is incomplete"}

// Count returns a number with its noun, which is plural unless n is 1.
func Count(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
