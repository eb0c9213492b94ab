package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/confine"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/testdata/guests"
)

// TestMain lets the test binary be its own worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Verb {
		os.Exit(Main(os.Stdin, os.Stdout, os.Stderr, examine))
	}
	os.Exit(m.Run())
}

// examine passes the payload to the guest, except for payloads that make the host itself misbehave.
func examine(g exchange.Guest, payload []byte) ([]byte, error) {
	switch string(payload) {
	case "panic":
		panic("a library panics")
	case "exit":
		os.Exit(0)
	case "garbage":
		fmt.Fprint(realStdout, strings.Repeat("garbage ", 100))
	case "print":
		fmt.Println("a library prints")
	case "spin":
		for n := 0; n >= 0; {
			n ^= 1
		}
	case "allocate":
		for {
			hoard = append(hoard, bytes.Repeat([]byte{1}, 16<<20))
		}
	case "own":
		return nil, fault.Newf(fault.Rule, "a failure of its own")
	case "dawdle":
		for began := spent(); g.Untimed && spent()-began <= interpretTime; {
		}
		if _, err := g.Call("examine", payload); err != nil {
			return []byte("what was made of the error"), nil
		}
	case "manifest":
		return g.Manifest, nil
	case "process":
		return fmt.Append(nil, os.Getpid()), nil
	case "intrude":
		return intrude(), nil
	case "environment":
		dir, _ := os.Stat(".")
		root, _ := os.Stat("/")
		return []byte(fmt.Sprint(os.Environ(), os.SameFile(dir, root))), nil
	}
	return g.Call("examine", payload)
}

// intrude tries what native code in a worker must not be able to do, and returns what succeeded. Package confine
// tries more.
func intrude() []byte {
	could := "nothing"
	for name, try := range map[string]func() error{
		"read a file":   func() error { _, err := os.ReadFile("/etc/passwd"); return err },
		"read itself":   func() error { _, err := os.ReadFile("/proc/self/environ"); return err },
		"write a file":  func() error { return os.WriteFile(os.TempDir()+"/stategate-intruder", nil, 0o600) },
		"open a socket": func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
		"run a program": func() error { return exec.Command("/bin/true").Run() },
	} {
		if try() == nil {
			could += ", " + name
		}
	}
	return []byte(could)
}

// hoard keeps the memory that the sin "allocate" requests.
var hoard [][]byte

// realStdout receives the messages, because Main replaces os.Stdout.
var realStdout = os.Stdout

func named(wasm []byte) Plugin {
	return Plugin{plugin.Digest(wasm), len(wasm), func() []byte { return wasm }}
}

func well() Plugin { return named(guests.Well("manifest", `{"well":true}`)) }

// short returns limits for cases that only a deadline ends.
func short() limits.Limits {
	l := limits.Default()
	l.Instance, l.Compile = 500*time.Millisecond, time.Second
	return l
}

func pool(t *testing.T, c Config) *Pool {
	t.Helper()
	if c.Limits == (limits.Limits{}) {
		c.Limits = short()
	}
	p, err := NewPool(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func one(payload string) [][]byte { return [][]byte{[]byte(payload)} }

func mustDo(t *testing.T, p *Pool, plugin Plugin, payload string) Result {
	t.Helper()
	r, f := p.Do(t.Context(), Job{Plugin: plugin, Payload: one(payload)})
	if f != nil {
		t.Fatalf("%s: %+v", payload, *f)
	}
	return r
}

// TestFollowUp: the process that answered gets the follow-up to its answer, even if others wait for a worker.
func TestFollowUp(t *testing.T) {
	p := pool(t, Config{Jobs: 2, CacheDir: t.TempDir() + "/cache", Limits: limits.Default()})
	mustDo(t, p, well(), "{}")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			first := ""
			r, f := p.Do(t.Context(), Job{Plugin: well(), Payload: one("process"),
				FollowUp: func(output []byte) ([][]byte, error) {
					first = string(output)
					return one("process"), nil
				}})
			if f != nil || first == "" || string(r.Payload) != first {
				t.Errorf("process %q, then %q, %v", first, r.Payload, f)
			}
		})
	}
	all.Wait()
	then := func(payload string, err error) func([]byte) ([][]byte, error) {
		return func([]byte) ([][]byte, error) { return one(payload), err }
	}
	for _, c := range []struct {
		then func([]byte) ([][]byte, error)
		want fault.Kind
	}{{then("exit", nil), fault.Trap}, {then("own", nil), fault.Rule}, {then("", errors.New("no")), fault.Protocol}} {
		if _, f := p.Do(t.Context(), Job{Plugin: well(), Payload: one("manifest"), FollowUp: c.then}); f == nil ||
			f.Kind != c.want {
			t.Errorf("failure %+v, want one of kind %s", f, c.want)
		}
	}
	r, f := p.Do(t.Context(), Job{Plugin: well(), Payload: one("manifest"),
		FollowUp: func([]byte) ([][]byte, error) { return nil, nil }})
	if f != nil || string(r.Payload) != "manifest" {
		t.Errorf("with nothing to send: %q, %v", r.Payload, f)
	}
}

