package snapshot

// This file processes texts eight bytes at a time. The first byte is the lowest byte of an integer, and the high
// bit of each byte in a result is the answer for that byte.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x80 * lowBits
)

// eight returns the first eight bytes of s, with the first byte as the lowest.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 |
		uint64(s[6])<<48 | uint64(s[7])<<56
}

// alike sets the high bit of each byte in b that equals c, which must be ASCII.
func alike(b uint64, c byte) uint64 {
	return ^((b&^highBits ^ uint64(c)*lowBits) + 0x7f*lowBits) & highBits &^ b
}

// blanks sets the high bit of each byte in b that is ASCII white space.
func blanks(b uint64) uint64 {
	low := b &^ highBits
	control := (low + (0x80-'\t')*lowBits) &^ (low + (0x80-'\r'-1)*lowBits)
	return alike(b, ' ') | control&highBits&^b
}

// beginsWide reports whether a byte in b may begin a space beyond ASCII: 0xC2, or 0xE0 to 0xE3.
func beginsWide(b uint64) bool {
	two, three := b^0xc2*lowBits, b&(0xfc*lowBits)^0xe0*lowBits
	return ((two-lowBits)&^two|(three-lowBits)&^three)&highBits != 0
}
