package host

import (
	"context"
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
	pool, err := worker.NewPool(worker.Config{
		Command: l.options.Worker, Jobs: max(min(l.jobs, len(list)), 1), Limits: l.options.Limits, CacheDir: l.options.CacheDir,
	})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := l.checkOptions(ctx, pool); err != nil {
		return err
	}
	next := make(chan discover.Instance)
	gather := &gathering{look: l, total: len(list)}
	var group sync.WaitGroup
	for range min(l.jobs, len(list)) * readAhead {
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
	read, job, err := l.read(ctx, p, found.Root)
	if err != nil {
		out.failures = append(out.failures, failure.From(err, failure.IO))
		return out
	}
	key, keeps := l.verdictKey(p, job)
	if keeps {
		if reply := l.known(p, key); reply != nil {
			out.take(reply, read, "")
			return out
		}
	}
	answer, reply, err := l.ask(ctx, pool, p, job)
	out.notices = answer.Warnings
	if err != nil {
		out.failures = append(out.failures, failure.From(err, failure.Protocol))
		return out
	}
	out.take(reply, read, answer.Stderr)
	if keeps && len(out.failures) == 0 && !read.Unstable {
		l.keep(p, found.Root, key, reply, answer.Payload)
	}
	return out
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
	if len(read.Unseen) > 0 {
		o.failures = append(o.failures, unseen(read.Unseen))
	}
	i := newInstance(o.plugin, o.root, r)
	i.Digest = read.Digest
	if read.Unstable {
		i.Diagnostics = append(i.Diagnostics, unstable(o.plugin, o.root))
	}
	o.instance = &i
}

// read gives the bytes of an instance and the job of examining it.
func (l *look) read(ctx context.Context, p *party, root string) (*collect.Instance, *examine.Job, error) {
	now, err := l.collector.Read(ctx, p.specs, root)
	if err != nil {
		return nil, nil, err
	}
	in := snapshot.Input{
		Root: root, Name: l.nameOf(root), Source: wire.Worktree, Now: l.options.Now, Options: l.options.PluginOptions[p.Name].JSON,
		Files: now.Files, Unseen: now.Unseen,
	}
	if l.base != nil {
		if in.Base, err = collect.Base(ctx, l.base, p.specs, now, l.collector.Limits); err != nil {
			return nil, nil, err
		}
	}
	lim := l.options.Limits
	return now, &examine.Job{
		Manifest: p.ManifestText, Input: in, MaxContent: int(lim.Document), MaxRequest: int(lim.Request),
		Limits: snapshot.Limits{Diagnostics: lim.Diagnostics, Message: lim.Message},
	}, nil
}
