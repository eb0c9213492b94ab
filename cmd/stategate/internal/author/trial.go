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

// A Trial describes a test of a compiled plugin.
type Trial struct {
	Plugin  *plugin.Plugin
	Dir     string // directory of the fixtures
	Update  bool   // write the plugin's reports into the fixtures
	Workers worker.Config
	Output  func(fixture, text string) error // called with the plugin's debug output for each fixture; may be nil
}

// Test runs the fixtures with a compiled plugin. It checks the laws in each fixture, and in variants that it creates
// by damaging the fixtures' documents. It returns an error only if it cannot judge the plugin.
func Test(ctx context.Context, trial Trial) (*fixture.Conformance, error) {
	p := trial.Plugin
	fixtures, err := readFixtures(trial.Dir, p.Manifest)
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

// readFixtures reads the archives in a directory. An unreadable archive is a usage error, because the user wrote it.
func readFixtures(dir string, m *wire.Manifest) ([]*fixture.Fixture, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.Usagef("directory %s does not exist; use the one that contains the fixtures *.txtar", dir)
	case err != nil:
		return nil, fmt.Errorf("read the fixtures: %w", err)
	case !info.IsDir():
		return nil, fault.Usagef("%s is not a directory; use the one that contains the fixtures *.txtar", dir)
	}
	list, err := fixture.LoadAll(os.DirFS(dir), ".")
	if err = fixture.Explain(m, list, err); err != nil {
		return nil, fault.Usagef("read the fixtures in %s: %v", dir, err)
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
		return fault.Usagef("read the fixtures in %s: %v", dir, err)
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
			"the plugin's description differs from the manifest in the file; run `stategate plugin pack`")
	}
	return t.ctx.Err()
}

// sameManifest reports whether a plugin's description equals the manifest in its file. It ignores the rules' URLs,
// which are added to built-in plugins after they are read.
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

// Examine implements fixture.Examiner.
func (t *test) Examine(r *wire.Request) (*wire.Report, error) { return t.examine(r, false) }

var _ fixture.Fresher = (*test)(nil)

// Fresh returns an examiner with a new instance of the plugin.
func (t *test) Fresh() (fixture.Examiner, error) { return fresh{t}, nil }

type fresh struct{ *test }

func (f fresh) Examine(r *wire.Request) (*wire.Report, error) { return f.examine(r, true) }

// watch runs work that may never end, because checking the laws interprets the plugin's schemas and patterns in
// this process, which nothing can kill. Each step ends with a call to reset, and can take up to limit. If watch
// gives up or is interrupted, the work continues until the process ends, so the caller must not touch anything that
// it uses.
func watch(ctx context.Context, limit time.Duration, origin string, work func(reset func()) error) error {
	ctx, giveUp := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() {
		giveUp(fmt.Errorf("%s: checking a fixture against the manifest takes longer than %v; look for a schema "+
			"or pattern that never finishes", origin, limit))
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

// Report prints every fixture with its faults, and whether the plugin conforms.
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
			say("     ", "now expects errors: "+strings.Join(t.Errors, ", "))
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
