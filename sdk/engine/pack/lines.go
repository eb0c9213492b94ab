package pack

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// runtimeTables are the tables of functions that the Go linker writes (runtime.pcHeader), by their addresses.
type runtimeTables struct {
	moduledata                       int // which begins with the addresses of the header and of the names
	functions                        int // how many
	names, units, files, values, end int // the tables one after the other; the last holds what is said of each function
}

// findTables finds the tables of a Go version that it knows.
func findTables(image []byte) (t runtimeTables, ok bool) {
	head := bytes.Index(image, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}) // magic, padding, quantum, size of a pointer
	if head < 0 {
		return t, false
	}
	t.functions = word(image, head+8)
	at := head
	for i, table := range []*int{&t.names, &t.units, &t.files, &t.values, &t.end} {
		*table = head + word(image, head+32+8*i)
		if *table <= at || *table > len(image) {
			return t, false
		}
		at = *table
	}
	if t.functions < 0 || t.functions > (len(image)-t.end)/8 {
		return t, false
	}
	var start [16]byte
	binary.LittleEndian.PutUint64(start[:], uint64(head))
	binary.LittleEndian.PutUint64(start[8:], uint64(t.names))
	t.moduledata = bytes.Index(image, start[:])
	return t, t.moduledata >= 0
}

// word reads an address or a length; -1 if it is not there.
func word(image []byte, at int) int {
	if at < 0 || at > len(image)-8 {
		return -1
	}
	return int(int64(binary.LittleEndian.Uint64(image[at:])))
}

// What is said of a function (runtime._func) begins with these: where its tables of values begin, by program counter.
const (
	funcSize  = 44
	funcName  = 4
	funcSP    = 16
	funcFile  = 20
	funcLine  = 24 // behind it
	funcCount = 28 // of the tables that follow
)

// forgetLines leaves out the files and lines of instructions but in the author's functions: a thirtieth of a guest. A function
// without such tables has unknown lines to the runtime. It changes nothing where a table is not as expected.
func (t runtimeTables) forgetLines(image []byte, authors func(function string) bool) {
	number := func(at int) int { return int(binary.LittleEndian.Uint32(image[at:])) }
	var others []int // functions
	used := make([]bool, t.end-t.values)
	use := func(table int) bool {
		end := t.valuesEnd(image, table)
		for i := table; i < end; i++ {
			used[i] = true
		}
		return end >= 0
	}
	for i := range t.functions {
		at := t.end + number(t.end+8*i+4)
		if at > len(image)-funcSize || at+funcSize+4*number(at+funcCount) > len(image) || t.names+number(at+funcName) >= t.units {
			return
		}
		known := use(number(at + funcSP))
		for k := range number(at + funcCount) {
			known = use(number(at+funcSize+4*k)) && known
		}
		name, _, _ := bytes.Cut(image[t.names+number(at+funcName):t.units], []byte{0})
		if authors(string(name)) {
			known = use(number(at+funcFile)) && use(number(at+funcLine)) && known
		} else {
			others = append(others, at)
		}
		if !known {
			return
		}
	}
	for _, at := range others {
		clear(image[at+funcFile : at+funcLine+4])
	}
	for i, used := range used {
		if !used {
			image[t.values+i] = 0
		}
	}
}

// valuesEnd returns where a table of values ends, relative to the first one; -1 if it does not. It is pairs of differences, of which
// one of no value ends it unless it is the first. Number 0 stands for no table.
func (t runtimeTables) valuesEnd(image []byte, table int) int {
	if table == 0 {
		return 0
	}
	for at, first := t.values+table, true; ; first = false {
		value, n := binary.Uvarint(image[min(at, t.end):t.end])
		if n <= 0 {
			return -1
		}
		if at += n; value == 0 && !first {
			return at - t.values
		}
		if _, n = binary.Uvarint(image[at:t.end]); n <= 0 {
			return -1
		}
		at += n
	}
}

// shortenNames takes the directories of packages out of the names of functions, where that is worth a segment.
func (t runtimeTables) shortenNames(image []byte) {
	for at := t.names; at < t.units; {
		end := bytes.IndexByte(image[at:t.units], 0)
		if end < 0 {
			return
		}
		name := image[at : at+end]
		whole, _, _ := strings.Cut(string(name), "[") // type arguments have directories of their own
		if slash := strings.LastIndexByte(whole, '/'); slash >= 2*segmentCost {
			clear(name[copy(name, name[slash+1:]):])
		}
		at += end + 1
	}
}
