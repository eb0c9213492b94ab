package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/journal"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// An Outcome is the result of checking one state directory.
type Outcome struct {
	discover.Instance
	Result   *result.Instance // nil if nothing could be determined
	Declined string           // the plugin's reason why this is not a run; "" if it is one
	Failures []*fault.Failure

	run      *Run      // nil if it could not be read
	touched  bool      // the change touches one of its documents
	touch    touch     // which documents the change touches
	identity *identity // nil if it has none
	answers  *answers  // of the pair with the most paths that were not looked up
	notices  []string
	brought  map[string][]finding.Finding // the errors that a side brings into a merge, by the id of the other side

	uncompared []string // documents that a base has only in unreadable form
}

func (o *Outcome) failed(err error, otherwise fault.Kind) Outcome {
	o.Failures = append(o.Failures, fault.From(err, otherwise))
	return *o
}

// accept turns a reply into the outcome. If a plugin could not check something, that becomes a failure; its other
// findings are kept.
func (o *Outcome) accept(run *Run, r *verdict, source wire.Source) {
	fail := func(kind fault.Kind, message string) {
		o.Failures = append(o.Failures, &fault.Failure{Kind: kind, Message: message, Stderr: r.stderr})
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
	if len(run.Now.Unseen) > 0 {
		o.Failures = append(o.Failures, unreadable(run.Now, source))
	}
	if r.Declined != "" {
		if len(run.Now.Unseen) == 0 { // otherwise the unread documents may make this a run
			o.Declined = r.Declined
		}
		return
	}
	o.uncompared = r.Uncompared
	o.Result = newInstance(run.Plugin, o.Root, r.Reply)
	o.Result.Digest = run.Now.Digest
	if run.Now.Unstable {
		o.Result.Diagnostics = append(o.Result.Diagnostics, hostFinding(o.Plugin, wire.RuleUnstable, wire.Info, o.Root,
			"the files kept changing while they were read (three attempts); check again when nothing writes to them"))
	}
}

// newResult returns a result that states what is checked and what it is compared with.
func (c *Checker) newResult() *result.Result {
	r := &result.Result{Workspace: c.Workspace.Path, Source: c.Options.Source, Revision: c.source.ID(),
		Merge: c.Options.Merge, Base: c.bases.origins(), Changed: c.Options.Changed,
		Plugins: c.Plugins.sorted(), Failures: slices.Clone(c.failures)}
	if w, ok := c.source.(*source.Worktree); ok && w.WithoutRules() {
		r.Notices = append(r.Notices, "git is not installed, so files that it would ignore are also checked")
	}
	if dir := c.Journal(); dir != "" && journal.Pending(dir) {
		r.Notices = append(r.Notices, "an earlier repair was interrupted or is still running; run `stategate recover` "+
			"to roll it back and remove its temporary files (.stategate-*.tmp)")
	}
	return r
}

func gather(r *result.Result, outcomes []Outcome) {
	r.Checked = map[string]int{}
	for _, o := range outcomes {
		if o.Result != nil && o.Result.Digest != "" {
			r.Checked[o.Plugin]++
		}
		if o.Result != nil {
			r.Instances = append(r.Instances, *o.Result)
		}
		if o.Declined != "" {
			r.Declined = append(r.Declined, result.Declined{Plugin: o.Plugin, Root: o.Root, Why: o.Declined})
		}
		for _, f := range o.Failures {
			r.Failures = append(r.Failures, failure(o.Plugin, o.Root, f))
		}
		r.Notices = append(r.Notices, o.notices...)
		for _, name := range o.uncompared {
			r.Notes = append(r.Notes, result.Note{Kind: result.BaseNotRead,
				Place: result.Place{Path: slashpath.Join(o.Root, name)},
				Message: "this document could not be decoded in the base, so what it lost since then is unknown; " +
					"compare with an earlier commit (--base)"})
		}
	}
	slices.SortFunc(r.Notes, func(a, b result.Note) int { return strings.Compare(a.Path, b.Path) })
	result.FollowPointers(r)
}

// finish sorts the result and applies the policy.
func (c *Checker) finish(r *result.Result) {
	slices.SortStableFunc(r.Instances, func(a, b result.Instance) int {
		return cmp.Or(discover.ComparePaths(a.Root, b.Root), strings.Compare(a.Plugin, b.Plugin))
	})
	slices.SortStableFunc(r.Declined, func(a, b result.Declined) int {
		return cmp.Or(discover.ComparePaths(a.Root, b.Root), strings.Compare(a.Plugin, b.Plugin))
	})
	slices.SortStableFunc(r.Failures, func(a, b result.Failure) int {
		return cmp.Or(strings.Compare(a.Plugin, b.Plugin), discover.ComparePaths(a.Root, b.Root),
			strings.Compare(string(a.Kind)+a.Message, string(b.Kind)+b.Message))
	})
	// Whole means that everything was read. For a commit, it is false, because a commit lacks the
	// state that git ignores.
	r.Whole = len(r.Failures) == 0 && c.Options.Source != wire.Commit && !c.scope.partial()
	c.Options.Policy.Apply(r, c.Plugins.rules, c.Options.Now)
	slices.Sort(r.Notices)
	r.Notices = slices.Compact(r.Notices)
}
