package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/cmd/stategate/internal/declared"
	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/store"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/wire"
)

// builtIn is the origin of plugins embedded in the binary.
const builtIn = "built in"

// plugins holds the plugins of one call, and the failures of those that could not be read.
type plugins struct {
	list     []*plugin.Plugin
	failures []result.Failure
	files    *declared.Reader
}

func builtInPlugins(a *app) *plugins {
	p := &plugins{files: pluginFiles(a)}
	for _, f := range build.Files() {
		plug, err := plugin.Built(builtIn, f.Manifest, f.SHA256, f.Size, f.Wasm)
		if err == nil {
			linkRules(plug.Manifest)
		}
		p.keep(f.Name, plug, err)
	}
	return p
}

// linkRules sets each rule's URL, which points to its row on the workflow's page, as TestDocs writes it.
func linkRules(m *wire.Manifest) {
	for i := range m.Rules {
		if r := &m.Rules[i]; r.URL == "" {
			r.URL = m.Homepage + "#" + r.Name
		}
	}
}

// pluginFiles returns the reader of plugin files.
func pluginFiles(a *app) *declared.Reader {
	if a.files == nil {
		a.files = declared.NewReader(a.env.build, ownWorkers(a, false))
	}
	return a.files
}

// keep stores a plugin, or the reason why it is unusable. The other plugins still check.
func (p *plugins) keep(name string, plug *plugin.Plugin, err error) {
	if err != nil {
		p.failures = append(p.failures, result.Failure{Plugin: name, Failure: *fault.From(err, fault.ABI)})
		return
	}
	p.list = append(p.list, plug)
}

// pick returns the plugins that --plugin names. A file replaces a plugin with the same name.
func (p *plugins) pick(ctx context.Context, named []string, lim limits.Limits) (*plugins, error) {
	picked := &plugins{failures: p.failures, files: p.files}
	for _, name := range named {
		if advice.IsFileName(name) {
			wasm, err := readRegular(name, lim.Plugin)
			if err == nil {
				err = picked.readBytes(ctx, name, name, wasm, "", lim)
			}
			if fail := (*fault.Failure)(nil); errors.As(err, &fail) {
				picked.keep(name, nil, err)
			} else if err != nil {
				return nil, err
			}
		} else if found := find(p.list, name); found != nil {
			picked.list = append(picked.list, found)
		} else if len(p.failures) == 0 {
			if err := p.orNone(); err != nil {
				return nil, err
			}
			return nil, usagef("no plugin is called %q; %s (a file needs a slash, .wasm or .yaml in its name)", name,
				suggest.OneOf(name, pluginNames(p.list)))
		}
	}
	for i, x := range picked.list {
		if first := find(picked.list[:i], x.Name); first != nil {
			return nil, usagef("two plugins are called %q: %s and %s; choose one", x.Name, first.Origin,
				x.Origin)
		}
	}
	picked.sort()
	return picked, nil
}

// readBytes adds the plugin in a file. A broken plugin is a failure; a declaration with a mistake is an error.
func (p *plugins) readBytes(ctx context.Context, name, called string, data []byte, digest string,
	lim limits.Limits) error {
	plug, err := p.files.Read(ctx, name, called, data, digest, lim)
	var wrong *fault.UsageError
	if errors.As(err, &wrong) {
		return err
	}
	p.keep(name, plug, err)
	return nil
}

func (p *plugins) sort() {
	slices.SortFunc(p.list, func(a, b *plugin.Plugin) int { return strings.Compare(a.Name, b.Name) })
}

// refuseUnknown rejects a flag value that does not name a plugin. If plugins are broken, it accepts any name, because
// their names are unknown.
func (p *plugins) refuseUnknown(flag, name, problem string) error {
	if len(p.failures) > 0 || find(p.list, name) != nil {
		return nil
	}
	return usagef("--%s %q%s; %s", flag, name, problem, suggest.OneOf(name, pluginNames(p.list)))
}

// refuseUnknownWorkflow rejects a nonempty --workflow that does not name a plugin.
func (p *plugins) refuseUnknownWorkflow(name string) error {
	if name == "" {
		return nil
	}
	return p.refuseUnknown("workflow", name, " is not a workflow of any plugin")
}

