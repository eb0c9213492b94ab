package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// AddPlugin returns the text of a configuration with one more plugin. If a plugin with the same path or source
// exists, it only gets the new digest. If one with the same name exists, it also gets the new path or source.
// Everything else stays byte for byte. text may be empty. The error is an *Error. If the file's formatting
// prevents an automatic change, the error contains the text to add by hand.
func AddPlugin(name string, text []byte, added Plugin, schema string) ([]byte, error) {
	return edited(name, text, schema, "plugins", added,
		func(c *Config, f *yamledit.File, item string) (*yamledit.File, error) {
			i := slices.IndexFunc(c.Plugins, func(p Plugin) bool {
				return p.Path.Value == added.Path.Value && p.Source.Value == added.Source.Value
			})
			if i < 0 && added.Name.Value != "" {
				i = slices.IndexFunc(c.Plugins, func(p Plugin) bool { return p.Name.Value == added.Name.Value })
			}
			if i < 0 {
				return f.Add(item, "plugins")
			}
			return repinned(c, f, &c.Plugins[i], &added, strconv.Itoa(i))
		})
}

// RemovePlugin returns the text of a configuration without one plugin. If it was the last one, the list is also
// removed.
func RemovePlugin(name string, text []byte, removed Plugin, schema string) ([]byte, error) {
	c, err := Parse(name, text, schema)
	if err != nil {
		return nil, err
	}
	pointer := "/plugins"
	if len(c.Plugins) > 1 {
		pointer += "/" + strconv.Itoa(slices.IndexFunc(c.Plugins, func(p Plugin) bool {
			return p.Path.Value == removed.Path.Value && p.Source.Value == removed.Source.Value
		}))
	}
	change, err := yamldoc.Unset(string(text), pointer)
	if err != nil {
		return nil, c.Errorf(removed.At, "it cannot be removed from a file formatted like this; remove it by hand")
	}
	text = slices.Concat(text[:change.Start], []byte(change.New), text[change.End:])
	if strings.TrimSpace(string(text)) == "{}" {
		text = nil
	}
	_, err = Parse(name, text, schema)
	return text, err
}

// repinned updates the plugin at an index. A path cannot become a source, nor a source a path.
func repinned(c *Config, f *yamledit.File, old, now *Plugin, index string) (*yamledit.File, error) {
	if old.Path.IsZero() != now.Path.IsZero() {
		return nil, c.Errorf(old.At, "the plugin %q is already configured, from %s; `stategate plugin remove %s` "+
			"removes it first", old.Name.Value, old.Origin(), old.Name.Value)
	}
	var err error
	for _, m := range []struct {
		key      string
		old, now Text
	}{
		{"sha256", old.SHA256, now.SHA256}, {"path", old.Path, now.Path}, {"source", old.Source, now.Source},
		{"attestation", old.Attestation, now.Attestation},
	} {
		switch {
		case err != nil || m.old.Value == m.now.Value || m.now.IsZero():
		case m.old.IsZero():
			f, err = f.Add(m.key+": "+m.now.Value+"\n", "plugins", index)
		default:
			f, err = f.Set(m.now.Value, "plugins", index, m.key)
		}
	}
	return f, err
}

// AddIgnore returns the text of a configuration with one more ignore, like AddPlugin. It omits a path that would
// match other files if it were read as a glob. Paths only help the reader, because the fingerprint identifies the
// finding.
func AddIgnore(name string, text []byte, added Ignore, schema string) ([]byte, error) {
	added.Paths = slices.DeleteFunc(slices.Clone(added.Paths), func(p Text) bool { return !isPlainGlob(p.Value) })
	return edited(name, text, schema, "ignore", added,
		func(_ *Config, f *yamledit.File, item string) (*yamledit.File, error) {
			return f.Add(item, "ignore")
		})
}

// isPlainGlob reports whether a path, used as a glob, matches only that file.
func isPlainGlob(path string) bool {
	set, err := glob.Compile([]string{path})
	return err == nil && !strings.HasSuffix(path, "/") && path != "." && !strings.ContainsAny(path, `*?[]{}\!`) &&
		set.Alternatives() == 1 && len(path) <= 256
}

// edited changes an item of a list. It fails if the resulting configuration is not valid.
func edited(name string, text []byte, schema, list string, item any,
	change func(*Config, *yamledit.File, string) (*yamledit.File, error)) ([]byte, error) {
	c, err := Parse(name, text, schema)
	if err != nil {
		return nil, err
	}
	line, err := yaml.Marshal([]any{item})
	if err != nil {
		return nil, err
	}
	f, err := yamledit.Parse(text)
	if err == nil {
		f, err = change(c, f, string(line))
	}
	if err == nil {
		_, err = Parse(name, f.Text, schema)
	}
	var invalid *Error
	switch {
	case errors.As(err, &invalid):
		return nil, err
	case err != nil:
		return nil, c.Errorf(Position{Line: 1, Column: 1},
			"nothing can be added to %s in a file formatted like this; add by hand: %s", list,
			strings.Trim(yamledit.Flow(string(line), false), "[]"))
	}
	return f.Text, nil
}
