//go:build !linux

package main

import (
	"fmt"
	"os"
)

// sealed needs what only Linux has; scripts ask for that system first.
func sealed() {
	fmt.Fprintln(os.Stderr, "sealed: only Linux can do that")
	os.Exit(99)
}
