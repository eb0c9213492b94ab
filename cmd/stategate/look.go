package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
)

// lookFlags are what check and status share.
type lookFlags struct {
	sourceFlags
	configFlags
	plugins  []string
	now      string
	jobs     int
	noCache  bool
	instance time.Duration
	compile  time.Duration
}

func (l *lookFlags) register(a *app, c *cobra.Command) {
	l.configFlags.register(a, c)
	f := c.Flags()
	f.StringArrayVar(&l.plugins, "plugin", nil, "check only with the plugin `NAME|FILE.wasm`, built in, configured or a file (repeatable)")
	l.registerBase(a, c)
	f.StringVar(&l.now, "now", "", "check as if it were `TIME` (RFC 3339)")
	f.IntVar(&l.jobs, "jobs", 0, "use `N` workers (default one per processor)")
	f.BoolVar(&l.noCache, "no-cache", false, "neither read nor write compiled plugins and verdicts")
	f.DurationVar(&l.instance, "limit-instance", 0, "give up on a state directory after `DURATION`; can only lower the limit")
	f.DurationVar(&l.compile, "limit-compile", 0, "give up on compiling a plugin after `DURATION`; can only lower the limit")
	_ = f.MarkHidden("limit-instance") // for tests of hostile plugins
	_ = f.MarkHidden("limit-compile")
	completeFlag(c, "plugin", a.workflows(filesToo))
	c.ValidArgsFunction = a.roots(l)
}

func (a *app) look(ctx context.Context, o check.Options, noCache bool) (*result.Result, error) {
	bar := a.newProgress()
	if bar != nil {
		o.Progress = bar.report
	}
	r, err := check.Check(ctx, o)
	bar.end()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // what was found so far is no verdict
	}
	if o.CacheDir == "" && !noCache {
		r.Notices = append(r.Notices, a.env.noCache)
	}
	a.notices(r)
	return r, nil
}

// options says what to check; every usage error that needs no check is found here.
func (a *app) options(c *cobra.Command, l *lookFlags, paths []string) (check.Options, *plugins, error) {
	if err := refuseEmpty(c, "base", "rev", "now"); err != nil {
		return check.Options{}, nil, err
	}
	now, err := l.time()
	if err != nil {
		return check.Options{}, nil, err
	}
	if l.jobs < 0 {
		return check.Options{}, nil, usagef("--jobs %d: give 1 or more, or 0 for one per processor", l.jobs)
	}
	lim := limits.Default().Lower(limits.Limits{Instance: l.instance, Compile: l.compile})
	o := a.hostOptions(lim, l.noCache)
	o.Paths, o.Now, o.Jobs = paths, now, l.jobs
	if err := l.set(&o, a.env); err != nil {
		return o, nil, err
	}
	p, err := a.configured(c, l, &o)
	return o, p, err
}

// hostOptions are those that every use of the host shares.
func (a *app) hostOptions(lim limits.Limits, noCache bool) check.Options {
	o := check.Options{Dir: a.env.dir, Environ: a.env.all, Limits: lim, CacheDir: a.env.cacheDir, StateDir: a.env.stateDir, Version: a.env.build, Reserve: a.reserve}
	if noCache {
		o.CacheDir = ""
	}
	return o
}

// workers configures the workers of a plugin that is asked by itself.
func (a *app) workers(lim limits.Limits, noCache bool) worker.Config {
	o := a.hostOptions(lim, noCache)
	return o.Workers()
}

func (l *lookFlags) time() (time.Time, error) {
	if l.now == "" {
		return time.Now(), nil
	}
	t, err := time.Parse(time.RFC3339, l.now)
	if err != nil {
		return t, usagef("--now %q is not a valid RFC 3339 time; write it as 2026-03-10T12:00:00Z", l.now)
	}
	return t, nil
}

// notices go to stderr: the output is the same bytes whatever the cache.
func (a *app) notices(r *result.Result) {
	for _, n := range r.Notices {
		_ = lines(a.stderr, "stategate: note: ", "    ", n)
	}
}
