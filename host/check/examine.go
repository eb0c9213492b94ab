package check

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/presence"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// readAhead is how many state directories are read or wait per worker, so that reading goes on while workers work.
const readAhead = 2

// examine has every state directory examined.
func (s *Session) examine(ctx context.Context, list []discover.Instance) error {
	if err := s.checkOptions(ctx); err != nil {
		return err
	}
	var lock sync.Mutex
	var runs []*identified
	done := 0
	list = slices.Clone(list) // by plugin: a worker has one
	slices.SortStableFunc(list, func(a, b discover.Instance) int { return cmp.Compare(a.Plugin, b.Plugin) })
	s.each(list, func(i discover.Instance) {
		out := s.One(ctx, i)
		lock.Lock()
		defer lock.Unlock()
		s.take(&out)
		if out.run != nil {
			runs = append(runs, out.run)
		}
		done++
		if s.Options.Progress != nil {
			s.Options.Progress(done, len(list))
		}
	})
	return s.duplicates(ctx, runs)
}

// each does something with every state directory, several at a time.
func (s *Session) each(list []discover.Instance, do func(discover.Instance)) {
	next := make(chan discover.Instance)
	var group sync.WaitGroup
	for range min(s.Options.Jobs, len(list)) * readAhead {
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

// An examination is what came of one state directory.
type examination struct {
	discover.Instance
	Result   *result.Instance // nil if nothing could be found out
	run      *identified      // nil if it has no identity
	partly   *comparison      // that has most questions without an answer; nil if all have one
	notices  []string
	Declined string
	Failures []*fault.Failure
}

func (s *Session) take(o *examination) {
	if o.Result != nil {
		s.result.Instances = append(s.result.Instances, *o.Result)
	}
	if o.Declined != "" {
		s.result.Declined = append(s.result.Declined, result.Declined{Plugin: o.Plugin, Root: o.Root, Why: o.Declined})
	}
	for _, f := range o.Failures {
		s.fail(o.Plugin, o.Root, f)
	}
	if o.partly != nil {
		s.partly = append(s.partly, o.partly)
	}
	s.note(o.notices...)
}

// One reads a state directory, has it examined and takes the answer in.
func (s *Session) One(ctx context.Context, found discover.Instance) examination {
	if then := s.lost[found]; then != nil {
		return s.lostRun(ctx, found, then)
	}
	out := examination{Instance: found}
	p := s.Plugins[found.Plugin]
	now, err := s.collector.Read(ctx, p.specs, found.Root)
	if err != nil {
		return out.failed(err, fault.IO)
	}
	list, err := s.comparisons(ctx, p, now)
	if err != nil {
		return out.failed(err, fault.Source)
	}
	touched := s.touched(ctx, now, list)
	if s.Options.Changed && !touched {
		return out
	}
	var replies []*exchange.Reply
	var stderr string
	for _, c := range list {
		reply, err := s.verdict(ctx, c)
		out.notices = append(out.notices, c.warnings...)
		if c.unanswered > 0 && (out.partly == nil || c.unanswered > out.partly.unanswered) {
			out.partly = c
		}
		if err != nil {
			return out.failed(err, fault.Protocol)
		}
		replies, stderr = append(replies, reply), stderr+c.stderr
	}
	reply := intersect(replies)
	reply.Findings = append(reply.Findings, s.dropped(ctx, list, replies)...)
	out.accept(p, reply, now, s.result.Source, stderr)
	s.addRestore(out.Result, list)
	if out.Result != nil {
		out.Result.Touched = touched
		s.misnamed(out.Result, list[0])
	}
	out.run = s.identified(ctx, found, reply.Identity, list)
	s.addLost(ctx, &out, list)
	return out
}

func (o *examination) failed(err error, otherwise fault.Kind) examination {
	o.Failures = append(o.Failures, fault.From(err, otherwise))
	return *o
}

// accept turns a reply into the outcome. What a plugin could not check is a failure beside the findings of the rest.
func (o *examination) accept(p *ActivePlugin, r *exchange.Reply, read *statefiles.Instance, source wire.Source,
	stderr string) {
	fail := func(kind fault.Kind, message string) {
		o.Failures = append(o.Failures, &fault.Failure{Kind: kind, Message: message, Stderr: stderr})
	}
	if r.Failure != "" {
		fail(fault.Rule, r.Failure)
	}
	for _, why := range r.Refused {
		fail(fault.Protocol, "part of the report is rejected: "+why)
	}
	for _, message := range ruleFailures(r.RuleFailures) {
		fail(fault.Rule, message)
	}
	if r.Declined != "" {
		o.Declined = r.Declined
		return
	}
	if len(read.Unseen) > 0 {
		o.Failures = append(o.Failures, unreadable(read, source))
	}
	o.Result = newInstance(p, o.Root, r)
	o.Result.Digest = read.Digest
	if read.Unstable {
		o.Result.Diagnostics = append(o.Result.Diagnostics, hostFinding(o.Plugin, wire.RuleUnstable, wire.Info, o.Root,
			"the files kept changing while they were read (three attempts); check again when nothing writes to them"))
	}
}

// A comparison is a state directory, now and in one earlier state, as a plugin gets it.
type comparison struct {
	*ActivePlugin
	Now     *statefiles.Instance
	Past    *statefiles.Past
	source  wire.Source
	former  bool     // it is a run that may be lost: its state tells how much that matters
	ignored []string // globs of what git ignores, besides what the state directory itself knows of

	presence      *presence.Witness // of what is around the state directory; nil if nothing is known
	answers, then []wire.Answer     // to what the plugin asked for, now and in the base
	asked         int               // how many paths that are
	unanswered    int               // of them, because they are too many

	stderr   string // what the plugin wrote
	warnings []string
}

// comparisons returns a state directory beside each of its earlier states.
func (s *Session) comparisons(ctx context.Context, p *ActivePlugin,
	now *statefiles.Instance) (list []*comparison, err error) {
	var ignored []string
	if s.Options.Source == wire.Commit { // that it does not have them proves nothing
		if ignored, err = s.ignoredGlobs(p, now.Root); err != nil {
			return nil, err
		}
	}
	pasts, err := s.earlier(ctx, p, now)
	for _, past := range pasts {
		list = append(list, &comparison{ActivePlugin: p, Now: now, Past: past, source: s.Options.Source,
			ignored: ignored, presence: s.presence})
	}
	return list, err
}

// Read returns a state directory beside the first of its earlier states, all bytes read.
func (s *Session) Read(ctx context.Context, p *ActivePlugin, root string) (*comparison, error) {
	now, err := s.collector.Read(ctx, p.specs, root)
	if err != nil {
		return nil, err
	}
	list, err := s.comparisons(ctx, p, now)
	if err != nil {
		return nil, err
	}
	return list[0], list[0].load(ctx)
}

func (c *comparison) load(ctx context.Context) error {
	if err := c.Now.Load(ctx, nil); err != nil {
		return err
	}
	return c.Past.Load(ctx, c.Now)
}

// input is what the plugin gets. The bytes are loaded.
func (s *Session) input(c *comparison) snapshot.Input {
	base := c.Past.Input()
	base.Answers = c.then
	return snapshot.Input{
		Root: c.Now.Root, Name: s.nameOf(c.Now.Root), Source: c.source, Now: s.Options.Now,
		Options: s.Options.PluginOptions[c.Name].JSON,
		Files:   c.Now.Files, Unseen: slices.Concat(c.Now.Unseen, c.ignored), Answers: c.answers,
		NoResume: s.noResume(c),
		Base:     base,
	}
}
