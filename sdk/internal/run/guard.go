package run

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
)

// guard calls f and turns a panic into an error that gives the location in the author's code.
func guard(f func() error) (err error, panicked bool) {
	defer func() {
		if v := recover(); v != nil {
			err, panicked = errors.New("panic: "+text(v)+" at "+place()), true
		}
	}()
	return f(), false
}

func text(v any) string {
	switch v := v.(type) {
	case error:
		return v.Error()
	case string:
		return v
	}
	return "a value that is neither an error nor a string"
}

// place returns the file and line of a panic: the first frame below those of the runtime and of the packages that
// authors call. In a guest, only the author's frames have lines (package pack). runtime/debug would print all
// frames, but would link fmt.
func place() string {
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	panicking := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		panicking = panicking || inRuntime
		if panicking && !inRuntime && frame.Line > 0 && !called(frame.Function) {
			return frame.File[strings.LastIndexByte(frame.File, '/')+1:] + ":" + strconv.Itoa(frame.Line)
		}
		if !more {
			return "an unknown location"
		}
	}
}

// called reports whether a function belongs to the packages that authors call.
func called(function string) bool {
	rest, ok := strings.CutPrefix(function, "github.com/stategate/stategate/sdk")
	for _, p := range [...]string{".", "/markdown.", "/jsondoc.", "/instant."} {
		if ok && strings.HasPrefix(rest, p) {
			return true
		}
	}
	return false
}
