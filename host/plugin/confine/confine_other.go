//go:build !linux

package confine

// Thread does nothing on this system.
func Thread(Paths) error { return nil }

// Program returns nothing, because Thread does nothing on this system.
func Program(string) Paths { return Paths{} }

// Process does nothing on this system.
func Process(mayWrite bool) error { return nil }

// Undumpable does nothing on this system.
func Undumpable() {}

// InForce lists the means by which this system confines workers, and the means that it lacks.
func InForce() (have, lack []string) {
	return []string{"resource limits"}, []string{"files and system calls: this system is not confined further"}
}
