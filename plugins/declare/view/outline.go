package view

import (
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
)

// A reader presents a Markdown document as values.
type reader struct {
	d     *sdk.Document
	past  bool
	tasks []*tasks.Task
	boxes []*expr.Value // one for each task
	links []link
	read  bool // tasks, boxes and links have been read
}

type link struct {
	at int
	to *expr.Value
}

// form has no ids, so that the number of a box never makes it a part of another one.
var form = tasks.Form{Lenient: true}

// from returns the source of a location in the document, with set as its edit. Values from the base have no source.
//
//go:noinline
func (r *reader) from(at sdk.Range, set func(string) (sdk.Edit, bool)) *expr.Source {
	if r.past {
		return nil
	}
	s := &expr.Source{At: func() sdk.Range { return at }}
	if set != nil {
		s.Set = func(to *expr.Value) (sdk.Edit, bool) { return set(to.String()) }
	}
	return s
}

//go:noinline
func (r *reader) text(s string, from *expr.Source) *expr.Value {
	return &expr.Value{Kind: expr.String, Text: s, From: from}
}

func truth(b bool, from *expr.Source) *expr.Value {
	return &expr.Value{Kind: expr.Bool, Bool: b, From: from}
}

// list returns a list that is filled in on first use.
//
//go:noinline
func list(from *expr.Source, fill func(*expr.Value)) *expr.Value {
	return &expr.Value{Kind: expr.List, From: from, Fill: fill}
}

// object returns a map that is filled in on first use. Its missing members have the location of the map.
//
//go:noinline
func object(from *expr.Source, fill func(*expr.Value)) *expr.Value {
	return &expr.Value{Kind: expr.Map, Folded: true, From: from, Fill: fill,
		Missing: func(string) *expr.Source { return from }}
}

func (r *reader) line(n int) *expr.Source { return r.from(sdk.AtLine(r.d.Path, n), nil) }

// edited converts an edit of package markdown to an edit of this document.
func (r *reader) edited(e markdown.Edit, ok bool) (sdk.Edit, bool) {
	if !ok {
		return sdk.Edit{}, false
	}
	return sdk.Edits(r.d.Path, e)[0], true
}

func (r *reader) document(v *expr.Value) {
	o := r.d.Outline()
	v.Folded = true
	title := expr.Nothing
	if h := o.FindFunc(func(h markdown.Heading) bool { return h.Level() == 1 }); h.OK() {
		title = r.text(h.Text(), r.line(h.Line()))
	}
	v.Add("title", title)
	v.Add("front", object(v.From, r.front))
	r.section(v, o.Document())
}

func (r *reader) front(v *expr.Value) {
	o := r.d.Outline()
	for i := range o.Nodes {
		switch p := o.At(i); {
		case !p.In(markdown.KindList):
		case o.Nodes[i].Kind == markdown.KindKey:
			v.Add(strings.TrimRight(p.Text(), ": "), list(r.line(p.Line()), nil))
		case o.Nodes[i].Kind == markdown.KindValue:
			l := v.List[len(v.List)-1]
			l.List = append(l.List, r.text(p.Text(), r.from(sdk.AtBytes(r.d.Path, p.Start(), p.End()), nil)))
		}
	}
	for _, f := range o.FrontMatter() {
		at := sdk.AtBytes(r.d.Path, f.Value().Start(), f.Value().End())
		if f.Text() == "" {
			at = sdk.AtLine(r.d.Path, f.Line())
		}
		set := func(to string) (sdk.Edit, bool) { return r.edited(f.Set(to)) }
		v.Add(f.Key(), r.text(f.Text(), r.from(at, set)))
	}
}

// section adds the members of a document, or of the part below a heading.
func (r *reader) section(v *expr.Value, s markdown.Section) {
	from := v.From
	v.Add("fields", object(from, func(m *expr.Value) { r.fields(m, s) }))
	v.Add("boxes", list(from, func(l *expr.Value) { l.List = r.boxesIn(s.Start(), s.End()) }))
	v.Add("tables", list(from, func(l *expr.Value) {
		for _, t := range s.Tables() {
			l.List = append(l.List, r.table(t))
		}
	}))
	v.Add("sections", list(from, func(l *expr.Value) {
		for _, h := range s.Headings() {
			if h.Start() > s.Start() || !s.Heading().OK() {
				l.List = append(l.List, r.heading(h))
			}
		}
	}))
	v.Add("lines", list(from, func(l *expr.Value) { l.List = r.lines(s) }))
	v.Add("links", list(from, func(l *expr.Value) { l.List = r.linksIn(s.Start(), s.End()) }))
	v.Add("meaning", &expr.Value{Kind: expr.String, From: from,
		Fill: func(t *expr.Value) { t.Text = strings.Join(s.Meaning(), "\n") }})
}

// fields adds each key with its value, however they are written. The value of a key with a list below it is that
// list.
func (r *reader) fields(v *expr.Value, s markdown.Section) {
	pairs := s.Pairs()
	for i := len(pairs) - 1; i >= 0; i-- { // Get returns the last one, but in a document the first one counts
		p := pairs[i]
		at := sdk.AtBytes(r.d.Path, p.Start, p.End)
		if p.Value == "" && len(p.Items) > 0 {
			l := list(r.from(at, nil), nil)
			for _, item := range p.Items {
				l.List = append(l.List, r.text(item, l.From))
			}
			v.Add(p.Key, l)
			continue
		}
		set := func(to string) (sdk.Edit, bool) {
			return sdk.Replace(at, sdk.Literal(to)), p.Value != "" && !strings.Contains(to, "\n")
		}
		v.Add(p.Key, r.text(p.Value, r.from(at, set)))
	}
}