func TestDo(t *testing.T) {
	p := pool(t, Config{Jobs: 1, CacheDir: t.TempDir() + "/cache"})
	for range 3 {
		if r := mustDo(t, p, well(), "{}"); string(r.Payload) != `{"well":true}` || len(r.Warnings) > 0 {
			t.Fatalf("result %+v", r)
		}
	}
	if r := mustDo(t, p, well(), "manifest"); string(r.Payload) != "manifest" {
		t.Errorf("a worker has the manifest %q of the plugin, want %q", r.Payload, "manifest")
	}
	noisy := named(guests.Canned{Manifest: "m", Report: guests.Report("{}"), Stderr: "note"}.Bytes())
	if r := mustDo(t, p, noisy, "{}"); r.Stderr != "note" {
		t.Errorf("stderr %q, want %q", r.Stderr, "note")
	}
	if r := mustDo(t, p, well(), "environment"); string(r.Payload) != "[] true" && runtime.GOOS != "windows" {
		t.Errorf("a worker's environment, and whether it is in the root: %s, want [] true", r.Payload)
	}
	if _, lack := confine.InForce(); len(lack) == 0 {
		if r := mustDo(t, p, well(), "intrude"); string(r.Payload) != "nothing" {
			t.Errorf("native code in a worker can do %s", r.Payload)
		}
	}
	if r := mustDo(t, p, well(), "print"); string(r.Payload) != `{"well":true}` {
		t.Errorf("a printing library spoiled the answer: %q", r.Payload)
	}
	if len(p.idle) != 1 {
		t.Errorf("%d workers for one job at a time, want 1", len(p.idle))
	}
}

// TestSins runs every misbehaving guest in a real worker, next to a well-behaved plugin. It does so on all
// processors, and on one processor with plugins that are large enough to be interpreted first. A case that only a
// deadline ends takes that long, so only one of them runs on one processor unless STATEGATE_TEST_LONG is set.
func TestSins(t *testing.T) {
	for _, procs := range []int{runtime.NumCPU(), 1} {
		t.Run(fmt.Sprintf("GOMAXPROCS=%d", procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			cache := t.TempDir() + "/cache"
			quick := pool(t, Config{Jobs: 1, CacheDir: cache})
			patient := pool(t, Config{Jobs: 1, CacheDir: cache, Limits: limits.Default()})
			for _, sin := range guests.Bytes() {
				p := patient
				if slices.Contains(sin.Kinds, fault.Timeout) {
					if procs > 1 && sin.Name != "endless-loop" && os.Getenv("STATEGATE_TEST_LONG") == "" {
						continue
					}
					p = quick
				}
				if procs == 1 {
					sin.Wasm = enlarged(sin.Wasm)
				}
				t.Run(sin.Name, func(t *testing.T) { judge(t, p, sin) })
			}
		})
	}
}

