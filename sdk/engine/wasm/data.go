package wasm

const (
	opI32Const = 0x41
	opEnd      = 0x0b
)

// A Segment is the initial content of a memory range.
type Segment struct {
	At   int64 // in bytes
	Data []byte
}

// Segments parses the content of a data section without copying it. It returns false if the content is malformed or
// contains another kind of segment, such as one whose offset is not a constant.
func Segments(content []byte) ([]Segment, bool) {
	var list []Segment
	r := &Reader{Buf: content}
	for n := r.U32(); n > 0; n-- {
		plain := r.U32() == 0 && r.Byte() == opI32Const
		s := Segment{At: r.Signed()}
		plain = plain && r.Byte() == opEnd
		if s.Data = r.Bytes(); !plain || r.Failed {
			return nil, false
		}
		list = append(list, s)
	}
	return list, !r.Failed && r.Pos == len(content)
}

// AppendSegments appends the content of a data section.
func AppendSegments(b []byte, list []Segment) []byte {
	b = AppendU32(b, uint32(len(list)))
	for _, s := range list {
		b = append(AppendSigned(append(b, 0, opI32Const), s.At), opEnd)
		b = append(AppendU32(b, uint32(len(s.Data))), s.Data...)
	}
	return b
}
