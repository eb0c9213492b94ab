// Package confine removes permissions that a worker does not need, so that native code in it can do little more than
// compute and answer. The means depend on the system:
//
//	Linux    before the worker starts: no new privileges, and file access limited by Landlock (since 5.13);
//	         in the worker, for all its threads: only the few system calls that a Go program needs, by seccomp
//	others   nothing here; package worker sets resource limits
//
// Features that a system lacks have no effect there; InForce lists them.
package confine

// Paths lists what a confined process may use. A directory includes everything below it.
type Paths struct {
	Execute []string // may be executed and read
	Read    []string // may be read and listed
	Write   []string // may be read, and entries below may be written, created, renamed and removed
}
