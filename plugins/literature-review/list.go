package literaturereview

// first returns the first member that a function accepts, or nil if there is none. For pointer types, the functions in
// this file are compiled once; those of package slices would be compiled once per type.
func first[T any](list []T, is func(T) bool) (none T) {
	for _, x := range list {
		if is(x) {
			return x
		}
	}
	return none
}

// some reports whether a function accepts any member.
func some[T any](list []T, is func(T) bool) bool { return len(those(list, is)) > 0 }

// those returns the members that a function accepts.
func those[T any](list []T, are func(T) bool) (found []T) {
	for _, x := range list {
		if are(x) {
			found = append(found, x)
		}
	}
	return found
}

// each returns the texts that a function returns for the members.
func each[T any](list []T, said func(T) string) []string {
	var all []string
	for _, x := range list {
		add(&all, said(x))
	}
	return all
}

func add(list *[]string, text string) { *list = append(*list, text) }
