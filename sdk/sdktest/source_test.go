package sdktest

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestSourceThatOnlyATestCanRun checks source that reads the clock, the environment or a file. Such a rule passes
// every native test but behaves differently in the sandbox.
func TestSourceThatOnlyATestCanRun(t *testing.T) {
	const head = "package notes\n\n"
	for _, c := range []struct{ text, want string }{
		{"import \"os\"\n", "notes.go:3: import \"os\": " + noFiles},
		{"import \"math/rand\"\n", "notes.go:3: import \"math/rand\": " + noRandomness},
		{"import \"net/http\"\n", "notes.go:3: import \"net/http\": " + noNetwork},
		{"import \"time\"\n\nvar now = time.Now()\n", "notes.go:5: time.Now: " + noClock},
		{"import clock \"time\"\n\nfunc f() { clock.Sleep(1) }\n", "notes.go:5: time.Sleep: " + noClock},
		{"func f() {\n\tgo f()\n}\n", "notes.go:4: go: " + noGoroutines},
		{"import \"time\"\n\nconst day = 24 * time.Hour\n", ""},
		{"type time struct{ Now func() }\n\nvar x time\n\nvar _ = x.Now\n", ""},
		{"import (\n\t\"os\"\n\t\"testing\"\n)\n", ""},
		{"func {\n", ""}, // the compiler says what is wrong
	} {
		outside := &fstest.MapFile{Data: []byte(head + "import \"os\"\n")}
		dir := fstest.MapFS{"notes.go": {Data: []byte(head + c.text)}, "notes_test.go": outside,
			"testdata/x.go": outside}
		if got := strings.Join(unusable(dir), "\n"); got != c.want {
			t.Errorf("%s\ngot %q, want %q", c.text, got, c.want)
		}
	}
	program := fstest.MapFS{"main.go": {Data: []byte("package main\n\nimport \"os\"\n")}}
	if got := unusable(program); len(got) > 0 {
		t.Errorf("a program: got %q", got)
	}
	below := fstest.MapFS{"notes/read/read.go": {Data: []byte(head + "import \"os\"\n")}}
	if got := unusable(below); len(got) != 1 {
		t.Errorf("a package below: got %q", got)
	}
}