// orNone returns an error if there are no plugins, not even broken ones.
func (p *plugins) orNone() error {
	if len(p.list)+len(p.failures) > 0 {
		return nil
	}
	return errors.New("this stategate has no built-in plugins, because it was built from a branch or a commit; use " +
		"a release tag (in .pre-commit-config.yaml rev: v0.1.0, for go install @v0.1.0), run `make build` in its " +
		"source tree, or specify a file with --plugin FILE.wasm")
}

// usablePlugins reads plugins for a subcommand that needs all of them to be usable.
func usablePlugins(ctx context.Context, a *app, named []string) (*plugins, error) {
	p := builtInPlugins(a)
	if len(named) > 0 {
		var err error
		if p, err = p.pick(ctx, named, limits.Default()); err != nil {
			return nil, err
		}
	}
	return p.usable()
}

// usable returns the plugins, or the reason why one of them is unusable.
func (p *plugins) usable() (*plugins, error) {
	if len(p.failures) > 0 {
		f := p.failures[0]
		return nil, &problem{code: exitBroken, message: "plugin " + f.Plugin + ": " + f.Message, detail: f.Stderr}
	}
	return p, p.orNone()
}

// usablePluginsHere reads the plugins that check would use in the current directory, for a subcommand that needs
// all of them to be usable.
func usablePluginsHere(ctx context.Context, a *app, named []string) (*plugins, error) {
	l := &examineFlags{Flags: advice.Flags{Plugins: named}}
	q, err := configured(ctx, a, l, hostOptions(a, true))
	if err != nil {
		return nil, err
	}
	return q.plugins.usable()
}

// shownPlugins does what usablePluginsHere does, for a subcommand that only shows plugins. It also returns disabled
// plugins, and returns built-in plugins even if the configuration is wrong. has reports whether a list contains the
// wanted plugin.
func shownPlugins(ctx context.Context, a *app, named []string, has func([]*plugin.Plugin) bool) (*plugins, error) {
	here, wrong := usablePluginsHere(ctx, a, named)
	if wrong == nil && has(here.list) {
		return here, nil
	}
	builtIn, err := usablePlugins(ctx, a, named)
	switch {
	case err == nil && has(builtIn.list):
		return builtIn, nil
	case wrong != nil:
		return nil, wrong
	}
	return here, nil
}

