//go:build !linux

package tree

func lasting(*folder) bool { return false }
