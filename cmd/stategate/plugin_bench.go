package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/guest"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

func (a *app) benchVerb() *cobra.Command {
	var runs int
	c := &cobra.Command{
		Use:   "bench NAME|FILE.wasm [DIR]",
		Short: "Measure what a plugin costs",
		Long: `bench measures loading a plugin, compiled anew and from the cache, and, with the
fixtures in DIR, what an answer takes and how much memory. It prints medians and
the fastest and slowest of the runs; times differ from machine to machine.`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: inOrder(a.workflows(filesToo), directories()),
		RunE: func(c *cobra.Command, args []string) error {
			if runs < 1 {
				return usagef("--runs %d: give 1 or more", runs)
			}
			return a.bench(c.Context(), runs, args)
		},
	}
	c.Flags().IntVar(&runs, "runs", 7, "measure each `N` times")
	return c
}

func (a *app) bench(ctx context.Context, runs int, args []string) error {
	p, err := sound(args[:1])
	if err != nil {
		return err
	}
	b := &bench{ctx: ctx, runs: runs, workers: a.workers(limits.Default(), true), plugin: p.list[0]}
	if len(args) == 2 {
		if err := newOverseer(limits.Default()).with(ctx, b.plugin.Origin, func() error { return b.requestsOf(args[1]) }); err != nil {
			return err
		}
	}
	costs, err := b.run()
	if err != nil {
		return err
	}
	return a.printed(print.Costs(a.stdout, b.plugin, costs))
}

// A bench measures one plugin.
type bench struct {
	ctx      context.Context
	runs     int
	workers  worker.Config
	plugin   *plugin.Plugin
	requests []*wire.Request // by the fixtures, in their order
}

func (b *bench) requestsOf(dir string) error {
	fixtures, err := readFixtures(dir)
	if err != nil {
		return err
	}
	kit, err := fixture.NewKit(b.plugin.Manifest, recorder{b})
	if err != nil {
		return usagef("%s: %v", b.plugin.Origin, err)
	}
	for _, f := range fixtures {
		if _, err := kit.LookAt(f); err != nil {
			return usagef("fixture %s: %v", f.Name, err)
		}
	}
	return nil
}

// A recorder keeps the requests that a kit makes.
type recorder struct{ b *bench }

func (r recorder) Examine(q *wire.Request) (*wire.Report, error) {
	r.b.requests = append(r.b.requests, q)
	return &wire.Report{}, nil
}

func (b *bench) run() (print.PluginCosts, error) {
	dir, err := os.MkdirTemp("", "stategate-bench-")
	if err != nil {
		return print.PluginCosts{}, brokenf("make a temporary directory: %v", err)
	}
	defer os.RemoveAll(dir)
	var costs print.PluginCosts
	if costs.Cold, err = b.loadings(""); err != nil {
		return costs, err
	}
	b.workers.CacheDir = dir
	if _, err = b.loading(); err == nil {
		costs.Cached, err = b.loadings(dir)
	}
	if err != nil || len(b.requests) == 0 {
		return costs, err
	}
	return costs, b.answers(&costs)
}

// loadings loads the plugin as often as is measured, each time into a new worker.
func (b *bench) loadings(cacheDir string) (print.Times, error) {
	b.workers.CacheDir = cacheDir
	var times print.Times
	for range b.runs {
		took, err := b.loading()
		if err != nil {
			return nil, err
		}
		times = append(times, took)
	}
	return times, nil
}

func (b *bench) loading() (time.Duration, error) {
	g, err := guest.OpenGuest(b.plugin, b.workers)
	if err != nil {
		return 0, brokenf("%v", err)
	}
	defer g.Close()
	return g.Load(b.ctx)
}

// answers asks all requests round by round: the first one by fresh instances,
// the others by used ones.
func (b *bench) answers(costs *print.PluginCosts) error {
	g, err := guest.OpenGuest(b.plugin, b.workers)
	if err != nil {
		return brokenf("%v", err)
	}
	defer g.Close()
	costs.Requests = len(b.requests)
	for _, r := range b.requests {
		_, cost, err := g.ExamineFresh(b.ctx, r)
		if err != nil {
			return err
		}
		costs.Fresh = append(costs.Fresh, cost.Working)
		costs.Memory = max(costs.Memory, cost.Memory)
	}
	for range b.runs {
		for _, r := range b.requests {
			_, cost, err := g.Examine(b.ctx, r)
			if err != nil {
				return err
			}
			costs.Used = append(costs.Used, cost.Working)
			costs.Memory = max(costs.Memory, cost.Memory)
		}
	}
	return nil
}
