package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stategate/stategate/cmd/internal/gate/gatetest"
)

// role lets the test binary act as a server, or as a stategate that does nothing until SIGTERM.
const role = "STATEGATE_MCP_TEST"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "server":
		main()
	case "patient":
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, syscall.SIGTERM)
		_ = os.WriteFile("started", nil, 0o600)
		<-ended
		_ = os.WriteFile("ended", nil, 0o600)
		os.Exit(143)
	}
	gatetest.Main(m, "stategate")
}

// serve starts a server process for a copy of a sample repository, and a client.
func serve(t *testing.T, tree string) (dir string, s *mcp.ClientSession) {
	t.Helper()
	dir = gatetest.Sample(t, tree)
	return dir, connect(t, dir, gatetest.Built["stategate"], "server")
}

func connect(t *testing.T, dir, program, as string) *mcp.ClientSession {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, "--stategate", program, dir)
	c.Env = append(os.Environ(), role+"="+as)
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.CommandTransport{Command: c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// call calls a tool and decodes a structured answer into out. It returns the text, and whether it is an error.
func call(t *testing.T, s *mcp.ClientSession, tool string, in map[string]any, out any) (string, bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if out != nil {
		data, _ := json.Marshal(r.StructuredContent)
		if err := json.Unmarshal(data, out); err != nil {
			t.Fatalf("%s: %v: %s", tool, err, data)
		}
	}
	text := ""
	for _, c := range r.Content {
		text += c.(*mcp.TextContent).Text
	}
	return text, r.IsError
}

const broken = ".ocr/sessions/2026-03-11-fix-token-refresh"

// TestTools: an agent finds the run, reads its brief, sees why the gate is closed, previews a remedy and applies it,
// while the repository changes under the server.
func TestTools(t *testing.T) {
	dir, s := serve(t, "closed")
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 6 {
		t.Fatalf("tools: %v, %v", tools, err)
	}
	var all Runs
	call(t, s, "runs", nil, &all)
	if all.Gate != "closed" || len(all.Runs) != 3 || all.Runs[1].Root != broken || all.Runs[1].Observed != "reviews" ||
		all.Runs[1].Next == "" {
		t.Errorf("runs: %+v", all)
	}
	if text, _ := call(t, s, "brief", map[string]any{"path": broken, "budget": 400}, nil); !strings.HasPrefix(text,
		"# Resume `ocr` in `"+broken+"`\n") {
		t.Errorf("brief: %s", text)
	}
	var v Verdict
	call(t, s, "check", map[string]any{"path": broken}, &v)
	if v.Gate != "closed" || len(v.Findings) != 1 || v.Findings[0].Rule != "ocr/round-beyond-files" ||
		v.Findings[0].Run != "review round-1" || len(v.Findings[0].Remedies) == 0 {
		t.Fatalf("check: %+v", v)
	}
	if text, _ := call(t, s, "explain", map[string]any{"topic": v.Findings[0].Rule}, nil); !strings.HasPrefix(text,
		"ocr/round-beyond-files (error)") {
		t.Errorf("explain: %s", text)
	}
	id := v.Findings[0].Remedies[0].ID
	before := read(t, dir)
	if text, bad := call(t, s, "apply", map[string]any{"ids": []string{id}, "path": broken}, nil); bad ||
		!strings.Contains(text, `+  "current_round": 1,`) || read(t, dir) != before {
		t.Errorf("apply without write: %s", text)
	}
	if text, bad := call(t, s, "apply", map[string]any{"ids": []string{id}, "path": broken, "write": true}, nil); bad ||
		read(t, dir) == before {
		t.Errorf("apply: %s", text)
	}
	call(t, s, "check", map[string]any{"path": broken}, &v)
	if v.Gate != "open" || len(v.Findings) != 0 {
		t.Errorf("after the repair: %+v", v)
	}
	if text, bad := call(t, s, "apply", map[string]any{"ids": []string{id}, "write": true}, nil); !bad ||
		!strings.Contains(text, "no remedy has the id") {
		t.Errorf("applied twice: %s", text)
	}
	if err := os.RemoveAll(filepath.Join(dir, broken)); err != nil {
		t.Fatal(err)
	}
	call(t, s, "runs", nil, &all)
	if len(all.Runs) != 2 {
		t.Errorf("a run was removed while it is served: %+v", all)
	}
}

// TestHidden: invisible text never reaches an agent in any answer.
func TestHidden(t *testing.T) {
	dir, s := serve(t, "closed")
	const hidden = "\U000e0141\u200b\u202e"
	old := filepath.Join(dir, ".ocr/sessions/2026-03-12-refactor-store")
	if err := os.Rename(old, old+hidden+"##vso[x]"); err != nil {
		t.Skipf("no such name of a directory: %v", err)
	}
	for tool, in := range map[string]map[string]any{"runs": {"all": true}, "check": {}, "remedies": {}, "brief": {}} {
		var out map[string]any
		text, _ := call(t, s, tool, in, nil)
		if tool != "brief" {
			call(t, s, tool, in, &out)
		}
		all, _ := json.Marshal(out)
		if text += string(all); strings.ContainsAny(text, hidden) || !strings.Contains(text, "refactor-store") {
			t.Errorf("%s: %q", tool, text)
		}
	}
}

// TestUnsafe: an unsafe remedy is not applied without the user's agreement, and no path can leave the directory or
// become a flag.
func TestUnsafe(t *testing.T) {
	dir, s := serve(t, "closed")
	other := gatetest.Sample(t, "closed")
	if err := os.Symlink(other, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	var list Remedies
	call(t, s, "remedies", nil, &list)
	for _, r := range list.Remedies {
		if r.Safety != "review" {
			continue
		}
		if text, bad := call(t, s, "apply", map[string]any{"ids": []string{r.ID}, "write": true}, nil); !bad ||
			!strings.Contains(text, "is not safe but review; show it to the user first") {
			t.Errorf("%s: %s", r.ID, text)
		}
		if text, bad := call(t, s, "apply", map[string]any{"ids": []string{r.ID}}, nil); bad ||
			!strings.Contains(text, "@@") {
			t.Errorf("%s, dry: %s", r.ID, text)
		}
	}
	for path, want := range map[string]string{"../x": "is not below", "/": "is not below", "--fix": "--fix",
		"out/.ocr": "is not below", other: "is not below"} {
		if text, bad := call(t, s, "check", map[string]any{"path": path}, nil); !bad || !strings.Contains(text, want) ||
			strings.Contains(text, "unknown flag") {
			t.Errorf("%s: %s", path, text)
		}
	}
	if text, bad := call(t, s, "apply", map[string]any{"path": "out/.ocr", "ids": []string{"f0ea"}, "write": true},
		nil); !bad || !strings.Contains(text, "is not below") {
		t.Errorf("a repair through a link: %s", text)
	}
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: briefs + "out%2f.ocr"}); err == nil {
		t.Error("a brief through a link can be read")
	}
	if text, bad := call(t, s, "explain", map[string]any{"topic": "--help"}, nil); !bad {
		t.Errorf("a flag as a topic: %s", text)
	}
}

