package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/guest"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

type conformFlags struct {
	update  bool
	noCache bool
}

func (a *app) conformVerb() *cobra.Command {
	f := &conformFlags{}
	c := &cobra.Command{
		Use:   "test NAME|FILE.wasm DIR",
		Short: "Test a compiled plugin against its fixtures and the laws",
		Long: `test runs every fixture DIR/*.txtar with the compiled plugin, in the sandbox,
whatever language it was written in. What the plugin reports must be what the fixture
wants, and the laws must hold there and in worlds made by damaging the fixture's
documents: only declared rules report, a second run reports the same, a remedy
heals, no error depends on what cannot be read, and so on. Together the fixtures must
observe every phase and break and keep every rule.

The format of fixtures is described in package sdk/fixture.

Exit codes: 0 the plugin conforms; 1 it does not; 2 the call is wrong; 3 the plugin
cannot be loaded.`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: inOrder(a.workflows(filesToo), directories()),
		RunE:              func(c *cobra.Command, args []string) error { return a.conform(c.Context(), f, args[0], args[1]) },
	}
	c.Flags().BoolVar(&f.update, "update", false, "write what the plugin reports into the fixtures, to be reviewed as a diff")
	c.Flags().BoolVar(&f.noCache, "no-cache", false, "compile the plugin anew")
	return c
}

func (a *app) conform(ctx context.Context, f *conformFlags, name, dir string) error {
	p, err := sound([]string{name})
	if err != nil {
		return err
	}
	fixtures, err := readFixtures(dir)
	if err != nil {
		return err
	}
	lim := limits.Default()
	guest, err := guest.OpenGuest(p.list[0], a.workers(lim, f.noCache))
	if err != nil {
		return brokenf("%v", err)
	}
	defer guest.Close()
	t := &conformance{ctx: ctx, guest: guest, dir: dir, update: f.update, overseer: newOverseer(lim), out: print.Conformance{Plugin: p.list[0], Laws: len(fixture.Laws())}}
	if err := t.overseer.with(ctx, t.out.Plugin.Origin, func() error { return t.run(lim, fixtures) }); err != nil {
		return err
	}
	if t.out.Broken() {
		a.code = exitClosed
	}
	return a.printed(print.Conforms(a.stdout, &t.out, color(a, a.stdout)))
}

// readFixtures reads the archives of a directory. Archives that cannot be read
// are a wrong call: their author is who calls.
func readFixtures(dir string) ([]*fixture.Fixture, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("there is no directory %s; name the one that holds the fixtures *.txtar", dir)
	case err != nil:
		return nil, brokenf("read the fixtures: %v", err)
	case !info.IsDir():
		return nil, usagef("%s is not a directory; name the one that holds the fixtures *.txtar", dir)
	}
	list, err := fixture.LoadAll(os.DirFS(dir), ".")
	if err != nil {
		return nil, usagef("read the fixtures of %s: %v", dir, err)
	}
	return list, nil
}

// A conformance is one run of `plugin test`.
type conformance struct {
	ctx    context.Context
	guest  *guest.Guest
	dir    string
	update bool
	out    print.Conformance

	overseer *overseer
}

// run is an error only if nothing can be said about the plugin.
func (t *conformance) run(lim limits.Limits, fixtures []*fixture.Fixture) error {
	described, err := t.guest.Describe(t.ctx)
	if err != nil {
		return failed("describe "+t.out.Plugin.Origin, fault.From(err, fault.Protocol))
	}
	if !sameManifest(described, t.out.Plugin.Manifest) {
		t.out.Faults = append(t.out.Faults, "what the plugin describes is not the manifest in the file; run `stategate plugin pack`")
	}
	kit, err := fixture.NewKit(t.out.Plugin.Manifest, t)
	if err != nil {
		return failed(t.out.Plugin.Origin, fault.From(err, fault.ABI))
	}
	kit.Limits = snapshot.Limits{Diagnostics: lim.Diagnostics, Message: lim.Message}
	looks := map[string]*fixture.Look{}
	for _, f := range fixtures {
		trial, look := t.try(kit, f)
		t.out.Trials = append(t.out.Trials, trial)
		if look != nil {
			looks[f.Name] = look
		}
		if t.ctx.Err() != nil {
			return t.ctx.Err()
		}
	}
	if len(looks) == len(fixtures) {
		t.whole(kit, looks)
	}
	t.damage(kit, fixtures)
	return t.ctx.Err()
}

func (t *conformance) try(kit *fixture.Kit, f *fixture.Fixture) (print.Trial, *fixture.Look) {
	trial := print.Trial{File: filepath.Join(t.dir, f.Name+".txtar")}
	if t.update {
		written, err := kit.Write(t.dir, f)
		if err != nil {
			trial.Faults = []string{err.Error()}
			return trial, nil
		}
		trial.Written = written
	}
	look, err := kit.Check(f)
	if err != nil {
		trial.Faults = []string{err.Error()}
	}
	return trial, look
}

// whole notes what the fixtures together leave untried.
func (t *conformance) whole(kit *fixture.Kit, looks map[string]*fixture.Look) {
	if err := kit.Gaps(looks); err != nil {
		t.out.Faults = append(t.out.Faults, "not covered by the fixtures:\n"+err.Error())
	}
}

// maxDamageFaults bounds what a plugin that breaks in every damaged world prints.
const maxDamageFaults = 3

// damage holds the laws to worlds that are no fixtures.
func (t *conformance) damage(kit *fixture.Kit, fixtures []*fixture.Fixture) {
	var worlds []fixture.World
	for _, f := range fixtures {
		worlds = append(worlds, f.World())
	}
	for _, program := range fixture.Programs(worlds) {
		if len(t.out.Faults) >= maxDamageFaults || t.ctx.Err() != nil {
			return
		}
		t.out.Damaged++
		world := fixture.Mutate(worlds, program, "0")
		if c := kit.Try(world); c != nil {
			t.out.Faults = append(t.out.Faults, c.String()+t.saved(c))
		}
	}
}

// saved saves a counterexample and says how it is run again.
func (t *conformance) saved(c *fixture.Counterexample) string {
	path, err := c.Save(t.dir)
	if err != nil {
		return err.Error()
	}
	return "saved as " + path + "; run it again with `stategate plugin test " + t.out.Plugin.Origin + " " + filepath.Dir(path) + "`"
}

// Examine makes a conformance the examiner of its kit.
func (t *conformance) Examine(r *wire.Request) (*wire.Report, error) {
	t.overseer.step()
	report, _, err := t.guest.Examine(t.ctx, r)
	t.overseer.step()
	return report, err
}

var _ fixture.Fresher = (*conformance)(nil)

// Fresh returns an examiner that answers with an instance that has answered
// nothing before.
func (t *conformance) Fresh() (fixture.Examiner, error) { return freshly{t}, nil }

type freshly struct{ t *conformance }

func (f freshly) Examine(r *wire.Request) (*wire.Report, error) {
	f.t.overseer.step()
	report, _, err := f.t.guest.ExamineFresh(f.t.ctx, r)
	f.t.overseer.step()
	return report, err
}

// sameManifest compares what a guest describes with the manifest of its file.
func sameManifest(described []byte, m *wire.Manifest) bool {
	d, err := wire.DecodeManifest(described)
	return err == nil && bytes.Equal(wire.EncodeManifest(d), wire.EncodeManifest(m))
}
