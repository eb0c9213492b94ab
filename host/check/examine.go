package check

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/admit"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// An examiner lets plugins examine runs in workers, or reuses the verdict of an earlier check.
type examiner struct {
	pool     *worker.Pool
	verdicts *cache.Verdicts // of earlier checks; nil if none are kept
	plugins  Plugins
	source   source.Source // its ignore rules apply
	limits   limits.Limits
	options  map[string]PluginOptions
	jobs     int
	now      time.Time
	top      string // name of the workspace's directory
	noResume bool   // omit State and Resume from detections
	patient  bool   // see snapshot.Input
	output   func(plugin, root, text string)
	paths    *pathBudget

	writing sync.Mutex   // held during each call of output
	misses  atomic.Int32 // verdicts that were not cached
	replied atomic.Int64 // total bytes of all replies
}

func newExaminer(o *Options, s *scope, src source.Source, pool *worker.Pool) *examiner {
	return &examiner{pool: pool, plugins: s.plugins, source: src, limits: o.Limits, options: o.PluginOptions,
		jobs: o.Workers().Jobs, now: o.Now, top: filepath.Base(s.Path), noResume: o.NoResume, patient: o.Patient,
		output: o.Output, paths: &pathBudget{refused: o.RefusePaths}}
}

// A verdict is a plugin's reply for one pair.
type verdict struct {
	*exchange.Reply
	answers  *answers // answers about the paths it asked for; nil if it asked for none
	stderr   string   // what the plugin wrote
	warnings []string // from the worker
}

// examine returns a plugin's verdict. If the plugin asks whether paths exist, examine looks them up and lets the
// plugin continue.
func (e *examiner) examine(ctx context.Context, p *pair) (verdict, error) {
	v, err := e.reply(ctx, p, nil)
	if err == nil && len(v.Ask) > 0 && v.answers == nil { // a cached reply asks for paths
		v, err = e.reply(ctx, p, e.paths.answer(p, v.Ask))
	}
	if err == nil && len(v.Ask) > 0 {
		err = fault.Newf(fault.Protocol, "the plugin asks for %q after it has its answers; every path must be asked "+
			"for in the first call", v.Ask[0])
	}
	return v, err
}

// reply returns the cached reply to identical input, or asks a worker.
func (e *examiner) reply(ctx context.Context, p *pair, given *answers) (v verdict, err error) {
	v.answers = given
	if v.Reply = e.cached(p, given); v.Reply != nil {
		return v, nil
	}
	e.misses.Add(1)
	if err := p.load(ctx); err != nil {
		return v, err
	}
	// The plugin always asks for paths first, so its input does not depend on the cache.
	payload, err := exchange.ExaminePayload(e.input(p))
	if err != nil {
		return v, err
	}
	job := worker.Job{Plugin: worker.Plugin{SHA256: p.Code(), Size: p.Size, Wasm: p.Wasm}, Payload: payload}
	if len(p.Manifest.AsksFor) > 0 {
		job.FollowUp = func(output []byte) ([][]byte, error) {
			v.answers, v.Reply = nil, nil // the worker may be asked again
			reply, err := e.admit(p, output)
			if err != nil || len(reply.Ask) == 0 {
				v.Reply = reply
				return nil, err
			}
			e.keep(p, nil, reply, output)
			v.answers = e.paths.answer(p, reply.Ask)
			return exchange.AnswersPayload(v.answers.now, v.answers.then), nil
		}
	}
	answer, failed := e.pool.Do(ctx, job)
	v.stderr, v.warnings = answer.Stderr, answer.Warnings
	if e.output != nil && v.stderr != "" {
		e.writing.Lock()
		e.output(p.Name, p.Now.Root, v.stderr)
		e.writing.Unlock()
	}
	if failed != nil {
		return v, failed
	}
	if v.Reply == nil {
		if v.Reply, err = e.admit(p, answer.Payload); err != nil {
			return v, err
		}
	}
	e.keep(p, v.answers, v.Reply, answer.Payload)
	return v, nil
}

