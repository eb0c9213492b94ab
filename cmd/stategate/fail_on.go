package main

import (
	"github.com/spf13/cobra"

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
	return closing(f.failOn)
}

// words are the flag again, for a command that judges by the same.
func (f *failFlags) words(c *cobra.Command) []string {
	if !c.Flag("fail-on").Changed {
		return nil
	}
	return []string{"--fail-on", f.failOn}
}

// closing reads --fail-on.
func closing(word string) (wire.Severity, error) {
	s, ok := wire.ParseSeverity(word)
	if !ok || s == wire.Off {
		return s, usagef("--fail-on %q: give error, warning or info", word)
	}
	return s, nil
}
