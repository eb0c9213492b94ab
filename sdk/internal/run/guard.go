package run

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
)

// guard calls f and turns a panic into an error that names the place in the
// author's code.
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

// place names the file and line that panicked: of the frames that are left when the panic is recovered, the first below
// the runtime's own and below the packages that an author calls. In a guest only the author's have lines (package
// pack). (runtime/debug would print them all, and bring fmt along.)
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
			return "an unknown place"
		}
	}
}

// called reports whether a function is of the packages that authors call.
func called(function string) bool {
	rest, ok := strings.CutPrefix(function, "github.com/stategate/stategate/sdk")
	for _, p := range [...]string{".", "/markdown.", "/jsondoc.", "/instant."} {
		if ok && strings.HasPrefix(rest, p) {
			return true
		}
	}
	return false
}
