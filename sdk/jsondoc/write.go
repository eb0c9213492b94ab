package jsondoc

import "strings"

// A writer formats values in a style.
type writer struct {
	style
	out strings.Builder
}

// keyed writes a value, after its key if it has one.
func (w *writer) keyed(key string, v Value, expand bool) {
	if key != "" {
		w.out.WriteString(key)
		w.out.WriteString(w.colon)
	}
	w.value(v, expand, 8*len(v.Raw())+1<<20)
}

// between writes the text between a comma and the next child.
func (w *writer) between() {
	if w.ownLine {
		w.line()
		return
	}
	w.out.WriteString(w.comma)
}

// line begins a new line.
func (w *writer) line() {
	w.out.WriteString(w.newline)
	w.out.WriteString(w.indent)
}

// value writes v, either with one line per child or on one line. A value whose indentation would exceed limit
// bytes, because of deep nesting, is written on one line.
func (w *writer) value(v Value, expand bool, limit int) {
	kind, n := v.Kind(), v.Len()
	switch {
	case kind != Array && kind != Object:
		w.out.WriteString(v.Raw())
		return
	case n == 0:
		w.out.WriteString(brackets(kind))
		return
	}
	outer := w.indent
	inner := outer + w.unit
	expand = expand && len(inner) <= maxIndent && w.out.Len()+n*(len(inner)+len(w.newline)) <= limit
	if expand {
		w.indent = inner
	}
	w.out.WriteByte(brackets(kind)[0])
	w.children(v, expand, limit)
	w.indent = outer
	if expand {
		w.line()
	}
	w.out.WriteByte(brackets(kind)[1])
}

func (w *writer) children(v Value, expand bool, limit int) {
	first := true
	v.children(func(at uint32) {
		if !first {
			w.out.WriteByte(',')
		}
		switch {
		case expand:
			w.line()
		case !first:
			w.out.WriteString(w.comma)
		}
		first = false
		child := Value{v.doc, at}
		if v.Kind() == Object {
			w.out.WriteString(child.Raw())
			w.out.WriteString(w.colon)
			child.at++
		}
		w.value(child, expand, limit)
	})
}

func brackets(kind Kind) string {
	if kind == Object {
		return "{}"
	}
	return "[]"
}
