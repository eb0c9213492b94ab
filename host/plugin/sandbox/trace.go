package sandbox

import (
	"slices"
	"strings"
)

// wasmTrace is the beginning of the engine's stack trace.
const wasmTrace = "wasm stack trace:"

// These constants limit how much of a trace is kept. The first frames show the location; the others only show how the
// SDK got there.
const (
	mostFrames = 5
	mostCalls  = 10
)

// shortened returns the parts of a guest's last output that help the plugin's author. From the stack traces of Go's
// runtime, which are printed for each goroutine, it keeps only the author's own frames. It removes the engine's
// trace, in which functions are numbers, if there is a trace with names.
func shortened(text string) string {
	text, calls, _ := strings.Cut(text, wasmTrace)
	var kept, frames []string
	function, inTrace := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		place, isPlace := strings.CutPrefix(line, "\t")
		switch {
		case strings.HasPrefix(line, "goroutine ") || line == "runtime stack:":
			inTrace = true
		case !inTrace:
			kept = append(kept, line)
		case !isPlace:
			function = line
		case isAuthors(function):
			place, _, _ = strings.Cut(place, " ")
			if i := strings.LastIndexByte(function, '('); i > 0 {
				function = function[:i]
			}
			if frame := "at " + place + " (" + function + ")"; !slices.Contains(frames, frame) {
				frames = append(frames, frame)
			}
		}
	}
	kept = append(slices.DeleteFunc(kept, func(line string) bool { return line == "" }), frames[:min(len(frames),
		mostFrames)]...)
	if calls != "" && len(frames) == 0 {
		lines := strings.Split(strings.TrimRight(calls, "\n"), "\n")
		if more := len(lines) - 1 - mostCalls; more > 0 {
			lines = append(lines[:1+mostCalls], "\t…")
		}
		kept = append(kept, wasmTrace+strings.Join(lines, "\n"))
	}
	return strings.Join(kept, "\n")
}

// isAuthors reports whether a function in a Go stack trace belongs to neither the runtime nor the SDK.
func isAuthors(function string) bool {
	for _, other := range []string{"runtime.", "runtime/", "internal/", "created by ", "main.main", "examine(",
		"describe(", "answer(", "_rt0_", sdk + "check.", sdk + "internal/", sdk + "plugin."} {
		if strings.HasPrefix(function, other) {
			return false
		}
	}
	return function != ""
}

const sdk = "github.com/stategate/stategate/sdk/"
