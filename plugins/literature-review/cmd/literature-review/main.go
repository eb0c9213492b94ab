// Command literature-review is the plugin for literature reviews kept as Markdown.
package main

import (
	literaturereview "github.com/stategate/stategate/plugins/literature-review"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(literaturereview.Workflow) }

func main() { plugin.Main() }
