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
	r := &reader{d: d, past: past}
	v := &expr.Value{Kind: expr.Map, Also: r.file(), From: r.from(sdk.At(d.Path), nil)}
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
		r.document(v)
	default:
		v.Add("text", expr.Str(d.Text))
	}
	return v
}

// file has what is known of a file by its name.
func (r *reader) file() *expr.Value {
	path := r.d.Path
	v, from, slash := &expr.Value{Kind: expr.Map}, r.from(sdk.At(path), nil), strings.LastIndexByte(path, '/')
	v.Add("path", r.text(path, from))
	v.Add("name", r.text(path[slash+1:], from))
	v.Add("dir", r.text(path[:max(slash, 0)], from))
	return v
}

// value shows a value of a JSON or YAML document at a path.
func value(path string, j jsondoc.Value, past bool) *expr.Value {
	v := &expr.Value{Kind: expr.Null}
	if !past {
		v.From = at(path, j, "")
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
			for _, e := range j.Elements() {
				v.List = append(v.List, value(path, e, past))
			}
		}
	case jsondoc.Object:
		v.Kind = expr.Map
		if !past {
			v.Missing = func(key string) *expr.Source { return at(path, j, "/"+jsondoc.EscapeToken(key)) }
		}
		v.Fill = func(v *expr.Value) {
			for _, m := range j.Members() {
				v.Add(m.Key, value(path, m.Value, past))
			}
		}
	}
	return v
}

// at is where a value of a JSON or YAML document is, or the object that lacks a member with the pointer below it.
//
//go:noinline
func at(path string, j jsondoc.Value, lacks string) *expr.Source {
	return &expr.Source{
		At: func() sdk.Range { return sdk.AtPointer(path, j.Pointer()) },
		Set: func(to *expr.Value) (sdk.Edit, bool) {
			text, ok := to.JSON()
			pointer := j.Pointer() + lacks
			return sdk.Set(path, pointer, sdk.Literal(text)), ok && pointer != ""
		},
	}
}
