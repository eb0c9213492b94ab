// Command legal-memo is the plugin for memoranda that many agents write.
package main

import (
	legalmemo "github.com/stategate/stategate/plugins/legal-memo"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(legalmemo.Workflow) }

func main() { plugin.Main() }
