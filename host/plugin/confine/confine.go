// Package confine takes from a process what a worker does not need, so that native code in it can do little but compute
// and answer. What a system offers differs:
//
//	Linux    before the worker starts: no new privileges, and files by Landlock (since 5.13); in the worker, for all its
//	         threads: the few system calls that a Go program needs, by seccomp
//	others   nothing here; package worker sets limits of resources
//
// A feature that a system lacks is not in force there, and InForce says so.
package confine

// Paths are what a confined process may use. A directory stands for all that is below it.
type Paths struct {
	Execute []string // may be executed and read
	Read    []string // may be read and listed
	Write   []string // may be read, written, made, renamed and removed below
}
