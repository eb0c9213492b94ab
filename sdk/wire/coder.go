package wire

import (
	"strconv"
	"unsafe"
)

// A coder encodes or decodes values that cross the sandbox: it appends JSON to out, or fills values from in. Each
// type lists its members once, in a method called fields, and both directions follow that list.
//
// When writing, every empty member is omitted. When reading, an entry in the list takes the current member if the
// names match; then the next member becomes current. So if an object's members are in the order of the list, a
// single call of fields reads them all. Other orders take several calls. If a whole call does not take the current
// member, the member is unknown.
type coder struct {
	in     *reader // nil when writing
	out    []byte
	object frame

	strict   bool    // reading: an unknown member is an error
	elements int     // reading: remaining number of objects and array elements that the input may contain
	attached []byte  // reading: the attachment
	base     bool    // inside a request's base
	pieces   []piece // writing: the future content of the attachment
	length   int     // writing: its length so far
}

// A frame is a coder's position in the object that it reads.
type frame struct {
	name  string // of the current member
	taken bool   // an entry of fields has read the current member
	moved bool   // this call of fields has read a member
	done  bool   // no members are left
	entry int    // index of the current entry
	seen  uint64 // bit set of the entries that have read a member of this object
}

// A piece is data to copy into the attachment.
type piece struct {
	offset int
	data   string
}

func (c *coder) reading() bool { return c.in != nil }

// member reports whether to encode or decode the entry called name now. When writing, it writes the name first and
// omits empty values.
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

// name begins a member whose name needs no escaping. Strings end in a quote, so if out ends in a brace, the object
// has no members yet.
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

// A carrier is an object on the wire: fields passes each member to the coder.
type carrier interface{ fields(c *coder) }

// list encodes or decodes an array of objects.
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

// array encodes or decodes an array with a function for each element. n is the number of elements when writing;
// when reading, the input determines it.
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

// part encodes or decodes an object that is a member of another object.
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

// spend counts one allocation against the limit.
func (c *coder) spend() {
	if c.elements--; c.elements < 0 {
		c.in.fail("found too many objects and elements of arrays, expected at most " + strconv.Itoa(maxElements))
	}
}

// value encodes or decodes one object.
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
				c.in.fail("found the member " + shown(f.name) + ", which does not exist in this ABI; correct its name")
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

// next makes the next member current, after the value of the previous one was read.
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

// view returns bytes as a string without copying them. The bytes must not change while the string is in use.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
