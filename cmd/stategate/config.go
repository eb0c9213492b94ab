package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

// policyAuto is the value of --policy-from that is not a revision.
const policyAuto = "auto"

// configFlags say where the configuration comes from.
type configFlags struct {
	configFile string
	policyFrom string

	baseline   string // of check
	noBaseline bool   // none is read: it is being written
	writes     bool   // the configuration is going to be changed: it may be missing

	settings *settings // what they led to, once options has read it
}

func (f *configFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.configFile, "config", "",
		"read the configuration from `FILE` instead of "+config.Name+" at the top")
	c.Flags().StringVar(&f.policyFrom, "policy-from", "",
		"read configuration, plugins by path and baseline as they are at `REV`, or with auto at the tip of the "+
			"branch that CI says the change is going to be merged into, so that a change cannot loosen its own gate")
}

// closes is the severity that closes the gate, as the configuration has it.
func (f *configFlags) closes() wire.Severity {
	if f.settings == nil || f.settings.FailOn == wire.Inherit {
		return wire.Error
	}
	return f.settings.FailOn
}

// settings are the configuration of one call, and where it comes from.
type settings struct {
	configfile.File
	app  *app
	id   string // object id of the commit that it was read from, "" for none
	from string // that revision, as the caller wrote it
	file string // the configuration, as results have it
}

