//go:build !unix

package tree

const (
	openDirectory = 0
	openQuietly   = 0
)
