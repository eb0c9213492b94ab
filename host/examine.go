package host

import (
	"context"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/admit"
	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/discover"
	"github.com/stategate/stategate/host/examine"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/worker"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// readAhead is how many instances are read or wait per worker, so that reading
// goes on while workers work.
const readAhead = 2

// examine has every instance examined. The error is that of starting workers at all.
func (l *look) examine(ctx context.Context, list []discover.Instance) error {
	if len(list) == 0 && len(l.options.PluginOptions) == 0 {
		return nil
	}
	pool, err := l.workers()
	if err != nil {
		return err
	}
	if err := l.checkOptions(ctx, pool); err != nil {
		return err
	}
	gather := &gathering{look: l, total: len(list)}
	l.each(list, func(i discover.Instance) { gather.add(l.one(ctx, pool, i)) })
	return l.duplicates(ctx, pool, gather.bearers)
}

// each does something with every instance, several at a time.
func (l *look) each(list []discover.Instance, do func(discover.Instance)) {
	next := make(chan discover.Instance)
	var group sync.WaitGroup
	for range min(l.jobs, len(list)) * readAhead {
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

// An outcome is what one instance gave.
type outcome struct {
	plugin, root string
	instance     *Instance
	declined     string
	bearer       *bearer // nil if it has no identity
	failures     []*failure.Failure
	notices      []string
	dirs         []string // that were listed
	span         *span    // when it holds; nil if it need not hold again
}

// gathering collects outcomes, one at a time.
type gathering struct {
	look        *look
	lock        sync.Mutex
	done, total int
	bearers     []*bearer
}

func (g *gathering) add(o outcome) {
	g.lock.Lock()
	defer g.lock.Unlock()
	r := g.look.result
	if o.instance != nil {
		r.Instances = append(r.Instances, *o.instance)
	}
	if o.declined != "" {
		r.Declined = append(r.Declined, Declined{Plugin: o.plugin, Root: o.root, Why: o.declined})
	}
	for _, f := range o.failures {
		g.look.fail(o.plugin, o.root, f)
	}
	r.Notices = append(r.Notices, o.notices...)
	if o.bearer != nil {
		g.bearers = append(g.bearers, o.bearer)
	}
	g.done++
	if g.look.options.Progress != nil {
		g.look.options.Progress(g.done, g.total)
	}
}

// one gives what is remembered of an instance, or looks at it.
func (l *look) one(ctx context.Context, pool *worker.Pool, found discover.Instance) outcome {
	if l.gone[found] || l.unseen[found] {
		return l.lostRun(ctx, pool, found)
	}
	if out, ok := l.recall(found); ok {
		return out
	}
	collector, dirs := l.noting()
	out := l.examined(ctx, pool, collector, found)
	out.dirs = *dirs
	l.memorize(found, out)
	return out
}

// examined reads an instance, has it examined and takes the answer in.
func (l *look) examined(ctx context.Context, pool *worker.Pool, collector *collect.Collector, found discover.Instance) outcome {
	out := outcome{plugin: found.Plugin, root: found.Root}
	p := l.parties[found.Plugin]
	now, err := collector.Read(ctx, p.specs, found.Root)
	if err != nil {
		return out.failed(err, failure.IO)
	}
	views, err := l.views(ctx, p, now)
	if err != nil {
		return out.failed(err, failure.Source)
	}
	if l.options.Changed && !l.touched(now, views) {
		return out
	}
	var replies []*examine.Reply
	var stderr string
	for _, v := range views {
		reply, err := l.verdict(ctx, pool, v, &out)
		if err != nil {
			return out.failed(err, failure.Protocol)
		}
		replies, stderr = append(replies, reply), stderr+v.stderr
	}
	reply := agreed(replies)
	out.take(p, reply, now, l.result.Source, stderr)
	l.restorable(out.instance, views[0])
	if !now.Unstable {
		out.span = spanOf(replies)
	}
	if out.instance != nil {
		out.instance.Touched = l.touched(now, views)
		out.misnamed(l, p, now)
	}
	out.bearer = l.bears(ctx, pool, found, reply.Identity, views)
	l.lost(ctx, pool, &out, views)
	if out.instance != nil && l.seen != nil {
		if err := now.Load(ctx, nil); err != nil {
			return out.failed(err, failure.IO)
		}
		l.remember(p.Name, now)
	}
	return out
}

func (o *outcome) failed(err error, otherwise failure.Kind) outcome {
	o.failures = append(o.failures, failure.From(err, otherwise))
	return *o
}

// A view is an instance as one examination sees it.
type view struct {
	*party
	now    *collect.Instance
	past   *collect.Past
	source wire.Source
	unseen []string // globs, besides what the instance itself knows of
	stderr string   // what the plugin wrote
}

// views gives an instance beside each of its pasts.
func (l *look) views(ctx context.Context, p *party, now *collect.Instance) ([]*view, error) {
	unseen, err := l.uncommitted(p, now.Root)
	if err != nil {
		return nil, err
	}
	pasts, err := l.pasts(ctx, p, now)
	if err != nil {
		return nil, err
	}
	views := make([]*view, len(pasts))
	for i, past := range pasts {
		views[i] = &view{party: p, now: now, past: past, source: l.options.Source, unseen: unseen}
	}
	return views, nil
}

// read gives an instance beside the first of its pasts, all bytes read.
func (l *look) read(ctx context.Context, p *party, root string) (*view, error) {
	now, err := l.collector.Read(ctx, p.specs, root)
	if err != nil {
		return nil, err
	}
	views, err := l.views(ctx, p, now)
	if err != nil {
		return nil, err
	}
	return views[0], views[0].load(ctx)
}

func (v *view) load(ctx context.Context) error {
	if err := v.now.Load(ctx, nil); err != nil {
		return err
	}
	return v.past.Load(ctx, v.now)
}

// verdict gives what was said of the very same before, or has a worker say it.
func (l *look) verdict(ctx context.Context, pool *worker.Pool, v *view, out *outcome) (*examine.Reply, error) {
	key, keeps := l.verdictKey(v)
	if keeps {
		if reply := l.known(v.party, key); reply != nil {
			return reply, nil
		}
	}
	job, err := l.job(ctx, v)
	if err != nil {
		return nil, err
	}
	answer, reply, err := l.ask(ctx, pool, v.party, job)
	out.notices = append(out.notices, answer.Warnings...)
	if err != nil {
		return nil, err
	}
	v.stderr = answer.Stderr
	if keeps && !v.now.Unstable && len(v.now.Unseen) == 0 && reply.Failure == "" && len(reply.RuleFailures) == 0 {
		l.keep(v.party, v.now.Root, key, reply, answer.Payload)
	}
	return reply, nil
}

// ask has a worker do the job and checks its answer.
func (l *look) ask(ctx context.Context, pool *worker.Pool, p *party, job *examine.Job) (worker.Result, *examine.Reply, error) {
	payload, err := job.Payload()
	if err != nil {
		return worker.Result{}, nil, err
	}
	answer, failed := pool.Do(ctx, worker.Job{Plugin: &worker.Plugin{Name: p.Name, SHA256: p.SHA256(), Wasm: p.Wasm}, Payload: payload})
	if failed != nil {
		return answer, nil, failed
	}
	reply, err := admitted(p, answer.Payload, l.options.Limits)
	return answer, reply, err
}

// admitted reads a reply and refuses what no honest worker says.
func admitted(p *party, payload []byte, lim limits.Limits) (*examine.Reply, error) {
	reply, err := examine.DecodeReply(payload)
	if err == nil {
		err = admit.Reply(p.Manifest, reply, lim)
	}
	if err != nil {
		return nil, failure.Newf(failure.Protocol, "the worker's answer is refused: %v", err)
	}
	return reply, nil
}

// take turns a reply into the outcome. What a plugin could not look at is a
// failure beside the findings of the rest.
func (o *outcome) take(p *party, r *examine.Reply, read *collect.Instance, source wire.Source, stderr string) {
	if r.Failure != "" {
		o.failures = append(o.failures, &failure.Failure{Kind: failure.Rule, Message: r.Failure, Stderr: stderr})
	}
	for _, f := range r.RuleFailures {
		o.failures = append(o.failures, &failure.Failure{Kind: failure.Rule, Message: "rule " + f.Rule + ": " + f.Message, Stderr: stderr})
	}
	if r.Declined != "" {
		o.declined = r.Declined
		return
	}
	if len(read.Unseen) > 0 {
		o.failures = append(o.failures, unseen(read, source))
	}
	i := newInstance(p, o.root, r)
	i.Digest = read.Digest
	if read.Unstable {
		i.Diagnostics = append(i.Diagnostics, unstable(o.plugin, o.root))
	}
	o.instance = &i
}

// job reads what is not read yet and gives the job of examining it.
func (l *look) job(ctx context.Context, v *view) (*examine.Job, error) {
	if err := v.load(ctx); err != nil {
		return nil, err
	}
	lim := l.options.Limits
	return &examine.Job{
		Manifest: v.ManifestText, MaxContent: int(lim.Document), MaxRequest: int(lim.Request),
		Limits: snapshot.Limits{Diagnostics: lim.Diagnostics, Message: lim.Message},
		Input: snapshot.Input{
			Root: v.now.Root, Name: l.nameOf(v.now.Root), Source: v.source, Now: l.options.Now, Options: l.options.PluginOptions[v.Name].JSON,
			Files: v.now.Files, Unseen: slices.Concat(v.now.Unseen, v.unseen), Base: v.past.Input(),
		},
	}, nil
}