// TestBase: a remedy that check found with a base can be shown with the same base.
func TestBase(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@localhost"},
			args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	spec := filepath.Join(dir, "openspec", "specs", "auth", "spec.md")
	requirement := "\n### Requirement: %s\nThe system SHALL log.\n\n#### Scenario: x\n- **WHEN** a\n- **THEN** b\n"
	text := "# auth Specification\n\n## Purpose\nAuth.\n\n## Requirements\n" +
		strings.ReplaceAll(requirement, "%s", "Login")
	write := func(text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(spec), 0o755),
			os.WriteFile(spec, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
		git("add", "-A")
		git("commit", "-qm", "x")
	}
	git("init", "-q", "-b", "main")
	write(text + strings.ReplaceAll(requirement, "%s", "Logout"))
	write(text)
	s := connect(t, dir, gatetest.Built["stategate"], "server")
	base := map[string]any{"base": "HEAD~1"}
	var v Verdict
	call(t, s, "check", base, &v)
	if v.Gate != "closed" || len(v.Findings) != 1 || len(v.Findings[0].Remedies) == 0 {
		t.Fatalf("check: %+v", v)
	}
	var list Remedies
	call(t, s, "remedies", base, &list)
	if len(list.Remedies) == 0 || list.Remedies[0].ID != v.Findings[0].Remedies[0].ID {
		t.Errorf("remedies: %+v", list)
	}
	base["ids"] = []string{strings.ToUpper(v.Findings[0].Remedies[0].ID)}
	if text, bad := call(t, s, "apply", base, nil); bad || !strings.Contains(text, "+### Requirement: Logout") {
		t.Errorf("apply: %s", text)
	}
}

