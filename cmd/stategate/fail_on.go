package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// failFlags say which findings close the gate.
type failFlags struct{ failOn string }

func (f *failFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.failOn, "fail-on", wire.Error.String(), "close the gate at findings of this `SEVERITY` or worse: error, warning, info")
	completeWords(c, "fail-on", "error", "warning", "info")
}

// severity is what the flag says, or else the configuration.
func (f *failFlags) severity(c *cobra.Command, s *configFlags) (wire.Severity, error) {
	if !c.Flag("fail-on").Changed {
		return s.closes(), nil
	}
	return severityOf("fail-on", f.failOn)
}

// words are the flag again, for a command that judges by the same.
func (f *failFlags) words(c *cobra.Command) []string {
	if !c.Flag("fail-on").Changed {
		return nil
	}
	return []string{"--fail-on", f.failOn}
}

func severityOf(flag, word string) (wire.Severity, error) {
	s, ok := wire.ParseSeverity(word)
	if !ok || s == wire.Off {
		return s, usagef("--%s %q: give error, warning or info", flag, word)
	}
	return s, nil
}

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
		_ = lines(a.stderr, "stategate: ", "    ", allowFailure+"=1 does not apply "+why+": the check is incomplete")
		return exitBroken
	}
	findings := *r
	findings.Failures = nil
	if gate := findings.Gate(failOn); gate != result.Open {
		return gate.ExitCode()
	}
	_ = lines(a.stderr, "stategate: ", "    ", fmt.Sprintf("NOT EVERYTHING WAS CHECKED (%s): "+allowFailure+"=1 lets this commit pass here; CI will not", print.Count(len(r.Failures), "failure")))
	return exitOpen
}
