// Command kiro is the plugin for specs of Kiro and cc-sdd.
package main

import (
	"github.com/stategate/stategate/plugins/kiro"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(kiro.Workflow) }

func main() { plugin.Main() }
