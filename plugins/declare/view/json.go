// Package view shows documents as values of expressions: what JSON and YAML mean, the parts of a Markdown document, and
// the name of a file.
package view

import (
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// Document shows a document, or only its name. What is of the base has no place. A document that cannot be read is
// unknown.
func Document(d *sdk.Document, namesOnly, past bool) *expr.Value {
	v := &expr.Value{Kind: expr.Map, Also: file(d, past)}
	if !past {
		v.From = place{sdk.At(d.Path), nil}
	}
	switch {
	case namesOnly || d.Dir || d.Need == sdk.Listed:
	case !d.Readable():
		return expr.NoValue
	case d.Format == sdk.JSON || d.Format == sdk.YAML:
		doc, err := jsondoc.Parse(d.Text)
		if err != nil {
			return expr.NoValue
		}
		root := value(d.Path, doc.Root(), past)
		root.Open()
		root.Also = v.Also
		return root
	case d.Format == sdk.Markdown:
		r := &reader{d: d, past: past}
		r.document(v)
	default:
		v.Add("text", expr.Str(d.Text))
	}
	return v
}

// file has what is known of a file by its name.
func file(d *sdk.Document, past bool) *expr.Value {
	dir, base := "", d.Path
	if at := strings.LastIndexByte(d.Path, '/'); at >= 0 {
		dir, base = d.Path[:at], d.Path[at+1:]
	}
	v := &expr.Value{Kind: expr.Map}
	for _, m := range [...][2]string{{"path", d.Path}, {"name", base}, {"dir", dir}} {
		t := expr.Str(m[1])
		if !past {
			t.From = place{sdk.At(d.Path), nil}
		}
		v.Add(m[0], t)
	}
	return v
}

// A place is where a value is, and how a text is written there.
type place struct {
	at  sdk.Range
	set func(text string) (sdk.Edit, bool) // nil if there is no way to
}

func (p place) Place() sdk.Range { return p.at }

func (p place) Edit(to *expr.Value) (sdk.Edit, bool) {
	if p.set == nil || to.Kind == expr.Unknown {
		return sdk.Edit{}, false
	}
	return p.set(to.String())
}

// Absent is the value of a file that does not exist.
func Absent(path string) *expr.Value {
	return &expr.Value{Kind: expr.Null, From: place{at: sdk.At(path)}}
}

// value shows a value of a JSON or YAML document at a path.
func value(path string, j jsondoc.Value, past bool) *expr.Value {
	v := &expr.Value{}
	if !past {
		v.From = &inJSON{path, j, ""}
	}
	switch j.Kind() {
	case jsondoc.Bool:
		v.Kind = expr.Bool
		v.Bool, _ = j.Bool()
	case jsondoc.Number:
		v.Kind = expr.Number
		v.Number, _ = j.Float()
	case jsondoc.String:
		v.Kind = expr.String
		v.Text, _ = j.Text()
	case jsondoc.Array:
		v.Kind = expr.List
		v.Fill = func(v *expr.Value) {
			list := j.Elements()
			v.List = make([]*expr.Value, len(list))
			for i, e := range list {
				v.List[i] = value(path, e, past)
			}
		}
	case jsondoc.Object:
		v.Kind = expr.Map
		if !past {
			v.Missing = func(key string) expr.Source { return &inJSON{path, j, "/" + jsondoc.EscapeToken(key)} }
		}
		v.Fill = func(v *expr.Value) {
			list := j.Members()
			v.Keys, v.List = make([]string, len(list)), make([]*expr.Value, len(list))
			for i, m := range list {
				v.Keys[i], v.List[i] = m.Key, value(path, m.Value, past)
			}
		}
	default:
		v.Kind = expr.Null
	}
	return v
}

// inJSON is where a value of a JSON or YAML document is, or the object that lacks a member.
type inJSON struct {
	path  string
	json  jsondoc.Value
	lacks string // the pointer of the member below the object, "" for none
}

func (s *inJSON) Place() sdk.Range { return sdk.AtPointer(s.path, s.json.Pointer()) }

func (s *inJSON) Edit(to *expr.Value) (sdk.Edit, bool) {
	text, ok := to.JSON()
	pointer := s.json.Pointer() + s.lacks
	if !ok || pointer == "" {
		return sdk.Edit{}, false
	}
	return sdk.Set(s.path, pointer, sdk.Literal(text)), true
}
