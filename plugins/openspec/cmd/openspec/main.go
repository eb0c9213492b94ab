// Command openspec is the plugin for OpenSpec changes and specs.
package main

import (
	"github.com/stategate/stategate/plugins/openspec"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(openspec.Workflow) }

func main() { plugin.Main() }
