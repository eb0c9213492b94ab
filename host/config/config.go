// Package config reads .stategate.yaml, a project's settings for its gate.
//
// The file may come with a pull request, so it may be hostile: see package schemafile. Its paths must stay inside its
// own directory. Every error includes line, column, the value found, the expected value and the fix.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/schemafile"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// Name is the file name of a configuration, at the workspace root.
const Name = ".stategate.yaml"

// MaxSize is the maximum size of a configuration, in bytes.
const MaxSize = 256 << 10

// A Config holds the settings in one file. The zero Config sets nothing.
type Config struct {
	Name     string `yaml:"-"` // the file's name in messages
	Plugins  []Plugin
	Disable  []Text    // plugin names
	Refuse   []Text    `yaml:"refuse_paths"` // names of plugins that may not ask for paths
	Options  []Options `yaml:"-"`
	Rules    []Rule    `yaml:"-"`
	Ignore   []Ignore
	Exclude  []Text        // globs of directories
	FailOn   wire.Severity `yaml:"-"` // Inherit if it is not set
	Baseline Text          // a slash-separated path relative to the configuration's directory; "" if it is not set
	Limits   limits.Limits `yaml:"-"` // zero if not set

	Dropped []Text `yaml:"-"` // names of rules that their plugin no longer has; see Check
}

// These types belong to package schemafile, which reads the file.
type (
	Position = schemafile.Position
	Error    = schemafile.Error
)

// A Text is a value with its location.
type Text struct {
	Value string
	At    Position
}

// A Plugin is an additional plugin: a file, or a source that was already fetched. An empty Text means that the field
// is not set.
type Plugin struct {
	Name    Text `yaml:"name,omitempty"`    // the plugin's required name
	Path    Text `yaml:"path,omitempty"`    // slash-separated, relative to the configuration's directory
	Source  Text `yaml:"source,omitempty"`  // either this or Path is set
	SHA256  Text `yaml:"sha256,omitempty"`  // hex; required for a source
	Replace bool `yaml:"replace,omitempty"` // it replaces another plugin with the same name

	// Attestation is the GitHub repository, as OWNER/NAME, whose workflows must have built the plugin.
	Attestation Text `yaml:"attestation,omitempty"`

	At Position `yaml:"-"`
}

// Origin returns the source, or else the path.
func (p *Plugin) Origin() string { return cmp.Or(p.Source.Value, p.Path.Value) }

// Options are the settings of one plugin.
type Options struct {
	Plugin Text
	JSON   string // an object
	node   *yaml.Node
}

// A Rule sets a rule's severity.
type Rule struct {
	Name     Text // workflow/rule, or only the rule for all workflows
	Severity wire.Severity
}

// An Ignore accepts findings that match one of the paths and one of the rules. An empty list matches everything.
// With a fingerprint, it accepts only that finding.
type Ignore struct {
	Rules       []Text `yaml:"rules,flow,omitempty"` // workflow/rule, or only the rule for all workflows
	Paths       []Text `yaml:"paths,flow,omitempty"` // globs
	Fingerprint string `yaml:"fingerprint,omitempty"`
	Message     string `yaml:"message,omitempty"` // the finding's message when it was accepted; "" accepts any message
	Reason      string `yaml:"reason"`
	Until       Day    `yaml:"until,omitempty"`

	At Position `yaml:"-"`
}

// Covers reports whether an ignore accepts every finding that other accepts, for at least as long.
func (g *Ignore) Covers(other *Ignore) bool {
	all := func(mine, others []Text) bool {
		missing := func(o Text) bool {
			return !slices.ContainsFunc(mine, func(t Text) bool { return t.Value == o.Value })
		}
		return len(mine) == 0 || len(others) > 0 && !slices.ContainsFunc(others, missing)
	}
	return all(g.Rules, other.Rules) && all(g.Paths, other.Paths) &&
		(g.Fingerprint == "" || g.Fingerprint == other.Fingerprint) &&
		(g.Message == "" || g.Message == other.Message) &&
		(g.Until.IsZero() || !other.Until.IsZero() && !other.Until.After(g.Until.Time))
}

// A Day is the last day on which something is valid. Its time is the end of that day; the zero time means that it
// never expires.
type Day struct{ time.Time }

// LastDay returns the Day whose last day is date.
func LastDay(date time.Time) Day { return Day{date.AddDate(0, 0, 1)} }

// Errorf returns an error about a position in the configuration.
func (c *Config) Errorf(at Position, format string, args ...any) *Error {
	return &Error{Name: c.Name, At: at, Message: fmt.Sprintf(format, args...)}
}

// Place returns name:line:column.
func (c *Config) Place(at Position) string {
	return fmt.Sprintf("%s:%d:%d", c.Name, at.Line, at.Column)
}

