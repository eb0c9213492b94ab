//go:build !linux

package confine

// Thread does nothing on this system.
func Thread(Paths) error { return nil }

// Program returns nothing: Thread does nothing on this system.
func Program(string) Paths { return Paths{} }

// Process does nothing on this system.
func Process(mayWrite bool) error { return nil }

// Undumpable does nothing on this system.
func Undumpable() {}

// InForce lists the means of this system that confine workers, and those that it lacks.
func InForce() (have, lack []string) {
	return []string{"limits of resources"}, []string{"files and system calls: this system is not confined further"}
}