// input returns the plugin's first input. The documents must be loaded.
func (e *examiner) input(p *pair) snapshot.Input {
	return snapshot.Input{
		Root: p.Now.Root, Name: e.nameOf(p.Now.Root), Source: p.source, Now: e.now,
		Options: e.options[p.Name].JSON,
		Files:   p.Now.Files, Unseen: slices.Concat(p.Now.Unseen, p.ignored),
		NoResume: !e.wantsDetails(p),
		Patient:  e.patient,
		Base:     p.Past.Input(),
	}
}

// nameOf returns the last component of a root or, for the workspace itself, the name of its directory.
func (e *examiner) nameOf(root string) string {
	if root == "." {
		return e.top
	}
	return path.Base(root)
}

func (e *examiner) wantsDetails(p *pair) bool { return !e.noResume || p.details }

// cacheInputs returns everything that a verdict depends on except the clock.
func (e *examiner) cacheInputs(p *pair, given *answers) *cache.RunInputs {
	in := &cache.RunInputs{Plugin: p.key(), Root: p.Now.Root, Name: e.nameOf(p.Now.Root), Source: p.source,
		Digest: p.Now.Digest, Unseen: p.Now.Unseen, Ignored: p.ignored, Details: e.wantsDetails(p),
		Base: cache.BaseInputs{State: p.Past.State, Root: p.Past.Root, Digest: p.Past.Digest}}
	if given != nil {
		in.Answers, in.BaseAnswers = given.now, given.then
	}
	return in
}

// cached returns the reply of an earlier check, or nil if there is no valid one.
func (e *examiner) cached(p *pair, given *answers) *exchange.Reply {
	if e.verdicts == nil || e.output != nil {
		return nil
	}
	text, ok := e.verdicts.Reply(e.cacheInputs(p, given))
	if !ok {
		return nil
	}
	reply, err := e.admit(p, text)
	if err == nil && reply.ValidAt(e.now) {
		return reply
	}
	e.replied.Add(-int64(len(text)))
	return nil
}

// keep caches a reply if the same input would produce it again.
func (e *examiner) keep(p *pair, given *answers, reply *exchange.Reply, text []byte) {
	if e.verdicts == nil || p.Now.Unstable || len(p.Now.Unseen) > 0 || reply.Failure != "" ||
		len(reply.RuleFailures)+len(reply.Refused) > 0 {
		return
	}
	e.verdicts.KeepReply(e.cacheInputs(p, given), text)
}

// maxReplies limits the bytes that all plugins report in one check. It is enough for about 60,000 runs.
const maxReplies = 64 << 20

// admit decodes a reply and rejects what no honest worker sends.
func (e *examiner) admit(p *pair, payload []byte) (*exchange.Reply, error) {
	if e.replied.Add(int64(len(payload))) > maxReplies {
		return nil,
			fault.Newf(fault.Limit, "the plugins have reported more than %d MiB in this check; check some PATHs at "+
				"a time", maxReplies>>20)
	}
	reply, err := exchange.DecodeReply(payload)
	if err == nil {
		err = admit.Reply(p.Manifest, p.Now.Root, reply, e.limits)
	}
	if err != nil {
		return nil, fault.Newf(fault.Protocol, "the worker's reply is rejected: %v", err)
	}
	return reply, nil
}

// alone examines a commit's version of a run without comparing it with anything.
func (e *examiner) alone(ctx context.Context, p *ActivePlugin, was *statefiles.Past) (verdict, error) {
	return e.inCommit(ctx, &pair{ActivePlugin: p, Now: &was.Instance, Past: nothing(), details: true}, earlier{})
}

