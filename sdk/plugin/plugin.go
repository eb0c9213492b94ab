// Package plugin makes a WebAssembly plugin of a workflow. An author's whole
// program is
//
//	func init() { plugin.Serve(x.Workflow) }
//	func main() { plugin.Main() }
//
// built with GOOS=wasip1 GOARCH=wasm and -buildmode=c-shared, which is what
// `stategate plugin build` does.
package plugin

import (
	"github.com/stategate/stategate/sdk"
)

var served *sdk.Workflow

// Serve names the workflow that this program is the plugin of. It is called
// once, from init.
func Serve(w *sdk.Workflow) {
	if served != nil {
		panic("plugin.Serve is called twice: a plugin serves one workflow")
	}
	served = w
}