func find(list []*plugin.Plugin, name string) *plugin.Plugin {
	for _, p := range list {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func pluginNames(list []*plugin.Plugin) []string {
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// chooseConfigured returns the built-in plugins, configured plugins and files that --plugin names, or all plugins that
// the configuration does not disable. It rejects a configuration with unknown plugin or rule names.
func chooseConfigured(ctx context.Context, all *plugins, named []string, s *settings,
	lim limits.Limits) (*plugins, error) {
	for i := range s.Plugins {
		if err := addConfigured(ctx, all, s, &s.Plugins[i], lim); err != nil {
			return nil, err
		}
	}
	if len(all.failures) == 0 { // a broken plugin's rules are unknown
		if err := s.Check(knownRules(all.list)); err != nil {
			return nil, err
		}
	}
	if len(named) > 0 {
		return all.pick(ctx, named, lim)
	}
	enabled := slices.DeleteFunc(all.list, func(p *plugin.Plugin) bool {
		return slices.ContainsFunc(s.Disable, func(t config.Text) bool { return t.Value == p.Name })
	})
	if len(all.list) > 0 && len(enabled)+len(all.failures) == 0 {
		return nil,
			s.Errorf(s.Disable[0].At, "all plugins are disabled, so nothing would be checked; remove one from disable")
	}
	all.list = enabled
	all.sort()
	return all, nil
}

func knownRules(list []*plugin.Plugin) []config.Known {
	var known []config.Known
	for _, p := range list {
		k := config.Known{Plugin: p.Name, Rules: ruleNames(p.Manifest), Former: map[string]string{},
			Dropped: p.Manifest.Dropped}
		for _, r := range p.Manifest.Rules {
			for _, former := range r.Replaces {
				k.Former[former] = r.Name
			}
		}
		known = append(known, k)
	}
	return known
}

// addConfigured adds a plugin that the configuration names. A broken plugin is a failure, and the others still check; a
// plugin that differs from the configuration is an error.
func addConfigured(ctx context.Context, p *plugins, s *settings, want *config.Plugin,
	lim limits.Limits) error {
	wasm, name, err := configuredWasm(ctx, s, want, lim)
	if err != nil {
		return err
	}
	digest := plugin.Digest(wasm)
	if pin := want.SHA256; pin.Value != "" && pin.Value != digest {
		return s.Errorf(pin.At, "found the digest %s in %s, expected %s; if the change is intended, `%s` pins it",
			digest, name, pin.Value, s.updateCommand(want))
	}
	one := &plugins{files: p.files}
	if err := one.readBytes(ctx, name, s.called(name), wasm, digest, lim); err != nil || len(one.list) == 0 {
		p.failures = append(p.failures, one.failures...)
		return err
	}
	x := one.list[0]
	if want.SHA256.Value != "" {
		x.Pinned = s.Place(want.SHA256.At)
	}
	x.Attested = want.Attestation.Value
	i := slices.IndexFunc(p.list, func(y *plugin.Plugin) bool { return y.Name == x.Name })
	switch {
	case want.Name.Value != "" && want.Name.Value != x.Name:
		return s.Errorf(want.Name.At, "the plugin in %s is called %q, expected %q; correct the name or the source",
			name, x.Name, want.Name.Value)
	case i < 0:
		p.list = append(p.list, x)
	case want.Replace:
		p.list[i] = x
	default:
		return s.Errorf(want.At, "two plugins are called %q: %s and %s; write `replace: true` here, or remove one",
			x.Name, p.list[i].Origin, name)
	}
	return nil
}

// configuredWasm reads a file below the configuration's directory, or a plugin that was fetched earlier, because check
// never opens a socket.
func configuredWasm(ctx context.Context, s *settings, want *config.Plugin,
	lim limits.Limits) (wasm []byte, name string, err error) {
	source := want.Source.Value
	if source == "" && want.Attestation.Value != "" {
		return nil, "", s.Errorf(want.Attestation.At,
			"%s is a file in the repository, but only a plugin with a source can have an attestation; remove this line",
			want.Path.Value)
	}
	if source == "" {
		at := path.Join(s.Dir(), want.Path.Value)
		wasm, err = s.Read(ctx, at, lim.Plugin)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", s.Errorf(want.Path.At, "file %s does not exist", s.called(at))
		}
		return wasm, at, configfile.ReadError(s.Place(want.Path.At)+": "+s.called(at), err)
	}
	switch {
	case s.Store.Dir == "":
		return nil, "",
			fmt.Errorf("%s: cannot find plugin %s, because the directory for fetched plugins is unknown; set HOME or "+
				"XDG_CACHE_HOME", s.Place(want.At), source)
	case want.SHA256.Value == "":
		return nil, "", s.Errorf(want.At, "the plugin %s is not pinned; run `%s` to fetch and pin it", source,
			s.updateCommand(want))
	}
	wasm, err = s.Store.Get(want.SHA256.Value, lim.Plugin)
	switch {
	case errors.Is(err, store.ErrMissing):
		return nil, "",
			s.Errorf(want.Source.At, "the plugin %s with sha256 %s is not on this machine; run "+
				"`stategate plugin sync`", source, want.SHA256.Value)
	case err != nil: // it was altered, or cannot be read
		return nil, "", fault.Newf(fault.IO, "%s: %v", s.Place(want.At), err)
	case want.Attestation.Value != "" && !s.Store.Attested(want.SHA256.Value, want.Attestation.Value):
		return nil, "", s.Errorf(want.Attestation.At,
			"no attestation that %s built the plugin %s was verified on this machine; run `stategate plugin sync`",
			want.Attestation.Value, source)
	}
	return wasm, source, nil
}

// ruleNames returns the names of all rules that findings in a plugin's instances may have.
func ruleNames(m *wire.Manifest) []string {
	var names []string
	for _, r := range m.Rules {
		names = append(names, r.Name)
	}
	return append(names, wire.HostRules...)
}
