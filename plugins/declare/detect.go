package declare

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// steps returns the phases of a run.
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

// detect returns how far the run is. It ignores the failure of an expression, because the rule about unread items
// fails, too.
func (m *run) detect(life *sdk.Lifecycle) sdk.Detection {
	x := sdk.Detection{Lifecycle: life, Observed: life.Phases[0]}
	if m.d.progress == nil {
		return x
	}
	_ = m.try(func() error {
		var all []status.Status
		for _, i := range m.items(m.now, m.d.progress).list {
			all = append(all, i.is)
		}
		work.Observe(&x, m.d.progress.plural, slices.Values(all))
		if x.Observed == life.Phases[2] {
			x.State = sdk.Finished
		}
		return nil
	})
	return x
}

// resume writes the brief. If an expression fails, the brief ends there and says so.
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
	err := m.try(func() error {
		if len(m.d.lines) == 0 && m.d.progress != nil {
			m.usual(b, found)
		}
		for i := range m.d.lines {
			m.line(b, &m.d.lines[i])
		}
		return nil
	})
	if err != nil {
		b.Know("the brief is incomplete: " + err.Error())
	}
	if b.Next == "" && x.State != sdk.Finished {
		b.Do("continue with " + cmp.Or(m.place().Path, m.d.documents[0].spec.Glob))
	}
}

// usual writes the brief if the declaration does not define one: first the items that have begun, then those that can
// begin. It does not name an item as done if an error is about that item.
func (m *run) usual(b *brief.Brief, found []sdk.Diagnostic) {
	doubted := map[string]bool{}
	for _, d := range found {
		doubted[d.Subject] = doubted[d.Subject] || d.Severity == sdk.Error
	}
	rank := func(i *item) int {
		switch {
		case !i.is.Left():
			return 0
		case i.is == status.Blocked:
			return 1
		case i.is.Started():
			return 4
		case m.ready(i):
			return 3
		}
		return 2
	}
	var next *item
	list := m.items(m.now, m.d.progress).list
	for _, i := range list {
		if rank(i) > 0 && (next == nil || rank(i) > rank(next)) {
			next = i
		}
	}
	for _, i := range list {
		title := ""
		if i.Titled() != "" && i.key != "" {
			title = ": " + i.title
		}
		switch {
		case i == next:
			do := [...]string{1: "unblock ", "begin ", "begin ", "continue "}[rank(i)]
			b.DoWith(do+i.Called(), title, "")
		case i.is == status.Done && doubted[i.key]:
		case i.is == status.Done:
			b.Done(say.Clip(i.Called() + title))
		case i.is.Left():
			b.Left(say.Clip(i.Called() + title))
		}
	}
}

// ready reports whether everything that an item depends on is finished.
func (m *run) ready(i *item) bool {
	return i.kind.needs == nil || !slices.ContainsFunc(m.needs(i), func(n work.Need[*item]) bool {
		return !n.Exists || !n.On.is.Finished()
	})
}

func (m *run) line(b *brief.Brief, l *line) {
	m.visit(&l.scan, func(_ *item, _ *expr.Value, s *expr.Scope) {
		if l.when != nil && !l.when.Eval(s).Is() {
			return
		}
		text := say.Clip(l.say.Text(s))
		add := map[string]func(...string){"left": b.Left, "done": b.Done, "know": b.Know, "check": b.Verify}[l.list]
		if add != nil {
			add(text)
		} else if b.Next == "" {
			b.Do(text)
		}
	})
}
