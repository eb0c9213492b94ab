// Command gsd is the plugin for get-shit-done.
package main

import (
	"github.com/stategate/stategate/plugins/gsd"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(gsd.Workflow) }

func main() { plugin.Main() }
