package jsondoc

// A Duplicate is a key that occurs more than once in one object.
type Duplicate struct {
	Key string // unescaped
	// Object is the object that holds the members.
	Object Value
	// Members are all members with this key, two or more, in the order they
	// are written. The last one counts.
	Members []Member
}

// Pointer returns the JSON pointer of the key, which leads to its last member.
// Like [Value.Pointer] it reads the document from the root.
func (d Duplicate) Pointer() string {
	return d.Object.Pointer() + "/" + EscapeToken(d.Key)
}

// Duplicates returns the keys that occur more than once in v or in anything
// below it: outer objects before inner ones, within an object in the order of
// their first members. Keys are compared unescaped.
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

// ownDuplicates returns the duplicate keys of one object.
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

// repeats reports whether a key of an object occurs twice: without a map for
// the small objects that most are.
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
