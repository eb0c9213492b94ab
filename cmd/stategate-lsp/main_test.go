package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stategate/stategate/cmd/internal/gate/gatetest"
)

// role lets the test binary act as a stategate that does nothing until SIGTERM.
const role = "STATEGATE_LSP_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(role) == "patient" {
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, syscall.SIGTERM)
		_ = os.WriteFile("started", nil, 0o600)
		<-ended
		_ = os.WriteFile("ended", nil, 0o600)
		os.Exit(143)
	}
	gatetest.Main(m, "stategate", "stategate-lsp")
}

const (
	session = ".ocr/sessions/2026-03-11-fix-token-refresh/"
	broken  = session + "state.json"
	cut     = ".ocr/sessions/2026-03-12-refactor-store/state.json"
	ahead   = ".ocr/sessions/2026-03-10-feat-rate-limit/state.json"
)

// TestEdit: an editor shows findings in unsaved text, offers the fix as an edit, and explains the rule.
func TestEdit(t *testing.T) {
	dir := gatetest.Sample(t, "closed")
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "state")
	e := start(t, dir, gatetest.Built["stategate"])
	e.initialize(capable)
	wrong := e.says(broken, "current_round is 3, but the highest round is 1")
	if want := (textRange{position{6, 19}, position{6, 20}}); wrong.Range != want || wrong.Severity != 1 ||
		wrong.Code != "ocr/round-beyond-files" || wrong.Source != "stategate" {
		t.Errorf("the finding is %+v", wrong)
	}
	e.open(broken)
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri(broken),
		"version": 2},
		"contentChanges": []any{map[string]any{"range": wrong.Range, "text": "1"}}})
	e.diagnostics(broken, func(p published) bool { return p.Version == 2 && errorsOf(p) == 0 })
	if on := e.text(broken); !strings.Contains(on, `"current_round": 3`) {
		t.Errorf("the file on disk was changed: %s", on)
	}

	text := strings.Replace(e.text(broken), `"current_round": 3`, `"current_round": 12`, 1)
	e.change(broken, 3, text)
	wrong = e.says(broken, "current_round is 12")
	action := named(e.actions(broken, wrong), "Set current_round to 1")
	if action.Kind != quickFix || !action.IsPreferred || action.Edit == nil || len(action.Edit.DocumentChanges) != 1 ||
		*action.Edit.DocumentChanges[0].TextDocument.Version != 3 {
		t.Fatalf("the action is %+v", action)
	}
	if got, want := apply(units{}, text, action.Edit.DocumentChanges[0].Edits),
		strings.Replace(text, "12", "1", 1); got != want {
		t.Errorf("the edit leads to %s", got)
	}
	all := named(e.actions(broken, diagnostic{}), "Apply every safe stategate remedy")
	if all.Kind != fixAll || all.Edit == nil {
		t.Errorf("all at once: %+v", all)
	}
	var hover struct {
		Contents struct{ Kind, Value string }
		Range    textRange
	}
	e.must("textDocument/hover", e.at(broken, wrong), &hover)
	for _, part := range []string{"error: current_round is 12", "safe: Set current_round to 1",
		"ocr/round-beyond-files (error)", "Why it matters"} {
		if !strings.Contains(hover.Contents.Value, part) {
			t.Errorf("hover lacks %q: %s", part, hover.Contents.Value)
		}
	}
	if hover.Range != wrong.Range {
		t.Errorf("hover is about %+v", hover.Range)
	}
	if m := e.answer(e.ask("textDocument/hover", e.at(broken, diagnostic{}))); string(m.Result) != "null" {
		t.Errorf("hover where nothing is wrong: %s", m.Result)
	}

	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri(broken)}})
	e.says(broken, "current_round is 3")
}

