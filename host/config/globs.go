package config

import (
	"path"
	"strings"

	"github.com/stategate/stategate/host/schemafile"
	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/engine/glob"
)

// maxAlternatives limits the number of globs in a file with their braces expanded, because each finding is compared
// with all of them.
const maxAlternatives = 4096

// paths rejects a path that leads out of the configuration's directory, a malformed glob, and too many globs. It
// reports the first problem.
func (c *Config) paths() error {
	inside, globs := []Text{c.Baseline}, c.Exclude
	for _, p := range c.Plugins {
		inside = append(inside, p.Path)
	}
	for _, g := range c.Ignore {
		globs = append(globs, g.Paths...)
	}
	for _, t := range inside {
		want := ""
		switch p := t.Value; {
		case p == "":
		case strings.ContainsAny(p, "\\\x00") || strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':':
			want = "one below the configuration's directory, with slashes between names"
		case path.Clean(p) != strings.TrimPrefix(p, "./") || p == "." || p == ".." || strings.HasPrefix(p, "../"):
			want = "one below the configuration's directory, without .. and empty names"
		case edit.InGitFolder(p):
			want = "one outside of git's own directory"
		}
		if want != "" {
			return c.Errorf(t.At, "found the path %q, expected %s", schemafile.Clipped(t.Value), want)
		}
	}
	alternatives := 0
	for _, t := range globs {
		set, err := glob.Compile([]string{below(t.Value)})
		if err != nil {
			return c.Errorf(t.At, "%v", err)
		}
		if alternatives += set.Alternatives(); alternatives > maxAlternatives {
			return c.Errorf(t.At, "found globs with more than %d alternatives in total, expected fewer; use * where "+
				"they are alike", maxAlternatives)
		}
	}
	return nil
}

// Set compiles the paths of an ignore. It returns nil if there are none. Parse has verified that they compile.
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

// below returns a glob that also matches everything in the directory, if glob names one.
func below(glob string) string {
	if strings.HasSuffix(glob, "/") {
		return glob + "**"
	}
	return glob
}
