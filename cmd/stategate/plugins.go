package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/plugins/build"
)

// builtIn is the origin of the plugins that the binary holds.
const builtIn = "built in"

// plugins are those of one call, and what could not be read.
type plugins struct {
	list     []*plugin.Plugin
	failures []result.Failure
}

// choose reads the plugins that --plugin names, or else all built-in ones.
func choose(named []string, lim limits.Limits) (*plugins, error) {
	files := build.Files()
	p := &plugins{}
	if len(named) == 0 {
		for _, f := range files {
			p.read(f, builtIn, lim)
		}
		return p, p.oneOfEachName()
	}
	for _, name := range named {
		if err := p.add(name, files, lim); err != nil {
			return nil, err
		}
	}
	return p, p.oneOfEachName()
}

func (p *plugins) add(name string, files []build.File, lim limits.Limits) error {
	if isFileName(name) {
		wasm, err := readWasm(name, lim)
		var fail *fault.Failure
		if errors.As(err, &fail) {
			p.failures = append(p.failures, result.Failure{Plugin: name, Failure: *fail})
			return nil
		}
		if err != nil {
			return err
		}
		p.read(build.File{Name: name, Wasm: wasm}, name, lim)
		return nil
	}
	i := slices.IndexFunc(files, func(f build.File) bool { return f.Name == name })
	if i < 0 {
		return noSuchPlugin(name, files)
	}
	p.read(files[i], builtIn, lim)
	return nil
}

func noSuchPlugin(name string, files []build.File) error {
	if len(files) == 0 {
		return errNoBuiltIns()
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return usagef("no built-in plugin is called %q; %s (a file is named with a slash or .wasm)", name, oneOf(name, names))
}

// isFileName reports whether a value of --plugin means a file, not a name.
func isFileName(name string) bool {
	return strings.HasSuffix(name, ".wasm") || strings.ContainsAny(name, `/`+string(filepath.Separator))
}

// read keeps a plugin, or why it is none: the others still look.
func (p *plugins) read(file build.File, origin string, lim limits.Limits) {
	plug, err := plugin.ReadPlugin(origin, file.Wasm, file.SHA256, lim)
	if err != nil {
		p.failures = append(p.failures, result.Failure{Plugin: file.Name, Failure: *fault.From(err, fault.ABI)})
		return
	}
	p.list = append(p.list, plug)
}

func (p *plugins) oneOfEachName() error {
	seen := map[string]string{}
	for _, x := range p.list {
		if first, ok := seen[x.Name]; ok {
			return usagef("two plugins are called %q: %s and %s; name one of them", x.Name, first, x.Origin)
		}
		seen[x.Name] = x.Origin
	}
	slices.SortFunc(p.list, func(a, b *plugin.Plugin) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// orNone returns an error if there is no plugin at all, not even a broken one.
func (p *plugins) orNone() error {
	if len(p.list)+len(p.failures) == 0 {
		return errNoBuiltIns()
	}
	return nil
}

func errNoBuiltIns() error {
	return brokenf("this stategate has no built-in plugins, because it was built from a branch or a commit: name a release tag (in .pre-commit-config.yaml rev: v0.1.0, for go install @v0.1.0), run `make build` in its source tree, or name a file with --plugin FILE.wasm")
}

// readWasm reads a plugin's file. A file that is not there is a usage error,
// one that cannot be read is a failure.
func readWasm(name string, lim limits.Limits) ([]byte, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("there is no file %s", name)
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, fault.Newf(fault.IO, "%s is not a regular file", name)
	}
	if err != nil {
		return nil, fault.Newf(fault.IO, "%v", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fault.Newf(fault.IO, "%v", err)
	}
	defer f.Close()
	wasm, err := io.ReadAll(io.LimitReader(f, lim.Plugin+1))
	if err != nil {
		return nil, fault.Newf(fault.IO, "read the plugin: %v", err)
	}
	return wasm, nil
}