func judge(t *testing.T, p *Pool, sin guests.Sin) {
	start := time.Now()
	_, f := p.Do(t.Context(), Job{Plugin: named(sin.Wasm), Payload: one("{}")})
	took := time.Since(start)
	if f == nil || !slices.Contains(sin.Kinds, f.Kind) {
		t.Fatalf("failure %+v, want one of %v", f, sin.Kinds)
	}
	if most := 15 * time.Second; took > most { // many deadlines, because a machine may be busy
		t.Errorf("took %s, want at most %s", took, most)
	}
	if len(f.Message) > 8<<10 || len(f.Stderr) > 32<<10 {
		t.Errorf("message of %d and stderr of %d bytes are not bounded", len(f.Message), len(f.Stderr))
	}
	if r := mustDo(t, p, well(), "{}"); string(r.Payload) != `{"well":true}` {
		t.Errorf("after it, the well plugin answers %q", r.Payload)
	}
	t.Logf("%s after %s: %.200s", f.Kind, took.Round(time.Millisecond), f.Message)
}

// TestHostSins does to a worker what a library might do with hostile documents.
func TestHostSins(t *testing.T) {
	patient := pool(t,
		Config{Jobs: 1, Limits: limits.Default().Lower(limits.Limits{Instance: 15 * time.Second, Worker: 200 << 20})})
	quick := pool(t, Config{Jobs: 1})
	for _, c := range []struct {
		payload string
		pool    *Pool
		kind    fault.Kind
		message string
	}{
		{"panic", patient, fault.Trap, "a library panics"},
		{"exit", patient, fault.Trap, "killed its worker"},
		{"garbage", patient, fault.Protocol, "malformed message"},
		{"spin", quick, fault.Timeout, "longer than 500ms"},
		{"allocate", patient, fault.Memory, "MiB"},
		{"own", patient, fault.Rule, "a failure of its own"},
	} {
		t.Run(c.payload, func(t *testing.T) {
			plugin := named(guests.Well("manifest", c.payload))
			_, f := c.pool.Do(t.Context(), Job{Plugin: plugin, Payload: one(c.payload)})
			if f == nil || f.Kind != c.kind || !strings.Contains(f.Message, c.message) {
				t.Fatalf("failure %+v, want kind %s with %q", f, c.kind, c.message)
			}
			mustDo(t, c.pool, well(), "{}")
		})
	}
}

// TestLoadFailureIsShared: a plugin that cannot be loaded costs its deadline only once.
func TestLoadFailureIsShared(t *testing.T) {
	bomb := named(guests.All()["compile-bomb"].Wasm)
	p := pool(t, Config{Jobs: 4})
	start := time.Now()
	failures := doAll(t, p, bomb, 20)
	if took := time.Since(start); took > short().Compile+time.Second {
		t.Errorf("20 jobs took %s", took)
	}
	for _, f := range failures {
		if f == nil || (f.Kind != fault.Timeout && f.Kind != fault.Memory) {
			t.Errorf("failure %+v", f)
		}
	}
}

// TestLostWorkersAreCapped: a plugin that times out on everything costs three deadlines rather than thousands.
func TestLostWorkersAreCapped(t *testing.T) {
	p := pool(t, Config{Jobs: 1})
	loop := named(guests.All()["endless-loop"].Wasm)
	start := time.Now()
	failures := doAll(t, p, loop, 10)
	if took := time.Since(start); took > maxLost*short().Instance+2*time.Second {
		t.Errorf("10 jobs took %s", took)
	}
	untried := 0
	for _, f := range failures {
		if f == nil || f.Kind != fault.Timeout {
			t.Fatalf("failure %+v", f)
		}
		if strings.HasPrefix(f.Message, "not tried") {
			untried++
		}
	}
	if untried != 10-maxLost {
		t.Errorf("%d jobs were not tried, want %d", untried, 10-maxLost)
	}
}

func doAll(t *testing.T, p *Pool, plugin Plugin, jobs int) []*fault.Failure {
	failures := make([]*fault.Failure, jobs)
	var all sync.WaitGroup
	for i := range jobs {
		all.Go(func() { _, failures[i] = p.Do(t.Context(), Job{Plugin: plugin, Payload: one("{}")}) })
	}
	all.Wait()
	return failures
}

