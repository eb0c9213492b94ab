package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A flagGroup is the heading of a group of flags in a help page.
type flagGroup string

// The groups, in the order of a help page.
const (
	whatIsChecked     flagGroup = "What is checked"
	whichFindings     flagGroup = "Which findings count"
	whatIsShown       flagGroup = "What is shown"
	whatIsChanged     flagGroup = "What is changed"
	otherFlags        flagGroup = "Other flags"
	advancedFlags     flagGroup = "Advanced"
	keepsItsGroup               = "group" // the annotation that names a flag's group
	refusesEmptyValue           = "filled"
	whatItTakes                 = "takes"
)

var flagGroups = []flagGroup{whatIsChecked, whichFindings, whatIsShown, whatIsChanged, otherFlags, advancedFlags}

// An option is a registered flag that can be given more properties in a chain of calls.
type option struct {
	c    *cobra.Command
	flag *pflag.Flag
}

// addFlag registers a flag that sets a value. The value holds the flag's default.
func addFlag[T any](c *cobra.Command, group flagGroup, value *T, name, usage string) option {
	switch p := any(value).(type) {
	case *string:
		c.Flags().StringVar(p, name, *p, usage)
	case *[]string:
		c.Flags().StringArrayVar(p, name, *p, usage)
	case *bool:
		c.Flags().BoolVar(p, name, *p, usage)
	case *int:
		c.Flags().IntVar(p, name, *p, usage)
	case *time.Duration:
		c.Flags().DurationVar(p, name, *p, usage)
	}
	return option{c, c.Flags().Lookup(name)}.annotated(keepsItsGroup, string(group))
}

// addChoice registers a flag that takes one of several words, which replace %s in its description.
func addChoice(c *cobra.Command, group flagGroup, value *string, name, usage string, words []string) {
	addFlag(c, group, value, name, fmt.Sprintf(usage, strings.Join(words, ", "))).completed(fixed(words))
}

// addChoices does what addChoice does, for a flag that takes several words, separated by commas or as repeated flags.
func addChoices(c *cobra.Command, group flagGroup, value *[]string, name, usage string, words []string) {
	c.Flags().StringSliceVar(value, name, nil, fmt.Sprintf(usage, strings.Join(words, ", ")))
	option{c, c.Flags().Lookup(name)}.annotated(keepsItsGroup, string(group)).completed(fixed(words))
}

func (o option) annotated(key, value string) option {
	_ = o.c.Flags().SetAnnotation(o.flag.Name, key, []string{value})
	return o
}

func (o option) completed(by cobra.CompletionFunc) option {
	_ = o.c.RegisterFlagCompletionFunc(o.flag.Name, by)
	return o
}

// hidden hides the flag from help, because it is for tests and other programs.
func (o option) hidden() { o.flag.Hidden = true }

func (o option) filled() option { return o.annotated(refusesEmptyValue, "") }

// takes describes the valid values, for the message about an invalid one.
func (o option) takes(what string) option { return o.annotated(whatItTakes, what) }

// badValue replaces the number parser's message with one that describes the valid values.
func badValue(err *pflag.InvalidValueError) error {
	f := err.GetFlag()
	use := map[string]string{"int": "a whole number, such as 4", "bool": "true or false",
		"duration": "a duration, such as 5s"}[f.Value.Type()]
	if what := f.Annotations[whatItTakes]; what != nil {
		use = what[0]
	}
	if use == "" {
		return usagef("%v", err)
	}
	return usagef("invalid value %q for --%s; use %s", err.GetValue(), f.Name, use)
}

func refuseEmpty(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		if f.Annotations[refusesEmptyValue] != nil && slices.Contains(values, "") && err == nil {
			err = usagef("--%s has an empty value, perhaps from an unset variable; set a value, or leave the flag "+
				"out", f.Name)
		}
	})
	return err
}
