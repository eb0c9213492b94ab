// Command iterative-work is the plugin for tasks of iterative work.
package main

import (
	iterativework "github.com/stategate/stategate/plugins/iterative-work"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(iterativework.Workflow) }

func main() { plugin.Main() }