// configured adds the plugins and what the configuration sets. Outside a repository, the roots of plugins decide where
// the top is.
func (a *app) configured(c *cobra.Command, l *lookFlags, o *check.Options) (*plugins, error) {
	builtIns, err := choose(nil, o.Limits)
	if err != nil {
		return nil, err
	}
	p, wrong := builtIns, error(nil)
	if len(l.plugins) > 0 {
		p, wrong = builtIns.pick(l.plugins, o.Limits) // a configured plugin is not known yet
	}
	known := builtIns.list
	if wrong == nil {
		known = slices.Concat(known, p.list)
	}
	if o.Workspace, err = check.Locate(c.Context(), *o, known); err != nil {
		return nil, err
	}
	s, err := a.configure(c.Context(), c, &l.configFlags, *o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	l.settings = s
	if s.Found {
		o.Limits = o.Limits.Lower(s.Config.Limits)
		p, wrong = a.chooseConfigured(c.Context(), builtIns, l.plugins, s, o.Limits)
	}
	if wrong != nil {
		return nil, wrong
	}
	if err := p.orNone(); err != nil {
		return nil, err
	}
	o.Plugins, o.Failures = p.list, p.failures
	o.Policy.Partial = len(l.plugins) > 0
	s.apply(o)
	return p, a.known(c.Context(), &l.configFlags, s, o)
}

// configure reads the configuration that holds for what o checks. The caller closes the files.
func (a *app) configure(ctx context.Context, c *cobra.Command, f *configFlags, o check.Options) (*settings, error) {
	if err := refuseEmpty(c, "config", "policy-from"); err != nil {
		return nil, err
	}
	from, err := f.policyFrom, error(nil)
	if from == policyAuto {
		if from, err = a.env.policyRevision(); err != nil {
			return nil, err
		}
	}
	files, err := check.OpenFiles(ctx, o, from)
	if err != nil {
		return nil, unfound(err, f.policyFrom, from)
	}
	s := &settings{File: configfile.File{Files: files, Store: a.store()}, app: a, id: files.ID, from: from}
	if err := s.read(ctx, f); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func refuseEmpty(c *cobra.Command, flags ...string) error {
	for _, flag := range flags {
		f := c.Flag(flag)
		if f == nil || !f.Changed {
			continue
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		if slices.Contains(values, "") {
			return usagef("--%s has an empty value, perhaps of a variable that is not set; leave the flag out or "+
				"give it one", flag)
		}
	}
	return nil
}

// unfound adds to the error of a revision that --policy-from auto has found, and that does not exist, how to get it.
func unfound(err error, asked, revision string) error {
	branch, remote := strings.CutPrefix(revision, remoteBranch(""))
	if asked != policyAuto || !remote || !strings.Contains(err.Error(), revision) {
		return err
	}
	return fmt.Errorf("%s: %w; the target branch is needed: %s", autoFlag, err,
		advice.Fetch(branch, revision))
}

func (s *settings) read(ctx context.Context, f *configFlags) error {
	file := f.configFile
	if file == "" {
		s.file = s.named(config.Name)
		return s.parse(ctx, config.Name, s.called(config.Name), "")
	}
	full := s.app.absolute(file)
	name, inside := s.Below(full)
	switch {
	case inside && f.writes:
		return s.parse(ctx, name, file, "")
	case inside:
		s.file = s.named(name)
		return s.parse(ctx, name, s.called(name), file)
	case f.writes:
		return usagef("--config %s is outside %s, whose configuration is written", file, s.Top)
	case s.from != "":
		return usagef("--config %s is outside %s, so --policy-from cannot read it at %s; use only one of the two", file,
			s.Top, s.from)
	}
	full, err := filepath.EvalSymlinks(full) // it is the caller's own
	if err != nil {
		return usagef("there is no configuration %s", file)
	}
	outside, err := source.OpenDir(filepath.Dir(full))
	if err != nil {
		return err
	}
	s.Close()
	s.Files, s.file = outside, file
	return s.parse(ctx, filepath.Base(full), file, file)
}

// called names a file of the repository in messages: as it is opened from here, or as git does that of a revision.
func (s *settings) called(name string) string {
	if s.from == "" {
		return s.app.shell(s.Top).Path(name)
	}
	return s.named(name)
}

// named names a file of the repository in results.
func (s *settings) named(name string) string {
	if s.from == "" {
		return name
	}
	return s.from + ":" + name
}

// parse reads the file at a path below the top. wanted is the value of --config; without it the file may be missing.
func (s *settings) parse(ctx context.Context, name, called, wanted string) error {
	s.At, s.Config = name, &config.Config{Name: called, FailOn: wire.Inherit}
	data, err := s.Read(ctx, name, config.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist) && wanted == "":
		return s.misspelt(ctx)
	case errors.Is(err, fs.ErrNotExist) && s.from != "":
		return usagef("there is no configuration %s at %s", wanted, s.from)
	case errors.Is(err, fs.ErrNotExist):
		return usagef("there is no configuration %s", wanted)
	case err != nil:
		return configfile.ReadError(called, err)
	}
	s.Config, err = config.Parse(called, data, schemas.Config)
	s.Found = err == nil
	return err
}

// misspelt refuses a configuration under a name that is not read: a typing error must not change the gate.
func (s *settings) misspelt(ctx context.Context) error {
	for _, name := range []string{".stategate.yml", "stategate.yaml", "stategate.yml"} {
		if s.Holds(ctx, name) {
			return usagef("found %s, expected %s: rename it, it is not read under this name", s.called(name),
				config.Name)
		}
	}
	return nil
}

func (s *settings) updateCommand(p *config.Plugin) string {
	file := ""
	if s.file != config.Name && s.from == "" {
		file = s.Name
	}
	return advice.Pin(cmp.Or(p.Name.Value, p.Origin()), file)
}

// apply makes options of what the configuration sets, except for plugins, and for what only check uses.
func (s *settings) apply(o *check.Options) {
	for _, t := range s.Exclude {
		o.Exclude = append(o.Exclude, t.Value)
	}
	for _, t := range s.Refuse {
		o.RefusePaths = append(o.RefusePaths, t.Value)
	}
	o.Policy.ID = s.id
	for _, r := range s.Rules {
		if o.Policy.Severities == nil {
			o.Policy.Severities = map[string]wire.Severity{}
		}
		o.Policy.Severities[r.Name.Value] = r.Severity
	}
	for _, g := range s.Ignore {
		o.Policy.Ignore = append(o.Policy.Ignore, s.ignore(&g))
	}
	for i := range s.Options {
		if o.PluginOptions == nil {
			o.PluginOptions = map[string]check.PluginOptions{}
		}
		x := &s.Options[i]
		o.PluginOptions[x.Plugin.Value] = check.PluginOptions{
			JSON: x.JSON, At: func(pointer string, key bool) string { return s.Place(x.At(pointer, key)) },
		}
	}
}

func (s *settings) ignore(g *config.Ignore) policy.Ignore {
	out := policy.Ignore{
		Paths: g.Set(), Fingerprint: g.Fingerprint, Message: g.Message, Reason: g.Reason, Until: g.Until.Time,
		Place: result.Place{Path: s.file, Line: g.At.Line, Column: g.At.Column},
	}
	for _, t := range g.Rules {
		out.Rules = append(out.Rules, t.Value)
	}
	return out
}
