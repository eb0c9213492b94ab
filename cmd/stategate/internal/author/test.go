package author

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/guest"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Test runs the fixtures of a directory with a compiled plugin, and holds it to the laws there and in worlds made by
// damaging their documents. With update it writes what the plugin reports into the fixtures. It fails only if nothing
// can be said about the plugin.
func Test(ctx context.Context, p *plugin.Plugin, dir string, update bool, workers worker.Config) (*print.Conformance, error) {
	fixtures, err := readFixtures(dir)
	if err != nil {
		return nil, err
	}
	g, err := guest.OpenGuest(p, workers)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	lim := limits.Default()
	t := &test{ctx: ctx, guest: g, dir: dir, update: update}
	t.out = print.Conformance{Plugin: p, Laws: len(fixture.Laws())}
	err = watch(ctx, lim.Compile+lim.Instance, p.Origin, func(reset func()) error {
		t.reset = reset
		return t.run(lim, fixtures)
	})
	if err != nil {
		return nil, err
	}
	return &t.out, nil
}

// readFixtures reads the archives of a directory. Archives that cannot be read are a wrong call: the caller is their
// author.
func readFixtures(dir string) ([]*fixture.Fixture, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.Usagef("there is no directory %s; name the one that holds the fixtures *.txtar", dir)
	case err != nil:
		return nil, fmt.Errorf("read the fixtures: %w", err)
	case !info.IsDir():
		return nil, fault.Usagef("%s is not a directory; name the one that holds the fixtures *.txtar", dir)
	}
	list, err := fixture.LoadAll(os.DirFS(dir), ".")
	if err != nil {
		return nil, fault.Usagef("read the fixtures of %s: %v", dir, err)
	}
	return list, nil
}

type test struct {
	ctx    context.Context
	guest  *guest.Guest
	dir    string
	update bool
	reset  func() // see watch
	out    print.Conformance
}

func (t *test) run(lim limits.Limits, fixtures []*fixture.Fixture) error {
	origin, manifest := t.out.Plugin.Origin, t.out.Plugin.Manifest
	described, err := t.guest.Describe(t.ctx)
	if err != nil {
		return fault.About("describe "+origin, err, fault.Protocol)
	}
	if m, err := wire.DecodeManifest(described); err != nil || !bytes.Equal(wire.EncodeManifest(m), wire.EncodeManifest(manifest)) {
		t.out.Faults = append(t.out.Faults, "what the plugin describes is not the manifest in the file; run `stategate plugin pack`")
	}
	kit, err := fixture.NewKit(manifest, t)
	if err != nil {
		return fault.About(origin, err, fault.ABI)
	}
	kit.Limits = snapshot.Limits{Diagnostics: lim.Diagnostics, Message: lim.Message}
	looks := map[string]*fixture.Look{}
	for _, f := range fixtures {
		if look := t.try(kit, f); look != nil {
			looks[f.Name] = look
		}
		if t.ctx.Err() != nil {
			return t.ctx.Err()
		}
	}
	if len(looks) == len(fixtures) {
		if err := kit.Gaps(looks); err != nil {
			t.out.Faults = append(t.out.Faults, "not covered by the fixtures:\n"+err.Error())
		}
	}
	t.damage(kit, fixtures)
	return t.ctx.Err()
}

// try runs one fixture; it returns nil if that is not possible.
func (t *test) try(kit *fixture.Kit, f *fixture.Fixture) (look *fixture.Look) {
	trial := print.Trial{File: filepath.Join(t.dir, f.Name+".txtar")}
	var err error
	if t.update {
		trial.Written, err = kit.Write(t.dir, f)
	}
	if err == nil {
		look, err = kit.Check(f)
	}
	if err != nil {
		trial.Faults = []string{err.Error()}
	}
	t.out.Trials = append(t.out.Trials, trial)
	return look
}

// maxDamageFaults bounds what a plugin that breaks in every damaged world prints.
const maxDamageFaults = 3

// damage holds the plugin to the laws in damaged worlds. It saves what breaks one, to be run again.
func (t *test) damage(kit *fixture.Kit, fixtures []*fixture.Fixture) {
	var worlds []fixture.World
	for _, f := range fixtures {
		worlds = append(worlds, f.World())
	}
	for _, program := range fixture.Programs(worlds) {
		if len(t.out.Faults) >= maxDamageFaults || t.ctx.Err() != nil {
			return
		}
		t.out.Damaged++
		c := kit.Try(fixture.Mutate(worlds, program, "0"))
		if c == nil {
			continue
		}
		saved := ""
		if path, err := c.Save(t.dir); err != nil {
			saved = err.Error()
		} else {
			saved = "saved as " + path + "; run it again with `stategate plugin test " + t.out.Plugin.Origin + " " + filepath.Dir(path) + "`"
		}
		t.out.Faults = append(t.out.Faults, c.String()+saved)
	}
}

func (t *test) examine(r *wire.Request, fresh bool) (*wire.Report, error) {
	t.reset()
	defer t.reset()
	return t.guest.Examine(t.ctx, r, fresh)
}

// Examine makes a test the examiner of its kit.
func (t *test) Examine(r *wire.Request) (*wire.Report, error) { return t.examine(r, false) }

var _ fixture.Fresher = (*test)(nil)

// Fresh returns an examiner whose instance of the plugin has answered nothing before.
func (t *test) Fresh() (fixture.Examiner, error) { return fresh{t}, nil }

type fresh struct{ *test }

func (f fresh) Examine(r *wire.Request) (*wire.Report, error) { return f.examine(r, true) }

// watch does work that may never end by itself: holding a plugin to the laws interprets its schemas and patterns in this
// process, which nothing kills. A step, which ends with a call of reset, may take as long as limit. If watch gives up, or is
// interrupted, the work goes on unwatched until the process ends, and nothing that it uses may be used.
func watch(ctx context.Context, limit time.Duration, origin string, work func(reset func()) error) error {
	ctx, giveUp := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() {
		giveUp(fmt.Errorf("%s: reading a fixture as its manifest says takes longer than %v; check it for a schema or a pattern that never ends", origin, limit))
	})
	defer timer.Stop()
	done := make(chan error, 1)
	go func() { done <- work(func() { timer.Reset(limit) }) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