// At returns the position of the value at an RFC 6901 pointer into the options, or of the nearest value around it.
// If key is true, it returns the position of the value's key.
func (o *Options) At(pointer string, key bool) Position {
	if slash := strings.LastIndexByte(pointer, '/'); key && slash >= 0 {
		if tokens, err := jsondoc.Tokens(pointer[slash:]); err == nil {
			if k, _ := yamldoc.Member(schemafile.Around(o.node, pointer[:slash]), tokens[0]); k != nil {
				return schemafile.PositionOf(k)
			}
		}
	}
	return schemafile.PositionOf(schemafile.Around(o.node, pointer))
}

// Known describes the rules of a plugin, including the host's own.
type Known struct {
	Plugin string
	Rules  []string
	Former map[string]string // from a rule's former name to its present one
	// Dropped lists the names of rules that the plugin once had, so that they do not count as typos.
	Dropped []string
}

// Check rejects names of plugins and rules that are not known, where the known plugins are built in, configured or
// disabled. The error is an *Error. It replaces former names of rules with the present ones, and collects names of
// dropped rules in Dropped.
func (c *Config) Check(known []Known) error {
	var plugins, all []string
	rules := map[string][]string{}
	for _, p := range known {
		plugins, all = append(plugins, p.Plugin), append(all, p.Rules...)
		rules[p.Plugin] = p.Rules
	}
	isPlugin := func(at Position, name string) error {
		if slices.Contains(plugins, name) {
			return nil
		}
		return c.Errorf(at, "no plugin is called %q; %s", schemafile.Clipped(name), suggest.OneOf(name, plugins))
	}
	names := slices.Concat(c.Disable, c.Refuse)
	for _, o := range c.Options {
		names = append(names, o.Plugin)
	}
	for _, t := range names {
		if err := isPlugin(t.At, t.Value); err != nil {
			return err
		}
	}
	c.rename(known)
	var named []*Text
	for i := range c.Rules {
		named = append(named, &c.Rules[i].Name)
	}
	for i := range c.Ignore {
		for j := range c.Ignore[i].Rules {
			named = append(named, &c.Ignore[i].Rules[j])
		}
	}
	for _, t := range named {
		plugin, rule, scoped := strings.Cut(t.Value, "/")
		has := slices.Contains(all, t.Value) || scoped && slices.Contains(rules[plugin], rule)
		if !has && slices.ContainsFunc(known, func(p Known) bool { return p.dropped(t.Value) }) {
			c.Dropped = append(c.Dropped, *t)
			continue
		}
		if !scoped {
			if !slices.Contains(all, t.Value) {
				return c.Errorf(t.At, "no plugin has a rule %q; %s", schemafile.Clipped(t.Value),
					suggest.Or(t.Value, all, listed))
			}
			continue
		}
		if err := isPlugin(t.At, plugin); err != nil {
			return err
		}
		if !slices.Contains(rules[plugin], rule) {
			return c.Errorf(t.At, "%s has no rule %q; %s", plugin, schemafile.Clipped(rule),
				suggest.Or(rule, rules[plugin], listed))
		}
	}
	return c.unread()
}

// unread rejects settings that accept something that could not be read, because its content is unknown. `stategate
// accept` does the same.
func (c *Config) unread() error {
	const instead = "something could not be read, which can never be accepted; fix the file, or leave its " +
		"directory out with exclude"
	unread := func(rule string) bool { return result.Unread(rule) || result.Unread("*/"+rule) }
	for _, r := range c.Rules {
		if unread(r.Name.Value) && r.Severity < wire.Error {
			return c.Errorf(r.Name.At, "%s cannot be set to %s: %s", r.Name.Value, r.Severity, instead)
		}
	}
	for _, g := range c.Ignore {
		for _, r := range g.Rules {
			if unread(r.Value) {
				return c.Errorf(r.At, "%s cannot be ignored: %s", r.Value, instead)
			}
		}
	}
	return nil
}

// rename replaces former names of rules with the present ones. A setting for one workflow's rule takes precedence
// over a setting for the rule in all workflows. So a former name without a workflow does not affect a rule that is
// also set with its workflow.
func (c *Config) rename(known []Known) {
	rules, named := make([]Rule, 0, len(c.Rules)), map[string]bool{}
	for _, r := range c.Rules {
		if strings.Contains(r.Name.Value, "/") {
			named[Present(known, r.Name.Value)[0]] = true
		}
	}
	for _, r := range c.Rules {
		for _, name := range Present(known, r.Name.Value) {
			if strings.Contains(r.Name.Value, "/") || !named[name] {
				rules = append(rules, Rule{Name: Text{Value: name, At: r.Name.At}, Severity: r.Severity})
			}
		}
	}
	c.Rules = rules
	for i := range c.Ignore {
		var rules []Text
		for _, t := range c.Ignore[i].Rules {
			for _, name := range Present(known, t.Value) {
				rules = append(rules, Text{Value: name, At: t.At})
			}
		}
		c.Ignore[i].Rules = rules
	}
}

