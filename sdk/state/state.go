// Package state reads a state document by a table of its fields, and finds what a table can find:
// values that are unknown, missing, malformed, in the future, out of order, rewritten. What the
// workflow means by its state stays in the workflow.
//
//	var Spec = state.Spec{Fields: []state.Field{
//		{At: "/phase", Kind: state.Word, Words: phases, Aliases: map[string]string{"finished": "done"}},
//		{At: "/items/*/status", Kind: state.Word, Words: statuses},
//		{At: "/items/*/runs", Kind: state.Count, Base: state.Rises},
//		{At: "/created", Kind: state.Moment, Base: state.Kept},
//		{At: "/updated", Kind: state.Moment, After: "/created", Base: state.Advances},
//	}}
package state

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// A Kind says what a field holds.
type Kind uint8

// The kinds.
const (
	Text Kind = iota
	Word
	Count // a whole number, at least 0
	Flag
	Moment
)

// A Policy says what a field does from the base to now.
type Policy uint8

// The policies.
const (
	Free     Policy = iota
	Kept            // stays as it is, and stays
	Rises           // never becomes less, and stays
	Advances        // a moment that becomes later with any other change
)

// A Field is one field of a state document, or one of every record in an object.
type Field struct {
	At      string // a JSON pointer; a * in it stands for every key of an object and every index of an array
	Also    string // another name of its last part, which early forms use
	Kind    Kind
	Words   []string          // of a Word, as they have to be written
	Aliases map[string]string // other words, folded, with what they mean; they are read, and reported as noncanonical
	Least   int64             // of a Count
	Most    int64             // of a Count; 0 is no limit
	Must    func(*Doc) bool   // says whether the document must have it; nil if it need not
	After   string            // another moment that a Moment may not be before
	Base    Policy
}

// A Spec is the table of a document's fields.
type Spec struct{ Fields []Field }

// A Doc is a state document that was read by its Spec.
type Doc struct {
	Path string
	Doc  *sdk.Document // nil if there is none
	OK   bool          // it is an object, and the host found nothing wrong but against its schema
	Root jsondoc.Value
	List []*Value // existing entries, in the order of the fields

	spec *Spec
	run  sdk.RunName
	item string
	at   map[string]*Value
}

// A Value is one field of a document, or of one record in it.
type Value struct {
	*Field
	Pointer string
	Subject string // the key or index that the * stands for
	JSON    jsondoc.Value
	Text    string // of a Word as it has to be written
	Place   int    // of a Word in Words, -1 if not one of them
	Int     int
	Flag    bool
	Moment  instant.Moment
	Alias   bool   // it means the word, but is another one
	Why     string // why it cannot be read, in words that follow "it"; "" if it can
}

// absent is the value of what is not there.
var absent = Value{Field: &Field{}, Place: -1, Int: -1}

// Read reads a document, which may be nil.
func (s *Spec) Read(path string, d *sdk.Document) *Doc {
	r := &Doc{Path: path, Doc: d, spec: s, at: map[string]*Value{}}
	if !readable(d) {
		return r
	}
	doc, err := jsondoc.Parse(d.Text)
	if err != nil || doc.Root().Kind() != jsondoc.Object {
		return r
	}
	r.OK, r.Root = true, doc.Root()
	for i := range s.Fields {
		f := &s.Fields[i]
		r.walk(f, r.Root, "", "", f.At)
	}
	return r
}

// Of says which run the document is of, and which item of it ("" for the run as a whole): findings name both. A record
// in the document is an item of its own.
func (d *Doc) Of(run sdk.RunName, item string) *Doc {
	d.run, d.item = run, item
	return d
}

func readable(d *sdk.Document) bool {
	if d == nil || d.Need != sdk.Content {
		return false
	}
	for _, f := range d.Faults {
		if f.Rule != wire.RuleSchema {
			return false
		}
	}
	return true
}

