package main

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/store"
	"github.com/stategate/stategate/host/result"
)

// chooseConfigured returns the plugins that --plugin names among the built-in and the
// configured ones and files; or else all that the configuration does not disable. It
// refuses a configuration that names plugins or rules that there are not.
func (a *app) chooseConfigured(ctx context.Context, all *plugins, named []string, s *settings, lim limits.Limits) (*plugins, error) {
	for i := range s.Plugins {
		if err := a.addConfigured(ctx, all, s, &s.Plugins[i], lim); err != nil {
			return nil, err
		}
	}
	if len(all.failures) == 0 { // which rules a broken plugin has is not known
		if err := s.Check(knownRules(all.list)); err != nil {
			return nil, err
		}
	}
	if len(named) > 0 {
		return all.pick(named, lim)
	}
	enabled := slices.DeleteFunc(all.list, func(p *plugin.Plugin) bool {
		return slices.ContainsFunc(s.Disable, func(t config.Text) bool { return t.Value == p.Name })
	})
	if len(all.list) > 0 && len(enabled)+len(all.failures) == 0 {
		return nil, s.errorf(s.Disable[0].At, "all plugins are disabled, so nothing would be checked; remove one from disable")
	}
	all.list = enabled
	slices.SortFunc(all.list, func(x, y *plugin.Plugin) int { return strings.Compare(x.Name, y.Name) })
	return all, nil
}

func knownRules(list []*plugin.Plugin) []config.Known {
	var known []config.Known
	for _, p := range list {
		known = append(known, config.Known{Plugin: p.Name, Rules: ruleNames(p.Manifest)})
	}
	return known
}

// pick keeps what --plugin names; a file takes the place of what has its name.
func (p *plugins) pick(named []string, lim limits.Limits) (*plugins, error) {
	picked := &plugins{failures: p.failures}
	for _, name := range named {
		if isFileName(name) {
			if err := picked.add(name, nil, lim); err != nil {
				return nil, err
			}
			continue
		}
		i := slices.IndexFunc(p.list, func(x *plugin.Plugin) bool { return x.Name == name })
		if i >= 0 {
			picked.list = append(picked.list, p.list[i])
		} else if len(p.failures) == 0 {
			var names []string
			for _, x := range p.list {
				names = append(names, x.Name)
			}
			return nil, usagef("no plugin is called %q; %s (a file is named with a slash or .wasm)", name, oneOf(name, names))
		}
	}
	return picked, picked.oneOfEachName()
}

// addConfigured takes in a plugin that the configuration names. One that is broken is
// a failure, and the others look; one that is not what the configuration says is an error.
func (a *app) addConfigured(ctx context.Context, p *plugins, s *settings, want *config.Plugin, lim limits.Limits) error {
	wasm, name, err := a.configuredWasm(ctx, s, want, lim)
	if err != nil {
		return err
	}
	digest := store.Sum(wasm)
	if pin := want.SHA256; pin.Value != "" && pin.Value != digest {
		return s.errorf(pin.At, "found the digest %s in %s, expected %s; if the change is intended, `%s` pins it", digest, name, pin.Value, s.updateCommand(want))
	}
	x, err := plugin.ReadPlugin(name, wasm, digest, lim)
	if err != nil {
		p.failures = append(p.failures, result.Failure{Plugin: name, Failure: *fault.From(err, fault.ABI)})
		return nil
	}
	i := slices.IndexFunc(p.list, func(y *plugin.Plugin) bool { return y.Name == x.Name })
	switch {
	case want.Name.Value != "" && want.Name.Value != x.Name:
		return s.errorf(want.Name.At, "the plugin in %s is called %q, expected %q; write the name it has, or another source", name, x.Name, want.Name.Value)
	case i < 0:
		p.list = append(p.list, x)
	case want.Replace:
		p.list[i] = x
	default:
		return s.errorf(want.At, "two plugins are called %q: %s and %s; write `replace: true` here, or remove one", x.Name, p.list[i].Origin, name)
	}
	return nil
}

// configuredWasm reads a file below the directory of the configuration, or what was
// fetched from a source before: check never opens a socket.
func (a *app) configuredWasm(ctx context.Context, s *settings, want *config.Plugin, lim limits.Limits) (wasm []byte, name string, err error) {
	if want.Path.Value == "" {
		return a.fetchedWasm(s, want, lim)
	}
	at := path.Join(s.dir, want.Path.Value)
	wasm, err = s.files.Read(ctx, at, lim.Plugin)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", s.errorf(want.Path.At, "there is no file %s", s.called(at))
	}
	if err != nil {
		err = unread(s.Place(want.Path.At)+": "+s.called(at), err)
	}
	return wasm, at, err
}

func (a *app) fetchedWasm(s *settings, want *config.Plugin, lim limits.Limits) ([]byte, string, error) {
	if a.env.storeDir == "" {
		return nil, "", brokenf("%s: the plugin %s cannot be looked up: no directory for fetched plugins is known; set HOME or XDG_CACHE_HOME", s.Place(want.At), want.Source.Value)
	}
	if want.SHA256.Value == "" {
		return nil, "", s.errorf(want.At, "the plugin %s is not pinned: `%s` fetches and pins it", want.Source.Value, s.updateCommand(want))
	}
	wasm, err := store.Store{Dir: a.env.storeDir}.Get(want.SHA256.Value, lim.Plugin)
	if errors.Is(err, store.ErrMissing) {
		return nil, "", s.errorf(want.Source.At, "the plugin %s with the digest %s is not on this machine; fetch it with `stategate plugin sync`", want.Source.Value, want.SHA256.Value)
	}
	if err != nil { // it was tampered with, or cannot be read
		return nil, "", brokenf("%s: %v", s.Place(want.At), err)
	}
	return wasm, want.Source.Value, nil
}
