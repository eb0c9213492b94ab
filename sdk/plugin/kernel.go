//go:build wasip1

package plugin

import "unsafe"

// The part of the Extism kernel that a guest needs. The kernel's memory is not
// the guest's: bytes cross in words of eight. Offsets and lengths are bytes.

//go:wasmimport extism:host/env input_length
func inputLength() uint64

//go:wasmimport extism:host/env input_load_u64
func inputLoadU64(offset uint64) uint64

//go:wasmimport extism:host/env input_load_u8
func inputLoadU8(offset uint64) uint32

//go:wasmimport extism:host/env alloc
func alloc(length uint64) uint64

//go:wasmimport extism:host/env store_u64
func storeU64(offset, value uint64)

//go:wasmimport extism:host/env store_u8
func storeU8(offset uint64, value uint32)

//go:wasmimport extism:host/env output_set
func outputSet(offset, length uint64)

//go:wasmimport extism:host/env error_set
func errorSet(offset uint64)

func input() []byte {
	n := inputLength()
	words := make([]uint64, (n+7)/8)
	for i := uint64(0); i < n/8; i++ {
		words[i] = inputLoadU64(i * 8)
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
	for i := n &^ 7; i < n; i++ {
		bytes[i] = byte(inputLoadU8(i))
	}
	return bytes
}

func output(data []byte) { outputSet(store(data), uint64(len(data))) }

func fail(message string) { errorSet(store([]byte(message))) }

// store copies data into kernel memory and returns its offset there.
func store(data []byte) uint64 {
	n := uint64(len(data))
	at := alloc(n)
	whole := n &^ 7
	for i := uint64(0); i < whole; i += 8 {
		storeU64(at+i, word(data[i:]))
	}
	for i := whole; i < n; i++ {
		storeU8(at+i, uint32(data[i]))
	}
	return at
}

// word reads eight bytes as the little-endian integer that wasm memory holds.
func word(b []byte) uint64 {
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