// TestCancel: a cancelled job returns immediately and leaves no process running. The same applies to Close.
func TestCancel(t *testing.T) {
	l := limits.Default()
	p := pool(t, Config{Jobs: 2, Limits: l})
	loop := named(guests.All()["endless-loop"].Wasm)
	mustDo(t, p, well(), "{}")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(errors.New("the test says so")) })
	_, f := p.Do(ctx, Job{Plugin: loop, Payload: one("{}")})
	if f == nil || f.Kind != fault.Cancelled {
		t.Fatalf("failure %+v, want cancelled", f)
	}
	done := make(chan *fault.Failure, 1)
	go func() {
		_, f := p.Do(context.Background(), Job{Plugin: loop, Payload: one("{}")})
		done <- f
	}()
	for !busy(p) {
		runtime.Gosched()
	}
	var pids []int
	p.mu.Lock()
	for w := range p.busy {
		pids = append(pids, w.cmd.Process.Pid)
	}
	p.mu.Unlock()
	p.Close()
	if f := <-done; f == nil || f.Kind != fault.Cancelled {
		t.Errorf("after Close: %+v, want cancelled", f)
	}
	for _, pid := range pids {
		if running(pid) {
			t.Errorf("process %d outlives the pool", pid)
		}
	}
	if _, f := p.Do(t.Context(), Job{Plugin: well(), Payload: one("{}")}); f == nil || f.Kind != fault.Cancelled {
		t.Errorf("a closed pool answers %+v", f)
	}
}

func busy(p *Pool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.busy) > 0
}

// TestParallel: many concurrent plugins and jobs each get their own answer.
func TestParallel(t *testing.T) {
	p := pool(t, Config{Jobs: 3, Limits: limits.Default(), CacheDir: t.TempDir() + "/cache"})
	var plugins []Plugin
	for i := range 9 {
		plugins = append(plugins, named(guests.Well("manifest", fmt.Sprintf(`{"plugin":%d}`, i))))
	}
	var all sync.WaitGroup
	for i := range 20 * len(plugins) {
		plugin := plugins[i%len(plugins)]
		all.Go(func() {
			r, f := p.Do(t.Context(), Job{Plugin: plugin, Payload: one("{}")})
			if want := fmt.Sprintf(`{"plugin":%d}`, i%len(plugins)); f != nil || string(r.Payload) != want {
				t.Errorf("plugin %d: %q, %+v", i%len(plugins), r.Payload, f)
			}
		})
	}
	all.Wait()
}

// TestUnusableCacheIsReportedOnce: an unusable cache is reported once and changes nothing else.
func TestUnusableCacheIsReportedOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	p := pool(t, Config{Jobs: 1, CacheDir: dir})
	warnings := mustDo(t, p, well(), "{}").Warnings
	if len(warnings) != 1 || !strings.Contains(warnings[0], "writable by others") {
		t.Errorf("warnings %q, want one about the directory", warnings)
	}
	if r := mustDo(t, p, named(guests.Well("m", "x")), "{}"); len(r.Warnings) > 0 {
		t.Errorf("said again: %q", r.Warnings)
	}
}

// TestReserve: a worker serves all pools of a reserve that have the same configuration, and ends with the reserve.
func TestReserve(t *testing.T) {
	reserve := NewReserve(1)
	process := func(c Config) int {
		t.Helper()
		c.Jobs, c.Reserve = 1, reserve
		p := pool(t, c)
		mustDo(t, p, well(), "{}")
		pid := p.idle[0].cmd.Process.Pid
		p.Close()
		return pid
	}
	first := process(Config{})
	if again := process(Config{}); again != first {
		t.Errorf("the second pool has started a worker of its own")
	}
	if other := process(Config{Limits: limits.Limits{Message: 100}}); other == first {
		t.Errorf("a worker serves under limits of another pool")
	}
	if len(reserve.idle) != 1 {
		t.Fatalf("the reserve holds %d workers, want 1", len(reserve.idle))
	}
	last := reserve.idle[0]
	reserve.Close()
	if last.cmd.ProcessState == nil {
		t.Error("a worker outlives the reserve")
	}
}

func TestNoSuchProgram(t *testing.T) {
	p := pool(t, Config{Command: []string{"/nonexistent/program"}})
	if _, f := p.Do(t.Context(), Job{Plugin: well()}); f == nil || f.Kind != fault.IO {
		t.Errorf("failure %+v, want io", f)
	}
}
