package view

import (
	"maps"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
)

// FieldsShape returns the shape of an object with the named fields. "owner.name" is a member of owner, or of each of
// its elements. If base already has a name, its shape stays.
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
		maps.Copy(s.Members, base.Members)
	}
	for _, name := range names {
		at := s
		for more := true; more; {
			var first string
			first, name, more = strings.Cut(name, ".")
			next := at.Members[first]
			if more && (next == nil || next.Members == nil) {
				next = FieldsShape(nil, nil)
			}
			at.Members[first], at = next, next
		}
	}
	return s
}

type shapes = map[string]*expr.Shape

// MarkdownShape returns what is known about every Markdown document. The keys and columns are those that a
// declaration lists in fields, because the author of a document chooses them.
func MarkdownShape(keys []string) *expr.Shape {
	if expr.Unchecked {
		return nil
	}
	list, of := expr.ListOfShape, func(members ...shapes) *expr.Shape {
		s := &expr.Shape{Kind: expr.Map, Folded: true, Members: shapes{}}
		for _, m := range members {
			maps.Copy(s.Members, m)
		}
		return s
	}
	keyed := of()
	keyed.What = "list the keys and columns that the document uses in fields"
	for _, key := range keys {
		keyed.Members[expr.FoldKey(key)] = nil
	}
	line := shapes{"text": expr.Single, "links": list(expr.Single)}
	box := of(line, shapes{"done": expr.Boolean, "open": expr.Boolean, "mark": expr.Single, "depth": expr.Integer})
	box.Members["boxes"] = list(box)
	content := shapes{"title": expr.Single, "fields": keyed, "boxes": list(box), "lines": list(of(line)),
		"tables": list(of(shapes{"rows": list(keyed)})), "links": list(expr.Single), "meaning": expr.Single}
	section := of(content, shapes{"text": expr.Single, "level": expr.Integer, "box": expr.Single, "done": expr.Boolean})
	section.Members["sections"] = list(section)
	return of(content, FileShape().Members, shapes{"front": keyed, "sections": list(section)})
}

// FileShape returns what is known about every file.
func FileShape() *expr.Shape {
	return &expr.Shape{Kind: expr.Map, Members: shapes{"path": expr.Single, "name": expr.Single, "dir": expr.Single}}
}
