package heap

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// TestHugePages holds that what is allocated first lies where the system was asked for huge pages.
func TestHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this system has no huge pages")
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	at, inside := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(maps)))), false
	for line := range strings.Lines(string(maps)) {
		first, rest, _ := strings.Cut(line, " ")
		if from, to, ok := strings.Cut(first, "-"); ok {
			start, _ := strconv.ParseUint(from, 16, 64)
			end, _ := strconv.ParseUint(to, 16, 64)
			inside = start <= at && at < end
		}
		if inside && first == "VmFlags:" {
			if !strings.Contains(rest, " hg") {
				t.Errorf("the heap at %#x has the flags %s, expected hg", at, rest)
			}
			return
		}
	}
	t.Errorf("no mapping has the heap at %#x", at)
}
