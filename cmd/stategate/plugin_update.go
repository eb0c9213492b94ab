package main

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/store"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/schemas"
)

type updateFlags struct {
	configFile string
	dryRun     bool
}

func (a *app) updateVerb() *cobra.Command {
	f := &updateFlags{}
	c := &cobra.Command{
		Use:   "update [NAME…]",
		Short: "Pin the plugins of the configuration anew",
		Long: `update fetches every plugin that ` + config.Name + ` names by its source again, and reads
every pinned file again. Where the bytes are others it shows the old and the new sha256
and what changes in what the plugin may read, and writes the new sha256. NAME is what
the plugin is called, its path or its source. If one of them cannot be read, nothing is written.`,
		ValidArgsFunction: a.configuredPlugins(),
		RunE:              func(c *cobra.Command, names []string) error { return a.updatePlugins(c.Context(), f, names) },
	}
	c.Flags().StringVar(&f.configFile, "config", "", "update the configuration `FILE` instead of "+config.Name+" at the top")
	completeFlag(c, "config", files("yaml", "yml"))
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would change, and write nothing")
	return c
}

// A repin is what lies at the source of one configured plugin now.
type repin struct {
	entry  *config.Plugin
	before *plugin.Plugin // nil if this machine does not have what was pinned
	now    *plugin.Plugin
}

// name is what the plugin is called here.
func (u *repin) name() string { return u.now.Name }

func (u *repin) changed() bool { return u.entry.SHA256.Value != u.now.SHA256() }

func (a *app) updatePlugins(ctx context.Context, f *updateFlags, names []string) error {
	files, err := check.OpenFiles(ctx, a.hostOptions(limits.Default(), true), "")
	if err != nil {
		return err
	}
	defer files.Close()
	target, err := a.configTarget(files, f.configFile)
	if err != nil {
		return err
	}
	c, err := target.config(ctx)
	if err != nil {
		return err
	}
	chosen, err := chosenEntries(c, names)
	if err != nil {
		return err
	}
	updates, err := a.updates(ctx, target, c, chosen)
	if err != nil {
		return err
	}
	if len(updates) == 0 {
		return a.said("%s pins no plugin: there is nothing to update", target.called)
	}
	if err := a.shown(updates); err != nil || f.dryRun {
		return err
	}
	return a.pinned(ctx, target, updates)
}

// config reads the configuration that is to be changed.
func (t *configTarget) config(ctx context.Context) (*config.Config, error) {
	text, err := t.files.Read(ctx, t.name, config.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noConfig(t.called, "")
	case err != nil:
		return nil, unread(t.called, err)
	}
	c, err := config.Parse(t.called, text, schemas.Config)
	return c, err
}

// chosenEntries are the entries that are named, or all that have a source or a pin.
func chosenEntries(c *config.Config, names []string) (list []*config.Plugin, err error) {
	left, known := slices.Clone(names), []string(nil)
	for i := range c.Plugins {
		p := &c.Plugins[i]
		called := []string{p.Name.Value, p.Path.Value, p.Source.Value}
		named := false
		for _, name := range called {
			if name == "" {
				continue
			}
			known = append(known, name)
			named = named || slices.Contains(names, name)
			left = slices.DeleteFunc(left, func(s string) bool { return s == name })
		}
		if named || len(names) == 0 && (p.Source.Value != "" || p.SHA256.Value != "") {
			list = append(list, p)
		}
	}
	if len(left) > 0 {
		return nil, usagef("%s has no plugin %q; %s", c.Name, left[0], oneOf(left[0], known))
	}
	return list, nil
}

// updates reads what lies at each source now. It fails as a whole: what is written
// down is what was shown.
func (a *app) updates(ctx context.Context, t *configTarget, c *config.Config, chosen []*config.Plugin) (list []repin, err error) {
	var wrong []error
	for _, p := range chosen {
		u, err := a.updateOf(ctx, t, p)
		if err == nil && p.Name.Value != "" && p.Name.Value != u.now.Name {
			err = c.Errorf(p.Name.At, "the plugin at %s is called %q now, expected %q; write the name it has, or another source", source(p), u.now.Name, p.Name.Value)
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		list = append(list, u)
	}
	return list, worst(wrong)
}

// source is where a configured plugin comes from.
func source(p *config.Plugin) string {
	if p.Source.Value != "" {
		return p.Source.Value
	}
	return p.Path.Value
}

func (a *app) updateOf(ctx context.Context, t *configTarget, p *config.Plugin) (repin, error) {
	u := repin{entry: p}
	if p.Source.Value != "" {
		if wasm, err := (store.Store{Dir: a.env.storeDir}).Get(p.SHA256.Value, limits.Default().Plugin); err == nil {
			u.before, _ = plugin.ReadPlugin(p.Source.Value, wasm, "", limits.Default())
		}
		var err error
		u.now, err = a.fetched(ctx, p.Source.Value)
		return u, err
	}
	at := path.Join(path.Dir(t.name), p.Path.Value)
	wasm, err := t.files.Read(ctx, at, limits.Default().Plugin)
	if err != nil {
		return u, unread(at, err)
	}
	if u.now, err = plugin.ReadPlugin(at, wasm, "", limits.Default()); err != nil {
		return u, failed(at, fault.From(err, fault.ABI))
	}
	u.before = a.committed(ctx, at, p.SHA256.Value)
	return u, nil
}

// committed is the plugin as HEAD has it, if that is what is pinned.
func (a *app) committed(ctx context.Context, at, pin string) *plugin.Plugin {
	files, err := check.OpenFiles(ctx, a.hostOptions(limits.Default(), true), "HEAD")
	if err != nil {
		return nil
	}
	defer files.Close()
	wasm, err := files.Read(ctx, at, limits.Default().Plugin)
	if err != nil || store.Sum(wasm) != pin {
		return nil
	}
	p, _ := plugin.ReadPlugin(at, wasm, pin, limits.Default())
	return p
}

// shown says what is new.
func (a *app) shown(updates []repin) error {
	var err error
	for i := range updates {
		u := &updates[i]
		if !u.changed() {
			err = errors.Join(err, a.said("%s: unchanged, sha256 %s", u.name(), u.now.SHA256()))
			continue
		}
		err = errors.Join(err, print.Update(a.stdout, print.Updated{
			Source: source(u.entry), Pinned: u.entry.SHA256.Value, Before: u.before, Now: u.now,
		}, color(a, a.stdout)))
	}
	return a.printed(err)
}

// pinned keeps what was fetched and writes the new digests.
func (a *app) pinned(ctx context.Context, t *configTarget, updates []repin) error {
	for i := range updates {
		u := &updates[i]
		if !u.changed() {
			continue
		}
		if u.entry.Source.Value != "" {
			if _, err := (store.Store{Dir: a.env.storeDir}).Put(u.now.Wasm); err != nil {
				return brokenf("%v", err)
			}
		}
		entry := config.Entry{
			Name: u.entry.Name.Value, Path: u.entry.Path.Value, Source: u.entry.Source.Value,
			SHA256: u.now.SHA256(), Replace: u.entry.Replace,
		}
		if err := t.add(ctx, entry); err != nil {
			return err
		}
	}
	return nil
}

// updateCommand is the command that pins a configured plugin anew.
func (s *settings) updateCommand(p *config.Plugin) string {
	name := p.Name.Value
	if name == "" {
		name = source(p)
	}
	words := "stategate plugin update " + shellPath(name)
	if s.file != config.Name && s.from == "" {
		words += " --config " + shellPath(s.Name)
	}
	return words
}
