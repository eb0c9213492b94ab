package host

import (
	"context"
	"sync"

	"github.com/stategate/stategate/host/admit"
	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/discover"
	"github.com/stategate/stategate/host/examine"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/worker"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// readAhead is how many instances are read or wait per worker, so that reading
// goes on while workers work.
const readAhead = 2

// examine has every instance examined. The error is that of starting workers at all.
func (l *look) examine(ctx context.Context, list []discover.Instance) error {
	if len(list) == 0 {
		return nil
	}
	pool, err := worker.NewPool(worker.Config{
		Command: l.options.Worker, Jobs: l.jobs, Limits: l.options.Limits, CacheDir: l.options.CacheDir,
	})
	if err != nil {
		return err
	}
	defer pool.Close()
	next := make(chan discover.Instance)
	gather := &gathering{look: l, total: len(list)}
	var group sync.WaitGroup
	for range min(l.jobs*readAhead, len(list)) {
		group.Go(func() {
			for found := range next {
				gather.add(l.one(ctx, pool, found))
			}
		})
	}
	for _, found := range list {
		next <- found
	}
	close(next)
	group.Wait()
	return nil
}

// An outcome is what one instance gave.
type outcome struct {
	plugin, root string
	instance     *Instance
	declined     string
	failures     []*failure.Failure
	notices      []string
}

// gathering collects outcomes, one at a time.
type gathering struct {
	look        *look
	lock        sync.Mutex
	done, total int
}

func (g *gathering) add(o outcome) {
	g.lock.Lock()
	defer g.lock.Unlock()
	r := g.look.result
	if o.instance != nil {
		r.Instances = append(r.Instances, *o.instance)
	}
	if o.declined != "" {
		r.Declined = append(r.Declined, Declined{o.plugin, o.root, o.declined})
	}
	for _, f := range o.failures {
		g.look.fail(o.plugin, o.root, f)
	}
	r.Notices = append(r.Notices, o.notices...)
	g.done++
	if g.look.options.Progress != nil {
		g.look.options.Progress(g.done, g.total)
	}
}

// one reads an instance, has it examined and takes the answer in.
func (l *look) one(ctx context.Context, pool *worker.Pool, found discover.Instance) outcome {
	out := outcome{plugin: found.Plugin, root: found.Root}
	p := l.parties[found.Plugin]
	read, payload, err := l.read(ctx, p, found.Root)
	if err != nil {
		out.failures = append(out.failures, failure.From(err, failure.IO))
		return out
	}
	answer, failed := pool.Do(ctx, worker.Job{Plugin: &worker.Plugin{Name: p.Name, SHA256: p.SHA256(), Wasm: p.Wasm}, Payload: payload})
	out.notices = answer.Warnings
	if failed != nil {
		out.failures = append(out.failures, failed)
		return out
	}
	reply, err := examine.DecodeReply(answer.Payload)
	if err == nil {
		err = admit.Reply(p.Manifest, reply, l.options.Limits)
	}
	if err != nil {
		out.failures = append(out.failures, failure.Newf(failure.Protocol, "the worker's answer is refused: %v", err))
		return out
	}
	out.take(reply, read, answer.Stderr)
	return out
}

// take turns a reply into the outcome. What a plugin could not look at is a
// failure beside the findings of the rest.
func (o *outcome) take(r *examine.Reply, read *collect.Instance, stderr string) {
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
	i := newInstance(o.plugin, o.root, r)
	if read.Unstable {
		i.Diagnostics = append(i.Diagnostics, unstable(o.plugin, o.root))
	}
	o.instance = &i
}

// read gives the bytes of an instance and the payload that asks for its examination.
func (l *look) read(ctx context.Context, p *party, root string) (*collect.Instance, []byte, error) {
	now, err := l.collector.Read(ctx, p.specs, root)
	if err != nil {
		return nil, nil, err
	}
	in := snapshot.Input{
		Root: root, Name: l.nameOf(root), Source: wire.Worktree, Now: l.options.Now,
		Files: now.Files, Unseen: now.Unseen,
	}
	if l.base != nil {
		if in.Base, err = collect.Base(ctx, l.base, p.specs, now, l.collector.Limits); err != nil {
			return nil, nil, err
		}
	}
	lim := l.options.Limits
	job := examine.Job{
		Manifest: p.ManifestText, Input: in, MaxContent: int(lim.Document), MaxRequest: int(lim.Request),
		Limits: snapshot.Limits{Diagnostics: lim.Diagnostics, Message: lim.Message},
	}
	payload, err := job.Payload()
	return now, payload, err
}