// TestAlone: an edit triggers a check of only its run; changed files trigger a check of all runs.
func TestAlone(t *testing.T) {
	e := start(t, gatetest.Sample(t, "closed"), gatetest.Built["stategate"])
	e.initialize(capable)
	e.says(broken, "current_round is 3")
	if err := os.WriteFile(filepath.Join(e.dir, broken), []byte(strings.Replace(e.text(broken), "3,", "4,", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	e.open(ahead)
	e.change(ahead, 2, strings.Replace(e.text(ahead), "reviews", "nonsense", 1))
	e.says(ahead, "nonsense")
	for _, p := range e.all {
		if strings.Contains(fmt.Sprint(p), "current_round is 4") {
			t.Errorf("another run was examined: %+v", p)
		}
	}
	e.notify("workspace/didChangeWatchedFiles",
		map[string]any{"changes": []any{map[string]any{"uri": e.uri(broken), "type": 2}}})
	e.says(broken, "current_round is 4")
}

// TestUnits: columns are UTF-16 code units, or bytes if the editor offers that, although stategate counts characters.
func TestUnits(t *testing.T) {
	for encoding, from := range map[string]int{`"utf-16"`: 32, `"utf-16", "utf-8"`: 37} {
		e := start(t, gatetest.Sample(t, "closed"), gatetest.Built["stategate"])
		e.initialize(strings.Replace(capable, `"utf-16"`, encoding, 1))
		e.open(broken)
		text := strings.Replace(e.text(broken), "\n  \"current_round\": 3,",
			"\r\n  \"n\": \"\U0001d11eé☃\", \"current_round\": 3,", 1)
		e.change(broken, 2, text)
		var d diagnostic
		e.diagnostics(broken, func(p published) bool {
			for _, d = range p.Diagnostics {
				if p.Version == 2 && strings.HasPrefix(d.Message, "current_round is 3") {
					return true
				}
			}
			return false
		})
		if want := (textRange{position{6, from}, position{6, from + 1}}); d.Range != want {
			t.Errorf("%s: the finding is at %+v, expected %+v", encoding, d.Range, want)
		}
		action := named(e.actions(broken, d), "Set current_round")
		if action.Edit == nil {
			t.Fatalf("%s: no edit: %+v", encoding, action)
		}
		if got := apply(units{strings.Contains(encoding, "utf-8")}, text,
			action.Edit.DocumentChanges[0].Edits); got != strings.Replace(text, ": 3,", ": 1,", 1) {
			t.Errorf("%s: the edit leads to %s", encoding, got)
		}
	}
}

// TestCommand: stategate itself applies a remedy that does more than edit documents, once no document has unsaved
// text.
func TestCommand(t *testing.T) {
	e := start(t, gatetest.Sample(t, "closed"), gatetest.Built["stategate"])
	e.initialize(strings.Replace(capable, `"documentChanges": true`, `"documentChanges": false`, 1))
	wrong := e.says(cut, "not valid JSON")
	remove := named(e.actions(cut, wrong), "Remove state.json (review)")
	if remove.Command == nil || remove.Edit != nil || remove.IsPreferred {
		t.Fatalf("removing is %+v", remove)
	}
	e.open(broken)
	e.change(broken, 2, "{}")
	call := map[string]any{"command": remove.Command.Command, "arguments": remove.Command.Arguments}
	if m := e.answer(e.ask("workspace/executeCommand", call)); m.Error == nil ||
		!strings.Contains(m.Error.Message, "save ") {
		t.Errorf("with unsaved text: %+v", m)
	}
	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri(broken)}})
	if m := e.answer(e.ask("workspace/executeCommand", call)); m.Error != nil {
		t.Fatal(m.Error)
	}
	if _, err := os.Stat(filepath.Join(e.dir, cut)); err == nil {
		t.Error("state.json was not removed")
	}
	e.await("window/showMessage", func(m *received) bool { return strings.Contains(string(m.Params), "undo with") })
	e.says(filepath.Dir(cut)+"/context.md", "state.json is missing") // cut no longer exists
	e.diagnostics(cut, func(p published) bool { return len(p.Diagnostics) == 0 })
	late := e.says(ahead, "round 1 is complete")
	if finish := named(e.actions(ahead, late), "Finish: "); finish.Edit == nil ||
		len(finish.Edit.Changes[e.uri(ahead)]) == 0 {
		t.Errorf("an edit without versions: %+v", finish)
	}
}

