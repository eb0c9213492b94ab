package view

import (
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// kindOf is the kind of values of a type of JSON Schema.
func kindOf(name string) expr.Kind {
	switch name {
	case "object":
		return expr.Map
	case "array":
		return expr.List
	case "string":
		return expr.String
	case "number", "integer":
		return expr.Number
	case "boolean":
		return expr.Bool
	}
	return expr.Unknown
}

// SchemaShape is what a JSON Schema says of a document; nil if it says nothing of members and elements. It reads
// properties, additionalProperties and items, and nothing that the schema refers to.
func SchemaShape(schema jsondoc.Value) *expr.Shape {
	if expr.Unchecked {
		return nil
	}
	kind, ok := "", false
	if kind, ok = schema.Get("type").Text(); !ok {
		if list := schema.Get("type").Elements(); len(list) > 0 {
			kind, _ = list[0].Text()
		}
	}
	s := &expr.Shape{Kind: kindOf(kind), What: "list it in properties of the schema, or in fields"}
	switch {
	case schema.Get("properties").Exists():
		s.Kind = expr.Map
		s.Members = map[string]*expr.Shape{}
		for _, m := range schema.Get("properties").Members() {
			s.Members[m.Key] = SchemaShape(m.Value)
		}
	case schema.Get("items").Exists():
		s.Kind = expr.List
		s.Elem = SchemaShape(schema.Get("items"))
	case schema.Get("additionalProperties").Kind() == jsondoc.Object:
		s.Kind = expr.Map
		s.Elem = SchemaShape(schema.Get("additionalProperties"))
	case s.Kind == expr.Unknown || s.Kind == expr.Map || s.Kind == expr.List:
		return nil
	}
	return s
}

// FieldsShape is what a list of names says, in which "owner.name" is a member of a member, or of each element of it.
// Names that base has already keep what it says of them.
func FieldsShape(names []string, base *expr.Shape) *expr.Shape {
	if expr.Unchecked {
		return nil
	}
	s := &expr.Shape{Members: map[string]*expr.Shape{}, What: "list it in fields"}
	s.Elem = s
	if base != nil {
		s.Kind, s.Folded = base.Kind, base.Folded
		if base.Elem != nil {
			s.Elem = base.Elem
		}
		for name, shape := range base.Members {
			s.Members[name] = shape
		}
	}
	for _, name := range names {
		at := s
		for {
			first, rest, more := strings.Cut(name, ".")
			next := at.Members[first]
			if next == nil && more || more && next.Members == nil {
				next = &expr.Shape{Members: map[string]*expr.Shape{}, What: "list it in fields"}
				next.Elem = next
			}
			at.Members[first] = next
			if !more {
				break
			}
			at, name = next, rest
		}
	}
	return s
}

// Keyed is a map whose keys the author of a document chooses: they are the names that a declaration lists in fields.
func Keyed(names []string) *expr.Shape {
	if expr.Unchecked {
		return nil
	}
	s := &expr.Shape{Kind: expr.Map, Folded: true, Members: map[string]*expr.Shape{},
		What: "list the keys and columns that the document uses in fields"}
	for _, name := range names {
		s.Members[expr.FoldKey(name)] = nil
	}
	return s
}

// MarkdownShape is what is known of every Markdown document whose keys are listed.
func MarkdownShape(keyed *expr.Shape) *expr.Shape {
	if expr.Unchecked {
		return nil
	}
	list, of := expr.ListOfShape, func(members map[string]*expr.Shape) *expr.Shape {
		return &expr.Shape{Kind: expr.Map, Folded: true, Members: members}
	}
	links := list(expr.Single)
	box := of(map[string]*expr.Shape{"text": expr.Single, "done": expr.Boolean, "open": expr.Boolean,
		"mark": expr.Single, "depth": expr.Integer, "links": links})
	box.Members["boxes"] = list(box)
	table := of(map[string]*expr.Shape{"columns": list(expr.Single), "rows": list(keyed)})
	lines := list(of(map[string]*expr.Shape{"text": expr.Single, "links": links}))
	section := of(map[string]*expr.Shape{"title": expr.Single, "text": expr.Single, "level": expr.Integer,
		"box": expr.Single, "done": expr.Boolean})
	document := of(map[string]*expr.Shape{"title": expr.Single, "front": keyed})
	for _, s := range []*expr.Shape{section, document} {
		for name, shape := range map[string]*expr.Shape{"fields": keyed, "boxes": list(box), "tables": list(table),
			"sections": list(section), "lines": lines, "links": links, "meaning": expr.Single} {
			s.Members[name] = shape
		}
	}
	for name, shape := range FileShape().Members {
		document.Members[name] = shape
	}
	return document
}

// FileShape is what is known of every file.
func FileShape() *expr.Shape {
	if expr.Unchecked {
		return nil
	}
	return &expr.Shape{Kind: expr.Map,
		Members: map[string]*expr.Shape{"path": expr.Single, "name": expr.Single, "dir": expr.Single}}
}
