package heap

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// TestRegion holds that the system was asked for huge pages in a region.
func TestRegion(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this system has no huge pages")
	}
	b := region()
	defer runtime.KeepAlive(b)
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	at, inside := uintptr(unsafe.Pointer(unsafe.SliceData(b))), false
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x", &from, &to); n == 2 {
			inside = from <= at && at < to
		}
		if inside && strings.HasPrefix(line, "VmFlags:") {
			if !strings.Contains(line, " hg") {
				t.Errorf("the region at %#x has %sexpected hg among them", at, line)
			}
			return
		}
	}
	t.Errorf("no mapping has the region at %#x", at)
}