// walk goes down the rest of a field's pointer.
func (d *Doc) walk(f *Field, v jsondoc.Value, pointer, subject, rest string) {
	token, rest, deeper := strings.Cut(rest[1:], "/")
	if token == "*" {
		for _, m := range v.Members() {
			d.walk(f, m.Value, pointer+"/"+jsondoc.EscapeToken(m.Key), m.Key, "/"+rest)
		}
		for i, e := range v.Elements() {
			d.walk(f, e, pointer+"/"+say.Int(i), say.Int(i), "/"+rest)
		}
		return
	}
	child := v.Get(token)
	if !deeper && f.Also != "" && !given(child) && given(v.Get(f.Also)) {
		token, child = f.Also, v.Get(f.Also)
	}
	pointer += "/" + token
	switch {
	case !given(child):
	case deeper:
		d.walk(f, child, pointer, subject, "/"+rest)
	default:
		value := read(f, child)
		value.Pointer, value.Subject = pointer, subject
		d.List = append(d.List, value)
		d.at[pointer] = value
	}
}

func given(v jsondoc.Value) bool { return v.Exists() && v.Kind() != jsondoc.Null }

func read(f *Field, v jsondoc.Value) *Value {
	r := &Value{Field: f, JSON: v, Place: -1, Int: -1}
	var ok bool
	switch f.Kind {
	case Flag:
		r.Flag, ok = v.Bool()
		r.Why = unless(ok, "is not true or false")
		return r
	case Count:
		n, ok := v.Int()
		if ok = ok && n >= f.Least && n < 1<<31 && (f.Most == 0 || n <= f.Most); ok {
			r.Int = int(n)
		}
		r.Why = unless(ok, "is not a count")
		return r
	}
	if r.Text, ok = v.Text(); !ok {
		r.Why = "is not a text"
		return r
	}
	switch f.Kind {
	case Moment:
		r.Moment, r.Why = instant.Loose(r.Text)
	case Word:
		r.word()
	}
	return r
}

func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// word finds a text in the vocabulary.
func (v *Value) word() {
	folded := words.Fold(v.Text)
	means, alias := v.Aliases[folded]
	for i, word := range v.Words {
		switch {
		case v.Text == word || words.Fold(word) == folded:
			v.Place, v.Alias = i, false
			return
		case alias && word == means:
			v.Place, v.Alias = i, true
		}
	}
	if v.Place < 0 {
		v.Why = "is not a word of the vocabulary"
	}
}

// Get returns the value at a pointer, by the field's own name whichever it has in the document. What
// is not there is a value that is not OK.
func (d *Doc) Get(pointer string) *Value {
	if v := d.at[pointer]; v != nil {
		return v
	}
	for i := range d.spec.Fields {
		if f := &d.spec.Fields[i]; f.At == pointer && f.Also != "" {
			if v := d.at[pointer[:strings.LastIndexByte(pointer, '/')+1]+f.Also]; v != nil {
				return v
			}
		}
	}
	return &absent
}

// Has reports whether something is at a pointer, be it readable or not.
func (d *Doc) Has(pointer string) bool {
	if d.Get(pointer) != &absent {
		return true
	}
	v := d.Root
	for _, token := range strings.Split(pointer, "/")[1:] {
		v = v.Get(token)
	}
	return given(v)
}

// Keys returns the keys of the object at a pointer of one name, such as "/items".
func (d *Doc) Keys(pointer string) []string {
	var keys []string
	for _, m := range d.Root.Get(strings.TrimPrefix(pointer, "/")).Members() {
		keys = append(keys, m.Key)
	}
	return keys
}

// OK reports whether the value is there and can be read.
func (v *Value) OK() bool { return v != nil && v != &absent && v.Why == "" }

// Name says what the value is: "phase", "status of R3".
func (v *Value) Name() string {
	name := v.Pointer[strings.LastIndexByte(v.Pointer, '/')+1:]
	if v.Subject != "" {
		name += " of " + v.Subject
	}
	return name
}

// Canonical is the word as it has to be written, "" if it is not in the vocabulary.
func (v *Value) Canonical() string {
	if v.Place < 0 {
		return ""
	}
	return v.Words[v.Place]
}
