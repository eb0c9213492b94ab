package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/plugins/build"
)

// printSizes prints what the program of this machine consists of, by package, the largest first: code and data by the
// symbols of a build that is not stripped, embedded plugins by their packed size, and the rest (tables of the runtime,
// names, alignment) as the difference.
func printSizes(w io.Writer) error {
	dir, err := os.MkdirTemp("", "stategate-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	here := target{os: runtime.GOOS, arch: runtime.GOARCH}
	whole, stripped := filepath.Join(dir, "whole"), filepath.Join(dir, "stripped")
	for path, flags := range map[string]string{whole: "-w", stripped: "-s -w"} {
		if _, err := output(plain(here), "go", "build", "-trimpath", "-ldflags="+flags, "-o", path,
			"./cmd/stategate"); err != nil {
			return err
		}
	}
	symbols, err := output("", "go", "tool", "nm", "-size", whole)
	if err != nil {
		return err
	}
	info, err := os.Stat(stripped)
	if err != nil {
		return err
	}
	sizes, rest := sizesByPackage(symbols), int(info.Size())
	for _, f := range build.Files() {
		packed, err := os.Stat(filepath.Join("plugins", "build", f.Name+".wasm.gz"))
		if err != nil {
			return err
		}
		sizes["plugin "+f.Name] = int(packed.Size()) + len(f.Manifest)
	}
	for _, n := range sizes {
		rest -= n
	}
	sizes["tables, names and alignment"] = rest
	for _, name := range slices.SortedFunc(maps.Keys(sizes),
		func(a, b string) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b)) }) {
		if _, err := fmt.Fprintf(w, "%10d  %s\n", sizes[name], name); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "%10d  in all\n", info.Size())
	return err
}

var symbolForm = regexp.MustCompile(`^ *[0-9a-f]+ +(\d+) ([TtRrDd]) (.+)$`)

// sizesByPackage adds up what `go tool nm -size` lists; what takes no room in the file (B) is left out.
func sizesByPackage(symbols string) map[string]int {
	sizes := map[string]int{}
	for lines := bufio.NewScanner(strings.NewReader(symbols)); lines.Scan(); {
		m := symbolForm.FindStringSubmatch(lines.Text())
		if m == nil || strings.HasPrefix(m[3], "runtime.pclntab") || strings.HasPrefix(m[3], "runtime.rodata") {
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err == nil {
			sizes[packageOf(m[3])] += n
		}
	}
	return sizes
}

// packageOf is the package of a symbol: what stands before the first point after the last slash that is part of a path.
func packageOf(symbol string) string {
	if strings.HasPrefix(symbol, "go:") || strings.HasPrefix(symbol, "type:") || !strings.Contains(symbol, ".") {
		return "types and strings"
	}
	path, _, _ := strings.Cut(symbol, "[")
	path, _, _ = strings.Cut(path, "(")
	at := strings.LastIndex(path, "/") + 1
	name, _, _ := strings.Cut(path[at:], ".")
	return path[:at] + strings.ReplaceAll(name, "%2e", ".")
}
