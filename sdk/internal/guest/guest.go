// Package guest tells code that runs in the sandbox from the same code in a host or a test.
package guest

import "runtime"

// Inside is true in the sandbox: one pass runs at a time, and the host wrote and checked everything that is read
// there.
const Inside = runtime.GOOS == "wasip1"
