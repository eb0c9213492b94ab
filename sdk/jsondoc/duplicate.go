package jsondoc

// A Duplicate is a key that occurs more than once in an object.
type Duplicate struct {
	Key string // unescaped
	// Object is the object that contains the members.
	Object Value
	// Members are all members with this key, at least two, in document order. The last one wins.
	Members []Member
}

// Pointer returns a JSON pointer to the key's last member. Like [Value.Pointer], it walks the document from the
// root.
func (d Duplicate) Pointer() string {
	return d.Object.Pointer() + "/" + EscapeToken(d.Key)
}

// Duplicates returns the duplicate keys in v and in all values below it. Outer objects come before inner ones;
// within an object, keys are ordered by their first occurrence. Keys are compared unescaped.
func (v Value) Duplicates() []Duplicate {
	if !v.Exists() {
		return nil
	}
	var list []Duplicate
	for at := v.at; at < v.node().next; at++ {
		if inner := (Value{v.doc, at}); inner.Kind() == Object {
			list = append(list, inner.ownDuplicates()...)
		}
	}
	return list
}

// ownDuplicates returns the duplicate keys in a single object.
func (v Value) ownDuplicates() []Duplicate {
	if !v.repeats() {
		return nil
	}
	members := v.Members()
	index := make(map[string]int, len(members))
	for _, m := range members {
		index[m.Key]++
	}
	var list []Duplicate
	for _, m := range members {
		n := index[m.Key]
		if n > 1 {
			list = append(list, Duplicate{Key: m.Key, Object: v, Members: make([]Member, 0, n)})
			n = -len(list)
			index[m.Key] = n
		}
		if n < 0 {
			d := &list[-n-1]
			d.Members = append(d.Members, m)
		}
	}
	return list
}

// repeats reports whether an object has a duplicate key. It avoids a map for small objects, which are the most
// common.
func (v Value) repeats() bool {
	const small = 16
	n := v.Len()
	if n > small {
		return v.repeatsMany(n)
	}
	var keys [small]string
	n, again := 0, false
	v.children(func(at uint32) {
		key := v.doc.unquote(at)
		for _, k := range keys[:n] {
			again = again || k == key
		}
		keys[n] = key
		n++
	})
	return again
}

func (v Value) repeatsMany(n int) bool {
	seen := make(map[string]struct{}, n)
	v.children(func(at uint32) { seen[v.doc.unquote(at)] = struct{}{} })
	return len(seen) < n
}
