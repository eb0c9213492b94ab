// Command bmad is the plugin for sprints of the BMAD method.
package main

import (
	"github.com/stategate/stategate/plugins/bmad"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(bmad.Workflow) }

func main() { plugin.Main() }
