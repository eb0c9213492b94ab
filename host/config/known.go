package config

import (
	"path"
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

// Check refuses names of plugins and rules that are not among the known ones, which
// are all that there are: built in, configured, disabled. The error is an *Error.
func (c *Config) Check(known []Known) error {
	k := names{byPlugin: map[string][]string{}}
	for _, p := range known {
		k.plugins = append(k.plugins, p.Plugin)
		k.byPlugin[p.Plugin] = p.Rules
		k.rules = append(k.rules, p.Rules...)
	}
	for _, t := range c.Disable {
		if err := c.knownPlugin(t, k.plugins); err != nil {
			return err
		}
	}
	for _, o := range c.Options {
		if err := c.knownPlugin(o.Plugin, k.plugins); err != nil {
			return err
		}
	}
	for _, r := range c.ruleNames() {
		if err := c.knownRule(r, &k); err != nil {
			return err
		}
	}
	return nil
}

type names struct {
	plugins, rules []string
	byPlugin       map[string][]string
}

// ruleNames returns every rule that the configuration names.
func (c *Config) ruleNames() []Text {
	var list []Text
	for _, r := range c.Rules {
		list = append(list, r.Name)
	}
	for _, g := range c.Ignore {
		list = append(list, g.Rules...)
	}
	return list
}

func (c *Config) knownPlugin(t Text, plugins []string) error {
	if slices.Contains(plugins, t.Value) {
		return nil
	}
	return c.Errorf(t.At, "no plugin is called %q; %s", clipped(t.Value), suggest.OneOf(t.Value, plugins))
}

func (c *Config) knownRule(t Text, k *names) error {
	plugin, rule, scoped := strings.Cut(t.Value, "/")
	if !scoped {
		if slices.Contains(k.rules, t.Value) {
			return nil
		}
		return c.Errorf(t.At, "no plugin has a rule %q; %s", clipped(t.Value), suggest.Or(t.Value, k.rules, listed))
	}
	rules, ok := k.byPlugin[plugin]
	switch {
	case !ok:
		return c.Errorf(t.At, "no plugin is called %q; %s", clipped(plugin), suggest.OneOf(plugin, k.plugins))
	case !slices.Contains(rules, rule):
		return c.Errorf(t.At, "%s has no rule %q; %s", plugin, clipped(rule), suggest.Or(path.Base(rule), rules, listed))
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
