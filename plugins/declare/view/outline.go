package view

import (
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
)

// A reader shows a Markdown document.
type reader struct {
	d     *sdk.Document
	past  bool
	tasks []*tasks.Task
	boxes []*expr.Value // one for each task
	links []link
	read  bool // the three are read
}

type link struct {
	at int
	to *expr.Value
}

// boxes of a document are read once for all its sections. No box has an id here, and so none is a part by its number.
var form = tasks.Form{Lenient: true}

// from is a place of the document, none of the base.
//
//go:noinline
func (r *reader) from(at sdk.Range, set func(string) (sdk.Edit, bool)) expr.Source {
	if r.past {
		return nil
	}
	return place{at, set}
}

//go:noinline
func (r *reader) text(s string, from expr.Source) *expr.Value {
	return &expr.Value{Kind: expr.String, Text: s, From: from}
}

func (r *reader) line(n int) expr.Source { return r.from(sdk.AtLine(r.d.Path, n), nil) }

// edited makes the edit of package markdown one of the document.
func (r *reader) edited(e markdown.Edit, ok bool) (sdk.Edit, bool) {
	if !ok {
		return sdk.Edit{}, false
	}
	return sdk.Edits(r.d.Path, e)[0], true
}

// member adds a member. Inlined into every call it would make the guest larger, and so would text and from.
//
//go:noinline
func member(v *expr.Value, key string, m *expr.Value) {
	v.Keys, v.List = append(v.Keys, key), append(v.List, m)
}

func (r *reader) document(v *expr.Value) {
	o := r.d.Outline()
	v.Folded = true
	title := expr.Nothing
	for _, h := range o.Headings() {
		if h.Level() == 1 {
			title = r.text(h.Text(), r.line(h.Line()))
			break
		}
	}
	member(v, "title", title)
	member(v, "front", &expr.Value{Kind: expr.Map, Folded: true, From: v.From, Fill: r.front,
		Missing: func(string) expr.Source { return v.From }})
	r.section(v, o.Document())
}

func (r *reader) front(v *expr.Value) {
	o := r.d.Outline()
	for i := range o.Nodes {
		if o.Nodes[i].Kind != markdown.KindList {
			continue
		}
		key, l := "", &expr.Value{Kind: expr.List, From: r.line(o.Nodes[i].Line)}
		for at := i + 1; at < len(o.Nodes) && o.Nodes[at].Parent == i; at++ {
			switch p := o.At(at); o.Nodes[at].Kind {
			case markdown.KindKey:
				key = strings.TrimRight(p.Text(), ": ")
			case markdown.KindValue:
				l.List = append(l.List, r.text(p.Text(), r.from(sdk.AtBytes(r.d.Path, p.Start(), p.End()), nil)))
			}
		}
		v.Add(key, l)
	}
	for _, f := range o.FrontMatter() {
		v.Add(f.Key(), r.field(f))
	}
}

func (r *reader) field(f markdown.Field) *expr.Value {
	at := sdk.AtBytes(r.d.Path, f.Value().Start(), f.Value().End())
	if f.Text() == "" {
		at = sdk.AtLine(r.d.Path, f.Line())
	}
	return r.text(f.Text(), r.from(at, func(to string) (sdk.Edit, bool) { return r.edited(f.Set(to)) }))
}

// section shows a document or what is below a heading.
func (r *reader) section(v *expr.Value, s markdown.Section) {
	later := func(kind expr.Kind, fill func(*expr.Value)) *expr.Value {
		m := &expr.Value{Kind: kind, From: v.From, Fill: fill}
		if kind == expr.Map {
			m.Folded, m.Missing = true, func(string) expr.Source { return v.From }
		}
		return m
	}
	member(v, "fields", later(expr.Map, func(m *expr.Value) { r.fields(m, s) }))
	member(v, "boxes", later(expr.List, func(l *expr.Value) { l.List = r.boxesIn(s.Start(), s.End()) }))
	member(v, "tables", later(expr.List, func(l *expr.Value) {
		for _, t := range s.Tables() {
			l.List = append(l.List, r.table(t))
		}
	}))
	member(v, "sections", later(expr.List, func(l *expr.Value) {
		for _, h := range s.Headings() {
			if h.Start() > s.Start() || !s.Heading().OK() {
				l.List = append(l.List, r.heading(h))
			}
		}
	}))
	member(v, "lines", later(expr.List, func(l *expr.Value) { l.List = r.lines(s) }))
	member(v, "links", later(expr.List, func(l *expr.Value) { l.List = r.linksIn(s.Start(), s.End()) }))
	member(v, "meaning", later(expr.String, func(t *expr.Value) { t.Text = strings.Join(s.Meaning(), "\n") }))
}

// fields are keys with a value, in any form. Those with a list below have the list.
func (r *reader) fields(v *expr.Value, s markdown.Section) {
	pairs := s.Pairs()
	known := s.Fields()
	for i := len(pairs) - 1; i >= 0; i-- { // the first one counts, and Get takes the last
		p := pairs[i]
		at := sdk.AtBytes(r.d.Path, p.Start, p.End)
		if p.Value == "" && len(p.Items) > 0 {
			l := &expr.Value{Kind: expr.List, From: r.from(at, nil)}
			for _, item := range p.Items {
				l.List = append(l.List, r.text(item, l.From))
			}
			v.Add(p.Key, l)
			continue
		}
		set := func(to string) (sdk.Edit, bool) {
			for _, f := range known {
				if f.Value().OK() && f.Value().Start() == p.Start {
					return r.edited(f.Set(to))
				}
			}
			return sdk.Replace(at, sdk.Literal(to)), p.Value != "" && !strings.Contains(to, "\n")
		}
		v.Add(p.Key, r.text(p.Value, r.from(at, set)))
	}
}

