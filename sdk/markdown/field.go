package markdown

import "strings"

// An Origin says how a field is written.
type Origin int

// The values of Origin.
const (
	// **Key**: value or **Key:** value, at the start of a line or after another field and " | "
	FromText        Origin = iota
	FromItem               // like FromText, but in a list item
	FromFrontMatter        // key: value in the front matter
	FromTable              // a row of a two-column table, such as Field and Value; the field has no node
)

// A Quoting says how a front matter value is quoted.
type Quoting int

// The values of Quoting.
const (
	Unquoted Quoting = iota
	SingleQuoted
	DoubleQuoted
)

// A Field is a key with a value. As a Part it is the whole field, or the row if the field is in a table. A value
// ends at the end of its line, or before " | " and another field. The colon after a bold key may be full-width: ：.
type Field struct {
	Part
	origin     Origin
	key, value Part
}

// Key returns the field's key as rendered, without its colon.
func (f Field) Key() string { return strings.TrimRight(f.key.Text(), ": ") }

// Text returns the value as rendered; for front matter, without its quotes.
func (f Field) Text() string { return f.value.Text() }

// Raw returns the value as written in the document.
func (f Field) Raw() string { return f.value.Raw() }

// Value returns the value as a Part, which is empty if the value is blank.
func (f Field) Value() Part { return f.value }

// Origin returns how the field is written.
func (f Field) Origin() Origin { return f.origin }

// Fields lists the section's fields in order: bold keys, and the rows of two-column tables. The first heading of
// such a table is Field, Key, Metric or the like, or the second one is Value. If there is a third column, both
// must be true. Front matter is not included.
func (s Section) Fields() []Field {
	var found []Field
	s.fields(func(f Field) bool {
		found = append(found, f)
		return true
	})
	return found
}

// Field returns the section's first field whose key has the same Name as one of keys.
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

// FieldAt returns the field at node i. The result is missing if the node is not a field.
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

// These are already in the form that Name returns, because a call here would link Name into every guest.
var (
	keyColumns   = nameSet{"field", "key", "metric", "property", "parameter", "attribute", "setting"}
	valueColumns = nameSet{"value", "values"}
)

func (t Table) ofFields() bool {
	header := t.Header()
	key, value := header.Cell(0).Text(), header.Cell(1).Text()
	if header.Len() == 3 { // the third column comments on the value
		return keyColumns.has(key) && valueColumns.has(value)
	}
	return header.Len() == 2 && (keyColumns.has(key) || valueColumns.has(value) || key == "" && value == "")
}

// Field returns the document's first field whose key has the same Name as one of keys. It ignores front matter.
func (o *Outline) Field(keys ...string) Field { return o.Document().Field(keys...) }

// FrontMatter lists the scalar fields of the document's front matter. It omits lists, maps and block scalars.
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

// FrontMatterField returns the first front matter field whose key has the same Name as one of keys.
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