// Present returns the present names of the rules that a name refers to. The name is either workflow/rule or only
// rule. A former name that several workflows share refers to each of their rules, and to the rules that have that
// name now. Any other name refers to itself.
func Present(known []Known, name string) (names []string) {
	plugin, rule, scoped := strings.Cut(name, "/")
	if !scoped {
		rule = name
	}
	renamed := false
	for _, k := range known {
		present := k.Former[rule]
		switch {
		case scoped && k.Plugin != plugin:
		case slices.Contains(k.Rules, rule):
			names = append(names, k.Plugin+"/"+rule)
		case present != "":
			renamed, names = true, append(names, k.Plugin+"/"+present)
		}
	}
	if !renamed {
		return []string{name}
	}
	return names
}

// dropped reports whether a name (workflow/rule or only rule) belongs to a rule that the plugin once had.
func (k *Known) dropped(name string) bool {
	return slices.Contains(k.Dropped, strings.TrimPrefix(name, k.Plugin+"/"))
}

// listed says how to see all rules, because there are too many to list in an error.
const listed = "`stategate explain WORKFLOW` lists its rules"

// file has a field for every key of the schema, because schemafile refuses to drop a key.
type file struct {
	Config  `yaml:",inline"`
	Options yaml.Node
	Rules   yaml.Node
	FailOn  string `yaml:"fail_on"`
	Limits  struct {
		Instance, Compile                                              time.Duration
		Guest, Worker, Document, Content, Report, Diagnostics, Message size
	}
}

// Parse parses a configuration. schema is the text of schemas/config.schema.json. The error is an *Error, or several
// of them joined.
func Parse(name string, data []byte, schema string) (*Config, error) {
	f := file{Config: Config{Name: name, FailOn: wire.Inherit}}
	c := &f.Config
	format := &schemafile.Format{What: "the configuration", Schema: schema, MaxSize: MaxSize,
		Example: "fail_on: warning"}
	root, err := format.YAML(name, data, &f)
	if err != nil || root == nil {
		return c, err
	}
	c.FailOn, _ = wire.ParseSeverity(f.FailOn)
	schemafile.Pairs(&f.Rules, func(key, value *yaml.Node) {
		s, _ := wire.ParseSeverity(value.Value)
		c.Rules = append(c.Rules, Rule{textOf(key), s})
	})
	_, options := yamldoc.Member(root, "options") // with the reader's changes
	schemafile.Pairs(options, func(key, value *yaml.Node) {
		text, wrong := schemafile.JSON(value)
		err = errors.Join(err, wrong)
		c.Options = append(c.Options, Options{textOf(key), text, value})
	})
	_, plugins := yamldoc.Member(root, "plugins")
	for i := range c.Plugins {
		c.Plugins[i].At = schemafile.PositionOf(plugins.Content[i])
	}
	_, ignore := yamldoc.Member(root, "ignore")
	for i := range c.Ignore {
		c.Ignore[i].At = schemafile.PositionOf(ignore.Content[i])
	}
	l := f.Limits
	c.Limits = limits.Limits{
		Instance: l.Instance, Compile: l.Compile, Guest: int64(l.Guest), Worker: int64(l.Worker),
		Document: int64(l.Document), Content: int64(l.Content), Report: int64(l.Report),
		Diagnostics: int(min(l.Diagnostics, math.MaxInt32)), Message: int(min(l.Message, math.MaxInt32)),
	}
	if err == nil {
		err = c.paths()
	}
	return c, err
}

func textOf(n *yaml.Node) Text { return Text{n.Value, schemafile.PositionOf(n)} }

// UnmarshalYAML keeps the position.
func (t *Text) UnmarshalYAML(n *yaml.Node) error {
	*t = textOf(n)
	return nil
}

// MarshalYAML writes only the value.
func (t Text) MarshalYAML() (any, error) { return t.Value, nil }

// IsZero makes the encoder omit a text that is not set.
func (t Text) IsZero() bool { return t.Value == "" }

// UnmarshalYAML parses a date.
func (d *Day) UnmarshalYAML(n *yaml.Node) error {
	day, err := time.Parse(time.DateOnly, n.Value)
	if err != nil {
		return &Error{At: schemafile.PositionOf(n), Message: strconv.Quote(n.Value) + " is not a valid date"}
	}
	*d = LastDay(day)
	return nil
}

// MarshalYAML writes the date.
func (d Day) MarshalYAML() (any, error) { return d.AddDate(0, 0, -1).Format(time.DateOnly), nil }

// A size is a whole number, optionally with a unit.
type size int64

// UnmarshalYAML parses what the schema allows. A value that is too large becomes the largest number.
func (s *size) UnmarshalYAML(n *yaml.Node) error {
	digits, unit := strings.TrimSuffix(n.Value, "B"), 1.0
	for suffix, bytes := range map[string]float64{"Mi": 1 << 20, "Ki": 1 << 10} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, unit = rest, bytes
		}
	}
	number, err := strconv.ParseFloat(digits, 64)
	if n.Tag != "!!str" {
		err = n.Decode(&number) // it may be written as 0x10 or 1_000
	}
	*s = size(min(number*unit, math.MaxInt64/2))
	return err
}
