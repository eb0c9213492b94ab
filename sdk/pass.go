package sdk

import (
	"errors"
	"strings"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// A Pass is one look at one instance. Nothing in it may be changed but through
// its methods and Report.
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

	clock     *Clock
	overrides []wire.Override
}

// NewPass makes the pass of a request. Hosts and test kits call it; authors have no need to.
func NewPass(w *Workflow, r *wire.Request) *Pass {
	base := Base{State: r.Base.State, Root: r.Base.Root, Docs: NewDocs(r.Base.Documents, nil),
		paths: newPaths(w.AsksFor, r)}
	p := &Pass{
		Workflow: w, Root: r.Root, Name: r.Name, Source: r.Source,
		Docs: NewDocs(r.Documents, r.Unseen), Base: base,
		Options: Options{text: r.Options}, clock: &Clock{now: r.Now},
	}
	if r.Audit {
		p.Docs.set.audit = &audit{}
		p.Base.Docs.set.audit, p.Options.audit = p.Docs.set.audit, p.Docs.set.audit
	}
	return p
}

// Other makes the pass of another request, whose answers about time hold the verdict, too. Hosts call it; authors
// have no need to.
func (p *Pass) Other(r *wire.Request) *Pass {
	other := NewPass(p.Workflow, r)
	other.clock = p.clock
	return other
}

// Aside has rules check for the sake of what they ask: what they report and override is forgotten. It returns how long
// they would ask the same. Hosts call it; authors have no need to.
func (p *Pass) Aside(check func()) (from, until instant.Time) {
	clock, overrides := *p.clock, len(p.overrides)
	p.Report = func(Diagnostic) {}
	check()
	from, until = p.Valid()
	p.Rule, p.Report = nil, nil
	*p.clock, p.overrides = clock, p.overrides[:overrides]
	return from, until
}

// Answer gives the pass the answers of a request to what it asked for. Hosts call it; authors have no need to.
func (p *Pass) Answer(r *wire.Request) { p.Base.paths = newPaths(p.Workflow.AsksFor, r) }

// Asked returns which paths and globs were looked for in vain, if the request
// asks for an audit. Hosts and test kits call it.
func (p *Pass) Asked() []string {
	if a := p.Docs.docs().audit; a != nil {
		return a.asked
	}
	return nil
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

// OverrideAll overrides every fault that the host found in a document.
func (p *Pass) OverrideAll(d *Document, severity Severity) {
	for i := range d.Faults {
		p.Override(d.Path, d.Faults[i].Rule, "*", severity)
	}
}

// Overrides returns what Override collected. Hosts and test kits call it.
func (p *Pass) Overrides() []wire.Override { return p.overrides }

// ErrNotMine is what Detect wraps to decline a look-alike.
var ErrNotMine = errors.New("not an instance of this workflow")

// NotMine declines the instance for a reason that a person can check:
// "state.json has none of the fields of a session".
func NotMine(why string) error { return &notMine{why} }

type notMine struct{ why string }

func (e *notMine) Error() string { return e.why }

func (e *notMine) Is(t error) bool { return t == ErrNotMine }
