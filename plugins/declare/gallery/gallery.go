// Package gallery has declarations of workflows that many repositories use in forms of their own, each with fixtures in
// the folder of its name. They are to be copied and changed.
package gallery

import "embed"

// Files are NAME.yaml and NAME/*.txtar.
//
//go:embed *.yaml */*.txtar
var Files embed.FS
