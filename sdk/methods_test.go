package sdk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// maxMethods is how many methods a type of the host or of the commands may have: one with more knows too much to be
// read alone.
const maxMethods = 15

// TestTypesAreSmall counts the methods that each type defines, those of the types that it embeds apart. One that every
// build variant defines is one.
func TestTypesAreSmall(t *testing.T) {
	methods := map[string]map[string]bool{}
	for _, file := range goFiles(t, "../host", "../cmd") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				name := filepath.ToSlash(filepath.Dir(file))[len("../"):] + "." + receiver(f.Recv.List[0].Type)
				if methods[name] == nil {
					methods[name] = map[string]bool{}
				}
				methods[name][f.Name.Name] = true
			}
		}
	}
	for name, all := range methods {
		if n := len(all); n > maxMethods {
			t.Errorf("%s has %d methods, at most %d are allowed: divide it by subject", name, n, maxMethods)
		}
	}
}

// receiver returns the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
