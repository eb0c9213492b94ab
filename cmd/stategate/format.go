package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// The output formats of check and status.
const (
	formatText  = "text"
	formatJSON  = "json"
	formatNames = formatText + ", " + formatJSON
)

// known refuses a format that no verb prints.
func known(format string) error { return oneFormat(format, formatText, formatJSON) }

func oneFormat(format string, all ...string) error {
	for _, f := range all {
		if format == f {
			return nil
		}
	}
	return usagef("--format %q is not known; there is: %s", format, strings.Join(all, ", "))
}

// printed says what a failed write to stdout means: whoever reads it has not
// seen the verdict.
func (a *app) printed(err error) error {
	if err != nil {
		return brokenf("write the output: %v", err)
	}
	return nil
}

func completeWords(c *cobra.Command, flag string, words ...string) {
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
