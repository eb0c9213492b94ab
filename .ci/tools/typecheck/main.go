// Typecheck type-checks packages and everything they import from source, for the system in GOOS and GOARCH. It finds
// the errors that a compiler for that system would report, in a tenth of the time.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes
	list, err := packages.Load(&packages.Config{Mode: mode}, os.Args[1:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if packages.PrintErrors(list) > 0 {
		os.Exit(1)
	}
}
