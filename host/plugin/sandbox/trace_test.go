package sandbox

import (
	"strings"
	"testing"
)

// TestTracesAreShortened: of the 117 lines that a Go guest writes when it runs out of memory, the three that say what
// happened and where are kept.
func TestTracesAreShortened(t *testing.T) {
	const runtime = "runtime.throw({0x2dbde, 0xd})\n\truntime/panic.go:1229 +0x3 fp=0x273638\n"
	const deep = "example.com/log.deep(0x26)\n\texample.com/log/log.go:102 +0x6 fp=0x82ef5c0\n"
	for _, c := range []struct{ name, text, want string }{
		{"out of memory", "top is 1\nruntime: out of memory\nfatal error: out of memory\n\n" +
			"goroutine 1 gp=0x2021c0 m=0 [running]:\n" + runtime +
			"example.com/log.questionOpen(0x244240, 0x23c070)\n\texample.com/log/log.go:133 +0xf fp=0x2738c0\n" +
			"github.com/stategate/stategate/sdk/check.Declare[...].func1()\n\tcheck/check.go:77 +0xd\n\n" +
			"goroutine 2 gp=0x202380 m=nil [force gc (idle)]:\n" + runtime + "wasm stack trace:\n\t.$1207(i32) i32\n",
			"top is 1\nruntime: out of memory\nfatal error: out of memory\n" +
				"at example.com/log/log.go:133 (example.com/log.questionOpen)"},
		{"a recursion", "fatal error: stack overflow\n\nruntime stack:\n" + runtime + "\ngoroutine 1 [running]:\n" +
			strings.Repeat(deep, 50),
			"fatal error: stack overflow\nat example.com/log/log.go:102 (example.com/log.deep)"},
		{"another language", "oh no\nwasm stack trace:\n\t.$7() i32\n", "oh no\nwasm stack trace:\n\t.$7() i32"},
		{"a deep stack of another language", "wasm stack trace:\n" + strings.Repeat("\t.$7()\n", 30),
			"wasm stack trace:\n" + strings.Repeat("\t.$7()\n", 10) + "\t…"},
		{"no trace", "one\ntwo", "one\ntwo"},
		{"nothing", "", ""},
	} {
		if got := shortened(c.text); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
