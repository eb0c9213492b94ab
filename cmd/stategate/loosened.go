package main

import (
	"context"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/wire"
)

// noteLoosened notes in one line what the configuration in the index allows and the one in HEAD does not, because a
// commit may loosen a rule together with the change that breaks it.
func noteLoosened(ctx context.Context, a *app, f *checkFlags, q *request) {
	if f.PolicyFrom != "" || f.Config != "" {
		return
	}
	before, err := readSettings(ctx, a, "", "HEAD", false, q.Options)
	if err != nil {
		return // there is no commit, or no usable configuration in it
	}
	defer before.Close()
	if list := loosened(before.Config, q.settings.Config); len(list) > 0 {
		a.note("this commit loosens the gate: " + print.Safe(strings.Join(list, "; ")))
	}
}

// loosened lists the settings that allow more than the previous configuration.
func loosened(before, now *config.Config) (list []string) {
	if closesAt(now) > closesAt(before) {
		list = append(list, "fail_on is "+closesAt(now).String())
	}
	severities := func(c *config.Config) map[string]wire.Severity {
		m := map[string]wire.Severity{}
		for _, r := range c.Rules {
			m[r.Name.Value] = r.Severity
		}
		return m
	}
	was, is := severities(before), severities(now)
	for _, r := range now.Rules {
		if old, set := was[r.Name.Value]; r.Severity != wire.Error && (!set || r.Severity < old) {
			list = append(list, r.Name.Value+" is "+r.Severity.String())
		}
	}
	for _, r := range before.Rules {
		if _, set := is[r.Name.Value]; !set && r.Severity == wire.Error {
			list = append(list, r.Name.Value+" is no longer an error by configuration")
		}
	}
	added := func(what string, old, new []config.Text) {
		for _, t := range new {
			if !slices.ContainsFunc(old, func(o config.Text) bool { return o.Value == t.Value }) {
				list = append(list, what+" "+t.Value)
			}
		}
	}
	added("exclude", before.Exclude, now.Exclude)
	added("disable", before.Disable, now.Disable)
	if n := len(now.Ignore) - len(before.Ignore); n > 0 {
		list = append(list, print.Count(n, "more ignore"))
	}
	if now.Baseline.Value != "" && now.Baseline.Value != before.Baseline.Value {
		list = append(list, "baseline "+now.Baseline.Value)
	}
	return list
}

// closesAt returns the least severe severity that closes the gate.
func closesAt(c *config.Config) wire.Severity {
	if c.FailOn == wire.Inherit {
		return wire.Error
	}
	return c.FailOn
}
