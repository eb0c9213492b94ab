package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/sdk/engine/glob"
)

// An Entry is one plugin of a configuration, as AddPlugin writes it.
type Entry struct {
	Name string `yaml:"name,omitempty"`
	// of a file below the directory of the configuration; "" if there is a source
	Path    string `yaml:"path,omitempty"`
	Source  string `yaml:"source,omitempty"` // "" if there is a path
	SHA256  string `yaml:"sha256,omitempty"` // hex; may be "" for a file
	Replace bool   `yaml:"replace,omitempty"`

	// the GitHub repository that must have built it; "" for any origin
	Attestation string `yaml:"attestation,omitempty"`
}

// An Accepted is one finding that an ignore of its own accepts.
type Accepted struct {
	Rule        string // workflow/rule
	Path        string // of its document, from the workspace root
	Fingerprint string
	Message     string // of the finding
	Reason      string
	Until       time.Time // the last day; zero: without end
}

// AddPlugin returns the text of a configuration with one plugin more. A plugin of the same path or source gets the
// digest instead, one of the same name the path or source as well. Everything else stays byte for byte. text may be
// empty. The error is an *Error; if the file is written in a way that cannot be added to, it says what to write by
// hand.
func AddPlugin(name string, text []byte, e Entry, schema string) ([]byte, error) {
	return edited(name, text, schema, "plugins", e,
		func(c *Config, f *yamledit.File, item string) (*yamledit.File, error) {
			i := slices.IndexFunc(c.Plugins, func(p Plugin) bool {
				return p.Path.Value == e.Path &&
					p.Source.Value == e.Source
			})
			if i < 0 && e.Name != "" {
				i = slices.IndexFunc(c.Plugins, func(p Plugin) bool { return p.Name.Value == e.Name })
			}
			if i < 0 {
				return f.Add(item, "plugins")
			}
			return repinned(f, &c.Plugins[i], e, strconv.Itoa(i))
		})
}

// repinned gives the plugin at an index what is new in e. A path does not become a source, nor the other way round.
func repinned(f *yamledit.File, old *Plugin, e Entry, index string) (*yamledit.File, error) {
	if (old.Path.Value == "") != (e.Path == "") {
		return nil, yamledit.ErrByHand
	}
	var err error
	for _, m := range []struct{ key, old, now string }{
		{"sha256", old.SHA256.Value, e.SHA256}, {"path", old.Path.Value, e.Path},
		{"source", old.Source.Value, e.Source},
		{"attestation", old.Attestation.Value, e.Attestation},
	} {
		switch {
		case err != nil || m.old == m.now || m.now == "":
		case m.old == "":
			f, err = f.Add(m.key+": "+m.now+"\n", "plugins", index)
		default:
			f, err = f.Set(m.now, "plugins", index, m.key)
		}
	}
	return f, err
}

// AddIgnore returns the text of a configuration with one ignore more, as AddPlugin does with a plugin.
func AddIgnore(name string, text []byte, a Accepted, schema string) ([]byte, error) {
	item := struct {
		Rules       []string `yaml:"rules,flow"`
		Paths       []string `yaml:"paths,flow,omitempty"`
		Fingerprint string   `yaml:"fingerprint"`
		Message     string   `yaml:"message,omitempty"`
		Reason      string   `yaml:"reason"`
		Until       string   `yaml:"until,omitempty"`
	}{Rules: []string{a.Rule}, Fingerprint: a.Fingerprint, Message: a.Message, Reason: a.Reason}
	if isPlainGlob(a.Path) { // the path is for the reader: the fingerprint alone says which finding it is
		item.Paths = []string{a.Path}
	}
	if !a.Until.IsZero() {
		item.Until = a.Until.Format(time.DateOnly)
	}
	return edited(name, text, schema, "ignore", item,
		func(_ *Config, f *yamledit.File, item string) (*yamledit.File, error) {
			return f.Add(item, "ignore")
		})
}

// isPlainGlob reports whether a path, written as a glob, matches that file alone.
func isPlainGlob(path string) bool {
	set, err := glob.Compile([]string{path})
	return err == nil && !strings.HasSuffix(path, "/") && path != "." && !strings.ContainsAny(path, `*?[]{}\!`) &&
		set.Alternatives() == 1 && len(path) <= 256
}

// edited makes a change that concerns an item of a list, and refuses one after which the configuration is not valid.
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
