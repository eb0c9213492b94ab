//go:build !cgo

package confine

const dynamic = false
