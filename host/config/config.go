// Package config reads .stategate.yaml: what a project sets for its gate.
//
// The file may come with a pull request, so it is hostile: see package schemafile. What it names stays below its own
// directory. Every error names line, column, the value found, the value expected and the cure.
package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/schemafile"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// Name is the file name of a configuration, at the workspace root.
const Name = ".stategate.yaml"

// MaxSize is the greatest size of a configuration, in bytes.
const MaxSize = 256 << 10

// A Config is what one file sets. The zero Config sets nothing.
type Config struct {
	Name     string // how the file is called in messages
	Plugins  []Plugin
	Disable  []Text // names of plugins
	Refuse   []Text // names of plugins that may not ask for paths
	Options  []Options
	Rules    []Rule
	Ignore   []Ignore
	Exclude  []Text        // globs of directories
	FailOn   wire.Severity // Inherit if it is not set
	Baseline Text          // a file, slash-separated, below the directory of the configuration; "" if it is not set
	Limits   limits.Limits // zero where nothing is set
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

// A Plugin is a plugin beside the built-in ones: a file, or a source that was fetched before.
type Plugin struct {
	Name    Text // what it must be called; "" if any name will do
	Path    Text // slash-separated, below the directory of the configuration; "" if there is a source
	Source  Text // "" if there is a path
	SHA256  Text // hex; "" if it is not pinned, which a source must be
	Replace bool // it takes the place of another plugin of its name

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
	Paths       []Text // globs
	Rules       []Text // workflow/rule, or rule for all workflows
	Fingerprint string // "" for any
	Reason      string
	Until       Day

	At Position `yaml:"-"`
}

// A Day is the last one on which something holds. The time is that from which it does not hold any more; zero: it holds
// for ever.
type Day struct{ time.Time }

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
			if k, _ := yamledit.Member(schemafile.Around(o.node, pointer[:slash]), tokens[0]); k != nil {
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
}

// Check refuses names of plugins and rules that are not among the known ones: built in, configured, disabled. The error
// is an *Error. Former names of rules become the present ones.
func (c *Config) Check(known []Known) error {
	var plugins, all []string
	rules := map[string][]string{}
	for _, p := range known {
		plugins, all = append(plugins, p.Plugin), append(all, p.Rules...)
		rules[p.Plugin] = p.Rules
	}
	names := slices.Concat(c.Disable, c.Refuse)
	for _, o := range c.Options {
		names = append(names, o.Plugin)
	}
	for _, t := range names {
		if !slices.Contains(plugins, t.Value) {
			return c.Errorf(t.At, "no plugin is called %q; %s", schemafile.Clipped(t.Value), suggest.OneOf(t.Value, plugins))
		}
	}
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
		for _, p := range known {
			t.Value = p.Present(t.Value)
		}
		plugin, rule, scoped := strings.Cut(t.Value, "/")
		switch {
		case !scoped && !slices.Contains(all, t.Value):
			return c.Errorf(t.At, "no plugin has a rule %q; %s", schemafile.Clipped(t.Value), suggest.Or(t.Value, all, listed))
		case scoped && !slices.Contains(plugins, plugin):
			return c.Errorf(t.At, "no plugin is called %q; %s", schemafile.Clipped(plugin), suggest.OneOf(plugin, plugins))
		case scoped && !slices.Contains(rules[plugin], rule):
			return c.Errorf(t.At, "%s has no rule %q; %s", plugin, schemafile.Clipped(rule), suggest.Or(rule, rules[plugin], listed))
		}
	}
	return nil
}

// Present is the present name of a rule of the plugin, as workflow/rule, and of any other name that name.
func (k *Known) Present(name string) string {
	if present := k.Former[strings.TrimPrefix(name, k.Plugin+"/")]; present != "" {
		return k.Plugin + "/" + present
	}
	return name
}

// listed says how to see all rules: there are too many to name them in an error.
const listed = "`stategate explain WORKFLOW` lists its rules"
