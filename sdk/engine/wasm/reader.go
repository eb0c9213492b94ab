package wasm

import "unicode/utf8"

// A Reader reads the elements of a WebAssembly binary. After a failure, every further read returns zero.
type Reader struct {
	Buf    []byte
	Pos    int
	Failed bool
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if r.Failed || r.Pos >= len(r.Buf) {
		r.Failed = true
		return 0
	}
	b := r.Buf[r.Pos]
	r.Pos++
	return b
}

// Skip skips n bytes.
func (r *Reader) Skip(n int) {
	if r.Failed || n > len(r.Buf)-r.Pos {
		r.Failed = true
		return
	}
	r.Pos += n
}

// U32 reads an unsigned LEB128 number of at most 32 bits.
func (r *Reader) U32() uint32 {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.Byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 && n < 1<<32 {
			return uint32(n)
		}
	}
	r.Failed = true
	return 0
}

// Signed reads a signed LEB128 number of at most 64 bits.
func (r *Reader) Signed() int64 {
	var n int64
	for shift := 0; shift < 70; shift += 7 {
		b := r.Byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 && shift < 57 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.Failed = true
	return 0
}

// SkipLEB skips a LEB128 number of at most most bytes.
func (r *Reader) SkipLEB(most int) {
	for range most {
		if r.Byte() < 0x80 {
			return
		}
	}
	r.Failed = true
}

// Bytes reads a byte vector without copying it.
func (r *Reader) Bytes() []byte {
	n := int(r.U32())
	start := r.Pos
	r.Skip(n)
	if r.Failed {
		return nil
	}
	return r.Buf[start:r.Pos]
}

// Name reads a string, which must be UTF-8.
func (r *Reader) Name() string {
	b := r.Bytes()
	if !utf8.Valid(b) {
		r.Failed = true
		return ""
	}
	return string(b)
}

// AppendU32 appends an unsigned LEB128 number.
func AppendU32(b []byte, n uint32) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

// AppendSigned appends a signed LEB128 number.
func AppendSigned(b []byte, n int64) []byte {
	for n < -0x40 || n >= 0x40 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}

// AppendName appends a string with its length.
func AppendName(b []byte, s string) []byte { return append(AppendU32(b, uint32(len(s))), s...) }

// AppendSection appends a section with its header.
func AppendSection(b []byte, id byte, content []byte) []byte {
	return append(AppendU32(append(b, id), uint32(len(content))), content...)
}
