package wasmfile

// Shrink returns the same program with fewer bytes to load and to validate, if the Go linker wrote it; anything else
// comes back as it is. It writes three things more briefly and leaves out nothing, names included:
//
//   - addresses on the stack, which the Go compiler computes in 64 bits where an instruction has room for the offset;
//   - a table of the runtime that holds the number of every function sixteen times: a start function counts instead;
//   - the data, whose segments follow what is left.
//
// Measured with the largest built-in plugin: 3.94 to 3.38 MB, 39,600 to 3,000 segments, an instance is made in two
// thirds of the time, and its code runs a tenth faster.
func Shrink(wasm []byte) ([]byte, error) {
	sections, err := readSections(wasm)
	if err != nil {
		return nil, err
	}
	if _, linked, err := custom(wasm, sections, "go:buildid"); err != nil || !linked {
		return wasm, err
	}
	m := &module{wasm: wasm, content: map[byte][]byte{}}
	for _, s := range sections {
		if s.id != 0 {
			m.content[s.id] = wasm[s.body:s.end]
		}
	}
	if err := m.shrinkCode(); err != nil {
		return nil, err
	}
	if err := m.shrinkData(); err != nil {
		return nil, err
	}
	return m.bytes(sections), nil
}

// A module is a file that is being rewritten.
type module struct {
	wasm    []byte
	content map[byte][]byte // of the sections that are not custom, by id
	start   bool            // a start section has been added
}

// bytes writes the file again, custom sections where they were.
func (m *module) bytes(sections []section) []byte {
	out := append(make([]byte, 0, len(m.wasm)), header...)
	for _, s := range sections {
		if m.start && sectionOrder[s.id] > sectionOrder[startSection] {
			out = appendSection(out, startSection, m.content[startSection])
			m.start = false
		}
		if s.id == 0 {
			out = append(out, m.wasm[s.start:s.end]...)
			continue
		}
		out = appendSection(out, s.id, m.content[s.id])
	}
	return out
}

// The sections that Shrink knows.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	startSection    = 8
	codeSection     = 10
	dataSection     = 11
	countSection    = 12
)

// signed reads a signed LEB128 number of at most 64 bits.
func (r *reader) signed() int64 {
	var n int64
	for shift := 0; shift < 70; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 && shift < 57 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.failed = true
	return 0
}

func appendSigned(b []byte, n int64) []byte {
	for n < -0x40 || n >= 0x40 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}
