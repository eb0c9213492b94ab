// Command taskmaster is the plugin for Task Master.
package main

import (
	"github.com/stategate/stategate/plugins/taskmaster"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(taskmaster.Workflow) }

func main() { plugin.Main() }
