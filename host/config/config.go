// Package config reads .stategate.yaml: what a project sets for its gate.
//
// The file may come with a pull request, so it is hostile: see package schemafile. Its paths stay below its own
// directory. Every error names line, column, the value found, the value expected and the fix.
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

// MaxSize is the greatest size of a configuration, in bytes.
const MaxSize = 256 << 10

// A Config is what one file sets. The zero Config sets nothing.
type Config struct {
	Name     string `yaml:"-"` // how the file is called in messages
	Plugins  []Plugin
	Disable  []Text    // names of plugins
	Refuse   []Text    `yaml:"refuse_paths"` // names of plugins that may not ask for paths
	Options  []Options `yaml:"-"`
	Rules    []Rule    `yaml:"-"`
	Ignore   []Ignore
	Exclude  []Text        // globs of directories
	FailOn   wire.Severity `yaml:"-"` // Inherit if it is not set
	Baseline Text          // a file, slash-separated, below the directory of the configuration; "" if it is not set
	Limits   limits.Limits `yaml:"-"` // zero where nothing is set

	Dropped []Text `yaml:"-"` // the names of rules that their plugin no longer has; see Check
}

// Positions and errors are those of the reader.
type (
	Position = schemafile.Position
	Error    = schemafile.Error
)

// A Text is a value with its place.
type Text struct {
	Value string
	At    Position
}

// A Plugin is a plugin beside the built-in ones: a file, or a source that was fetched before. Texts that are "" are not
// set.
type Plugin struct {
	Name    Text `yaml:"name,omitempty"`    // what it must be called
	Path    Text `yaml:"path,omitempty"`    // slash-separated, below the directory of the configuration
	Source  Text `yaml:"source,omitempty"`  // either this or the path is set
	SHA256  Text `yaml:"sha256,omitempty"`  // hex; a source must be pinned
	Replace bool `yaml:"replace,omitempty"` // it takes the place of another plugin of its name

	// the GitHub repository, as OWNER/NAME, whose workflows must have built it
	Attestation Text `yaml:"attestation,omitempty"`

	At Position `yaml:"-"`
}

// Origin returns the source or else the path.
func (p *Plugin) Origin() string { return cmp.Or(p.Source.Value, p.Path.Value) }

// Options are those of one plugin.
type Options struct {
	Plugin Text
	JSON   string // an object
	node   *yaml.Node
}

// A Rule sets the severity of a rule.
type Rule struct {
	Name     Text // workflow/rule, or rule for all workflows
	Severity wire.Severity
}

// An Ignore accepts findings that match one of the paths and one of the rules; an
// empty list matches all. With a fingerprint it accepts that finding alone.
type Ignore struct {
	Rules       []Text `yaml:"rules,flow,omitempty"` // workflow/rule, or rule for all workflows
	Paths       []Text `yaml:"paths,flow,omitempty"` // globs
	Fingerprint string `yaml:"fingerprint,omitempty"`
	Message     string `yaml:"message,omitempty"` // of the finding when it was accepted; "" for whatever it says
	Reason      string `yaml:"reason"`
	Until       Day    `yaml:"until,omitempty"`

	At Position `yaml:"-"`
}

// A Day is the last one on which something is valid. The time is when it ceases to be; zero: it is valid forever.
type Day struct{ time.Time }

// LastDay makes the Day that ends with a date.
func LastDay(date time.Time) Day { return Day{date.AddDate(0, 0, 1)} }

// Errorf makes an error about a place of the configuration.
func (c *Config) Errorf(at Position, format string, args ...any) *Error {
	return &Error{Name: c.Name, At: at, Message: fmt.Sprintf(format, args...)}
}

// Place writes name:line:column.
func (c *Config) Place(at Position) string {
	return fmt.Sprintf("%s:%d:%d", c.Name, at.Line, at.Column)
}

// At returns the place of the value at an RFC 6901 pointer into the options, or of the nearest one around it; with key,
// that of its key.
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

// Known are the rules of a plugin, the host's own included.
type Known struct {
	Plugin string
	Rules  []string
	Former map[string]string // former names of rules, each with the present one
	// names of rules that the plugin had once: one of them is no slip of the pen
	Dropped []string
}

// Check refuses names of plugins and rules that are not among the known ones: built in, configured, disabled. The error
// is an *Error. Former names of rules become the present ones; names of dropped rules are collected in Dropped.
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
		if slices.ContainsFunc(known, func(p Known) bool { return p.dropped(t.Value) }) {
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

// unread refuses to accept that something could not be read, as `stategate accept` does: its content is unknown.
func (c *Config) unread() error {
	const instead = "something could not be read, which is never accepted; fix the file, or leave its directory out " +
		"with exclude"
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

// rename replaces former names of rules by the present ones. What names one workflow's rule goes before what names the
// rule of all, so a former name of all sets no rule that is named with its workflow.
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

// Present returns the present names of the rules that a name, workflow/rule or rule, means. A former name of several
// workflows' rules means each of them, and the rules that have that name now; any other name means itself.
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

// dropped reports whether a name, workflow/rule or rule, is that of a rule which the plugin had once.
func (k *Known) dropped(name string) bool {
	return slices.Contains(k.Dropped, strings.TrimPrefix(name, k.Plugin+"/"))
}

// listed says how to see all rules: there are too many to name them in an error.
const listed = "`stategate explain WORKFLOW` lists its rules"

// file has a field for every key of the schema: schemafile refuses to drop one.
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

// Parse reads a configuration. schema is the text of schemas/config.schema.json.
// The error is an *Error, or several of them joined.
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
	_, options := yamldoc.Member(root, "options") // as the reader has resolved them
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

// UnmarshalYAML keeps the place.
func (t *Text) UnmarshalYAML(n *yaml.Node) error {
	*t = textOf(n)
	return nil
}

// MarshalYAML writes the value alone.
func (t Text) MarshalYAML() (any, error) { return t.Value, nil }

// IsZero has a text that is not set left out.
func (t Text) IsZero() bool { return t.Value == "" }

// UnmarshalYAML reads a date.
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

// A size is a whole number, or one with a unit.
type size int64

// UnmarshalYAML reads what the schema allows; one too large for a number is the largest.
func (s *size) UnmarshalYAML(n *yaml.Node) error {
	digits, unit := strings.TrimSuffix(n.Value, "B"), 1.0
	for suffix, bytes := range map[string]float64{"Mi": 1 << 20, "Ki": 1 << 10} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, unit = rest, bytes
		}
	}
	number, err := strconv.ParseFloat(digits, 64)
	if n.Tag != "!!str" {
		err = n.Decode(&number) // it may be written as 0x10, or 1_000
	}
	*s = size(min(number*unit, math.MaxInt64/2))
	return err
}
