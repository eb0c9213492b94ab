// Package gallery contains declarations to copy and change. They describe workflows that many repositories use, each
// in its own form. The fixtures of a declaration are in the directory with its name.
package gallery

import "embed"

// Files contains NAME.yaml and NAME/*.txtar.
//
//go:embed *.yaml */*.txtar
var Files embed.FS
