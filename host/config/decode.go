package config

import (
	"errors"
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/schemafile"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/sdk/wire"
)

// file has a field for every key of the schema: schemafile refuses to drop one.
type file struct {
	Plugins  []Plugin
	Disable  []Text
	Refuse   []Text `yaml:"refuse_paths"`
	Options  yaml.Node
	Rules    yaml.Node
	Ignore   []Ignore
	Exclude  []Text
	FailOn   string `yaml:"fail_on"`
	Baseline Text
	Limits   struct {
		Instance, Compile                                              time.Duration
		Guest, Worker, Document, Content, Report, Diagnostics, Message size
	}
}

// Parse reads a configuration. schema is the text of schemas/config.schema.json.
// The error is an *Error, or several of them joined.
func Parse(name string, data []byte, schema string) (*Config, error) {
	c := &Config{Name: name, FailOn: wire.Inherit}
	var f file
	format := &schemafile.Format{What: "the configuration", Schema: schema, MaxSize: MaxSize, Example: "fail_on: warning"}
	root, err := format.YAML(name, data, &f)
	if err != nil || root == nil {
		return c, err
	}
	c.Plugins, c.Disable, c.Refuse, c.Ignore, c.Exclude, c.Baseline = f.Plugins, f.Disable, f.Refuse, f.Ignore, f.Exclude, f.Baseline
	c.FailOn, _ = wire.ParseSeverity(f.FailOn)
	schemafile.Pairs(&f.Rules, func(key, value *yaml.Node) {
		s, _ := wire.ParseSeverity(value.Value)
		c.Rules = append(c.Rules, Rule{textOf(key), s})
	})
	_, options := yamledit.Member(root, "options") // as the reader has resolved them
	schemafile.Pairs(options, func(key, value *yaml.Node) {
		text, wrong := schemafile.JSON(value)
		err = errors.Join(err, wrong)
		c.Options = append(c.Options, Options{textOf(key), text, value})
	})
	_, plugins := yamledit.Member(root, "plugins")
	for i := range c.Plugins {
		c.Plugins[i].At = schemafile.PositionOf(plugins.Content[i])
	}
	_, ignore := yamledit.Member(root, "ignore")
	for i := range c.Ignore {
		c.Ignore[i].At = schemafile.PositionOf(ignore.Content[i])
	}
	l := f.Limits
	c.Limits = limits.Limits{
		Instance: l.Instance, Compile: l.Compile, Guest: int64(l.Guest), Worker: int64(l.Worker), Document: int64(l.Document),
		Content: int64(l.Content), Report: int64(l.Report), Diagnostics: int(min(l.Diagnostics, math.MaxInt32)), Message: int(min(l.Message, math.MaxInt32)),
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

// UnmarshalYAML reads a date.
func (d *Day) UnmarshalYAML(n *yaml.Node) error {
	day, err := time.Parse(time.DateOnly, n.Value)
	if err != nil {
		return &Error{At: schemafile.PositionOf(n), Message: strconv.Quote(n.Value) + " is not a valid date"}
	}
	d.Time = day.AddDate(0, 0, 1)
	return nil
}

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

// maxAlternatives bounds what all globs of a file come to with their braces written
// out: each finding is held against each.
const maxAlternatives = 4096

// paths refuses the first path that leads out of the directory of the configuration, and globs that are malformed or too
// many.
func (c *Config) paths() error {
	inside, globs := []Text{c.Baseline}, c.Exclude
	for _, p := range c.Plugins {
		inside = append(inside, p.Path)
	}
	for _, g := range c.Ignore {
		globs = append(globs, g.Paths...)
	}
	for _, t := range inside {
		switch p := t.Value; {
		case p == "":
		case strings.ContainsAny(p, "\\\x00") || strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':':
			return c.Errorf(t.At, "found the path %q, expected one below the directory of the configuration, its names separated by slashes", schemafile.Clipped(p))
		case path.Clean(p) != strings.TrimPrefix(p, "./") || p == "." || p == ".." || strings.HasPrefix(p, "../"):
			return c.Errorf(t.At, "found the path %q, expected one below the directory of the configuration, without .. and empty names", schemafile.Clipped(p))
		}
	}
	alternatives := 0
	for _, t := range globs {
		set, err := glob.Compile([]string{below(t.Value)})
		if err != nil {
			return c.Errorf(t.At, "%v", err)
		}
		if alternatives += set.Alternatives(); alternatives > maxAlternatives {
			return c.Errorf(t.At, "found globs with more than %d alternatives in all, expected fewer: use * where they are alike", maxAlternatives)
		}
	}
	return nil
}

// Set compiles the paths of an ignore; nil if it has none. Parse has made sure that they compile.
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
