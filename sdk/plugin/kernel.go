//go:build wasip1

package plugin

import "unsafe"

// These are the functions of the Extism kernel and of the host that a guest needs. The kernel has separate memory,
// and each call transfers only eight bytes, so the host copies large inputs and outputs as a whole.

//go:wasmimport extism:host/env input_length
func inputLength() uint64

//go:wasmimport stategate:host input_read
func inputRead(to unsafe.Pointer)

//go:wasmimport stategate:host output_write
func outputWrite(from unsafe.Pointer, length uint32)

//go:wasmimport extism:host/env alloc
func alloc(length uint64) uint64

//go:wasmimport extism:host/env store_u8
func storeU8(offset uint64, value uint32)

//go:wasmimport extism:host/env error_set
func errorSet(offset uint64)

func input() []byte {
	bytes := make([]byte, inputLength())
	inputRead(unsafe.Pointer(unsafe.SliceData(bytes)))
	return bytes
}

func output(data []byte) {
	outputWrite(unsafe.Pointer(unsafe.SliceData(data)), uint32(len(data)))
}

func fail(message string) {
	at := alloc(uint64(len(message)))
	for i := range len(message) {
		storeU8(at+uint64(i), uint32(message[i]))
	}
	errorSet(at)
}
