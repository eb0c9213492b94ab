//go:build cgo

package confine

// dynamic reports that the program may need the loader and the system's libraries.
const dynamic = true
