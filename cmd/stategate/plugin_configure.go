package main

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/host/plugin/store"
	"github.com/stategate/stategate/host/plugin/worker"
)

func (a *app) store() store.Store { return store.Store{Dir: a.env.storeDir} }

// changeConfiguration has the configuration changed that --config names, or the one at the top, and prints how to stage
// the files that change returns: a hook reads the configuration of the index.
func (a *app) changeConfiguration(c *cobra.Command, file string,
	change func(*configfile.File) (stage []string, err error)) error {
	s, err := a.configure(c.Context(), c, &configFlags{configFile: file, writes: true},
		a.hostOptions(limits.Default(), true))
	if err != nil {
		return err
	}
	defer s.Close()
	stage, err := change(&s.File)
	if err != nil || len(stage) == 0 || !a.inRepository() {
		return err
	}
	return a.printed(lines(a.stdout, "then: ", "", a.shell(s.Top).Add(stage)))
}

func (a *app) inRepository() bool {
	return a.repository(a.env.dir) != nil
}

func (a *app) addCommand() *cobra.Command {
	var file, sum, repository, list string
	var replace bool
	c := &cobra.Command{
		Use:               "add NAME|FILE.wasm|https://…|oci://…",
		Short:             "Add a plugin to the configuration, pinned",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(files("wasm")),
		RunE: func(c *cobra.Command, args []string) error {
			return a.changeConfiguration(c, file, func(f *configfile.File) ([]string, error) {
				source, name := args[0], ""
				if !strings.ContainsAny(source, `/\.`) {
					l, err := fromList(c.Context(), list, source)
					if err != nil {
						return nil, err
					}
					source, name, sum, repository = l.Source, l.Name, cmp.Or(sum, l.SHA256),
						cmp.Or(repository, l.Attestation)
				}
				return a.addPlugin(c.Context(), f, source, name, sum, repository, replace)
			})
		},
	}
	c.Flags().StringVar(&file, "config", "", "write to the configuration `FILE` instead of "+config.Name+" at the top")
	c.Flags().StringVar(&sum, "sha256", "", "refuse a plugin whose bytes have another `DIGEST`")
	c.Flags().BoolVar(&replace, "replace", false, "let it take the place of a built-in plugin of its name")
	c.Flags().StringVar(&repository, "attestation", "",
		"refuse a plugin that no workflow of the GitHub repository `OWNER/NAME` built, now and at every plugin "+
			"sync; gh checks it")
	c.Flags().StringVar(&list, "list", "", "find names in the list `URL|FILE` (default: that of the latest release)")
	return c
}

// addPlugin adds the plugin of a source; one that a list has by name must be called that.
func (a *app) addPlugin(ctx context.Context, f *configfile.File, source, name, sum, repository string,
	replace bool) ([]string, error) {
	var entry config.Plugin
	var plug *plugin.Plugin
	var err error
	switch {
	case strings.Contains(source, "://"):
		entry, plug, err = f.Fetch(ctx, source, repository)
	case repository != "":
		return nil, usagef("--attestation is of a plugin that is fetched: %s is a file of the repository", source)
	default:
		entry, plug, err = f.Local(ctx, source, a.absolute(source))
	}
	if err != nil {
		return nil, err
	}
	if name != "" && name != plug.Name {
		return nil, usagef("the plugin %s is called %q, and the list calls it %q; nothing was written", source,
			plug.Name, name)
	}
	if sum != "" && sum != plug.SHA256() {
		return nil, usagef("the plugin %s has the sha256 %s, expected %s; nothing was written", source, plug.SHA256(),
			sum)
	}
	builtIns, err := choose(nil, limits.Default())
	if err != nil {
		return nil, err
	}
	if !replace && find(builtIns.list, plug.Name) != nil {
		return nil, usagef("a built-in plugin is called %q as well; say --replace if %s is to take its place",
			plug.Name, plug.Origin)
	}
	entry.Replace = replace
	if err := f.Add(ctx, entry); err != nil {
		return nil, err
	}
	stage := []string{f.At}
	if !entry.Path.IsZero() {
		stage = append(stage, path.Join(f.Dir(), entry.Path.Value))
	}
	return stage, a.say("%s: %s %s from %s, sha256 %s", f.Name, plug.Name, plug.Manifest.Version, source,
		plug.SHA256())
}

func (a *app) updateCommand() *cobra.Command {
	var file string
	var dryRun bool
	c := &cobra.Command{
		Use:               "update [NAME…]",
		Short:             "Pin the plugins of the configuration anew",
		ValidArgsFunction: a.workflows(noFiles),
		RunE: func(c *cobra.Command, names []string) error {
			return a.changeConfiguration(c, file, func(f *configfile.File) ([]string, error) {
				return a.updatePlugins(c.Context(), f, names, dryRun)
			})
		},
	}
	c.Flags().StringVar(&file, "config", "", "update the configuration `FILE` instead of "+config.Name+" at the top")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would change, and write nothing")
	return c
}

