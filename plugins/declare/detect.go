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

// steps are the phases of the run.
func (d *Declaration) steps() []*sdk.Phase {
	k := d.progress
	if k == nil {
		return []*sdk.Phase{{Name: "present", Number: 1, Doc: "The state files exist."}}
	}
	complete := "Everything is done."
	if given := slices.DeleteFunc(slices.Clone(k.words), func(w string) bool {
		return k.means(w) != status.Cancelled
	}); len(given) > 0 {
		complete += " Items that are " + say.Or(given...) + " do not count."
	}
	return []*sdk.Phase{
		{Name: "planned", Number: 1, Doc: "Nothing is done."},
		{Name: "underway", Number: 2, Doc: "Something is begun or done."},
		{Name: "complete", Number: 3, Doc: complete},
	}
}

// detect says how far the run is. Where an expression fails, the first rule fails with it.
func (m *run) detect(life *sdk.Lifecycle) sdk.Detection {
	x := sdk.Detection{Lifecycle: life, Observed: life.Phases[0]}
	if err := m.try(func() { m.observe(&x) }); err != nil {
		m.unclear = errors.New("cannot tell how far along the run is: " + err.Error())
	}
	return x
}

func (m *run) observe(x *sdk.Detection) {
	k := m.d.progress
	if k == nil {
		return
	}
	begun := false
	p := sdk.Progress{Unit: k.plural}
	for _, i := range m.items(m.now, k).list {
		if i.is == status.Cancelled {
			continue
		}
		p.Total++
		if i.is == status.Done {
			p.Done++
		}
		begun = begun || i.is.Started()
	}
	x.Progress = p
	switch {
	case p.Total > 0 && p.Done == p.Total:
		x.Observed, x.State = x.Lifecycle.Phases[2], sdk.Finished
	case begun:
		x.Observed = x.Lifecycle.Phases[1]
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
		b.Know("the brief is incomplete: " + err.Error())
	}
	if b.Next == "" && x.State != sdk.Finished {
		m.fallback(b, p)
	}
}

// fallback is the next action of a run whose files name none.
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
	if m.d.progress == nil {
		return
	}
	var next *item
	list := m.items(m.now, m.d.progress).list
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
			b.DoWith("continue "+i.Called(), titled(i), "")
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
	m.visit(&l.scan, func(_ *item, _ *expr.Value, s *expr.Scope) {
		if l.when != nil && !l.when.Eval(s).Is() {
			return
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
	})
}
