package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// The function selected and similar code are added to the changed package. They read the mutant's number from the
// environment.
const selected = `package %s

import (
	"os"
	"strconv"
)

var mutantNumber = func() int { n, _ := strconv.Atoi(os.Getenv("MUTANT")); return n }()

func mutantValue[T any](v T, other func() any) T {
	if o := other(); o != nil {
		return o.(T)
	}
	return v
}
`

// A span is one mutant's copy of a declaration in a file with all mutants. Its lines attribute compile errors to the
// mutant.
type span struct{ from, to, mutant int }

// switched returns a file that contains all of its mutants, selected by number. Each mutated function, and each mutated
// variable's value, begins with a switch to a copy with one change. switched also returns the mutants of other
// declarations, which it cannot include.
func switched(list map[int]*mutant) (out []byte, spans []span, others []int, err error) {
	var text []byte
	for _, m := range list {
		text = m.text
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, nil, err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	numbers := slices.Sorted(maps.Keys(list))
	var buffer bytes.Buffer
	done := 0
	copyTo := func(to int) { buffer.Write(text[done:to]); done = to }
	line := func() int { return 1 + bytes.Count(buffer.Bytes(), []byte("\n")) }
	// changed writes a copy of a part of the text with one mutant's change, on separate lines.
	changed := func(n, from, to int) {
		m := list[n]
		begin := line()
		fmt.Fprintf(&buffer, "%s%s%s", text[from:m.from], m.by, text[m.to:to])
		spans = append(spans, span{begin, line(), n})
	}
	within := func(from, to token.Pos) (found []int) {
		for _, n := range numbers {
			if m := list[n]; m.from >= at(from) && m.to <= at(to) {
				found = append(found, n)
			}
		}
		return found
	}
	known := map[int]bool{}
	for _, decl := range tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			call, ok := callOf(d)
			found := within(d.Body.Pos(), d.Body.End())
			if !ok || len(found) == 0 {
				continue
			}
			copyTo(at(d.Body.Lbrace) + 1)
			buffer.WriteString("switch mutantNumber {")
			for _, n := range found {
				known[n] = true
				if d.Type.Results == nil {
					fmt.Fprintf(&buffer, "\ncase %d: %s; return", n, fmt.Sprintf(call, n))
				} else {
					fmt.Fprintf(&buffer, "\ncase %d: return %s", n, fmt.Sprintf(call, n))
				}
			}
			buffer.WriteString("\n};")
			copyTo(at(d.End()))
			for _, n := range found {
				fmt.Fprintf(&buffer, "\n\n%s%s_mutant%d", text[at(d.Pos()):at(d.Name.Pos())], d.Name.Name, n)
				changed(n, at(d.Name.End()), at(d.End()))
			}
			buffer.WriteString("\n")
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				for _, value := range spec.(*ast.ValueSpec).Values {
					found := within(value.Pos(), value.End())
					if len(found) == 0 {
						continue
					}
					copyTo(at(value.Pos()))
					buffer.WriteString("mutantValue(")
					copyTo(at(value.End()))
					buffer.WriteString(", func() any { switch mutantNumber {")
					for _, n := range found {
						known[n] = true
						fmt.Fprintf(&buffer, "\ncase %d: return ", n)
						changed(n, at(value.Pos()), at(value.End()))
					}
					buffer.WriteString("\n}; return nil })")
				}
			}
		}
	}
	copyTo(len(text))
	for _, n := range numbers {
		if !known[n] {
			others = append(others, n)
		}
	}
	return buffer.Bytes(), spans, others, nil
}

// callOf returns a call of a function's copy, with %d for the copy's number.
func callOf(d *ast.FuncDecl) (string, bool) {
	name := d.Name.Name + "_mutant%d"
	if d.Recv != nil {
		names := d.Recv.List[0].Names
		if len(names) == 0 || names[0].Name == "_" {
			return "", false
		}
		name = names[0].Name + "." + name
	}
	if d.Type.TypeParams != nil {
		var list []string
		for _, f := range d.Type.TypeParams.List {
			for _, n := range f.Names {
				list = append(list, n.Name)
			}
		}
		name += "[" + strings.Join(list, ", ") + "]"
	}
	var args []string
	for _, f := range d.Type.Params.List {
		if len(f.Names) == 0 {
			return "", false
		}
		for _, n := range f.Names {
			if n.Name == "_" {
				return "", false
			}
			arg := n.Name
			if _, more := f.Type.(*ast.Ellipsis); more {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")", true
}

// imports reports whether the file still uses all of its imports after a change.
func (m *mutant) imports() bool {
	tree, err := parser.ParseFile(token.NewFileSet(), "", m.source(), parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	used := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, i := range tree.Imports {
		name := strings.Trim(i.Path.Value[strings.LastIndex(i.Path.Value, "/")+1:], `"`)
		if i.Name != nil {
			name = i.Name.Name
		}
		if name != "_" && !used[name] {
			return false
		}
	}
	return true
}
