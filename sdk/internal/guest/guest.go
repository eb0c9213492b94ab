// Package guest tells code that runs in the sandbox from the same code in a host or a test.
package guest

import "runtime"

// Inside holds in the sandbox: one look goes on at a time, and what is read there was written, and checked, by the
// host.
const Inside = runtime.GOOS == "wasip1"
