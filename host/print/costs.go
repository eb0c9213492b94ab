package print

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/stategate/stategate/host/plugin"
)

// PluginCosts is what a plugin was measured to cost.
type PluginCosts struct {
	Cold   Times // loading it where no cache has it
	Cached Times // loading it from the cache
	Fresh  Times // an answer of an instance that has done nothing before
	Used   Times // an answer of one that has

	Requests int   // different ones that were answered
	Memory   int64 // bytes: the largest linear memory, the guest's own and the kernel's
}

// Times are the same thing measured several times.
type Times []time.Duration

// Costs prints a table of medians with the fastest and the slowest.
func Costs(w io.Writer, x *plugin.Plugin, c PluginCosts) error {
	p := &printer{w: bufio.NewWriter(w)}
	p.line(Safe(x.Name+" "+x.Manifest.Version), ", ", fmt.Sprint(len(x.Wasm)), " bytes")
	rows := [][]string{{"", "MEDIAN", "FASTEST", "SLOWEST", "RUNS"}}
	rows = append(rows, c.Cold.row("load, compiled anew"), c.Cached.row("load, from the cache"))
	if c.Requests > 0 {
		rows = append(rows, c.Fresh.row("answer, fresh instance"), c.Used.row("answer, used instance"))
	}
	p.rows("  ", rows)
	if c.Requests > 0 {
		p.line("  memory: ", fmt.Sprintf("%.1f MiB", float64(c.Memory)/(1<<20)), " at most, over ", count(c.Requests, "fixture"))
	}
	return p.w.Flush()
}

func (t Times) row(name string) []string {
	s := slices.Sorted(slices.Values(t))
	if len(s) == 0 {
		return []string{name, "-", "-", "-", "0"}
	}
	return []string{name, milli(s[len(s)/2]), milli(s[0]), milli(s[len(s)-1]), fmt.Sprint(len(s))}
}

func milli(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
