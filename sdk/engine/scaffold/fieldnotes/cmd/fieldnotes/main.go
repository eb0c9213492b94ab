// Command fieldnotes is the plugin for the fieldnotes workflow.
package main

import (
	"github.com/stategate/stategate/sdk/engine/scaffold/fieldnotes"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(fieldnotes.Workflow) }

func main() { plugin.Main() }
