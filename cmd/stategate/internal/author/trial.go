package author

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// A Trial is a test of a compiled plugin.
type Trial struct {
	Plugin  *plugin.Plugin
	Dir     string // of the fixtures
	Update  bool   // write what the plugin reports into the fixtures
	Workers worker.Config
	Output  func(fixture, text string) error // called with what the plugin writes about each fixture; may be nil
}

// Test runs the fixtures with a compiled plugin, and holds it to the laws there and in worlds made by damaging their
// documents. It fails only if nothing can be said about the plugin.
func Test(ctx context.Context, trial Trial) (*fixture.Conformance, error) {
	p := trial.Plugin
	fixtures, err := readFixtures(trial.Dir)
	if err != nil {
		return nil, err
	}
	g, err := newGuest(worker.Plugin{SHA256: p.Code(), Size: p.Size, Wasm: p.Wasm}, trial.Workers)
	if err != nil {
		return nil, err
	}
	defer g.pool.Close()
	lim := limits.Default()
	t := &test{ctx: ctx, guest: g, plugin: p}
	err = watch(ctx, lim.Compile+lim.Instance, p.Origin, func(reset func()) error {
		t.reset = reset
		return t.run(lim, trial, fixtures)
	})
	return t.out, err
}

// readFixtures reads the archives of a directory. Archives that cannot be read are a usage error: the caller is their
// author.
func readFixtures(dir string) ([]*fixture.Fixture, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.Usagef("there is no directory %s; use the one that contains the fixtures *.txtar", dir)
	case err != nil:
		return nil, fmt.Errorf("read the fixtures: %w", err)
	case !info.IsDir():
		return nil, fault.Usagef("%s is not a directory; use the one that contains the fixtures *.txtar", dir)
	}
	list, err := fixture.LoadAll(os.DirFS(dir), ".")
	if err != nil {
		return nil, fault.Usagef("read the fixtures of %s: %v", dir, err)
	}
	return list, nil
}

type test struct {
	ctx    context.Context
	guest  *guest
	plugin *plugin.Plugin
	reset  func() // see watch
	out    *fixture.Conformance
}

func (t *test) run(lim limits.Limits, trial Trial, fixtures []*fixture.Fixture) error {
	origin, manifest, dir := t.plugin.Origin, t.plugin.Manifest, trial.Dir
	described, err := t.guest.ask(t.ctx, exchange.DescribePayload(), false)
	if err != nil {
		return fault.About("describe "+origin, err, fault.Protocol)
	}
	if err := wire.CheckManifest(described); err != nil {
		return fault.About(origin, err, fault.ABI)
	}
	kit, err := fixture.NewKit(manifest, t)
	if err != nil {
		return fault.About(origin, err, fault.ABI)
	}
	kit.Declared = trial.Plugin.IsDeclared()
	if kit.Known, err = fixture.LoadKnown(os.DirFS(dir), "."); err != nil {
		return fault.Usagef("read the fixtures of %s: %v", dir, err)
	}
	kit.Thorough = os.Getenv(fixture.Long) != ""
	kit.Limits = snapshot.Limits{Diagnostics: lim.Diagnostics, Message: lim.Message}
	for _, f := range fixtures {
		if trial.Output == nil {
			break
		}
		if _, err := kit.LookUntried(f.World()); err == nil && t.guest.wrote != "" {
			if err := trial.Output(filepath.Join(dir, f.Name+".txtar"), t.guest.wrote); err != nil {
				return err
			}
		}
	}
	t.out = kit.Conform(t.ctx, dir, fixtures, trial.Update, "stategate plugin test "+origin)
	if !sameManifest(described, t.plugin.ManifestText) {
		t.out.Faults = slices.Insert(t.out.Faults, 0,
			"what the plugin describes is not the manifest in the file; run `stategate plugin pack`")
	}
	return t.ctx.Err()
}

// sameManifest compares what a plugin describes with what its file has. Those that are built in get addresses of their
// rules besides, once they are read.
func sameManifest(described, file []byte) bool {
	a, err := wire.DecodeManifest(described)
	if err != nil {
		return false
	}
	b, err := wire.DecodeManifest(file)
	return err == nil && bytes.Equal(wire.EncodeManifest(a), wire.EncodeManifest(b))
}

func (t *test) examine(r *wire.Request, fresh bool) (*wire.Report, error) {
	t.reset()
	defer t.reset()
	answer, err := t.guest.ask(t.ctx, exchange.ReportPayload(wire.EncodeRequest(r)), fresh)
	if err != nil {
		return nil, err
	}
	report, err := wire.DecodeReport(answer)
	if err == nil {
		err = wire.CheckReport(answer)
	}
	if err != nil {
		return nil, fault.Newf(fault.Protocol, "the report cannot be read: %v", err)
	}
	return report, nil
}

// Examine makes a test the examiner of its kit.
func (t *test) Examine(r *wire.Request) (*wire.Report, error) { return t.examine(r, false) }

var _ fixture.Fresher = (*test)(nil)

// Fresh returns an examiner whose instance of the plugin has answered nothing before.
func (t *test) Fresh() (fixture.Examiner, error) { return fresh{t}, nil }

type fresh struct{ *test }

func (f fresh) Examine(r *wire.Request) (*wire.Report, error) { return f.examine(r, true) }

// watch does work that may never end by itself: holding a plugin to the laws interprets its schemas and patterns in
// this process, which nothing kills. A step, which ends with a call of reset, may take as long as limit. If watch
// gives up, or is interrupted, the work continues unwatched until the process ends, and nothing that it uses may be
// used.
func watch(ctx context.Context, limit time.Duration, origin string, work func(reset func()) error) error {
	ctx, giveUp := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() {
		giveUp(fmt.Errorf("%s: reading a fixture as its manifest says takes longer than %v; check it for a schema "+
			"or a pattern that never ends", origin, limit))
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

// Report prints every fixture with what it breaks, and whether the plugin conforms.
func Report(w io.Writer, p *plugin.Plugin, c *fixture.Conformance) error {
	failed, err := 0, error(nil)
	say := func(indent, text string) { err = errors.Join(err, print.Lines(w, 0, indent, indent, text)) }
	for _, t := range c.Trials {
		word := "ok  "
		switch {
		case len(t.Faults) > 0:
			word = "FAIL"
			failed++
		case t.Written:
			word = "new "
		}
		say("", word+" "+t.File)
		if len(t.Errors) > 0 {
			say("     ", "expects errors now: "+strings.Join(t.Errors, ", "))
		}
		say("     ", strings.Join(t.Faults, "\n"))
	}
	say("     ", strings.Join(c.Faults, "\n"))
	name := fmt.Sprintf("%s %s", p.Name, p.Manifest.Version)
	if c.Broken() {
		say("", fmt.Sprintf("%s does not conform to ABI %d: %s of %d broken, %s of the plugin as a whole",
			name, p.Manifest.ABI, print.Count(failed, "fixture"), len(c.Trials), print.Count(len(c.Faults), "fault")))
	} else {
		say("", fmt.Sprintf("%s conforms to ABI %d: %s and %s, %s held in each", name, p.Manifest.ABI,
			print.Count(len(c.Trials), "fixture"), print.Count(c.Damaged, "damaged world"), print.Count(c.Laws, "law")))
	}
	return err
}
