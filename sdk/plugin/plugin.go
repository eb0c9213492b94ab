// Package plugin turns a workflow into a WebAssembly plugin. The author's whole program is
//
//	func init() { plugin.Serve(x.Workflow) }
//	func main() { plugin.Main() }
//
// built with GOOS=wasip1 GOARCH=wasm and -buildmode=c-shared, as `stategate plugin build` does.
package plugin

import (
	"github.com/stategate/stategate/sdk"
)

var served *sdk.Workflow

// Serve sets the workflow of this plugin. Call it once, from init.
func Serve(w *sdk.Workflow) {
	if served != nil {
		panic("plugin.Serve was called twice; a plugin serves one workflow")
	}
	served = w
}