func (r *reader) heading(h markdown.Heading) *expr.Value {
	from := r.line(h.Line())
	v := &expr.Value{Kind: expr.Map, Folded: true, From: from}
	text := h.Text()
	if box := h.Box(); box.OK() {
		mark := strings.TrimSpace(string(box.Mark()))
		if mark == "\x00" {
			mark = ""
		}
		member(v, "box", r.text(strings.ToLower(mark), from))
		done := mark != "" && !(&tasks.Task{Mark: mark}).Open()
		member(v, "done", &expr.Value{Kind: expr.Bool, Bool: done, From: from})
		if strings.HasPrefix(text, "[") {
			_, rest, _ := strings.Cut(text, "]")
			text = strings.TrimSpace(rest)
		}
	}
	member(v, "title", r.text(text, from))
	member(v, "text", r.text(text, from))
	member(v, "level", &expr.Value{Kind: expr.Number, Number: float64(h.Level()), From: from})
	r.section(v, h.Section())
	return v
}

// lines are those with something in them, outside of fences, as a reader sees them.
func (r *reader) lines(s markdown.Section) (list []*expr.Value) {
	at := s.Start()
	if h := s.Heading(); h.OK() {
		at = h.End()
	}
	fences := s.Fences()
	for raw := s.Raw(); at < s.End(); {
		line, _, _ := strings.Cut(raw[at-s.Start():], "\n")
		for len(fences) > 0 && fences[0].End() <= at {
			fences = fences[1:]
		}
		end := at + len(line)
		plain := markdown.Plain(strings.TrimSpace(line))
		if (len(fences) == 0 || end <= fences[0].Start()) && strings.Trim(plain, "-*_= ") != "" {
			from := r.from(sdk.AtBytes(r.d.Path, at, at+len(strings.TrimRight(line, " \r"))), nil)
			e := &expr.Value{Kind: expr.Map, Folded: true, From: from}
			member(e, "text", r.text(plain, from))
			member(e, "links", &expr.Value{Kind: expr.List, From: from, List: r.linksIn(at, end)})
			list = append(list, e)
		}
		at = end + 1
	}
	return list
}

// linksIn are the targets of links, without what follows #.
func (r *reader) linksIn(start, end int) (list []*expr.Value) {
	r.readAll()
	for _, l := range r.links {
		if l.at >= start && l.at < end {
			list = append(list, l.to)
		}
	}
	return list
}

func (r *reader) boxesIn(start, end int) (list []*expr.Value) {
	r.readAll()
	for i, t := range r.tasks {
		if t.Start >= start && t.Start < end {
			list = append(list, r.boxes[i])
		}
	}
	return list
}

func (r *reader) readAll() {
	if r.read {
		return
	}
	r.read = true
	o := r.d.Outline()
	r.tasks = tasks.Read(o, &form)
	r.boxes = make([]*expr.Value, len(r.tasks))
	for i, t := range r.tasks {
		r.boxes[i] = r.box(t)
	}
	for _, l := range o.Document().Links() {
		t := l.Target()
		to, _, _ := strings.Cut(t.Raw(), "#")
		r.links = append(r.links, link{l.Start(), r.text(strings.TrimPrefix(to, "./"),
			r.from(sdk.AtBytes(r.d.Path, t.Start(), t.End()), nil))})
	}
}

// box shows a task of a list. It is ticked by true and x, and unticked by whatever else is written there.
func (r *reader) box(t *tasks.Task) *expr.Value {
	from := r.from(t.At(r.d.Path), func(to string) (sdk.Edit, bool) {
		mark := " "
		if to == "true" || to == "x" {
			mark = "x"
		}
		return t.Set(r.d.Path, mark)[0], true
	})
	v := &expr.Value{Kind: expr.Map, Folded: true, From: from}
	member(v, "text", r.text(t.Text, r.from(t.At(r.d.Path), nil))) // an edit of the box would tick it
	member(v, "done", &expr.Value{Kind: expr.Bool, Bool: t.Ticked, From: from})
	member(v, "open", &expr.Value{Kind: expr.Bool, Bool: !t.Ticked && !t.Cancelled, From: from})
	member(v, "mark", r.text(t.Mark, from))
	member(v, "depth", expr.Num(float64(t.Depth)))
	member(v, "boxes", &expr.Value{Kind: expr.List, From: from, Fill: func(l *expr.Value) {
		for i, other := range r.tasks {
			if other.Start > t.Start && other.Start < t.ItemEnd {
				l.List = append(l.List, r.boxes[i])
			}
		}
	}})
	member(v, "links", &expr.Value{Kind: expr.List, From: from,
		Fill: func(l *expr.Value) { l.List = r.linksIn(t.Start, t.End) }})
	return v
}

func (r *reader) table(t markdown.Table) *expr.Value {
	v := &expr.Value{Kind: expr.Map, Folded: true, From: r.line(t.Line())}
	columns := t.Columns()
	rows := &expr.Value{Kind: expr.List, From: v.From}
	for _, row := range t.Rows() {
		from := r.line(row.Line())
		e := &expr.Value{Kind: expr.Map, Folded: true, From: from, Missing: func(string) expr.Source { return from }}
		for i, c := range columns {
			cell, at := row.Cell(i), sdk.AtLine(r.d.Path, row.Line())
			if cell.OK() && cell.End() > cell.Start() {
				at = sdk.AtBytes(r.d.Path, cell.Start(), cell.End())
			}
			set := func(to string) (sdk.Edit, bool) { return r.edited(row.Set(i, to)) }
			e.Add(c, r.text(cell.Text(), r.from(at, set)))
		}
		rows.List = append(rows.List, e)
	}
	member(v, "rows", rows)
	return v
}
