// Command spec-kit is the plugin for features of Spec Kit.
package main

import (
	speckit "github.com/stategate/stategate/plugins/spec-kit"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(speckit.Workflow) }

func main() { plugin.Main() }
