// Package view presents documents as values for expressions: the data of JSON and YAML, the parts of a Markdown
// document, and file names.
package view

import (
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// Document returns a document as a value. With namesOnly, the value contains only the file's name. Values from the
// base have no location. A document that cannot be read is unknown.
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

// file returns what a file's name shows.
func (r *reader) file() *expr.Value {
	path := r.d.Path
	v, from, slash := &expr.Value{Kind: expr.Map}, r.from(sdk.At(path), nil), strings.LastIndexByte(path, '/')
	v.Add("path", r.text(path, from))
	v.Add("name", r.text(path[slash+1:], from))
	v.Add("dir", r.text(path[:max(slash, 0)], from))
	return v
}

// value returns a JSON or YAML value as a value for expressions.
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

// at returns the source of a JSON or YAML value. If lacks is a pointer, the source is that of a missing member.
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