// TestSaved: a run that the editor created and saved is found, and the first check reports its progress.
func TestSaved(t *testing.T) {
	e := start(t, gatetest.Sample(t, "closed"), gatetest.Built["stategate"])
	e.must("initialize", map[string]any{"capabilities": json.RawMessage(capable), "rootUri": uriOf(e.dir)}, &struct{}{})
	e.notify("initialized", map[string]any{})
	for _, want := range []string{`"kind":"begin"`, `"percentage":33`, `3 of 3 runs`, `the gate is closed`} {
		e.await("$/progress", func(m *received) bool { return strings.Contains(string(m.Params), want) })
	}
	fresh := ".ocr/sessions/2026-03-13-new/state.json"
	if err := os.MkdirAll(filepath.Dir(filepath.Join(e.dir, fresh)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(e.dir, fresh),
		[]byte(strings.Replace(e.text(broken), "2026-03-11-fix-token-refresh", "2026-03-13-new", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	e.open(fresh)
	e.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": e.uri(fresh)}})
	e.says(fresh, "current_round is 3")
	if err := os.RemoveAll(filepath.Dir(filepath.Join(e.dir, fresh))); err != nil {
		t.Fatal(err)
	}
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{}})
	e.diagnostics(fresh, func(p published) bool { return len(p.Diagnostics) == 0 })
	e.notify("workspace/didChangeWorkspaceFolders",
		map[string]any{"event": map[string]any{"added": []any{},
			"removed": []any{map[string]any{"uri": uriOf(e.dir)}}}})
	e.diagnostics(broken, func(p published) bool { return len(p.Diagnostics) == 0 })
}

// TestCancel: a cancelled request ends the stategate that was started for it.
func TestCancel(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := gatetest.Sample(t, "closed")
	wrapper := filepath.Join(t.TempDir(), "stategate")
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$1\" = explain ] || [ -e slow ] && [ ! -e started ]; then rm -f slow; "+
		"%s=patient exec '%s'; fi\nexec '%s' \"$@\"\n", role, self, gatetest.Built["stategate"])
	if err := os.WriteFile(wrapper, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	gone := func(name string) { e := os.Remove(filepath.Join(dir, name)); _ = e }
	if err := os.WriteFile(filepath.Join(dir, "slow"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e := start(t, dir, wrapper)
	e.must("initialize", map[string]any{"capabilities": json.RawMessage(capable), "rootUri": uriOf(dir)}, &struct{}{})
	e.notify("initialized", map[string]any{})
	begin := e.await("$/progress", func(m *received) bool {
		return strings.Contains(string(m.Params),
			`"kind":"begin"`)
	})
	var progress struct{ Token string }
	if err := json.Unmarshal(begin.Params, &progress); err != nil {
		t.Fatal(err)
	}
	await(t, filepath.Join(dir, "started"))
	e.notify("window/workDoneProgress/cancel", map[string]any{"token": progress.Token})
	e.await("$/progress", func(m *received) bool {
		return strings.Contains(string(m.Params),
			"the check was cancelled")
	})
	await(t, filepath.Join(dir, "ended"))

	e.open(broken) // its run is still checked
	wrong := e.says(broken, "current_round is 3")
	gone("started")
	gone("ended")
	id := e.ask("textDocument/hover", e.at(broken, wrong))
	await(t, filepath.Join(dir, "started"))
	e.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
	if m := e.answer(id); m.Error == nil || m.Error.Code != codeCancelled {
		t.Errorf("a cancelled request: %+v", m)
	}
	await(t, filepath.Join(dir, "ended"))
}

// await waits until another process has written a file.
func await(t *testing.T, name string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; runtime.Gosched() {
		if _, err := os.Stat(name); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not appear", filepath.Base(name))
		}
	}
}

// TestProtocol: a malformed or untimely message gets an error, and the server continues until the editor sends exit.
func TestProtocol(t *testing.T) {
	e := start(t, t.TempDir(), gatetest.Built["stategate"])
	refused := func(code int, method string, params any) {
		t.Helper()
		if m := e.answer(e.ask(method, params)); m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %+v", method, m)
		}
	}
	refused(codeNotInitialized, "textDocument/hover", map[string]any{})
	refused(codeInvalidParams, "initialize", "?")
	e.initialize("{}")
	refused(codeInvalidRequest, "initialize", map[string]any{})
	refused(codeNoMethod, "textDocument/rename", map[string]any{})
	refused(codeInvalidParams, "textDocument/hover", []int{1})
	refused(codeInvalidParams, "workspace/executeCommand", map[string]any{"command": applyCommand})
	refused(codeInvalidParams, "workspace/executeCommand",
		map[string]any{"command": applyCommand, "arguments": []string{"file:///elsewhere", "x", "1234"}})
	refused(codeInvalidParams, "workspace/executeCommand",
		map[string]any{"command": applyCommand, "arguments": []string{uriOf(e.dir), "/etc/passwd", "1234"}})
	e.notify("textDocument/didOpen", map[string]any{"textDocument": 7})
	if _, err := io.WriteString(e.w, "Content-Length: 3\r\n\r\n{]}"); err != nil {
		t.Fatal(err)
	}
	if m := e.await("", func(m *received) bool { return m.Error != nil }); m.Error.Code != codeParse {
		t.Errorf("no JSON: %+v", m)
	}
	if m := e.answer(e.ask("shutdown", nil)); string(m.Result) != "null" {
		t.Errorf("shutdown: %+v", m)
	}
	refused(codeInvalidRequest, "textDocument/hover", map[string]any{})
	e.notify("exit", nil)
	if code := <-e.exit; code != 0 {
		t.Errorf("exit after shutdown: %d", code)
	}
	rude := start(t, t.TempDir(), gatetest.Built["stategate"])
	rude.initialize("{}")
	rude.notify("exit", nil)
	if code := <-rude.exit; code != 1 {
		t.Errorf("exit without shutdown: %d", code)
	}
}

// TestCalls: a usage error is one line and exit code 2.
func TestCalls(t *testing.T) {
	for want, args := range map[string][]string{
		"found an argument": {"a"}, "cannot find stategate": {"--stategate", "no-such-program"},
		"unknown flag: --nothing; `stategate-lsp --help` lists the flags": {"--nothing"},
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
		"--version": "stategate-lsp (devel)\n", "--help": "\n      --stategate FILE ",
	} {
		var out, stderr strings.Builder
		if code := run(t.Context(), []string{flag}, nil, &out, &stderr); code != 0 || stderr.Len() > 0 ||
			!strings.Contains(out.String(), want) {
			t.Errorf("%s: %d, %s, %s", flag, code, out.String(), stderr.String())
		}
	}
}

// TestBadInput: a message that is not JSON gets an error, and the next one is served. If no further message can be
// found, the server reports that and exits.
func TestBadInput(t *testing.T) {
	program := []string{"--stategate", gatetest.Built["stategate"]}
	for in, want := range map[string]string{
		"Content-Length: 4\r\n\r\noops" +
			"Content-Length: 34\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}": `"code":-32700`,
		"oops\r\n\r\n": "standard input does not contain valid messages: malformed MIME header",
		"":             "",
	} {
		var out, stderr strings.Builder
		code := run(t.Context(), program, strings.NewReader(in), &out, &stderr)
		if code != 1 || !strings.Contains(out.String()+stderr.String(), want) || want == "" && stderr.Len() > 0 {
			t.Errorf("%q: %d, %s, %s", in, code, out.String(), stderr.String())
		}
	}
}