// against examines one commit's version of a run, compared with an earlier commit's.
func (e *examiner) against(ctx context.Context, p *ActivePlugin, now, was earlier) (verdict, error) {
	return e.inCommit(ctx, &pair{ActivePlugin: p, Now: &now.Instance, Past: was.Past,
		present: present(now.commit, was.commit), wasPresent: present(was.commit, nil)}, was)
}

func (e *examiner) inCommit(ctx context.Context, p *pair, was earlier) (v verdict, err error) {
	p.source = wire.Commit
	if p.ignored, err = mayExist(e.source, p.ActivePlugin, p.Now, was); err != nil {
		return v, err
	}
	return e.examine(ctx, p)
}

// readAhead is the number of state directories per worker that are read or waiting, so that reading continues while
// workers are busy.
const readAhead = 2

// each calls do for every state directory, several at a time. It groups them by plugin, because a worker has only one
// plugin loaded.
func each(jobs int, list []discover.Instance, do func(discover.Instance)) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b discover.Instance) int { return cmp.Compare(a.Plugin, b.Plugin) })
	next := make(chan discover.Instance)
	var group sync.WaitGroup
	for range min(jobs, len(list)) * readAhead {
		group.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for _, i := range list {
		next <- i
	}
	close(next)
	group.Wait()
}

// examineAll examines every state directory, several at a time. The order of outcomes is undefined.
func (c *Checker) examineAll(list []discover.Instance,
	examine func(discover.Instance) Outcome) (outcomes []Outcome) {
	var lock sync.Mutex
	each(c.examiner.jobs, list, func(i discover.Instance) {
		out := examine(i)
		lock.Lock()
		defer lock.Unlock()
		outcomes = append(outcomes, out)
		if c.Options.Progress != nil {
			c.Options.Progress(len(outcomes), len(list))
		}
	})
	return outcomes
}

// Examine reads a state directory, examines it against each of its earlier states, and combines the verdicts into one
// outcome.
func (c *Checker) Examine(ctx context.Context, i discover.Instance) Outcome {
	out := Outcome{Instance: i}
	run, err := c.read(ctx, i)
	if err != nil {
		return out.failed(err, fault.Source)
	}
	touched := c.touched(ctx, run)
	out.run, out.touched, out.touch = run, touched, c.change.touchOf(run, touched)
	var verdicts []verdict
	for _, p := range run.pairs {
		v, err := c.examiner.examine(ctx, p)
		out.notices = append(out.notices, v.warnings...)
		if v.answers != nil && (out.answers == nil || v.answers.unanswered > out.answers.unanswered) {
			out.answers = v.answers
		}
		if err != nil {
			return out.failed(err, fault.Protocol)
		}
		verdicts = append(verdicts, v)
	}
	reply := intersect(verdicts)
	dropped, brought, err := c.merges.dropped(ctx, run, verdicts)
	if err != nil {
		return out.failed(err, fault.Source)
	}
	reply.Findings, out.brought = append(reply.Findings, dropped...), brought
	out.accept(run, reply, c.Options.Source)
	if out.Result != nil {
		out.Result.Touched = touched
		unwritable(out.Result)
		c.losses.restorer.addTo(out.Result, run)
		c.losses.restorer.explainEncoding(ctx, out.Result, c.Workspace.Repo)
		c.losses.restorer.noteUntracked(&out, run)
		reportMiscased(out.Result, run, c.losses.restorer, c.bases)
		reportTwins(out.Result, run, c.losses.restorer, c.bases)
		reportLinked(out.Result, run, c.bases)
		if files, err := c.source.Tree(); err == nil {
			leftOut(out.Result, run, files)
		}
		for n := range out.Result.Diagnostics {
			d := &out.Result.Diagnostics[n]
			d.Touched = touched && out.touch.holds(d.Place.Path)
		}
	}
	out.identity = c.copies.identityOf(ctx, run, reply.Identity, touched)
	c.losses.reportNoLonger(ctx, &out, run)
	return out
}
