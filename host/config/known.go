package config

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/suggest"
)

// Known are the rules of a plugin, the host's own included.
type Known struct {
	Plugin string
	Rules  []string
}

// Check refuses names of plugins and rules that are not among the known ones: built in, configured, disabled. The error
// is an *Error.
func (c *Config) Check(known []Known) error {
	var plugins, all []string
	rules := map[string][]string{}
	for _, p := range known {
		plugins, all = append(plugins, p.Plugin), append(all, p.Rules...)
		rules[p.Plugin] = p.Rules
	}
	names := slices.Clone(c.Disable)
	for _, o := range c.Options {
		names = append(names, o.Plugin)
	}
	for _, t := range names {
		if !slices.Contains(plugins, t.Value) {
			return c.Errorf(t.At, "no plugin is called %q; %s", clipped(t.Value), suggest.OneOf(t.Value, plugins))
		}
	}
	names = nil
	for _, r := range c.Rules {
		names = append(names, r.Name)
	}
	for _, g := range c.Ignore {
		names = append(names, g.Rules...)
	}
	for _, t := range names {
		plugin, rule, scoped := strings.Cut(t.Value, "/")
		switch {
		case !scoped && !slices.Contains(all, t.Value):
			return c.Errorf(t.At, "no plugin has a rule %q; %s", clipped(t.Value), suggest.Or(t.Value, all, listed))
		case scoped && !slices.Contains(plugins, plugin):
			return c.Errorf(t.At, "no plugin is called %q; %s", clipped(plugin), suggest.OneOf(plugin, plugins))
		case scoped && !slices.Contains(rules[plugin], rule):
			return c.Errorf(t.At, "%s has no rule %q; %s", plugin, clipped(rule), suggest.Or(rule, rules[plugin], listed))
		}
	}
	return nil
}

// listed says how to see all rules: there are too many to name them in an error.
const listed = "`stategate explain WORKFLOW` lists its rules"

// maxAlternatives bounds what all globs of a file come to with their braces written
// out: each finding is held against each.
const maxAlternatives = 4096

// Set compiles the paths of an ignore; nil if it has none. Parse has made sure
// that they compile.
func (g *Ignore) Set() *glob.Set {
	if len(g.Paths) == 0 {
		return nil
	}
	globs := make([]string, len(g.Paths))
	for i, t := range g.Paths {
		globs[i] = below(t.Value)
	}
	set, _ := glob.Compile(globs)
	return set
}

// below makes a directory's name stand for all that lies in it.
func below(glob string) string {
	if strings.HasSuffix(glob, "/") {
		return glob + "**"
	}
	return glob
}