func (r *reader) heading(h markdown.Heading) *expr.Value {
	from, text := r.line(h.Line()), h.Text()
	v := object(from, nil)
	if box := h.Box(); box.OK() {
		mark := strings.TrimSpace(strings.Trim(string(box.Mark()), "\x00"))
		v.Add("box", r.text(strings.ToLower(mark), from))
		v.Add("done", truth(mark != "" && !(&tasks.Task{Mark: mark}).Open(), from))
		if strings.HasPrefix(text, "[") {
			_, rest, _ := strings.Cut(text, "]")
			text = strings.TrimSpace(rest)
		}
	}
	v.Add("title", r.text(text, from))
	v.Add("text", r.text(text, from))
	v.Add("level", &expr.Value{Kind: expr.Number, Number: float64(h.Level()), From: from})
	r.section(v, h.Section())
	return v
}

// lines returns the lines that contain text, except those in code fences, in the form that a reader sees.
func (r *reader) lines(s markdown.Section) (lines []*expr.Value) {
	at := s.Start()
	if h := s.Heading(); h.OK() {
		at = h.End()
	}
	fences := s.Fences()
	for line := range strings.Lines(s.Raw()[at-s.Start():]) {
		from, end := at, at+len(line)
		at = end
		for len(fences) > 0 && fences[0].End() <= from {
			fences = fences[1:]
		}
		plain := markdown.Plain(strings.TrimSpace(line))
		if len(fences) > 0 && end > fences[0].Start() || strings.Trim(plain, "-*_= ") == "" {
			continue
		}
		e := object(r.from(sdk.AtBytes(r.d.Path, from, from+len(strings.TrimRight(line, " \r\n"))), nil), nil)
		e.Add("text", r.text(plain, e.From))
		e.Add("links", list(e.From, func(l *expr.Value) { l.List = r.linksIn(from, end) }))
		lines = append(lines, e)
	}
	return lines
}

// linksIn returns the targets of links, without the part after #.
func (r *reader) linksIn(start, end int) (links []*expr.Value) {
	r.readAll()
	for _, l := range r.links {
		if l.at >= start && l.at < end {
			links = append(links, l.to)
		}
	}
	return links
}

func (r *reader) boxesIn(start, end int) (boxes []*expr.Value) {
	r.readAll()
	for i, t := range r.tasks {
		if t.Start >= start && t.Start < end {
			boxes = append(boxes, r.boxes[i])
		}
	}
	return boxes
}

// readAll reads tasks, boxes and links, once for all sections.
func (r *reader) readAll() {
	if r.read {
		return
	}
	r.read = true
	o := r.d.Outline()
	r.tasks = tasks.Read(o, &form)
	for _, t := range r.tasks {
		r.boxes = append(r.boxes, r.box(t))
	}
	for _, l := range o.Document().Links() {
		t := l.Target()
		to, _, _ := strings.Cut(t.Raw(), "#")
		r.links = append(r.links, link{l.Start(), r.text(strings.TrimPrefix(to, "./"),
			r.from(sdk.AtBytes(r.d.Path, t.Start(), t.End()), nil))})
	}
}

// box returns a task of a list as a value. Setting it to true or x ticks it; any other value unticks it.
func (r *reader) box(t *tasks.Task) *expr.Value {
	from := r.from(t.At(r.d.Path), func(to string) (sdk.Edit, bool) {
		mark := " "
		if to == "true" || to == "x" {
			mark = "x"
		}
		return t.Set(r.d.Path, mark)[0], true
	})
	v := object(from, nil)
	v.Add("text", r.text(t.Text, r.from(t.At(r.d.Path), nil))) // setting the text must not tick the box
	v.Add("done", truth(t.Ticked, from))
	v.Add("open", truth(!t.Ticked && !t.Cancelled, from))
	v.Add("mark", r.text(t.Mark, from))
	v.Add("depth", expr.Num(float64(t.Depth)))
	v.Add("boxes", list(from, func(l *expr.Value) { l.List = r.boxesIn(t.Start+1, t.ItemEnd) }))
	v.Add("links", list(from, func(l *expr.Value) { l.List = r.linksIn(t.Start, t.End) }))
	return v
}

func (r *reader) table(t markdown.Table) *expr.Value {
	v := object(r.line(t.Line()), nil)
	rows := list(v.From, nil)
	for _, row := range t.Rows() {
		e := object(r.line(row.Line()), nil)
		for i, c := range t.Columns() {
			cell, at := row.Cell(i), sdk.AtLine(r.d.Path, row.Line())
			if cell.OK() && cell.End() > cell.Start() {
				at = sdk.AtBytes(r.d.Path, cell.Start(), cell.End())
			}
			set := func(to string) (sdk.Edit, bool) { return r.edited(row.Set(i, to)) }
			e.Add(c, r.text(cell.Text(), r.from(at, set)))
		}
		rows.List = append(rows.List, e)
	}
	v.Add("rows", rows)
	return v
}
