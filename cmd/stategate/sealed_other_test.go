//go:build !linux

package main

import (
	"fmt"
	"os"
)

// What these programs of stories need only Linux has; stories ask for that system first.
func sealed()   { onlyOnLinux("sealed") }
func onScreen() { onlyOnLinux("terminal") }

func onlyOnLinux(program string) {
	fmt.Fprintln(os.Stderr, program+": only Linux can do that")
	os.Exit(99)
}
