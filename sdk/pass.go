package sdk

import (
	"errors"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// A Pass is one evaluation of one instance. Change it only through its methods and Report.
type Pass struct {
	Workflow   *Workflow
	Rule       *Rule  // the rule being checked; nil outside its Check
	Root       string // the instance's directory, relative to the workspace root, slash-separated
	Name       string // the last element of Root that identifies the run
	Docs       Docs
	Base       Base
	Source     Source
	Options    Options
	Model      any         // the value that Prepare returned
	Detections []Detection // the values that Detect returned; for rules, Recover and Resume

	// Report reports a finding. It is nil outside Check.
	Report func(Diagnostic)

	clock     *clock
	overrides []wire.Override
	chooses   []string
}

func newPass(w *Workflow, r *wire.Request) *Pass {
	docs := newDocs(r.Documents, r.Unseen, Docs{})
	base := Base{State: r.Base.State, Root: r.Base.Root, Docs: newDocs(r.Base.Documents, nil, docs),
		paths: newPaths(w.AsksFor, r)}
	p := &Pass{
		Workflow: w, Root: r.Root, Name: r.Name, Source: r.Source,
		Docs: docs, Base: base,
		Options: Options{text: r.Options}, clock: &clock{now: r.Now},
	}
	if r.Audit {
		p.Docs.set.audit = &audit{}
		p.Base.Docs.set.audit, p.Options.audit = p.Docs.set.audit, p.Docs.set.audit
		p.Base.paths.audit = p.Docs.set.audit
		for _, set := range []*docSet{p.Docs.set, p.Base.Docs.set} {
			for _, d := range set.list {
				d.audit = p.Docs.set.audit
			}
		}
	}
	return p
}

// Beside turns an id that is unique within the instance's parent directory into an identity: the path that an
// instance with that name would have there. It returns "" if the id is empty or the path is too long for an
// identity.
func (p *Pass) Beside(id string) string {
	path := p.Root[:strings.LastIndexByte(p.Root, '/')+1] + id
	if id == "" || len(path) > wire.MaxIdentity {
		return ""
	}
	return path
}

// Base is the same instance in an earlier revision. Rules about transitions do nothing unless State is
// BaseAt.
type Base struct {
	State BaseState
	Root  string // the instance's directory in the base
	Docs  Docs

	paths *paths // answers about paths outside the instance, for the base and for now
}

// A BaseState says whether the instance exists in an earlier revision.
type BaseState = wire.BaseState

// The values of BaseState.
const (
	BaseNone = wire.BaseNone // no base was requested
	BaseNew  = wire.BaseNew  // the instance does not exist in the base
	BaseAt   = wire.BaseAt   // the instance exists in the base, at Base.Root
)

// A Source says where the documents come from.
type Source = wire.Source

// The values of Source.
const (
	Worktree = wire.Worktree
	Index    = wire.Index
	Commit   = wire.Commit
)

// Override lowers the severity of a fault that the host found in a document, or withdraws the fault if severity is
// Off. The pointer is the fault's own, or "*" for all faults of the rule.
//
// If a document's content is needed but unreadable, the fault stays an error. If the file is not part of the
// run, use Off, which leaves an info. The fault also stays an error if the document is readable in the base or
// contains an unresolved merge conflict.
func (p *Pass) Override(path, hostRule, pointer string, severity Severity) {
	p.overrides = append(p.overrides, wire.Override{Path: path, Rule: hostRule, Pointer: pointer, Severity: severity})
}

// Choose is called in Detect when the workflow's own pointer, a document of this instance, selects a run of another
// instance. For example, .specify/feature.json names specs/002-till. The root is relative to the workspace root;
// Choose ignores it if it is not a clean path. If the pointer is outside the instance that it selects, use Choose
// instead of Detection.Chosen.
func (p *Pass) Choose(root string) {
	if wire.CheckPath(root) == nil && len(p.chooses) < wire.MaxChooses {
		p.chooses = append(p.chooses, root)
	}
}

// OverrideAll overrides every fault that the host found in a document.
func (p *Pass) OverrideAll(d *Document, severity Severity) {
	for i := range d.Faults {
		p.Override(d.Path, d.Faults[i].Rule, "*", severity)
	}
}

// ErrNotMine is the error that Detect wraps to decline a look-alike.
var ErrNotMine = errors.New("not an instance of this workflow")

// NotMine declines the instance. The reason must be one that a person can verify, such as "state.json has none of
// the fields of a session"; without one, Detect fails.
func NotMine(why string) error { return &notMine{why} }

type notMine struct{ why string }

func (e *notMine) Error() string { return e.why }

func (e *notMine) Is(t error) bool { return t == ErrNotMine }
