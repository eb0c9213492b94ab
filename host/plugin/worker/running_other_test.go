//go:build !unix

package worker

func running(int) bool { return false }
