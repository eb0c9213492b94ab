package main

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// allowFailure is the variable that lets a commit pass although stategate or a plugin failed.
const allowFailure = "STATEGATE_ALLOW_FAILURE"

// despiteFailure is the exit code of a gate that is broken: that of the findings alone, if the caller asks
// for it, and only in a local hook. State that could not be read stays a failure.
func (a *app) despiteFailure(f *checkFlags, r *result.Result, failOn wire.Severity) int {
	unread := slices.ContainsFunc(r.Failures, func(f result.Failure) bool { return f.Kind == fault.Source || f.Kind == fault.Cancelled })
	why := ""
	switch {
	case a.env.get(allowFailure) != "1":
		return exitBroken
	case a.env.inCI():
		why = "in CI"
	case !f.staged:
		why = "without --staged"
	case unread:
		why = "for state that cannot be read"
	}
	if why != "" {
		_ = print.Lines(a.stderr, "stategate: ", "    ", allowFailure+"=1 does not apply "+why+": the check is incomplete")
		return exitBroken
	}
	seen := *r
	seen.Failures = nil
	if gate := seen.Gate(failOn); gate != result.Open {
		return gateCode(gate)
	}
	_ = print.Lines(a.stderr, "stategate: ", "    ", fmt.Sprintf("NOT EVERYTHING WAS CHECKED (%s): "+allowFailure+"=1 lets this commit pass here; CI will not", counted(len(r.Failures), "failure")))
	return exitOpen
}

// inCI reports whether this is a job of a CI service.
func (e environment) inCI() bool {
	return slices.ContainsFunc([]string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "JENKINS_URL", "BUILDKITE"}, func(name string) bool {
		value := e.get(name)
		return value != "" && value != "false" && value != "0"
	})
}
