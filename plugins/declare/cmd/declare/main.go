// Command declare is the guest that runs declared workflows. See package declare.
package main

import (
	"github.com/stategate/stategate/plugins/declare"
	"github.com/stategate/stategate/sdk/plugin"
)

func init() { plugin.Serve(declare.Served()) }

func main() { plugin.Main() }
