package wasmfile

import (
	"unicode/utf8"
)

// reader walks over bytes. Once it has failed it stays failed and every further read returns zero.
type reader struct {
	buf    []byte
	pos    int
	failed bool
}

func (r *reader) byte() byte {
	if r.failed || r.pos >= len(r.buf) {
		r.failed = true
		return 0
	}
	b := r.buf[r.pos]
	r.pos++
	return b
}

// skip passes over n bytes.
func (r *reader) skip(n int) {
	if r.failed || n > len(r.buf)-r.pos {
		r.failed = true
		return
	}
	r.pos += n
}

// u32 reads an unsigned LEB128 number of at most 32 bits.
func (r *reader) u32() uint32 {
	n := r.unsigned(5)
	if n > 1<<32-1 {
		r.failed = true
		return 0
	}
	return uint32(n)
}

func (r *reader) unsigned(most int) uint64 {
	var n uint64
	for i := range most {
		b := r.byte()
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return n
		}
	}
	r.failed = true
	return 0
}

// leb passes over a LEB128 number of at most `most` bytes, whatever it says.
func (r *reader) leb(most int) {
	for range most {
		if r.byte() < 0x80 {
			return
		}
	}
	r.failed = true
}

// bytes reads a vector of bytes. It is not copied.
func (r *reader) bytes() []byte {
	n := int(r.u32())
	start := r.pos
	r.skip(n)
	if r.failed {
		return nil
	}
	return r.buf[start:r.pos]
}

// name reads a string that must be UTF-8.
func (r *reader) name() string {
	b := r.bytes()
	if !utf8.Valid(b) {
		r.failed = true
		return ""
	}
	return string(b)
}

func appendU32(b []byte, n uint32) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

func appendName(b []byte, s string) []byte {
	return append(appendU32(b, uint32(len(s))), s...)
}
