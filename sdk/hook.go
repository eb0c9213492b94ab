package sdk

import (
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/internal/hook"
	"github.com/stategate/stategate/sdk/wire"
)

func init() {
	hook.NewPass = func(w any, r *wire.Request) any { return newPass(w.(*Workflow), r) }
	hook.NewDocs = func(list []wire.Document, unseen []string) any { return newDocs(list, unseen, Docs{}) }
	hook.Of = func(p any) hook.Pass { return (*hooked)(p.(*Pass)) }
}

// hooked gives a Pass the methods that package hook needs.
type hooked Pass

func (p *hooked) Other(r *wire.Request) any {
	other := newPass(p.Workflow, r)
	other.clock = p.clock
	return other
}

func (p *hooked) Aside(check func()) (from, until instant.Time) {
	clock, overrides := *p.clock, len(p.overrides)
	p.Report = func(Diagnostic) {}
	check()
	from, until = p.Valid()
	p.Rule, p.Report = nil, nil
	*p.clock, p.overrides = clock, p.overrides[:overrides]
	return from, until
}

func (p *hooked) Answer(r *wire.Request) {
	audit := p.Base.paths.audit
	p.Base.paths = newPaths(p.Workflow.AsksFor, r)
	p.Base.paths.audit = audit
}

func (p *hooked) Ask() []string { return p.Base.paths.ask }

func (p *hooked) Asked() []string {
	if a := p.Docs.docs().audit; a != nil {
		return a.asked
	}
	return nil
}

func (p *hooked) Overrides() []wire.Override { return p.overrides }

func (p *hooked) Chooses() []string { return p.chooses }

func (p *hooked) Valid() (from, until instant.Time) { return p.clock.from, p.clock.until }
