package run

import (
	"errors"
	"path"
	"runtime/debug"
	"strings"
)

// guard calls f and turns a panic into an error that names the place in the
// author's code.
func guard(f func() error) (err error, panicked bool) {
	defer func() {
		if v := recover(); v != nil {
			err, panicked = errors.New("panic: "+text(v)+" at "+place(string(debug.Stack()))), true
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

// place names the file and line that panicked: in a stack trace, the first
// place after the runtime's own frames below panic.
func place(stack string) string {
	_, below, _ := strings.Cut(stack, "\npanic(")
	for _, line := range strings.Split(below, "\n") {
		if !strings.HasPrefix(line, "\t") || strings.Contains(line, "/runtime/") {
			continue
		}
		at, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		return path.Base(at)
	}
	return "an unknown place"
}
