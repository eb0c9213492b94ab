package markdown

import (
	"errors"
	"slices"
	"strconv"
)

// NodeSize is the size of an encoded node in bytes: five little-endian unsigned 32-bit integers. The first holds
// the kind in its low 8 bits and the data above; the others hold the parent plus one, the line, the start and the
// end.
const NodeSize = 20

// Encode appends the encoded nodes to dst and returns it. It does not encode the text.
func (o *Outline) Encode(dst []byte) []byte {
	dst = slices.Grow(dst, len(o.Nodes)*NodeSize)
	for i := range o.Nodes {
		n := &o.Nodes[i]
		dst = appendWord(dst, uint32(n.Kind)|uint32(n.Data)<<8)
		dst = appendWord(dst, uint32(n.Parent+1))
		dst = appendWord(dst, uint32(n.Line))
		dst = appendWord(dst, uint32(n.Start))
		dst = appendWord(dst, uint32(n.End))
	}
	return dst
}

// Decode creates the outline of a text from the output of Encode. It returns an error if New returns one, or if the
// length of data is not a multiple of NodeSize.
func Decode(text string, data []byte) (*Outline, error) {
	if len(data)%NodeSize != 0 {
		return nil, errors.New("markdown: " + strconv.Itoa(len(data)) + " bytes are not a whole number of nodes")
	}
	nodes := make([]Node, len(data)/NodeSize)
	for i := range nodes {
		b := (*[NodeSize]byte)(data[i*NodeSize:])
		n, head := &nodes[i], word(b[0:4])
		n.Kind, n.Data = Kind(head&0xff), int(head>>8)
		n.Parent, n.Line, n.Start, n.End = place(b[4:8])-1, place(b[8:12]), place(b[12:16]), place(b[16:20])
	}
	return New(text, nodes)
}

func appendWord(dst []byte, v uint32) []byte {
	return append(dst, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

func word(b []byte) uint32 {
	_ = b[3]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// place decodes an integer. A value that exceeds an int32 becomes one that is always out of bounds, so the result
// is the same if int has 32 bits.
func place(b []byte) int {
	if v := word(b); v <= maxText {
		return int(v)
	}
	return maxText
}
