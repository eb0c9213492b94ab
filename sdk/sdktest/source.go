// The build constraint keeps this package out of guests: importing it there fails to compile.

//go:build !wasip1

package sdktest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Packages and functions that behave differently in the sandbox, with the alternative to use.
var (
	hostOnly = map[string]string{
		"io/ioutil": noFiles, "net": noNetwork, "net/http": noNetwork, "os": noFiles, "os/exec": noFiles,
		"syscall": noFiles, "math/rand": noRandomness, "math/rand/v2": noRandomness, "crypto/rand": noRandomness,
	}
	clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
)

const (
	noFiles = "a plugin has no files, environment or processes; declare documents and read them from Pass.Docs, and " +
		"ask for other paths with Pass.Presence"
	noNetwork    = "a plugin has no network"
	noRandomness = "a plugin has no randomness; the same documents must give the same findings"
	noClock      = "a plugin has no clock; compare with the time of the check by Pass.Before, After and Since"
	noGoroutines = "a plugin must not start goroutines; the report may be finished before they are"
)

// unusable lists the packages and functions that a workflow's Go source uses but that plugins do not have. It reads
// the packages in and below a directory, except tests and programs.
func unusable(dir fs.FS) (list []string) {
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (base == Dir || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")):
			return fs.SkipDir
		case d.IsDir() || path.Ext(base) != ".go" || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(dir, name)
		if err == nil {
			list = append(list, unusableIn(name, text)...)
		}
		return err
	})
	if err != nil {
		list = append(list, err.Error())
	}
	return list
}

// isOfTests reports whether a file imports package testing. Such a file helps tests and is not part of any guest.
func isOfTests(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing"` })
}

func unusableIn(name string, text []byte) (list []string) {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, text, parser.SkipObjectResolution)
	if err != nil || file.Name.Name == "main" || isOfTests(file) {
		return nil // the compiler reports files that do not compile
	}
	fault := func(at token.Pos, what, why string) {
		list = append(list, fmt.Sprintf("%s:%d: %s: %s", name, positions.Position(at).Line, what, why))
	}
	clock := ""
	for _, i := range file.Imports {
		imported, _ := strconv.Unquote(i.Path.Value)
		if why := hostOnly[imported]; why != "" {
			fault(i.Pos(), "import "+i.Path.Value, why)
		}
		if imported == "time" {
			if clock = imported; i.Name != nil {
				clock = i.Name.Name
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			fault(n.Pos(), "go", noGoroutines)
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && clock != "" && x.Name == clock && slices.Contains(clocks, n.Sel.Name) {
				fault(n.Pos(), "time."+n.Sel.Name, noClock)
			}
		}
		return true
	})
	return list
}
