package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/source/glob"
)

// An Accepted is one finding that an ignore of its own accepts.
type Accepted struct {
	Rule        string // workflow/rule
	Path        string // of its document, from the top
	Fingerprint string
	Reason      string
	Until       time.Time // the last day; zero: for ever
}

// AddIgnore returns the text of a configuration with one ignore more, as AddPlugin does with a plugin.
func AddIgnore(name string, text []byte, a Accepted, schema string) ([]byte, error) {
	ed := newEdit(name, text, "ignore", a.lines())
	return ed.checked(schema, func() string { return ed.appended(ed.find()) }, a.holds)
}

func (a *Accepted) lines() []string {
	rules, paths, until := "["+a.Rule+"]", "", ""
	if a.named() {
		paths = "[" + quoted(a.Path) + "]"
	}
	if !a.Until.IsZero() {
		until = a.Until.Format(time.DateOnly)
	}
	return members("rules", rules, "paths", paths, "fingerprint", quoted(a.Fingerprint), "reason", quoted(a.Reason), "until", until)
}

// named reports whether the path can be written down as a glob: for the reader, the fingerprint says it all.
func (a *Accepted) named() bool {
	set, err := glob.Compile([]string{a.Path})
	return err == nil && !strings.HasSuffix(a.Path, "/") && a.Path != "." && !strings.ContainsAny(a.Path, `*?[]{}\!`) && set.Alternatives() == 1 && len(a.Path) <= 256
}

// holds reports whether a configuration is another one with the ignore.
func (a *Accepted) holds(before, after *Config) bool {
	entry := Ignore{Rules: []Text{{Value: a.Rule}}, Fingerprint: a.Fingerprint, Reason: a.Reason}
	if a.named() {
		entry.Paths = []Text{{Value: a.Path}}
	}
	if !a.Until.IsZero() {
		entry.Until = a.Until.AddDate(0, 0, 1)
	}
	return slices.Equal(ignores(append(slices.Clone(before.Ignore), entry)), ignores(after.Ignore)) &&
		slices.Equal(summary(before.Plugins), summary(after.Plugins)) && before.bare() == after.bare()
}

// ignores is what ignores are, without their places and their order.
func ignores(list []Ignore) []string {
	var out []string
	for _, g := range list {
		out = append(out, fmt.Sprintf("%q %q %q %q %v", values(g.Paths), values(g.Rules), g.Fingerprint, g.Reason, g.Until))
	}
	slices.Sort(out)
	return out
}
