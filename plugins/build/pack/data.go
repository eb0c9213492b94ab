package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// maxImage limits the size of a memory image, in bytes.
const maxImage = 64 << 20

// shrinkData removes the table that findFunctions finds from the data, and adds a function that fills it in when an
// instance starts. It does not change a module that has a start function or a data count section.
func (m *module) shrinkData() error {
	if m.content[wasm.StartSection] != nil || m.content[wasm.CountSection] != nil {
		return nil
	}
	image := image(m.content[wasm.DataSection])
	if image == nil {
		return nil
	}
	t, ok := findFunctions(image)
	if !ok {
		m.content[wasm.DataSection] = segments(image)
		return nil
	}
	for i := range t.buckets {
		clear(image[t.at+i*bucketSize:][:4])
	}
	m.content[wasm.DataSection] = segments(image)
	return m.addStart(t.fill())
}

// image returns the data as laid out in a new instance's memory, or nil if the layout is unknown.
func image(data []byte) []byte {
	list, ok := wasm.Segments(data)
	if !ok {
		return nil
	}
	var image []byte
	for _, s := range list {
		if s.At < 0 || s.At > maxImage-int64(len(s.Data)) {
			return nil
		}
		if more := int(s.At) + len(s.Data) - len(image); more > 0 {
			image = append(image, make([]byte, more)...)
		}
		copy(image[s.At:], s.Data)
	}
	return image
}

// segmentCost is the approximate overhead of a segment, in bytes: a shorter run of zeros is not worth a new segment.
const segmentCost = 8

// segments writes the nonzero parts of an image as a data section.
func segments(image []byte) []byte {
	var list []wasm.Segment
	for at := 0; at < len(image); {
		if image[at] == 0 {
			at++
			continue
		}
		end := at + 1
		for i := end; i < len(image) && i < end+segmentCost; i++ {
			if image[i] != 0 {
				end = i + 1
			}
		}
		list = append(list, wasm.Segment{At: int64(at), Data: image[at:end]})
		at = end
	}
	return wasm.AppendSegments(nil, list)
}

// A functionTable is the runtime's table from program counters to functions (runtime.findfuncbucket). It has a bucket
// for each 4 KiB of program counters, which begins with a function's number. In WebAssembly, a function takes 64 KiB,
// or sixteen buckets.
type functionTable struct{ at, buckets int }

const (
	bucketSize = 4 + 16
	perBucket  = 4 << 10
	perNumber  = 16 // buckets with the same number
)

// findFunctions finds the table through the runtime's moduledata. It returns a table only if its content is exactly
// what fill writes.
func findFunctions(image []byte) (t functionTable, ok bool) {
	moduledata := findModuledata(image)
	if moduledata < 0 {
		return t, false
	}
	field := func(i int) int { return word(image, moduledata+8*i) }
	t.at = field(19)
	first, last := field(20), field(21)
	if t.at < 0 || first < 0 || last <= first || last-first > len(image)*perBucket/bucketSize {
		return t, false
	}
	t.buckets = (last - first + perBucket - 1) / perBucket
	if t.at+t.buckets*bucketSize > len(image) {
		return t, false
	}
	for i := range t.buckets {
		if binary.LittleEndian.Uint32(image[t.at+i*bucketSize:]) != uint32(i/perNumber) {
			return t, false
		}
	}
	return t, true
}

// findModuledata finds the structure by its first two words: the addresses of the function tables' header
// (runtime.pcHeader) and of the names, whose offset is in the header. It returns -1 for an unknown Go version.
func findModuledata(image []byte) int {
	head := bytes.Index(image, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}) // magic, padding, quantum, size of a pointer
	if head < 0 {
		return -1
	}
	names := head + word(image, head+32)
	start := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(head)), uint64(names))
	return bytes.Index(image, start)
}

// word reads an address or a length, or returns -1 if the offset is out of range.
func word(image []byte, at int) int {
	if at < 0 || at > len(image)-8 {
		return -1
	}
	return int(int64(binary.LittleEndian.Uint64(image[at:])))
}

// fill returns the body of a function that writes the table: memory[at + 20*i] = i / 16 for every i.
func (t functionTable) fill() []byte {
	body := []byte{1, 1, 0x7f, // one local, i
		0x03, 0x40, // loop
		opLocalGet, 0, opI32Const, bucketSize, 0x6c, // i * 20
		opLocalGet, 0, opI32Const, 4, 0x76, // i / 16
		opFirstStore, 2}
	body = wasm.AppendU32(body, uint32(t.at))
	body = append(body, opLocalGet, 0, opI32Const, 1, opI32Add, opLocalTee, 0, opI32Const)
	body = wasm.AppendSigned(body, int64(t.buckets))
	return append(body, 0x49, 0x0d, 0, 0x0b, 0x0b) // loop while less
}

// addStart adds a start function without parameters and results.
func (m *module) addStart(body []byte) error {
	types := &wasm.Reader{Buf: m.content[wasm.TypeSection]}
	signature := types.U32()
	functions := &wasm.Reader{Buf: m.content[wasm.FunctionSection]}
	count := functions.U32()
	code := &wasm.Reader{Buf: m.content[wasm.CodeSection]}
	bodies := code.U32()
	imported, ok := importedFunctions(m.content[wasm.ImportSection])
	if types.Failed || functions.Failed || code.Failed || count != bodies || !ok {
		return fmt.Errorf("not a valid WebAssembly module: its functions cannot be counted")
	}
	m.content[wasm.TypeSection] = append(append(wasm.AppendU32(nil, signature+1), types.Buf[types.Pos:]...), 0x60, 0, 0)
	more := append(wasm.AppendU32(nil, count+1), functions.Buf[functions.Pos:]...)
	m.content[wasm.FunctionSection] = wasm.AppendU32(more, signature)
	body = append(wasm.AppendU32(nil, uint32(len(body))), body...)
	m.content[wasm.CodeSection] = append(append(wasm.AppendU32(nil, count+1), code.Buf[code.Pos:]...), body...)
	m.content[wasm.StartSection] = wasm.AppendU32(nil, imported+count)
	m.start = true
	return nil
}

// importedFunctions counts the imports. The Go linker imports only functions.
func importedFunctions(content []byte) (n uint32, ok bool) {
	r := &wasm.Reader{Buf: content}
	if content == nil {
		return 0, true
	}
	n = r.U32()
	for range n {
		r.Name()
		r.Name()
		if kind := r.Byte(); kind != 0 || r.Failed {
			return 0, false
		}
		r.U32()
	}
	return n, !r.Failed
}
