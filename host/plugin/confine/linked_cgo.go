//go:build cgo

package confine

// dynamic says that the program may need the loader and the libraries of the system.
const dynamic = true
