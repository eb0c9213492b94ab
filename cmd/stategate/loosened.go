package main

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// noteLoosened notes in one line what the change's configuration allows although no base's configuration does,
// because a change may break a rule and loosen it at the same time.
func noteLoosened(ctx context.Context, a *app, l *examineFlags, q *request, r *result.Result) {
	if list := loosenedBy(ctx, a, l, q, r); len(list) > 0 {
		what := "this change"
		if r.Source == wire.Index || r.Source == wire.Commit && q.Predecessors && r.Merge == "" {
			what = "this commit"
		}
		a.note(what + " loosens the gate: " + print.Safe(strings.Join(list, "; ")))
	}
}

// loosenedBy lists what the change allows although no base does.
func loosenedBy(ctx context.Context, a *app, l *examineFlags, q *request, r *result.Result) (list []string) {
	if !r.OwnChanged || l.PolicyFrom != "" || l.Config != "" || len(l.Plugins) > 0 {
		return nil
	}
	now := &gate{q.settings.Config, q.plugins.list, q.Policy.Baseline}
	for n, base := range r.Base {
		before, err := gateAt(ctx, a, base.ID, q)
		if err != nil {
			return nil // it has no usable configuration
		}
		some := loosened(before, now)
		if n > 0 {
			some = slices.DeleteFunc(list, func(s string) bool { return !slices.Contains(some, s) })
		}
		list = some
	}
	return list
}

// A gate is everything that decides which findings count.
type gate struct {
	*config.Config
	plugins  []*plugin.Plugin // that are enabled
	baseline *baseline.Baseline
}

// gateAt returns the gate of a commit.
func gateAt(ctx context.Context, a *app, commit string, q *request) (*gate, error) {
	s, err := readSettings(ctx, a, "", commit, false, q.Options)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	p := builtInPlugins(a)
	if s.Found {
		if p, err = chooseConfigured(ctx, p, nil, s, q.Limits); err != nil {
			return nil, err
		}
	}
	g := &gate{Config: s.Config, plugins: p.list}
	if s.Baseline.Value != "" {
		g.baseline, err = s.baseline(ctx, "")
	}
	return g, err
}

// loosened lists what a gate allows although the previous gate did not.
func loosened(before, now *gate) (list []string) {
	if closesAt(now.Config) > closesAt(before.Config) {
		list = append(list, "fail_on is "+closesAt(now.Config).String())
	}
	list = append(list, milder(before, now)...)
	added := func(what string, old, new []config.Text) {
		for _, t := range new {
			if !slices.ContainsFunc(old, func(o config.Text) bool { return o.Value == t.Value }) {
				list = append(list, what+" "+t.Value)
			}
		}
	}
	added("exclude", before.Exclude, now.Exclude)
	added("refuse_paths", before.Refuse, now.Refuse)
	wider := 0
	for _, g := range now.Ignore {
		if !slices.ContainsFunc(before.Ignore, func(was config.Ignore) bool { return was.Covers(&g) }) {
			wider++
		}
	}
	if wider > 0 {
		list = append(list, print.Count(wider, "new or wider ignore"))
	}
	if n := now.baseline.Exceeds(before.baseline); n > 0 {
		list = append(list, print.Count(n, "more finding")+" in the baseline")
	}
	return list
}

// maxMilder limits the rules that the note names.
const maxMilder = 5

// milder lists the workflows that are no longer checked or that a plugin replaces, and the rules whose findings are
// now less severe or off.
func milder(before, now *gate) (list []string) {
	was, is := before.levels(), now.levels()
	// had counts the workflows that have a rule; changed counts those of them in which it changes the same way
	had, changed := map[string]int{}, map[string]int{}
	change := func(rule, name string) string {
		if is[rule].severity == was[rule].severity {
			return name + " is no longer raised to " + is[rule].severity.String()
		}
		return name + " is " + max(is[rule].severity, wire.Off).String()
	}
	rules := slices.Sorted(maps.Keys(was))
	for _, rule := range rules {
		had[result.RuleName(rule)]++
		if is[rule].below(was[rule]) {
			changed[change(rule, result.RuleName(rule))]++
		}
	}
	for _, rule := range rules {
		if !is[rule].below(was[rule]) {
			continue
		}
		line, short := change(rule, rule), change(rule, result.RuleName(rule))
		old, p := find(before.plugins, path.Dir(rule)), find(now.plugins, path.Dir(rule))
		switch n := had[result.RuleName(rule)]; {
		case p == nil:
			line = old.Name + " is not checked"
		case old.Origin == builtIn && p.Origin != builtIn:
			line = p.Name + " is replaced by " + p.Origin
		case n > 1 && changed[short] == n:
			line = short
		}
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	if more := len(list) - maxMilder; more > 0 {
		list = append(list[:maxMilder], print.Count(more, "more rule"))
	}
	return list
}

// A level is the severity with which a rule's findings count.
type level struct {
	severity wire.Severity
	raised   bool // less severe findings also count as errors
}

func (l level) below(other level) bool {
	return l.severity < other.severity || l.severity == other.severity && other.raised && !l.raised
}

// levels returns the level of each rule that is not off, by workflow/rule.
func (g *gate) levels() map[string]level {
	set := map[string]wire.Severity{}
	for _, r := range g.Rules {
		set[r.Name.Value] = r.Severity
	}
	levels := map[string]level{}
	for _, p := range g.plugins {
		for _, r := range slices.Concat(p.Manifest.Rules, result.Rules()) {
			s, ok := set[p.Name+"/"+r.Name]
			if !ok {
				s, ok = set[r.Name]
			}
			switch {
			case !ok && r.OffByDefault:
				continue
			case !ok:
				s = r.Severity
			case s < wire.Error:
				s = min(s, r.Severity)
			}
			if s > wire.Off {
				levels[p.Name+"/"+r.Name] = level{s, ok && s == wire.Error}
			}
		}
	}
	return levels
}

// closesAt returns the least severe severity that closes the gate.
func closesAt(c *config.Config) wire.Severity {
	if c.FailOn == wire.Inherit {
		return wire.Error
	}
	return c.FailOn
}
