// Package state reads a state document with a table of its fields. From the table, it finds values that are
// unknown, missing, malformed, in the future, out of order or rewritten. The workflow decides what the state means.
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

// A Kind is the type of a field.
type Kind uint8

// The values of Kind.
const (
	Text Kind = iota
	Word
	Count // a non-negative whole number
	Flag
	Moment
)

// A Policy says how a field may change since the base.
type Policy uint8

// The values of Policy.
const (
	Free     Policy = iota
	Kept            // never changes and is never removed
	Rises           // never falls and is never removed
	Advances        // a moment that must become later whenever anything else changes
)

// A Field is one field of a state document, or one field of every record in an object or array.
type Field struct {
	At      string // a JSON pointer in which * stands for every key or index
	Also    string // another name of its last part, used by early versions
	Kind    Kind
	Words   []string          // of a Word, in their canonical spelling
	Aliases map[string]string // other words, folded, and their meaning; Noncanonical reports them
	Least   int64             // minimum of a Count
	Most    int64             // maximum of a Count; 0 means no limit
	Must    func(*Doc) bool   // reports whether the field is required; nil means optional
	After   string            // pointer of a moment that this Moment may not precede
	Base    Policy
}

// A Spec is the table of a document's fields.
type Spec struct{ Fields []Field }

// A Doc is a state document as read with its Spec.
type Doc struct {
	Path string
	Doc  *sdk.Document // nil if there is none
	OK   bool          // the text is an object, and the host found no faults except violations of its schema
	Root jsondoc.Value
	List []*Value // the values that exist, in the order of the fields

	spec *Spec
	run  sdk.RunName
	item string
	at   map[string]*Value
}

// A Value is one field of a document, or of a record in it.
type Value struct {
	*Field
	Pointer string
	Subject string // the key or index that the * stands for
	JSON    jsondoc.Value
	Text    string // of a Text, Word or Moment, as written
	Place   int    // of a Word, its index in Words, or -1
	Int     int
	Flag    bool
	Moment  instant.Moment
	Alias   bool   // the word is an alias
	Why     string // why it cannot be read, in words that follow its name; "" if it can
}

// absent is the value that stands for every missing value.
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

// Of sets the run that the document belongs to, and the item within the run ("" for the run as a whole), for use in
// findings. A record in the document is an item by itself.
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

// walk follows the rest of a field's pointer.
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
		r.Why = "is not a string"
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

// word looks up a Word's text in the vocabulary.
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

// Get returns the value at a pointer. The pointer contains the field's name from At, even if the document uses the one
// from Also. If there is no value, the result is not OK.
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

// Has reports whether a pointer has a value, readable or not.
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

// Keys returns the keys of the object at a top-level pointer, such as "/items".
func (d *Doc) Keys(pointer string) []string {
	var keys []string
	for _, m := range d.Root.Get(strings.TrimPrefix(pointer, "/")).Members() {
		keys = append(keys, m.Key)
	}
	return keys
}

// OK reports whether the value exists and can be read.
func (v *Value) OK() bool { return v != nil && v != &absent && v.Why == "" }

// Name returns the name that messages use, such as "phase" or "status of R3".
func (v *Value) Name() string {
	name := v.Pointer[strings.LastIndexByte(v.Pointer, '/')+1:]
	if v.Subject != "" {
		name += " of " + v.Subject
	}
	return name
}

// Canonical returns the canonical spelling of the word, or "" if it is not in the vocabulary.
func (v *Value) Canonical() string {
	if v.Place < 0 {
		return ""
	}
	return v.Words[v.Place]
}
