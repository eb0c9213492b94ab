package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// examineFlags holds the flags shared by commands that check runs.
type examineFlags struct {
	advice.Flags
	rev, merge    string
	changed       *pflag.Flag // the flag that sets Changed; nil if the command lacks it
	baseline      string      // "" means the configured one
	writeBaseline string      // only for check; if set, no baseline is read
	now           string
	jobs          int
	noCache       bool
	unsaved       string // for programs that check while a person edits, such as stategate-lsp
	progress      bool   // for the same programs
	output        bool
	limits        limits.Limits
}

// examinable says which sources a command can check besides the working tree.
type examinable int

const (
	worktreeOnly examinable = iota
	indexAndCommits
	andMerges
)

// The values of --base that are not revisions.
const (
	baseAuto = "auto"
	baseNone = "none"
)

func (l *examineFlags) register(a *app, c *cobra.Command, of examinable) {
	if of >= indexAndCommits {
		addFlag(c, whatIsChecked, &l.Staged, "staged", "check the index and compare it with HEAD (implies --changed)")
		addFlag(c, whatIsChecked, &l.rev, "rev", "check the commit `REV` and compare it with its parents").filled().
			completed(revisionWords(a))
	}
	if of >= andMerges {
		addFlag(c, whatIsChecked, &l.merge, "merge", "check the merge of `REV` into HEAD and compare it "+
			"with both").filled().completed(revisionWords(a))
	}
	addFlag(c, whatIsChecked, &l.Bases, "base",
		"compare with `REV`, or the merge base if it is a branch (repeatable); auto: CI's base; none: nothing; "+
			"default: HEAD, or a commit's parents").filled().
		completed(revisionWords(a, word{baseAuto, "the base that CI or git names"}, word{baseNone, "nothing"}))
	addFlag(c, whatIsChecked, &l.Exact, "base-exact", "compare with the commit `REV`, even if it is a branch "+
		"(repeatable)").filled().completed(revisionWords(a))
	if of >= indexAndCommits {
		addFlag(c, whatIsChecked, &l.Changed, "changed", "report only what the change touches")
		l.changed = c.Flag("changed")
	}
	addFlag(c, whatIsChecked, &l.Plugins, "plugin", "check only with the plugin `NAME|FILE` "+
		"(repeatable)").completed(workflowWords(a, filesToo))
	addFlag(c, advancedFlags, &l.now, "now", "check as of `TIME` (RFC 3339)").filled()
	configFlags(a, c, &l.Config, &l.PolicyFrom)
	addFlag(c, advancedFlags, &l.jobs, "jobs",
		"use `N` workers (default: one per processor, at most 8, if memory allows)")
	addFlag(c, advancedFlags, &l.noCache, "no-cache", "do not read or write cached plugins and results")
	addFlag(c, advancedFlags, &l.output, "plugin-output", pluginOutput)
	addFlag(c, otherFlags, &l.unsaved, "unsaved", "check the text in the JSON object in `FILE` (- is standard input), "+
		"keyed by path, instead of the files on disk").hidden()
	addFlag(c, otherFlags, &l.progress, "progress", "write DONE/TOTAL to stderr, one line per state directory").
		hidden()
	addFlag(c, otherFlags, &l.limits.Instance, "limit-instance",
		// this and the next flag are for tests of hostile plugins
		"stop checking a state directory after `DURATION`; can only lower the limit").hidden()
	addFlag(c, otherFlags, &l.limits.Compile, "limit-compile",
		"stop compiling a plugin after `DURATION`; can only lower the limit").hidden()
	c.ValidArgsFunction = stateDirectoryWords(a, l)
}

const pluginOutput = "write plugins' debug output (println) to stderr"

// baselineFlag registers the flag that replaces the configured baseline.
func (l *examineFlags) baselineFlag(c *cobra.Command) {
	addFlag(c, advancedFlags, &l.baseline, "baseline",
		"report only findings that are not in the baseline `FILE` (default: "+
			"the configured one); none: report all").filled().completed(files("json"))
}

// A request is what a call asks of the host, according to its flags, its environment and the configuration.
type request struct {
	check.Options
	plugins  *plugins
	settings *settings
	note     string // for stderr, or ""
}

// request builds the request from the flags. It reports every usage error that can be found without a check.
func (l *examineFlags) request(ctx context.Context, a *app, paths []string) (*request, error) {
	now, err := l.time()
	if err != nil {
		return nil, err
	}
	if l.jobs < 0 {
		return nil, usagef("invalid value %d for --jobs; use 1 or more, or 0 for the default", l.jobs)
	}
	o := hostOptions(a, l.noCache)
	o.Limits = o.Limits.Lower(l.limits)
	o.Paths, o.Now, o.Jobs = paths, now, l.jobs
	if err := l.compared(ctx, a, &o); err != nil {
		return nil, err
	}
	if l.progress {
		o.Progress = func(done, total int) { fmt.Fprintf(a.stderr, "%d/%d\n", done, total) }
	}
	if l.output {
		o.Output = func(plugin, root, text string) {
			_ = lines(a.stderr, plugin+", "+root+": ", "    ", strings.TrimRight(text, "\n"))
		}
	}
	if o.Unsaved, err = l.unsavedTexts(a); err != nil {
		return nil, err
	}
	return configured(ctx, a, l, o)
}