// TestUnknownTool: the server refuses an unknown tool and continues to serve.
func TestUnknownTool(t *testing.T) {
	_, s := serve(t, "open")
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "status"}); err == nil ||
		!strings.Contains(err.Error(), `unknown tool "status"`) {
		t.Errorf("got %v", err)
	}
	if text, bad := call(t, s, "explain", nil, nil); bad || text == "" {
		t.Errorf("explain after it: %s", text)
	}
}

// TestResources: the list shows the briefs of the runs that are now in progress, and each can be read.
func TestResources(t *testing.T) {
	dir, s := serve(t, "closed")
	if err := os.Rename(filepath.Join(dir, broken), filepath.Join(dir, broken+" ä?#%")); err != nil {
		t.Fatal(err)
	}
	list, err := s.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 3 {
		t.Fatalf("resources: %+v, %v", list, err)
	}
	for _, r := range list.Resources {
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || !strings.HasPrefix(got.Contents[0].Text, "# Resume `ocr` in `"+r.Name+"`\n") {
			t.Errorf("%s: %+v, %v", r.URI, got, err)
		}
	}
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: briefs + "../../etc"}); err == nil {
		t.Error("a brief outside of the directory can be read")
	}
}

// TestCancel: a cancelled call ends the stategate that it started, and the server continues.
func TestCancel(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM")
	}
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	wrapper := filepath.Join(t.TempDir(), "stategate")
	script := "#!/bin/sh\nif [ \"$1\" = explain ]; then echo fine; exit; fi\n" + role + "=patient exec '" + self + "'\n"
	if err := os.WriteFile(wrapper, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	s := connect(t, dir, wrapper, "server")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "check"})
		done <- err
	}()
	await(t, filepath.Join(dir, "started"))
	cancel()
	if err := <-done; err == nil {
		t.Error("a cancelled call has an answer")
	}
	await(t, filepath.Join(dir, "ended"))
	if text, bad := call(t, s, "explain", nil, nil); bad || text != "fine\n" {
		t.Errorf("after a cancelled call: %s", text)
	}
}

// await waits until another process has written a file.
func await(t *testing.T, name string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !exists(name); {
		if time.Now().After(end) {
			t.Fatalf("%s does not appear", filepath.Base(name))
		}
		runtime.Gosched()
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func read(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, broken, "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCalls: a usage error is one line and exit code 2.
func TestCalls(t *testing.T) {
	for want, args := range map[string][]string{
		"found 2 arguments": {"a", "b"}, "is not a directory": {"main.go"},
		"cannot find stategate": {"--stategate", "no-such-program"},
		"unknown flag: --nothing; `stategate-mcp --help` lists the flags": {"--nothing"},
	} {
		var b strings.Builder
		if code := run(t.Context(), args, nil, nil, &b); code != 2 || !strings.Contains(b.String(), want) ||
			strings.Count(b.String(), "\n") != 1 {
			t.Errorf("%q: %d, %s", args, code, b.String())
		}
	}
}

// TestVersion: --version and --help print to stdout, and help shows the flags as the user types them.
func TestVersion(t *testing.T) {
	for flag, want := range map[string]string{
		"--version": "stategate-mcp (devel)\n", "--help": "\n      --stategate FILE ",
	} {
		var out, stderr strings.Builder
		if code := run(t.Context(), []string{flag}, nil, &out, &stderr); code != 0 || stderr.Len() > 0 ||
			!strings.Contains(out.String(), want) {
			t.Errorf("%s: %d, %s, %s", flag, code, out.String(), stderr.String())
		}
	}
}

// TestGateStaysSmall: stategate itself does not link the libraries of its servers.
func TestGateStaysSmall(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../stategate").Output()
	if err != nil || strings.Contains(string(out), "modelcontextprotocol") ||
		!strings.Contains(string(out), "spf13/cobra") {
		t.Errorf("stategate links the SDK of the protocol: %v", err)
	}
}
