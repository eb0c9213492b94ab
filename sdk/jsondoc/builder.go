package jsondoc

import (
	"strconv"
	"strings"
)

// A Builder builds the text of a JSON object. Members keep the order in which they are added. Adding an existing
// key adds a duplicate; it does not replace the member.
type Builder struct {
	members strings.Builder
}

// NewObject returns an empty object.
func NewObject() *Builder { return &Builder{} }

// String adds a string.
func (o *Builder) String(key, value string) *Builder { return o.add(key, Quote(value)) }

// Int adds an integer.
func (o *Builder) Int(key string, value int64) *Builder {
	return o.add(key, strconv.FormatInt(value, 10))
}

// Bool adds true or false.
func (o *Builder) Bool(key string, value bool) *Builder {
	return o.add(key, strconv.FormatBool(value))
}

// Null adds null.
func (o *Builder) Null(key string) *Builder { return o.add(key, "null") }

// Strings adds an array of strings.
func (o *Builder) Strings(key string, values ...string) *Builder {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = Quote(value)
	}
	return o.add(key, "["+strings.Join(quoted, ",")+"]")
}

// Object adds a copy of another object in its current state.
func (o *Builder) Object(key string, value *Builder) *Builder { return o.add(key, value.raw()) }

// Value adds a value of a parsed document. It adds nothing if the value is absent.
func (o *Builder) Value(key string, value Value) *Builder {
	if !value.Exists() {
		return o
	}
	return o.add(key, value.Raw())
}

// Raw adds a JSON text that the program itself wrote. It panics if the text does not parse; use Value for text from
// a document.
func (o *Builder) Raw(key, json string) *Builder {
	if _, err := parse(json, maxDepth); err != nil {
		panic("jsondoc: raw value of " + Quote(key) + ": " + err.Error())
	}
	return o.add(key, json)
}

// Text returns the object with two spaces of indentation, one line for each member and element, and a final
// newline. The deepest parts of a very large object stay on one line.
func (o *Builder) Text() string {
	w := &writer{style: style{newline: "\n", unit: "  ", colon: ": ", comma: " "}}
	o.write(w, true)
	return w.out.String() + "\n"
}

// Compact returns the object on one line, without spaces or a newline.
func (o *Builder) Compact() string {
	w := &writer{style: style{colon: ":"}}
	o.write(w, false)
	return w.out.String()
}

func (o *Builder) write(w *writer, expand bool) {
	doc, err := parse(o.raw(), 2*maxDepth)
	if err != nil {
		panic("jsondoc: object: " + err.Error())
	}
	w.keyed("", doc.Root(), expand)
}

func (o *Builder) add(key, json string) *Builder {
	if o.members.Len() > 0 {
		o.members.WriteByte(',')
	}
	o.members.WriteString(Quote(key))
	o.members.WriteByte(':')
	o.members.WriteString(json)
	return o
}

func (o *Builder) raw() string { return "{" + o.members.String() + "}" }
