// Command fieldnotes is the plugin for the fieldnotes workflow.
package main

import (
	"github.com/stategate/stategate/sdk/plugin"
	"github.com/stategate/stategate/sdk/scaffold/fieldnotes"
)

func init() { plugin.Serve(fieldnotes.Workflow) }

func main() { plugin.Main() }
