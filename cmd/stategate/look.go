package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// lookFlags are what check and status share.
type lookFlags struct {
	sourceFlags
	configFlags
	editorFlags
	plugins  []string
	now      string
	jobs     int
	noCache  bool
	system   string
	instance time.Duration
	compile  time.Duration
}

func (l *lookFlags) register(a *app, c *cobra.Command) {
	l.configFlags.register(c)
	l.editorFlags.register(c)
	f := c.Flags()
	f.StringArrayVar(&l.plugins, "plugin", nil, "check only with the plugin `NAME|FILE.wasm`, built in, configured "+
		"or a file (repeatable)")
	l.registerBase(c)
	f.StringVar(&l.now, "now", "", "check as if it were `TIME` (RFC 3339)")
	f.IntVar(&l.jobs, "jobs", 0, "use `N` workers (default one per processor, at most 8 and as memory allows)")
	f.BoolVar(&l.noCache, "no-cache", false, "neither read nor write compiled plugins and verdicts")
	f.StringVar(&l.system, "system-cache", "", "take compiled plugins from `DIR`, which an administrator has filled "+
		"(stategate cache warm --system DIR)")
	f.DurationVar(&l.instance, "limit-instance", 0,
		"give up on a state directory after `DURATION`; can only lower the limit")
	f.DurationVar(&l.compile, "limit-compile", 0, "give up on compiling a plugin after `DURATION`; can only lower "+
		"the limit")
	_ = f.MarkHidden("limit-instance") // for tests of hostile plugins
	_ = f.MarkHidden("limit-compile")
	c.ValidArgsFunction = a.roots(l)
}

func (a *app) look(ctx context.Context, o check.Options, noCache bool) (*result.Result, error) {
	bar := a.newProgress()
	if bar != nil && o.Progress == nil {
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
	for _, n := range r.Notices { // to stderr: the output is the same bytes whatever the cache
		_ = lines(a.stderr, "stategate: note: ", "    ", n)
	}
	return r, nil
}

// options says what to check; every usage error that needs no check is found here.
func (a *app) options(c *cobra.Command, l *lookFlags, paths []string) (check.Options, *plugins, error) {
	if err := refuseEmpty(c, "base", "rev", "merge", "now", "system-cache"); err != nil {
		return check.Options{}, nil, err
	}
	now, err := l.time()
	if err != nil {
		return check.Options{}, nil, err
	}
	if l.jobs < 0 {
		return check.Options{}, nil, usagef("--jobs %d: give 1 or more, or 0 for the default", l.jobs)
	}
	lim := limits.Default().Lower(limits.Limits{Instance: l.instance, Compile: l.compile})
	o := a.hostOptions(lim, l.noCache)
	if l.system != "" {
		o.System = a.absolute(l.system)
	}
	o.Paths, o.Now, o.Jobs = paths, now, l.jobs
	if err := l.sourceFlags.set(&o, a.env); err != nil {
		return o, nil, err
	}
	if err := l.editorFlags.set(a, &o); err != nil {
		return o, nil, err
	}
	p, err := a.configured(c, l, &o)
	return o, p, err
}

// hostOptions are those that every use of the host shares.
func (a *app) hostOptions(lim limits.Limits, noCache bool) check.Options {
	o := check.Options{Dir: a.env.dir, Environ: a.env.all, Limits: lim, CacheDir: a.env.cacheDir,
		StateDir: a.env.stateDir, Version: a.env.build, Recall: !a.env.inCI(), Reserve: a.reserve}
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

// sourceFlags say what is checked and what it is compared with.
type sourceFlags struct {
	staged  bool
	rev     string
	merge   string
	changed bool
	bases   []string
}

// The values of --base that are no revisions.
const (
	baseAuto = "auto"
	baseNone = "none"
)

// registerBase is for every subcommand that checks.
func (s *sourceFlags) registerBase(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.bases, "base", nil,
		"compare with `REV` (repeatable), an earlier revision or one of: auto (where CI or git says the change "+
			"begins), none")
}

// registerSource is for the subcommands that check more than the work tree.
func (s *sourceFlags) registerSource(c *cobra.Command) {
	c.Flags().BoolVar(&s.staged, "staged", false, "check what git is going to commit, and compare it with HEAD")
	c.Flags().StringVar(&s.rev, "rev", "", "check the commit `REV`, and compare it with its parents")
	c.Flags().BoolVar(&s.changed, "changed", false, "check only runs that the change touches")
}

// set puts the flags into o. The environment speaks only where auto asks it.
func (s *sourceFlags) set(o *check.Options, env environment) error {
	switch {
	case s.staged && s.rev != "":
		return usagef("--staged and --rev %s cannot be combined: use only one of the two", s.rev)
	case s.merge != "" && (s.staged || s.rev != ""):
		return usagef("--merge %s checks a merge with HEAD: use only one of --merge, --staged and --rev", s.merge)
	case s.merge != "":
		o.Source, o.Rev, o.Merge = wire.Commit, "HEAD", s.merge
	case s.staged:
		o.Source = wire.Index
	case s.rev != "":
		o.Source, o.Rev = wire.Commit, s.rev
	}
	o.Changed = s.changed
	if slices.Contains(s.bases, baseNone) {
		if len(s.bases) > 1 {
			return usagef("--base none cannot be combined with another --base: use only one of the two")
		}
		if s.changed {
			return usagef("--changed needs a base, and --base none compares with nothing; use only one of the two")
		}
		return nil
	}
	o.Predecessors = len(s.bases) == 0 && (o.Source != wire.Worktree || s.changed)
	for _, b := range s.bases {
		if b != baseAuto {
			o.Bases = append(o.Bases, b)
			continue
		}
		begins, err := env.autoBase()
		if err != nil {
			return err
		}
		if begins == "" || s.merge != "" || begins == parents && s.rev != "" {
			o.Predecessors = true
		} else {
			o.Bases = append(o.Bases, begins)
		}
	}
	return nil
}

// patience is how long work goes on before its progress is shown; moment is the
// shortest time between two reports of it.
const (
	patience = 500 * time.Millisecond
	moment   = 100 * time.Millisecond
)

// progress counts on a line of the terminal how far long work has come.
type progress struct {
	w           io.Writer
	start, last time.Time
	width       int // of what the line shows
}

// newProgress returns nil, which shows nothing, unless stderr is a terminal that can be drawn on.
func (a *app) newProgress() *progress {
	if a.env.dumb || !isTerminal(a.stderr) {
		return nil
	}
	return &progress{w: a.stderr, start: time.Now()}
}

// report is called as instances are finished, one call at a time.
func (p *progress) report(done, total int) {
	now := time.Now()
	if now.Sub(p.start) < patience || now.Sub(p.last) < moment {
		return
	}
	p.last = now
	text := fmt.Sprintf("checking %d/%d", done, total)
	p.width = max(p.width, len(text))
	fmt.Fprint(p.w, "\r", text) // a terminal that has gone away is no reason to stop
}

// end erases the line before anything else is printed, with the ^C that the terminal
// shows behind it when it is interrupted.
func (p *progress) end() {
	if p != nil && p.width > 0 {
		fmt.Fprint(p.w, "\r", strings.Repeat(" ", p.width+len("^C")), "\r")
	}
}
