package sdk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// maxMethods is the maximum number of methods on a type in the host or the commands. A type with more has too many
// responsibilities.
const maxMethods = 15

// TestTypesAreSmall counts the methods that each type defines, without the methods of embedded types. A method that
// every build variant defines counts once.
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
			t.Errorf("%s has %d methods, at most %d are allowed: split it by responsibility", name, n, maxMethods)
		}
	}
}

// receiver returns the name of a method's receiver type.
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
