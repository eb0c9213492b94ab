// Package guest reports whether code runs in the sandbox, or in a host or a test.
package guest

import "runtime"

// Inside is true in the sandbox. There, one pass runs at a time, and the host has written and checked all input.
const Inside = runtime.GOOS == "wasip1"
