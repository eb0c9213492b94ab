package check

import (
	"context"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/admit"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// readAhead is how many instances are read or wait per worker, so that reading
// goes on while workers work.
const readAhead = 2

// examine has every instance examined. The error is that of starting workers at all.
func (l *Session) examine(ctx context.Context, list []discover.Instance) error {
	if len(list) == 0 && len(l.Options.PluginOptions) == 0 {
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
	l.each(list, func(i discover.Instance) { gather.add(l.One(ctx, pool, i)) })
	return l.duplicates(ctx, pool, gather.bearers)
}

// each does something with every instance, several at a time.
func (l *Session) each(list []discover.Instance, do func(discover.Instance)) {
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

// An examination is what one instance gave.
type examination struct {
	plugin, root string
	Instance     *result.Instance
	Declined     string
	bearer       *bearer // nil if it has no identity
	Failures     []*fault.Failure
	notices      []string
}

// gathering collects outcomes, one at a time.
type gathering struct {
	look        *Session
	lock        sync.Mutex
	done, total int
	bearers     []*bearer
}

func (g *gathering) add(o examination) {
	g.lock.Lock()
	defer g.lock.Unlock()
	r := g.look.result
	if o.Instance != nil {
		r.Instances = append(r.Instances, *o.Instance)
	}
	if o.Declined != "" {
		r.Declined = append(r.Declined, result.Declined{Plugin: o.plugin, Root: o.root, Why: o.Declined})
	}
	for _, f := range o.Failures {
		g.look.fail(o.plugin, o.root, f)
	}
	r.Notices = append(r.Notices, o.notices...)
	if o.bearer != nil {
		g.bearers = append(g.bearers, o.bearer)
	}
	g.done++
	if g.look.Options.Progress != nil {
		g.look.Options.Progress(g.done, g.total)
	}
}

// One examines an instance.
func (l *Session) One(ctx context.Context, pool *worker.Pool, found discover.Instance) examination {
	if l.gone[found] || l.unseen[found] {
		return l.lostRun(ctx, pool, found)
	}
	return l.examined(ctx, pool, found)
}

// examined reads an instance, has it examined and takes the answer in.
func (l *Session) examined(ctx context.Context, pool *worker.Pool, found discover.Instance) examination {
	out := examination{plugin: found.Plugin, root: found.Root}
	p := l.Parties[found.Plugin]
	now, err := l.collector.Read(ctx, p.specs, found.Root)
	if err != nil {
		return out.failed(err, fault.IO)
	}
	views, err := l.views(ctx, p, now)
	if err != nil {
		return out.failed(err, fault.Source)
	}
	if l.Options.Changed && !l.touched(now, views) {
		return out
	}
	var replies []*exchange.Reply
	var stderr string
	for _, v := range views {
		reply, err := l.verdict(ctx, pool, v, &out)
		if err != nil {
			return out.failed(err, fault.Protocol)
		}
		replies, stderr = append(replies, reply), stderr+v.stderr
	}
	reply := agreed(replies)
	out.take(p, reply, now, l.result.Source, stderr)
	l.restorable(out.Instance, views[0])
	if out.Instance != nil {
		out.Instance.Touched = l.touched(now, views)
		out.misnamed(l, p, now)
	}
	out.bearer = l.bears(ctx, pool, found, reply.Identity, views)
	l.lost(ctx, pool, &out, views)
	if out.Instance != nil && l.seen != nil {
		if err := now.Load(ctx, nil); err != nil {
			return out.failed(err, fault.IO)
		}
		l.remember(p.Name, now)
	}
	return out
}

func (o *examination) failed(err error, otherwise fault.Kind) examination {
	o.Failures = append(o.Failures, fault.From(err, otherwise))
	return *o
}

// A view is an instance as one examination sees it.
type view struct {
	*Party
	Now    *statefiles.Instance
	Past   *statefiles.Past
	source wire.Source
	unseen []string // globs, besides what the instance itself knows of
	stderr string   // what the plugin wrote
}

// views returns an instance beside each of its pasts.
func (l *Session) views(ctx context.Context, p *Party, now *statefiles.Instance) ([]*view, error) {
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
		views[i] = &view{Party: p, Now: now, Past: past, source: l.Options.Source, unseen: unseen}
	}
	return views, nil
}

// Read returns an instance beside the first of its pasts, all bytes read.
func (l *Session) Read(ctx context.Context, p *Party, root string) (*view, error) {
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
	if err := v.Now.Load(ctx, nil); err != nil {
		return err
	}
	return v.Past.Load(ctx, v.Now)
}

// verdict returns what was said of the very same before, or has a worker say it.
func (l *Session) verdict(ctx context.Context, pool *worker.Pool, v *view, out *examination) (*exchange.Reply, error) {
	key, keeps := l.verdictKey(v)
	if keeps {
		if reply := l.known(v.Party, v.Now.Root, key); reply != nil {
			return reply, nil
		}
	}
	in, err := l.input(ctx, v)
	if err != nil {
		return nil, err
	}
	answer, reply, err := l.ask(ctx, pool, v.Party, in)
	out.notices = append(out.notices, answer.Warnings...)
	if err != nil {
		return nil, err
	}
	v.stderr = answer.Stderr
	if keeps && !v.Now.Unstable && len(v.Now.Unseen) == 0 && reply.Failure == "" && len(reply.RuleFailures)+len(reply.Refused) == 0 {
		l.keep(v.Party, v.Now.Root, key, answer.Payload)
	}
	return reply, nil
}

// ask has a worker examine the input and checks its answer.
func (l *Session) ask(ctx context.Context, pool *worker.Pool, p *Party, in snapshot.Input) (worker.Result, *exchange.Reply, error) {
	payload, err := exchange.ExaminePayload(in)
	if err != nil {
		return worker.Result{}, nil, err
	}
	answer, failed := pool.Do(ctx, worker.Job{Plugin: worker.Plugin{SHA256: p.SHA256(), Wasm: p.Wasm}, Payload: payload})
	if failed != nil {
		return answer, nil, failed
	}
	reply, err := admitted(p, in.Root, answer.Payload, l.Options.Limits)
	return answer, reply, err
}

// admitted reads a reply and refuses what no honest worker says.
func admitted(p *Party, root string, payload []byte, lim limits.Limits) (*exchange.Reply, error) {
	reply, err := exchange.DecodeReply(payload)
	if err == nil {
		err = admit.Reply(p.Manifest, root, reply, lim)
	}
	if err != nil {
		return nil, fault.Newf(fault.Protocol, "the worker's reply is rejected: %v", err)
	}
	return reply, nil
}

// take turns a reply into the outcome. What a plugin could not look at is a
// failure beside the findings of the rest.
func (o *examination) take(p *Party, r *exchange.Reply, read *statefiles.Instance, source wire.Source, stderr string) {
	if r.Failure != "" {
		o.Failures = append(o.Failures, &fault.Failure{Kind: fault.Rule, Message: r.Failure, Stderr: stderr})
	}
	for _, why := range r.Refused {
		o.Failures = append(o.Failures, &fault.Failure{Kind: fault.Protocol, Message: "part of the report is rejected: " + why, Stderr: stderr})
	}
	for _, message := range ruleFailures(r.RuleFailures) {
		o.Failures = append(o.Failures, &fault.Failure{Kind: fault.Rule, Message: message, Stderr: stderr})
	}
	if r.Declined != "" {
		o.Declined = r.Declined
		return
	}
	if len(read.Unseen) > 0 {
		o.Failures = append(o.Failures, unreadable(read, source))
	}
	i := newInstance(p, o.root, r)
	i.Digest = read.Digest
	if read.Unstable {
		i.Diagnostics = append(i.Diagnostics, unstable(o.plugin, o.root))
	}
	o.Instance = &i
}

// input reads what is not read yet and returns what the plugin is asked about.
func (l *Session) input(ctx context.Context, v *view) (snapshot.Input, error) {
	if err := v.load(ctx); err != nil {
		return snapshot.Input{}, err
	}
	return snapshot.Input{
		Root: v.Now.Root, Name: l.nameOf(v.Now.Root), Source: v.source, Now: l.Options.Now, Options: l.Options.PluginOptions[v.Name].JSON,
		Files: v.Now.Files, Unseen: slices.Concat(v.Now.Unseen, v.unseen), Base: v.Past.Input(),
	}, nil
}
