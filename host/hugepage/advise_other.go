//go:build !linux

package hugepage

// Possible reports whether Advise may have an effect.
const Possible = false

// Advise does nothing here.
func Advise([]byte) {}
