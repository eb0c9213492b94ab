//go:build !linux

package main

import "os/exec"

// peakMemory runs a command; what it holds is not known here.
func peakMemory(cmd *exec.Cmd) (int64, error) { return 0, cmd.Run() }
