package declare

import (
	"errors"
	"slices"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

// steps are the phases of the declaration, or those that follow from what can be done.
func (d *Declaration) steps() []phase {
	switch {
	case len(d.phases) > 0:
		return d.phases
	case d.progress == nil:
		return []phase{{name: "present", doc: "The state files exist."}}
	}
	return []phase{
		{name: "planned", doc: "Nothing is done."},
		{name: "underway", doc: "Something is begun or done."},
		{name: "complete", doc: "Everything is done."},
	}
}

// A tally counts what is done.
type tally struct{ done, begun, all int }

func (m *run) tally() (t tally) {
	p := m.d.progress
	switch {
	case p == nil:
	case p.kind != nil:
		for _, i := range m.items(m.now, p.kind).list {
			if i.is == status.Cancelled {
				continue
			}
			t.all++
			switch {
			case i.is == status.Done:
				t.done++
			case i.is.Started():
				t.begun++
			}
		}
	default:
		for _, e := range elements(p.each.Eval(m.now.scope), "each of progress") {
			t.all++
			if p.done.Eval(m.now.scope.With("it", e)).Is() {
				t.done++
			}
		}
	}
	return t
}

// detect says how far the run is. Where an expression fails, the first rule fails with it.
func (m *run) detect(life *sdk.Lifecycle) sdk.Detection {
	x := sdk.Detection{Lifecycle: life, Observed: life.Phases[0]}
	if err := m.try(func() { m.observe(&x) }); err != nil {
		m.unclear = errors.New("how far the run is: " + err.Error())
	}
	return x
}

func (m *run) observe(x *sdk.Detection) {
	life, t := x.Lifecycle, m.tally()
	for i, p := range m.d.phases {
		if p.when != nil && p.when.Eval(m.now.scope).Is() {
			x.Observed = life.Phases[i]
		}
	}
	whole := t.all > 0 && t.done == t.all
	if len(m.d.phases) == 0 && len(life.Phases) > 1 {
		switch {
		case whole:
			x.Observed = life.Phases[2]
		case t.done+t.begun > 0:
			x.Observed = life.Phases[1]
		}
	}
	if p := m.d.progress; p != nil {
		x.Progress = sdk.Progress{Done: t.done, Total: t.all, Unit: p.unit}
	}
	if whole && (len(m.d.phases) == 0 || x.Observed == life.Phases[len(life.Phases)-1]) {
		x.State = sdk.Finished
	}
}

// resume writes the brief. An expression that fails ends it, and the brief says so.
func (m *run) resume(p *sdk.Pass, x *sdk.Detection, found []sdk.Diagnostic) {
	b := brief.Of(p, x, found)
	if b.First != "" {
		x.State = sdk.Blocked
	}
	read := m.d.read
	for _, d := range m.d.documents {
		if slices.Contains(read, d.name) || len(read) == 0 && !d.names && !d.many {
			for _, doc := range p.Docs.Match(d.spec.Glob) {
				b.Read(doc.Path)
			}
		}
	}
	err := m.try(func() {
		if len(m.d.lines) == 0 {
			m.usual(b)
		}
		for i := range m.d.lines {
			m.line(b, &m.d.lines[i])
		}
	})
	if err != nil {
		b.Know("the brief is not complete: " + err.Error())
	}
	if b.Next == "" && x.State != sdk.Finished {
		m.fallback(b, p)
	}
}

// fallback is the next action of a run of which nothing says what to do.
func (m *run) fallback(b *brief.Brief, p *sdk.Pass) {
	for _, d := range m.d.documents {
		if found := p.Docs.Match(d.spec.Glob); len(found) > 0 && !d.names {
			b.Do("continue with " + found[0].Path)
			return
		}
	}
	b.Do("write " + m.d.documents[0].spec.Glob)
}

// usual is the brief of a declaration that says nothing about it: first what is begun, then what can be begun.
func (m *run) usual(b *brief.Brief) {
	p := m.d.progress
	if p == nil || p.kind == nil {
		return
	}
	var next *item
	list := m.items(m.now, p.kind).list
	rank := func(i *item) int {
		switch {
		case !i.is.Left() || i.is == status.Blocked:
			return 0
		case i.is.Started():
			return 3
		case m.ready(i):
			return 2
		}
		return 1
	}
	for _, i := range list {
		if i.is == status.Blocked && b.Next == "" {
			b.DoWith("unblock "+i.Called(), titled(i), "")
		}
		if rank(i) > 0 && (next == nil || rank(i) > rank(next)) {
			next = i
		}
	}
	for _, i := range list {
		switch {
		case i == next && i.is.Started():
			b.DoWith("finish "+i.Called(), titled(i), "")
		case i == next:
			b.DoWith("begin "+i.Called(), titled(i), "")
		case i.is == status.Done:
			b.Done(say.Clip(i.Called() + titled(i)))
		case i.is.Left():
			b.Left(say.Clip(i.Called() + titled(i)))
		}
	}
}

//go:noinline
func titled(i *item) string {
	if i.Titled() == "" || i.key == "" {
		return ""
	}
	return ": " + i.title
}

// ready reports whether everything that an item depends on is finished.
func (m *run) ready(i *item) bool {
	if i.kind.needs == nil {
		return true
	}
	for _, n := range m.needs(i) {
		if !n.Exists || !n.On.is.Finished() {
			return false
		}
	}
	return true
}

func (m *run) line(b *brief.Brief, l *line) {
	var scopes []*expr.Scope
	switch {
	case l.kind != nil:
		m.pair(l.kind)
		for _, i := range m.items(m.now, l.kind).list {
			scopes = append(scopes, m.compared(i))
		}
	case l.each != nil:
		for _, e := range elements(l.each.Eval(m.now.scope), "each of the brief") {
			scopes = append(scopes, m.now.scope.With("it", e))
		}
	default:
		scopes = []*expr.Scope{m.now.scope}
	}
	for _, s := range scopes {
		if l.when != nil && !l.when.Eval(s).Is() {
			continue
		}
		switch text := say.Clip(l.say.Text(s)); l.list {
		case "next":
			if b.Next == "" {
				b.Do(text)
			}
		case "left":
			b.Left(text)
		case "done":
			b.Done(text)
		case "know":
			b.Know(text)
		case "check":
			b.Verify(text)
		}
	}
}
