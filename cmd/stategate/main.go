// Command stategate is a gate for the state that workflows keep in files.
// Run `stategate help` for its verbs.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
