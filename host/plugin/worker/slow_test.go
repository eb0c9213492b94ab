package worker

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/sandbox"
	"github.com/stategate/stategate/testdata/guests"
)

// enlarged returns a plugin with a custom section that makes compiling it look slow.
func enlarged(wasm []byte) []byte {
	section := append([]byte("\x07padding"), make([]byte, worthInterpreting)...)
	return append(append(bytes.Clone(wasm), binary.AppendUvarint([]byte{0}, uint64(len(section)))...), section...)
}

// TestSecondCheckCompiles: the first check interprets and caches no code. The second one compiles and gives the same
// answer.
func TestSecondCheckCompiles(t *testing.T) {
	dir := t.TempDir() + "/cache"
	plugin := named(enlarged(guests.Well("manifest", `{"well":true}`)))
	for look, compiled := range []bool{false, true, true} {
		p := pool(t, Config{Jobs: 2, CacheDir: dir, Limits: limits.Default()})
		if r := mustDo(t, p, plugin, "{}"); string(r.Payload) != `{"well":true}` || len(r.Warnings) > 0 {
			t.Fatalf("look %d: result %+v", look, r)
		}
		p.Close()
		if kept := hasCode(dir, plugin); kept != compiled {
			t.Errorf("after look %d its code is kept: %t, want %t", look, kept, compiled)
		}
	}
}

// TestManyJobsCompile: a plugin with many jobs is compiled while the first ones run, whether or not its code can be
// kept, and no worker that interprets is left.
func TestManyJobsCompile(t *testing.T) {
	dir := t.TempDir() + "/cache"
	plugin := named(enlarged(guests.Well("manifest", `{"well":true}`)))
	for _, c := range []Config{{Jobs: 2, CacheDir: dir}, {Jobs: 2}} {
		c.Limits = limits.Default()
		p := pool(t, c)
		for _, f := range doAll(t, p, plugin, mostInterpreted+4) {
			if f != nil {
				t.Fatalf("%+v", *f)
			}
		}
		for _, w := range p.idle {
			if w.interprets {
				t.Error("a worker that interprets is kept for the next job")
			}
		}
	}
	if !hasCode(dir, plugin) {
		t.Error("its code is not kept")
	}
}

// TestFailuresComeFromCompiledCode: a failure comes from compiled code, and no worker that interprets outlives it.
func TestFailuresComeFromCompiledCode(t *testing.T) {
	for _, name := range []string{"deep-recursion", "huge-output", "empty-report", "exit-zero", "panic", "http-request",
		"error-flood"} {
		sin, ok := guests.All()[name]
		if !ok {
			t.Errorf("there is no sin %q", name)
			continue
		}
		var messages []string
		for _, compile := range []bool{false, true} {
			p := pool(t, Config{Jobs: 1, Compile: compile, Limits: limits.Default()})
			_, f := p.Do(t.Context(), Job{Plugin: named(enlarged(sin.Wasm)), Payload: one("{}")})
			if f == nil || f.Kind == fault.Cancelled {
				t.Fatalf("%s: failure %+v", name, f)
			}
			messages = append(messages, f.Error()+f.Stderr)
		}
		if messages[0] != messages[1] {
			t.Errorf("%s is reported as %q, by compiled code as %q", name, messages[0], messages[1])
		}
	}
}

// TestLargeJobsCompile: neither a large job nor the one after it is interpreted.
func TestLargeJobsCompile(t *testing.T) {
	p := pool(t, Config{Jobs: 1, Limits: limits.Default()})
	plugin := named(enlarged(guests.Well("manifest", "{}")))
	mustDo(t, p, plugin, "{}")
	if !p.idle[0].interprets {
		t.Error("a small job was compiled")
	}
	for _, payload := range []string{string(make([]byte, largestInterpreted+1)), "{}"} {
		mustDo(t, p, plugin, payload)
		if len(p.idle) != 1 || p.idle[0].interprets {
			t.Errorf("a job of %d bytes was interpreted", len(payload))
		}
	}
}

// TestLongJobsCompile: a job that takes long is repeated with compiled code, whatever its result was.
func TestLongJobsCompile(t *testing.T) {
	p := pool(t, Config{Jobs: 1, Limits: limits.Default()})
	r := mustDo(t, p, named(enlarged(guests.Well("manifest", `{"well":true}`))), "dawdle")
	if string(r.Payload) != `{"well":true}` || p.idle[0].interprets {
		t.Errorf("answer %q by an interpreter: %t, want that of compiled code", r.Payload, p.idle[0].interprets)
	}
}

// TestCompile: a plugin that was compiled in advance is not interpreted.
func TestCompile(t *testing.T) {
	dir := t.TempDir() + "/cache"
	plugin := named(enlarged(guests.Well("manifest", "{}")))
	p := pool(t, Config{Jobs: 1, CacheDir: dir, Limits: limits.Default()})
	if f := p.Compile(t.Context(), plugin); f != nil {
		t.Fatal(f)
	}
	mustDo(t, p, plugin, "{}")
	if !hasCode(dir, plugin) || p.idle[0].interprets {
		t.Error("it is interpreted although its code is kept")
	}
}

func hasCode(dir string, p Plugin) bool {
	_, err := os.Stat(filepath.Join(dir, sandbox.Key(p.SHA256)))
	return err == nil
}
