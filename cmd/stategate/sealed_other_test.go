//go:build !linux

package main

import (
	"fmt"
	"os"
)

// These story programs need Linux; stories check for it before they use them.
func sealed()   { onlyOnLinux("sealed") }
func onScreen() { onlyOnLinux("terminal") }

func onlyOnLinux(program string) {
	fmt.Fprintln(os.Stderr, program+": only Linux can do that")
	os.Exit(99)
}