func (a *app) updatePlugins(ctx context.Context, f *configfile.File, names []string,
	dryRun bool) (stage []string, err error) {
	updates, err := f.Updates(ctx, names)
	if err != nil {
		return nil, err
	}
	if len(updates) == 0 {
		return nil, a.say("%s pins no plugin: there is nothing to update", f.Name)
	}
	for _, u := range updates {
		if !u.Changed() {
			err = errors.Join(err, a.say("%s: unchanged, sha256 %s", u.Now.Name, u.Now.SHA256()))
			continue
		}
		if stage = append(stage, f.At); u.At != "" {
			stage = append(stage, u.At)
		}
		err = errors.Join(err, a.say("%s %s from %s, sha256 %s -> %s", u.Now.Name, u.Now.Manifest.Version, u.Source,
			cmp.Or(u.Pinned, "none"), u.Now.SHA256()))
	}
	if err != nil || dryRun {
		return nil, err
	}
	slices.Sort(stage)
	return slices.Compact(stage), f.Pin(ctx, updates)
}

func (a *app) syncCommand() *cobra.Command {
	f := &configFlags{}
	c := &cobra.Command{
		Use:   "sync",
		Short: "Fetch the plugins that the configuration pins",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return a.sync(c, f) },
	}
	f.register(c)
	return c
}

func (a *app) sync(c *cobra.Command, f *configFlags) error {
	s, err := a.configure(c.Context(), c, f, a.hostOptions(limits.Default(), true))
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(c.Context(), fetch.Timeout)
	defer cancel()
	none := true
	for i := range s.Plugins {
		p := &s.Plugins[i]
		if p.Source.Value == "" {
			continue
		}
		none = false
		line, wrong := s.Sync(ctx, p, s.updateCommand(p))
		if wrong == nil {
			wrong = a.say("%s", line)
		}
		err = errors.Join(err, wrong)
	}
	if none {
		return a.say("%s names no plugin by its source: there is nothing to fetch", s.Name)
	}
	return err
}

func (a *app) pushCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "push NAME|FILE.wasm oci://HOST/REPOSITORY:TAG",
		Short:             "Publish a plugin in an OCI registry",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: inOrder(a.workflows(filesToo)),
		RunE:              func(c *cobra.Command, args []string) error { return a.push(c.Context(), args[0], args[1]) },
	}
}

func (a *app) push(ctx context.Context, name, to string) error {
	source, err := fetch.Parse(to)
	if err != nil {
		return usagef("%v", err)
	}
	if !source.Registry() {
		return usagef("plugins are pushed to a registry, found %s; write it as oci://HOST/REPOSITORY:TAG", to)
	}
	p, err := usablePlugins([]string{name})
	if err != nil {
		return err
	}
	plug := p.list[0]
	stays, err := configfile.Fetcher().Push(ctx, source, plug.Wasm(), plug.Manifest)
	if err != nil {
		return brokenf("%v", err)
	}
	return a.say("%s %s, sha256 %s, is published as\n%s\nto use it, run\nstategate plugin add %s", plug.Name,
		plug.Manifest.Version, plug.SHA256(), stays, stays)
}

func (a *app) cacheCommand() *cobra.Command {
	c := &cobra.Command{Use: "cache", Short: "Prepare the cache of compiled plugins"}
	group(c)
	c.AddCommand(a.warmCommand())
	return c
}

func (a *app) warmCommand() *cobra.Command {
	var system string
	c := &cobra.Command{
		Use:               "warm [NAME|FILE.wasm]...",
		Short:             "Compile plugins before they are needed",
		ValidArgsFunction: a.workflows(filesToo),
		RunE:              func(c *cobra.Command, args []string) error { return a.warm(c, args, system) },
	}
	c.Flags().StringVar(&system, "system", "", "compile into `DIR`, for all users of this machine or image (check "+
		"--system-cache DIR)")
	return c
}

func (a *app) warm(c *cobra.Command, named []string, system string) error {
	p, err := a.usablePluginsHere(c, named)
	if err != nil {
		return err
	}
	config := a.workers(limits.Default(), false)
	if system != "" {
		config.CacheDir, config.Share = a.absolute(system), true
	}
	if config.CacheDir == "" {
		return fault.Newf(fault.IO, "there is no cache: %s", a.env.noCache)
	}
	pool, err := worker.NewPool(config)
	if err != nil {
		return err
	}
	defer pool.Close()
	for _, one := range p.list {
		if f := pool.Compile(c.Context(), worker.Plugin{SHA256: one.SHA256(), Size: one.Size,
			Wasm: one.Wasm}); f != nil {
			f.Message = one.Name + ": " + f.Message
			err = errors.Join(err, f)
		} else {
			err = errors.Join(err, a.say("%s %s: compiled", one.Name, one.Manifest.Version))
		}
	}
	return err
}
