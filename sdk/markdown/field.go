package markdown

import "strings"

// An Origin says how a field is written.
type Origin int

// The origins of a field.
const (
	// **Key**: value or **Key:** value at the start of a line, or behind another field and " | "
	FromText        Origin = iota
	FromItem               // the same as the text of a list item
	FromFrontMatter        // key: value between the two --- at the very top
	FromTable              // a row of a table of two columns, such as Field and Value; no node of its own
)

// A Quoting says how a front matter value is quoted.
type Quoting int

// The quotings of a value.
const (
	Unquoted Quoting = iota
	SingleQuoted
	DoubleQuoted
)

// A Field is a key with a value. As a Part it is the whole of it; of a field
// in a table, the row. A value ends with its line, or where " | " and another
// field follow. The colon behind a bold key may be a wide one, ：.
type Field struct {
	Part
	origin     Origin
	key, value Part
}

// Key is the field's key as a reader sees it, without its colon.
func (f Field) Key() string { return strings.TrimRight(f.key.Text(), ": ") }

// Text is the value as a reader sees it; of front matter, without its quotes.
func (f Field) Text() string { return f.value.Text() }

// Raw is the value as written in the document.
func (f Field) Raw() string { return f.value.Raw() }

// Value is the value's place; a Part of no bytes if the value is blank.
func (f Field) Value() Part { return f.value }

// Origin says how the field is written.
func (f Field) Origin() Origin { return f.origin }

// Fields lists the fields of the section in order: bold keys, and the rows of
// tables of two columns whose header says Field, Key, Metric and the like, or
// Value, or both before a third column. Front matter is not among them.
func (s Section) Fields() []Field {
	var found []Field
	s.fields(func(f Field) bool {
		found = append(found, f)
		return true
	})
	return found
}

// Field is the first field of the section whose key's Name is that of one of
// keys.
func (s Section) Field(keys ...string) Field {
	want := names(keys)
	var found Field
	s.fields(func(f Field) bool {
		if want.has(f.Key()) {
			found = f
		}
		return !found.OK()
	})
	return found
}

func (s Section) fields(visit func(Field) bool) {
	nodes := s.nodes()
	for i := range nodes {
		more := true
		switch p := (Part{s.outline, s.to - len(nodes) + i}); nodes[i].Kind {
		case KindField:
			more = visit(p.field())
		case KindTable:
			more = Table{p}.fields(visit)
		}
		if !more {
			return
		}
	}
}

// FieldAt is the field at node i. It does not exist if the node is not a field.
func (o *Outline) FieldAt(i int) Field {
	if p := o.At(i); p.Node().Kind == KindField {
		return p.field()
	}
	return Field{}
}

func (p Part) field() Field {
	return Field{Part: p, origin: Origin(p.Node().Data), key: p.child(KindKey), value: p.child(KindValue)}
}

func (t Table) fields(visit func(Field) bool) bool {
	if !t.ofFields() {
		return true
	}
	for _, r := range t.Rows() {
		if r.Len() < 2 {
			continue
		}
		if !visit(Field{Part: r.Part, origin: FromTable, key: r.Cell(0).Part, value: r.Cell(1).Part}) {
			return false
		}
	}
	return true
}

// Names, written as Name does: a call here would bring Name into every guest.
var (
	keyColumns   = nameSet{"field", "key", "metric", "property", "parameter", "attribute", "setting"}
	valueColumns = nameSet{"value", "values"}
)

func (t Table) ofFields() bool {
	header := t.Header()
	key, value := header.Cell(0).Text(), header.Cell(1).Text()
	if header.Len() == 3 { // the third says something about the value
		return keyColumns.has(key) && valueColumns.has(value)
	}
	return header.Len() == 2 && (keyColumns.has(key) || valueColumns.has(value) || key == "" && value == "")
}

// Field is the first field of the document whose key's Name is that of one of
// keys, front matter left out.
func (o *Outline) Field(keys ...string) Field { return o.Document().Field(keys...) }

// FrontMatter lists the scalar fields of the document's front matter. Lists,
// maps and block texts are not among them.
func (o *Outline) FrontMatter() []Field {
	if len(o.Nodes) == 0 || o.Nodes[0].Kind != KindFrontMatter {
		return nil
	}
	var found []Field
	for _, p := range o.At(0).children(KindField) {
		found = append(found, p.field())
	}
	return found
}

// FrontMatterList is the values of the first list in the front matter whose key's Name is that of one of keys.
func (o *Outline) FrontMatterList(keys ...string) []Part {
	want := names(keys)
	if len(o.Nodes) == 0 || o.Nodes[0].Kind != KindFrontMatter {
		return nil
	}
	for _, list := range o.At(0).children(KindList) {
		if want.has(list.child(KindKey).Text()) {
			return list.children(KindValue)
		}
	}
	return nil
}

// FrontMatterField is the first front matter field whose key's Name is that of
// one of keys.
func (o *Outline) FrontMatterField(keys ...string) Field {
	want := names(keys)
	for _, f := range o.FrontMatter() {
		if want.has(f.Key()) {
			return f
		}
	}
	return Field{}
}

func unquote(raw string, q Quoting) string {
	switch {
	case q == SingleQuoted:
		return strings.ReplaceAll(raw, "''", "'")
	case q == DoubleQuoted && strings.IndexByte(raw, '\\') >= 0:
		return unquoteDouble(raw)
	default:
		return raw
	}
}

func unquoteDouble(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) {
			i++
			switch raw[i] {
			case 'n':
				b.WriteByte('\n')
				continue
			case 't':
				b.WriteByte('\t')
				continue
			case '"', '\\':
			default:
				b.WriteByte('\\')
			}
		}
		b.WriteByte(raw[i])
	}
	return b.String()
}

func quoteDouble(value string) string {
	value = strings.ReplaceAll(value, `\`, `\\`)
	return strings.ReplaceAll(strings.ReplaceAll(value, `"`, `\"`), "\t", `\t`)
}