// hostOptions returns the options that every use of the host shares.
func hostOptions(a *app, noCache bool) check.Options {
	o := check.Options{
		Subject: check.Subject{Dir: a.env.dir, Environ: a.env.all, Home: a.env.home},
		Resources: check.Resources{Limits: limits.Default(), CacheDir: a.env.cacheDir, StateDir: a.env.stateDir,
			Version: a.env.build, Recall: !a.env.inCI(), Reserve: a.reserve},
	}
	if noCache {
		o.CacheDir = ""
	}
	return o
}

func (l *examineFlags) time() (time.Time, error) {
	if l.now == "" {
		return time.Now(), nil
	}
	t, err := time.Parse(time.RFC3339, l.now)
	if err != nil {
		return t, usagef("--now %q is not a valid RFC 3339 time; write it as 2026-03-10T12:00:00Z", l.now)
	}
	return t, nil
}

// unsavedTexts returns the texts that an editor has not saved, by absolute path.
func (l *examineFlags) unsavedTexts(a *app) (map[string]string, error) {
	if l.unsaved == "" {
		return nil, nil
	}
	in := a.stdin
	if l.unsaved != "-" {
		f, err := os.Open(l.unsaved)
		if err != nil {
			return nil, usagef("--unsaved: %v", err)
		}
		defer f.Close()
		in = f
	}
	const most = 256 << 20 // bytes
	texts, full := map[string]string{}, map[string]string{}
	d := json.NewDecoder(io.LimitReader(in, most))
	err := d.Decode(&texts)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more input follows the object")
		}
	}
	if err != nil {
		return nil, usagef("--unsaved %s is not a JSON object of texts by path: %v", l.unsaved, err)
	}
	for path, text := range texts {
		full[a.absolute(path)] = text
	}
	return full, nil
}

// refuseChanges rejects a command that changes files if the editor has unsaved texts.
func (l *examineFlags) refuseChanges(by string) error {
	if l.unsaved == "" {
		return nil
	}
	return usagef("%s changes files on disk, but --unsaved contains other texts for them; save them first", by)
}

// call returns the flags of this call that printed commands repeat. For git commit -a, the index exists only while the
// hook runs, so the commands read the working tree.
func (l *examineFlags) call(a *app, paths []string) *advice.Call {
	flags := l.Flags
	flags.Staged = flags.Staged && !strings.HasSuffix(a.env.get("GIT_INDEX_FILE"), ".lock")
	return &advice.Call{Flags: flags, Program: program(), Started: a.env.dir, Typed: a.env.here, Paths: paths}
}

// examine has the host run the requested check. On a terminal, it shows progress.
func examine(ctx context.Context, a *app, q *request) (*result.Result, error) {
	o, bar := q.Options, newProgress(a)
	if bar != nil && o.Progress == nil {
		o.Progress = bar.report
	}
	r, err := check.Check(ctx, o)
	bar.end()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // a partial result must not be reported
	}
	if err := refuseNestedAbove(ctx, a, q, r); err != nil {
		return nil, err
	}
	for _, t := range q.settings.Disable {
		r.Disabled = append(r.Disabled, t.Value)
	}
	if q.note != "" {
		r.Notices = append(r.Notices, q.note)
	}
	for _, n := range r.Notices { // to stderr, so that the state of the cache does not change the output
		a.note(n)
	}
	return r, nil
}

func severityOf(flag, word string) (wire.Severity, error) {
	s, ok := wire.ParseSeverity(word)
	if !ok || s == wire.Off {
		return s, usagef("invalid value %q for --%s; use error, warning or info", word, flag)
	}
	return s, nil
}

var severities = []string{wire.Error.String(), wire.Warning.String(), wire.Info.String()}

// showAll is the value of --show that lists every finding, even for rules with many.
const showAll = "all"

func showFlag(c *cobra.Command, show *string) {
	addChoice(c, whatIsShown, show, "show", "in text and annotations, list findings of this `SEVERITY` or worse and "+
		"count the rest: %s", append(slices.Clone(severities), showAll))
}

// shownFrom parses --show into the lowest severity to list. all is true if every finding is to be listed.
func shownFrom(word string) (least wire.Severity, all bool, err error) {
	if word == showAll {
		return wire.Info, true, nil
	}
	if least, err = severityOf("show", word); err != nil {
		err = usagef("invalid value %q for --show; use error, warning, info or all", word)
	}
	return least, false, err
}

func failFlag(c *cobra.Command, failOn *string) {
	*failOn = wire.Error.String()
	addChoice(c, whichFindings, failOn, "fail-on", "close the gate at findings of this `SEVERITY` or worse: %s",
		severities)
}

// closing returns the least severe severity that closes the gate. If --fail-on sets it, closing also returns the flag,
// for printed commands that must apply the same severity; otherwise the configuration decides.
func closing(c *cobra.Command, failOn string, s *settings) (severity wire.Severity, again string, err error) {
	if !c.Flag("fail-on").Changed {
		return closesAt(s.Config), "", nil
	}
	severity, err = severityOf("fail-on", failOn)
	return severity, failOn, err
}
