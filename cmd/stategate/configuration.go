package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/plugin/store"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

// settings holds the configuration of one call, and its source.
type settings struct {
	configfile.File
	app  *app
	id   string // id of the commit that it was read from, or ""
	from string // that revision, as the user wrote it
	file string // the configuration file, as results name it

	usual bool // --config was not used
}

// configFlag registers --config. In usage, %s stands for the default file name.
func configFlag(c *cobra.Command, group flagGroup, file *string, usage string) {
	addFlag(c, group, file, "config", fmt.Sprintf(usage, config.Name)).filled().completed(files("yaml", "yml"))
}

// policyAuto is the only value of --policy-from that is not a revision.
const policyAuto = "auto"

func configFlags(a *app, c *cobra.Command, file, policyFrom *string) {
	configFlag(c, whichFindings, file, "read the configuration from `FILE` instead of %s at the top")
	target := word{policyAuto, "the target branch that CI names"}
	addFlag(c, advancedFlags, policyFrom, "policy-from", "read the configuration, baseline and plugin files from "+
		"`REV`; auto: from the target branch that CI names").filled().completed(revisionWords(a, target))
}

// configured adds the plugins and the configuration's settings to options. Outside a repository, the plugins' roots
// determine the top.
func configured(ctx context.Context, a *app, l *examineFlags, o check.Options) (*request, error) {
	pluginFiles(a).CacheDir = o.CacheDir
	var wrong, err error
	builtIns := builtInPlugins(a)
	p, known := builtIns, builtIns.list
	if len(l.Plugins) > 0 { // configured plugins are not known yet
		if p, wrong = builtIns.pick(ctx, l.Plugins, o.Limits); wrong == nil {
			known = slices.Concat(known, p.list)
		}
	}
	if o.Workspace, err = check.Locate(o.Subject, known); err != nil {
		return nil, err
	}
	s, err := readSettings(ctx, a, l.Config, l.PolicyFrom, false, o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if s.Found {
		o.Limits = o.Limits.Lower(s.Config.Limits)
		p, wrong = chooseConfigured(ctx, builtIns, l.Plugins, s, o.Limits)
	}
	if wrong != nil {
		return nil, wrong
	}
	if err := p.orNone(); err != nil {
		return nil, err
	}
	o.Plugins, o.Failures = p.list, p.failures
	o.Policy.Partial = len(l.Plugins) > 0
	s.apply(&o)
	o.Own = append(s.own(), ".stategate")
	q := &request{Options: o, plugins: p, settings: s}
	if !l.noCache {
		q.note = a.env.noCache
	}
	if l.writeBaseline == "" && l.baseline != noBaseline && (l.baseline != "" || s.Baseline.Value != "") {
		if q.Policy.Baseline, err = s.baseline(ctx, l.baseline); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// noBaseline is the value of --baseline that ignores the configured baseline.
const noBaseline = "none"

// own returns the files in the workspace that contain no state but affect all findings.
func (s *settings) own() []string {
	list := []string{config.Name}
	if s.Baseline.Value != "" {
		list = append(list, path.Join(s.Dir(), s.Baseline.Value))
	}
	for _, p := range s.Plugins {
		if p.Path.Value != "" {
			list = append(list, path.Join(s.Dir(), p.Path.Value))
		}
	}
	return list
}

// changeConfiguration calls change with the configuration that --config names, or the one at the top. Then it prints
// how to stage the files that change returns, because a hook reads the configuration from the index.
func changeConfiguration(ctx context.Context, a *app, file string,
	change func(*configfile.File) (stage []string, err error)) error {
	s, err := readSettings(ctx, a, file, "", true, hostOptions(a, true))
	if err != nil {
		return err
	}
	defer s.Close()
	stage, err := change(&s.File)
	if err != nil || len(stage) == 0 || a.repository(a.env.dir) == nil {
		return err
	}
	return printed(thenLines(a.stdout, a.shell(s.Top).Add(stage)))
}

// readSettings reads the configuration for what o checks, at the revision of --policy-from. If file is "", it reads the
// file at the top. The file may be missing if the call is going to write it. The caller closes the files.
func readSettings(ctx context.Context, a *app, file, policyFrom string, writes bool, o check.Options) (*settings,
	error) {
	from, err := policyFrom, error(nil)
	if from == policyAuto {
		if from, err = a.env.policyRevision(); err != nil {
			return nil, err
		}
	}
	tree, err := check.OpenFiles(ctx, o, from)
	if err != nil && policyFrom == policyAuto {
		err = fmt.Errorf("%s: %w", autoFlag, err)
	}
	if err != nil {
		return nil, err
	}
	s := &settings{app: a, id: tree.ID, from: from,
		File: configfile.File{Files: tree, Store: store.Store{Dir: a.env.storeDir}, Reader: pluginFiles(a)}}
	if err := s.read(ctx, file, writes); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *settings) read(ctx context.Context, file string, writes bool) error {
	if file == "" {
		s.file, s.usual = s.named(config.Name), true
		if err := s.refuseNestedHere(ctx); err != nil {
			return err
		}
		return s.parse(ctx, config.Name, s.called(config.Name), "")
	}
	full := s.app.absolute(file)
	name, inside := s.Below(full)
	switch {
	case inside && writes:
		return s.parse(ctx, name, file, "")
	case inside:
		s.file = s.named(name)
		return s.parse(ctx, name, s.called(name), file)
	case writes:
		return usagef("--config %s is outside %s, the repository whose configuration is changed", file, s.Top)
	case s.from != "":
		return usagef("--config %s is outside %s, so --policy-from cannot read it at %s; use only one of the two", file,
			s.Top, s.from)
	}
	full, err := filepath.EvalSymlinks(full) // the user chose it, so links are allowed
	if err != nil {
		return usagef("configuration %s does not exist", file)
	}
	outside, err := source.OpenDir(filepath.Dir(full))
	if err != nil {
		return err
	}
	s.Close()
	s.Files, s.file = outside, file
	return s.parse(ctx, filepath.Base(full), file, file)
}

// called returns a file's name for messages: its path from the current directory, or REVISION:PATH.
func (s *settings) called(name string) string {
	if s.from == "" {
		return s.app.shell(s.Top).Path(name)
	}
	return s.named(name)
}

// named returns a file's name for results: its path from the top, or REVISION:PATH.
func (s *settings) named(name string) string {
	if s.from == "" {
		return name
	}
	return s.from + ":" + name
}

// parse reads the file at a path below the top. wanted is the value of --config; if it is "", the file may be missing.
func (s *settings) parse(ctx context.Context, name, called, wanted string) error {
	s.At, s.Config = name, &config.Config{Name: called, FailOn: wire.Inherit}
	data, err := s.Read(ctx, name, config.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist) && wanted == "":
		return s.misspelt(ctx)
	case errors.Is(err, fs.ErrNotExist) && s.from != "":
		return usagef("configuration %s does not exist at %s", wanted, s.from)
	case errors.Is(err, fs.ErrNotExist):
		return usagef("configuration %s does not exist", wanted)
	case err != nil:
		return configfile.ReadError(called, err)
	}
	s.Config, err = config.Parse(called, data, schemas.Config)
	s.Found = err == nil
	return err
}

// misspelt returns an error if a configuration has a similar name and is therefore not read, because a typo must
// not change the gate.
func (s *settings) misspelt(ctx context.Context) error {
	for _, name := range []string{".stategate.yml", "stategate.yaml", "stategate.yml", s.Alike(config.Name)} {
		if name != "" && s.Holds(ctx, name) {
			return usagef("found %s, expected %s; rename it, because only that name is read", s.called(name),
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

// apply copies the configuration's settings to options, except for plugins and settings that only check uses.
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
	for _, t := range s.Dropped {
		o.Policy.Notes = append(o.Policy.Notes, result.Note{Kind: result.RuleDropped,
			Place:   result.Place{Path: s.file, Line: t.At.Line, Column: t.At.Column},
			Message: "the rule " + t.Value + " is no longer part of its plugin; remove it"})
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

// baseline reads a baseline from file or, if file is "", from the configured file.
func (s *settings) baseline(ctx context.Context, file string) (*baseline.Baseline, error) {
	if file != "" && s.from == "" {
		data, err := readRegular(file, baseline.MaxSize)
		if err != nil {
			return nil, err
		}
		return baseline.Parse(file, data, schemas.Baseline)
	}
	at := path.Join(s.Dir(), s.Baseline.Value)
	where := s.Place(s.Baseline.At) + ": "
	if file != "" {
		inside := false
		if at, inside = s.Below(s.app.absolute(file)); !inside {
			return nil, usagef("--baseline %s is outside %s, so --policy-from cannot read it at %s; use only one of "+
				"the two", file, s.Top, s.from)
		}
		where = ""
	}
	data, err := s.Read(ctx, at, baseline.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		name := filepath.Join(s.Top, filepath.FromSlash(at))
		if _, err := os.Lstat(name); err == nil && s.from == "" {
			return nil, usagef("%sbaseline %s is not added to git; run %s", where, s.called(at),
				s.app.shell(s.Top).Add([]string{at}))
		}
		return nil, usagef("%sbaseline %s does not exist; write it with `stategate check --write-baseline`, or remove "+
			"the setting", where, s.called(at))
	case err != nil:
		return nil, configfile.ReadError(where+s.called(at), err)
	}
	return baseline.Parse(s.named(at), data, schemas.Baseline)
}
