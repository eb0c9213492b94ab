// The plugin of an author who forgot plugin.Serve.
package main

import "github.com/stategate/stategate/sdk/plugin"

func main() { plugin.Main() }
