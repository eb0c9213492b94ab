package view

import (
	"maps"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
)

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
	table := of(map[string]*expr.Shape{"rows": list(keyed)})
	lines := list(of(map[string]*expr.Shape{"text": expr.Single, "links": links}))
	section := of(map[string]*expr.Shape{"title": expr.Single, "text": expr.Single, "level": expr.Integer,
		"box": expr.Single, "done": expr.Boolean})
	document := of(map[string]*expr.Shape{"title": expr.Single, "front": keyed})
	for _, s := range []*expr.Shape{section, document} {
		maps.Copy(s.Members, map[string]*expr.Shape{"fields": keyed, "boxes": list(box), "tables": list(table),
			"sections": list(section), "lines": lines, "links": links, "meaning": expr.Single})
	}
	maps.Copy(document.Members, FileShape().Members)
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
