//go:build !linux

package git

import "os"

func widen(*os.File) {}
