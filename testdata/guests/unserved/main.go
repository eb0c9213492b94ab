// Command unserved is a plugin that does not call plugin.Serve.
package main

import "github.com/stategate/stategate/sdk/plugin"

func main() { plugin.Main() }
