package check

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// An ActivePlugin is a plugin that takes part in a check.
type ActivePlugin struct {
	*plugin.Plugin
	specs *snapshot.Specs
	key   func() cache.PluginKey
}

// Plugins maps names to the plugins that take part in a check.
type Plugins map[string]*ActivePlugin

// activate returns the plugins that take part. If a plugin's manifest is rejected, that is a failure.
func activate(o *Options) (active Plugins, refused []result.Failure, err error) {
	active = Plugins{}
	globs := 0
	for _, p := range o.Plugins {
		if other := active[p.Name]; other != nil {
			return nil, nil, fault.Usagef("two plugins are called %s: %s and %s; remove one", p.Name, other.Origin,
				p.Origin)
		}
		specs, err := snapshot.CompileSpecs(p.Manifest.Documents)
		n := alternatives(p.Manifest, maxGlobs+1)
		if globs += n; err == nil && globs > maxGlobs {
			globs -= n
			err = fmt.Errorf("the globs of all plugins have more than %d alternatives; disable a plugin, or have it "+
				"use * where names are alike", maxGlobs)
		}
		if err != nil {
			refused = append(refused, result.Failure{Plugin: p.Name,
				Failure: *fault.Newf(fault.ABI, "the manifest is refused: %v", err)})
			continue
		}
		active[p.Name] = &ActivePlugin{p, specs, sync.OnceValue(func() cache.PluginKey {
			return cache.PluginInputs{HostVersion: o.Version, Name: p.Name, SHA256: p.Code(), Limits: o.Limits,
				Options: o.PluginOptions[p.Name].JSON}.Key()
		})}
	}
	return active, refused, nil
}

// maxGlobs limits the globs of roots, markers and exceptions, with braces expanded, because the walk compares each
// name with all of them.
const maxGlobs = 2000

// alternatives counts the globs that find a plugin's state. It stops soon after it has counted most globs.
func alternatives(m *wire.Manifest, most int) (n int) {
	for _, r := range m.Roots {
		n += len(glob.Alternatives(r.Dir))
		for _, g := range slices.Concat(r.Markers, r.Except) {
			if n += len(glob.Alternatives(g)); n >= most {
				return n
			}
		}
	}
	return n
}

func (p Plugins) sorted() (list []*plugin.Plugin) {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		list = append(list, p[name].Plugin)
	}
	return list
}

// rules returns a plugin's rules, or nil if it does not take part.
func (p Plugins) rules(name string) []wire.Rule {
	if plugin := p[name]; plugin != nil {
		return plugin.Manifest.Rules
	}
	return nil
}

func rootsOf(plugins []*plugin.Plugin) []discover.Plugin {
	list := make([]discover.Plugin, len(plugins))
	for i, p := range plugins {
		list[i] = discover.Plugin{Name: p.Name, Roots: p.Manifest.Roots}
	}
	return list
}

// isUnique reports whether a path is a state directory, or a parent of one, whose name (in any case) only this
// workflow uses.
func (p *ActivePlugin) isUnique(name string) bool {
	var dirs []string
	for _, r := range p.Manifest.Roots {
		if r.Unique {
			dirs = append(dirs, r.Dir)
		}
	}
	set, err := glob.Floating(dirs)
	if err != nil {
		return false // the walk rejects it
	}
	set = set.Folded()
	return set.Named(set.After(name))
}

// isMarker reports whether a path below a root is a marker or a directory above one.
func (p *ActivePlugin) isMarker(name string) bool {
	return slices.ContainsFunc(p.Manifest.Roots, func(r wire.Root) bool {
		set, err := glob.Compile(r.Markers)
		if err != nil {
			return false // the walk rejects it
		}
		return set.Matches(name) || set.LeadsBelow(name)
	})
}

// markersAmong returns the documents that make a directory a state directory, or all documents if there are none.
func (p *ActivePlugin) markersAmong(documents []string) (list []string) {
	for _, root := range p.Manifest.Roots {
		set, err := glob.Compile(root.Markers)
		if err != nil {
			continue // the walk has rejected it
		}
		for _, d := range documents {
			if set.Matches(d) && !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
	}
	if len(list) == 0 {
		return documents
	}
	return list
}
