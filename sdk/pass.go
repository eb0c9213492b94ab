package sdk

import (
	"errors"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// A Pass is one evaluation of one instance. Change it only through its methods and Report.
type Pass struct {
	Workflow   *Workflow
	Rule       *Rule  // the rule that checks, nil outside its Check
	Root       string // the instance's directory, relative to the workspace root, slash-separated
	Name       string // the last real component of Root
	Docs       Docs
	Base       Base
	Source     Source
	Options    Options
	Model      any         // what Prepare returned
	Detections []Detection // what Detect returned; for rules, Recover and Resume

	// Report hands in a finding. It is nil outside Check.
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

// Beside makes an identity of an id that is unique in the directory in which the instance lies: the path that an
// instance of that name has there. It is "" for an empty id, and for one that is too long to be an identity.
func (p *Pass) Beside(id string) string {
	path := p.Root[:strings.LastIndexByte(p.Root, '/')+1] + id
	if id == "" || len(path) > wire.MaxIdentity {
		return ""
	}
	return path
}

// Base is the same instance in an earlier revision. Transition rules look only
// where State is BaseAt.
type Base struct {
	State BaseState
	Root  string // where the instance lay then
	Docs  Docs

	paths *paths // outside of the instance, also those of now
}

// A BaseState says whether there is an earlier revision.
type BaseState = wire.BaseState

// The states of the base.
const (
	BaseNone = wire.BaseNone // none was asked for
	BaseNew  = wire.BaseNew  // the instance is new
	BaseAt   = wire.BaseAt   // the instance existed, at Base.Root
)

// A Source says where the bytes come from.
type Source = wire.Source

// The sources.
const (
	Worktree = wire.Worktree
	Index    = wire.Index
	Commit   = wire.Commit
)

// Override lowers a fault that the host found in a document, or withdraws it with Off. The pointer is that of the
// fault, or "*" for all faults of the rule. A document that cannot be read stays an error if its content is needed: use
// Off if the file is not part of the run, which leaves an info. It also stays an error if the base has it readable or
// if it contains an unresolved merge.
func (p *Pass) Override(path, hostRule, pointer string, severity Severity) {
	p.overrides = append(p.overrides, wire.Override{Path: path, Rule: hostRule, Pointer: pointer, Severity: severity})
}

// Choose says in Detect that the workflow's own pointer, a document of this instance, chooses the runs of another
// instance, named from the workspace root: .specify/feature.json names specs/002-till. It replaces Detection.Chosen if
// the pointer is outside of the instance that it chooses. Choose ignores a root that is not a clean path.
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

// ErrNotMine is what Detect wraps to decline a look-alike.
var ErrNotMine = errors.New("not an instance of this workflow")

// NotMine declines the instance for a reason that a person can check:
// "state.json has none of the fields of a session".
func NotMine(why string) error { return &notMine{why} }

type notMine struct{ why string }

func (e *notMine) Error() string { return e.why }

func (e *notMine) Is(t error) bool { return t == ErrNotMine }
