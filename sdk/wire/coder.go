package wire

import (
	"strconv"
	"unsafe"
)

// A coder carries values across the sandbox, in one direction: it appends JSON
// to out, or fills values from in. Each type lists its members once, in a
// method called fields, and both directions follow that list.
//
// Writing, every member that is empty is left out. Reading, an entry takes the
// member at hand if it has its name, and the next member is at hand. So one call of
// fields reads an object whose members come in the order of the list; members
// in another order take more calls, and one that a whole call passes by is unknown.
type coder struct {
	in     *reader // nil when writing
	out    []byte
	object frame

	strict   bool    // reading: a member that is unknown is a fault
	elements int     // reading: how many more objects and elements of arrays the input may hold
	attached []byte  // reading: the attachment
	base     bool    // inside the base of a request
	pieces   []piece // writing: what the attachment will hold
	length   int     // writing: its length so far
}

// A frame is the position of a coder in the object that it reads.
type frame struct {
	name  string // of the member at hand
	taken bool   // an entry of fields has read it
	moved bool   // so has one in this call of fields
	done  bool   // there is no member left
	entry int    // the number of the entry at hand, 0-based
	seen  uint64 // the entries that have read a member of this object
}

// A piece is something to be copied into the attachment.
type piece struct {
	offset int
	data   string
}

func (c *coder) reading() bool { return c.in != nil }

// member says whether the entry called name is to be carried now. Writing, it
// has written the name; an empty value is left out.
func (c *coder) member(name string, empty bool) bool {
	if !c.reading() {
		if !empty {
			c.name(name)
		}
		return !empty
	}
	f := &c.object
	entry := f.entry
	f.entry++
	if f.taken {
		c.next()
	}
	if f.done || f.name != name {
		return false
	}
	f.taken, f.moved = true, true
	if f.seen&(1<<entry) != 0 {
		c.in.fail("found twice, expected once")
		return false
	}
	f.seen |= 1 << entry
	return true
}

// name begins a member of a name that needs no escapes. A string ends in a quote, so a brace is the object's own.
func (c *coder) name(name string) {
	c.comma('{')
	c.out = append(c.out, '"')
	c.out = append(c.out, name...)
	c.out = append(c.out, '"', ':')
}

func (c *coder) comma(open byte) {
	if c.out[len(c.out)-1] != open {
		c.out = append(c.out, ',')
	}
}

// quote writes a string. Bytes that are not UTF-8 become U+FFFD.
func (c *coder) quote(s string) { c.out = appendQuoted(c.out, s) }

// A carrier is an object of the wire: fields hands each member to the coder.
type carrier interface{ fields(c *coder) }

// list carries an array of objects.
func (c *coder) list(name string, l sequence) {
	if !c.member(name, l.len() == 0) {
		return
	}
	c.array(l.len(), func(i int) {
		if c.reading() {
			l.add()
		}
		c.value(l.at(i))
	})
}

// array carries the elements of an array, each by element: n when writing,
// as many as there are when reading.
func (c *coder) array(n int, element func(i int)) {
	if c.reading() {
		i := 0
		for more := c.in.begin('[', ']', "an array"); more; more = c.in.another(']') {
			if c.spend(); c.in.err == nil {
				element(i)
			}
			if c.in.err != nil {
				c.in.under("[" + strconv.Itoa(i) + "]")
			}
			i++
		}
		return
	}
	c.out = append(c.out, '[')
	for i := range n {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		element(i)
	}
	c.out = append(c.out, ']')
}

// part carries an object that is a member of another.
func (c *coder) part(name string, v carrier) {
	if c.reading() {
		if c.member(name, false) {
			c.value(v)
		}
		return
	}
	before := len(c.out)
	c.name(name)
	inside := len(c.out)
	c.value(v)
	if len(c.out) == inside+len("{}") {
		c.out = c.out[:before]
	}
}

// spend counts one thing that takes memory.
func (c *coder) spend() {
	if c.elements--; c.elements < 0 {
		c.in.fail("found too many objects and elements of arrays, expected at most " + strconv.Itoa(maxElements))
	}
}

// value carries one object.
func (c *coder) value(v carrier) {
	if !c.reading() {
		c.out = append(c.out, '{')
		v.fields(c)
		c.out = append(c.out, '}')
		return
	}
	c.spend()
	outer := c.object
	c.object = frame{done: !c.in.begin('{', '}', "an object")}
	f := &c.object
	if !f.done {
		f.name = c.in.key()
		f.done = c.in.err != nil
	}
	for !f.done {
		f.entry, f.moved = 0, false
		v.fields(c)
		if !f.moved {
			if c.strict {
				c.in.fail("found the member " + shown(f.name) + ", which the contract does not have; correct its name")
			}
			c.in.skip()
			f.done = c.in.err != nil
			f.taken = true
		}
		if f.taken {
			c.next()
		}
	}
	c.object = outer
}

// next puts the next member at hand, behind one whose value was read.
func (c *coder) next() {
	f := &c.object
	if f.done {
		return
	}
	if c.in.err != nil {
		c.in.under("." + f.name)
		f.done = true
		return
	}
	f.taken = false
	if f.done = !c.in.another('}'); !f.done {
		f.name = c.in.key()
		f.done = c.in.err != nil
	}
}

// view returns bytes as a string without copying them. They must not change as long as the string lives.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
