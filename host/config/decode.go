package config

import (
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/sdk/wire"
)

// decoder reads a mapping that its schema accepts. It keeps the first error about
// what the schema cannot say.
type decoder struct {
	config       *Config
	alternatives int // of all globs
	err          error
}

func (d *decoder) fail(at Position, format string, args ...any) {
	if d.err == nil {
		d.err = d.config.Errorf(at, format, args...)
	}
}

// file goes through the keys in the order of the file, so that the first error is
// the one that stands first.
func (d *decoder) file(root *yaml.Node) {
	c := d.config
	for i := 0; i+1 < len(root.Content); i += 2 {
		value := root.Content[i+1]
		switch root.Content[i].Value {
		case "plugins":
			for _, n := range value.Content {
				c.Plugins = append(c.Plugins, d.plugin(n))
			}
		case "disable":
			c.Disable = texts(value)
		case "options":
			for k := 0; k+1 < len(value.Content); k += 2 {
				text, _ := jsonOf(value.Content[k+1])
				c.Options = append(c.Options, Options{textOf(value.Content[k]), text, value.Content[k+1]})
			}
		case "rules":
			for k := 0; k+1 < len(value.Content); k += 2 {
				s, _ := wire.ParseSeverity(value.Content[k+1].Value)
				c.Rules = append(c.Rules, Rule{textOf(value.Content[k]), s})
			}
		case "ignore":
			for _, n := range value.Content {
				c.Ignore = append(c.Ignore, d.ignore(n))
			}
		case "exclude":
			c.Exclude = texts(value)
			d.globs(c.Exclude)
		case "fail_on":
			c.FailOn, _ = wire.ParseSeverity(value.Value)
		case "baseline":
			c.Baseline = textOf(value)
			d.inside(c.Baseline)
		case "limits":
			c.Limits = d.limits(value)
		}
	}
}

func textOf(n *yaml.Node) Text {
	if n == nil {
		return Text{}
	}
	return Text{n.Value, positionOf(n)}
}

func texts(n *yaml.Node) []Text {
	var list []Text
	if n != nil {
		for _, child := range n.Content {
			list = append(list, textOf(child))
		}
	}
	return list
}

func text(n *yaml.Node, name string) Text {
	_, value := yamledit.Member(n, name)
	return textOf(value)
}

func (d *decoder) plugin(n *yaml.Node) Plugin {
	p := Plugin{Name: text(n, "name"), Path: text(n, "path"), Source: text(n, "source"), SHA256: text(n, "sha256"), At: positionOf(n)}
	p.Replace = text(n, "replace").Value == "true"
	if p.Path.Value != "" {
		d.inside(p.Path)
	}
	return p
}

// inside refuses a path that leads out of the directory of the configuration.
func (d *decoder) inside(t Text) {
	p := t.Value
	switch {
	case strings.ContainsAny(p, "\\\x00") || strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':':
		d.fail(t.At, "found the path %q, expected one below the directory of the configuration, its names separated by slashes", clipped(p))
	case path.Clean(p) != strings.TrimPrefix(p, "./") || p == "." || p == ".." || strings.HasPrefix(p, "../"):
		d.fail(t.At, "found the path %q, expected one below the directory of the configuration, without .. and empty names", clipped(p))
	}
}

func (d *decoder) globs(list []Text) {
	for _, t := range list {
		set, err := glob.Compile([]string{below(t.Value)})
		if err != nil {
			d.fail(t.At, "%v", err)
			return
		}
		if d.alternatives += set.Alternatives(); d.alternatives > maxAlternatives {
			d.fail(t.At, "found globs with more than %d alternatives in all, expected fewer: use * where they are alike", maxAlternatives)
		}
	}
}

func (d *decoder) ignore(n *yaml.Node) Ignore {
	_, paths := yamledit.Member(n, "paths")
	_, rules := yamledit.Member(n, "rules")
	g := Ignore{Paths: texts(paths), Rules: texts(rules), Fingerprint: text(n, "fingerprint").Value, Reason: text(n, "reason").Value, At: positionOf(n)}
	d.globs(g.Paths)
	if until := text(n, "until"); until.Value != "" {
		day, err := time.Parse(time.DateOnly, until.Value)
		if err != nil {
			d.fail(until.At, "%q is not a valid date", until.Value)
		}
		g.Until = day.AddDate(0, 0, 1)
	}
	return g
}

func (d *decoder) limits(n *yaml.Node) limits.Limits {
	size := func(name string) int64 { return sizeOf(text(n, name).Value) }
	duration := func(name string) time.Duration { return durationOf(text(n, name).Value) }
	return limits.Limits{
		Instance: duration("instance"), Compile: duration("compile"),
		Guest: size("guest"), Worker: size("worker"), Document: size("document"), Content: size("content"), Report: size("report"),
		Diagnostics: int(min(size("diagnostics"), math.MaxInt32)), Message: int(min(size("message"), math.MaxInt32)),
	}
}

// sizeOf reads what the schema allows; one too large for a number is the largest.
func sizeOf(s string) int64 {
	unit := int64(1)
	for suffix, bytes := range map[string]int64{"MiB": 1 << 20, "KiB": 1 << 10} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, unit = rest, bytes
		}
	}
	s = strings.TrimSuffix(s, "B")
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil { // a whole number may be written as 1e6, or have too many digits
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || f >= math.MaxInt64 {
			return math.MaxInt64
		}
		n = int64(f)
	}
	if n > math.MaxInt64/unit {
		return math.MaxInt64
	}
	return n * unit
}

func durationOf(s string) time.Duration {
	if s == "" {
		return 0
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return math.MaxInt64
	}
	return d
}
