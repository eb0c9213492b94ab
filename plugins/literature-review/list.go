package literaturereview

// first returns the first member for which is reports true, or nil. For pointer types the functions in this file are
// compiled once; those of package slices are compiled once per type.
func first[T any](list []T, is func(T) bool) (none T) {
	for _, x := range list {
		if is(x) {
			return x
		}
	}
	return none
}

// some reports whether there is one.
func some[T any](list []T, is func(T) bool) bool { return len(those(list, is)) > 0 }

// those returns the members for which are reports true.
func those[T any](list []T, are func(T) bool) (found []T) {
	for _, x := range list {
		if are(x) {
			found = append(found, x)
		}
	}
	return found
}

// each is what is said of each member.
func each[T any](list []T, said func(T) string) []string {
	var all []string
	for _, x := range list {
		add(&all, said(x))
	}
	return all
}

// add appends to a list.
func add(list *[]string, text string) { *list = append(*list, text) }
