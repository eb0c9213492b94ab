// Command backlog is the plugin for Backlog.md.
package main

import (
	"github.com/stategate/stategate/plugins/backlog"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(backlog.Workflow) }

func main() { plugin.Main() }
