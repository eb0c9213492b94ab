package main

import (
	"bytes"
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
	"github.com/stategate/stategate/cmd/stategate/internal/setup"
	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/schemas"
)

// baselineName is the default name of a baseline.
const baselineName = setup.BaselineName

// policyFlags are those of check that say which findings count.
type policyFlags struct {
	writeBaseline string
	required      []string
}

func (f *checkFlags) registerPolicy(c *cobra.Command) {
	c.Flags().StringVar(&f.baseline, "baseline", "",
		"report only findings that are not in `FILE`; overrides the configured baseline")
	c.Flags().StringVar(&f.writeBaseline, "write-baseline", "",
		"write all findings to `FILE`, so that later only new ones are reported")
	c.Flags().Lookup("write-baseline").NoOptDefVal = baselineName
	c.Flags().StringArrayVar(&f.required, "require", nil, "exit with 2 unless `PLUGIN` checked something (repeatable)")
}

// beforeOptions refuses flags that do not go together, and decides whether the baseline is read.
func (f *checkFlags) beforeOptions(c *cobra.Command, paths []string) error {
	if err := refuseEmpty(c, "baseline", "write-baseline"); err != nil {
		return err
	}
	if len(f.required) > 0 && f.changed {
		return usagef("--require %s asks for runs that exist, and --changed may skip all of them; use only one of "+
			"the two", f.required[0])
	}
	f.noBaseline = f.writeBaseline != ""
	if !f.noBaseline {
		return nil
	}
	if len(paths) == 1 && c.Flag("write-baseline").Value.String() == baselineName && filepath.Ext(paths[0]) == ".json" {
		return usagef("--write-baseline %s: write --write-baseline=%s, with an equals sign", paths[0], paths[0])
	}
	for _, flag := range []string{"baseline", "fix", "select", "plugin", "changed", "rev"} {
		if g := c.Flag(flag); g != nil && g.Changed {
			return usagef("--write-baseline records all findings and cannot be combined with --%s", flag)
		}
	}
	return nil
}

// afterOptions lets flags go before the configuration.
func (f *checkFlags) afterOptions(o *check.Options, chosen selection, p *plugins) error {
	if len(chosen) > 0 {
		o.Policy.Select = chosen.selects
	}
	names := pluginNames(p.list)
	for _, name := range f.required {
		if len(p.failures) == 0 && !slices.Contains(names, name) {
			return usagef("--require %q: no enabled plugin has this name; %s", name, oneOf(name, names))
		}
	}
	return nil
}

// demanded returns an error if a plugin that --require names checked nothing: a run that is gone, or behind a link,
// does not count. A failure takes precedence.
func (f *checkFlags) demanded(r *result.Result) error {
	for _, name := range f.required {
		checked := func(i result.Instance) bool { return i.Plugin == name && i.Digest != "" }
		if len(r.Failures) == 0 && !slices.ContainsFunc(r.Instances, checked) {
			return usagef("--require %s: this plugin found no state here; is the checkout complete and the "+
				"directory right?", name)
		}
	}
	return nil
}

func (a *app) known(ctx context.Context, f *configFlags, s *settings, o *check.Options) error {
	if f.noBaseline || f.baseline == "" && s.Baseline.Value == "" {
		return nil
	}
	name, data, err := a.baselineText(ctx, f, s)
	if err != nil {
		return err
	}
	o.Policy.Baseline, err = baseline.Parse(name, data, schemas.Baseline)
	return err
}

func (a *app) baselineText(ctx context.Context, f *configFlags, s *settings) (name string, data []byte, err error) {
	if f.baseline != "" && s.from == "" {
		data, err = readRegular(f.baseline, baseline.MaxSize)
		return f.baseline, data, err
	}
	at := path.Join(s.Dir(), s.Baseline.Value)
	where := s.Place(s.Baseline.At) + ": "
	if f.baseline != "" {
		inside := false
		if at, inside = s.Below(a.absolute(f.baseline)); !inside {
			return "", nil,
				usagef("--baseline %s is outside %s, so --policy-from cannot read it at %s; use only one of the two",
					f.baseline, s.Top, s.from)
		}
		where = ""
	}
	data, err = s.Read(ctx, at, baseline.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil,
			usagef("%sthere is no baseline %s; write it with `stategate check --write-baseline`, or leave it out",
				where, s.called(at))
	case err != nil:
		return "", nil, configfile.ReadError(where+s.called(at), err)
	}
	return s.named(at), data, nil
}

func (a *app) absolute(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(a.env.dir, file)
}

// keepBaseline writes all findings to the baseline, which accepts them from then on.
func (a *app) keepBaseline(f *checkFlags, r *result.Result) error {
	if f.writeBaseline == "" {
		return nil
	}
	if len(r.Failures) > 0 {
		_ = lines(a.stderr, "stategate: ", "    ", "no baseline was written, because some state could not be checked")
		return nil
	}
	if !r.Whole {
		return usagef("--write-baseline records all findings; run it at the top, %s, without PATHs", r.Workspace)
	}
	dir, name := a.baselinePlace(f, r)
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := replaceable(full); err != nil {
		return err
	}
	b, unread := policy.NewBaseline(r)
	data, err := b.Encode()
	if err == nil {
		err = writeBelow(dir, name, print.SafeJSON(data))
	}
	if err != nil {
		return brokenf("write the baseline %s: %v", full, err)
	}
	policy.Accept(r, b)
	hint := ""
	if f.settings.Baseline.Value == "" {
		hint = fmt.Sprintf("; name it in %s, as `baseline: %s`, so that it is used", config.Name, name)
	}
	if unread > 0 {
		hint += fmt.Sprintf("; left out %s: something could not be read, which is never accepted",
			print.Count(unread, "finding"))
	}
	_ = lines(a.stderr, "stategate: note: ", "    ",
		fmt.Sprintf("wrote %s to %s%s", print.Count(len(b.Findings), "finding"), full, hint))
	return nil
}

// replaceable refuses a file that is no baseline, not even a damaged one: the name may come from a stranger's
// configuration.
func replaceable(full string) error {
	if _, err := os.Lstat(full); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	data, err := readRegular(full, baseline.MaxSize)
	if err == nil && len(bytes.TrimSpace(data)) > 0 &&
		!bytes.Contains(data[:min(len(data), 512)], []byte(`"findings"`)) {
		err = usagef("%s is there and is not a baseline, so it was not replaced: remove it, or name another file", full)
	}
	return err
}

// baselinePlace returns the directory that bounds a baseline, and its path below it: that of the flag, of the
// configuration, or the default at the top.
func (a *app) baselinePlace(f *checkFlags, r *result.Result) (dir, name string) {
	s := f.settings
	switch {
	case f.writeBaseline != baselineName:
		full := a.absolute(f.writeBaseline)
		return filepath.Dir(full), filepath.Base(full)
	case s.Baseline.Value != "":
		return s.Top, path.Join(s.Dir(), s.Baseline.Value)
	}
	return r.Workspace, baselineName
}

func writeBelow(dir, name string, data []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return atomicfile.WriteBelow(root, filepath.FromSlash(name), data, 0o666)
}
