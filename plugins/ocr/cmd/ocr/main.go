// Command ocr is the plugin for Open Code Review sessions.
package main

import (
	"github.com/stategate/stategate/plugins/ocr"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(ocr.Workflow) }

func main() { plugin.Main() }
