// Command autopilot is the plugin for Project Autopilot flights.
package main

import (
	"github.com/stategate/stategate/plugins/autopilot"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(autopilot.Workflow) }

func main() { plugin.Main() }
