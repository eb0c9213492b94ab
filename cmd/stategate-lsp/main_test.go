package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stategate/stategate/cmd/internal/gate/gatetest"
)

// role makes the test binary a stategate that does nothing until it is told to end.
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

// An editor is the client of a server that runs in this process.
type editor struct {
	t        testing.TB
	dir      string
	w        io.WriteCloser
	next     int
	messages chan *received
	early    []*received // what was not waited for yet
	shown    map[string]published
	all      []published
	exit     chan int
}

type received struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *wireError
}

// start starts a server without initializing it.
func start(t testing.TB, dir, program string) *editor {
	t.Helper()
	in, w := io.Pipe()
	r, out := io.Pipe()
	e := &editor{t: t, dir: dir, w: w, shown: map[string]published{}, messages: make(chan *received, 1000), exit: make(chan int, 1)}
	go func() {
		e.exit <- run(context.Background(), []string{"--stdio", "--stategate", program}, in, out, io.Discard)
		out.Close()
	}()
	go func() {
		defer close(e.messages)
		for b := bufio.NewReader(r); ; {
			m, err := receiveTest(b)
			if err != nil {
				return
			}
			e.messages <- m
		}
	}()
	t.Cleanup(func() {
		w.Close()
		for range e.messages { // until the server has ended
			continue
		}
	})
	return e
}

func receiveTest(b *bufio.Reader) (*received, error) {
	var n int
	if _, err := fmt.Fscanf(b, "Content-Length: %d\r\n\r\n", &n); err != nil {
		return nil, err
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(b, body); err != nil {
		return nil, err
	}
	m := &received{}
	return m, json.Unmarshal(body, m)
}

// capable is what this editor can do.
const capable = `{
	"general": {"positionEncodings": ["utf-32", "utf-16"]}, "window": {"workDoneProgress": true},
	"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}, "didChangeWatchedFiles": {"dynamicRegistration": true}}
}`

// initialize begins a session and waits until all runs are known.
func (e *editor) initialize(capabilities string) {
	e.t.Helper()
	var result struct{ Capabilities map[string]any }
	e.must("initialize", map[string]any{"capabilities": json.RawMessage(capabilities), "workspaceFolders": []any{map[string]any{"uri": uriOf(e.dir), "name": "x"}}}, &result)
	if result.Capabilities["positionEncoding"] == nil {
		e.t.Fatalf("initialize: %+v", result)
	}
	e.notify("initialized", map[string]any{})
	if strings.Contains(capabilities, "workDoneProgress") {
		e.await("$/progress", func(m *received) bool { return strings.Contains(string(m.Params), `"kind":"end"`) })
	}
}

func (e *editor) write(m map[string]any) {
	m["jsonrpc"] = "2.0"
	body, _ := json.Marshal(m)
	if _, err := fmt.Fprintf(e.w, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) notify(method string, params any) {
	e.write(map[string]any{"method": method, "params": params})
}

// ask sends a request.
func (e *editor) ask(method string, params any) (id string) {
	e.next++
	e.write(map[string]any{"id": e.next, "method": method, "params": params})
	return fmt.Sprint(e.next)
}

func (e *editor) answer(id string) *received {
	e.t.Helper()
	return e.await("", func(m *received) bool { return string(m.ID) == id })
}

// must asks, and decodes the answer.
func (e *editor) must(method string, params, out any) {
	e.t.Helper()
	m := e.answer(e.ask(method, params))
	if m.Error != nil {
		e.t.Fatalf("%s: %v", method, m.Error)
	}
	if err := json.Unmarshal(m.Result, out); err != nil {
		e.t.Fatalf("%s: %v: %s", method, err, m.Result)
	}
}

// await returns the first message of a method that fits and was not returned before, and forgets those of that method before it.
func (e *editor) await(method string, fits func(*received) bool) *received {
	e.t.Helper()
	var last json.RawMessage
	for limit := time.After(60 * time.Second); ; {
		for i, m := range e.early {
			if m.Method == method && fits(m) {
				e.early = slices.Delete(e.early, i, i+1)
				return m
			}
			if m.Method == method {
				last = m.Params
			}
		}
		e.early = slices.DeleteFunc(e.early, func(m *received) bool { return m.Method == method && method != "" })
		e.receive(limit, method, last)
	}
}

// receive receives one message. Requests of the server are answered, findings are taken in.
func (e *editor) receive(limit <-chan time.Time, method string, last json.RawMessage) {
	e.t.Helper()
	select {
	case m := <-e.messages:
		switch {
		case m == nil:
			e.t.Fatalf("the server left while %s was awaited", method)
		case m.Method == "textDocument/publishDiagnostics":
			var p published
			if err := json.Unmarshal(m.Params, &p); err != nil {
				e.t.Fatal(err)
			}
			e.shown[p.URI] = p
			e.all = append(e.all, p)
			return
		case m.Method != "" && m.ID != nil:
			e.write(map[string]any{"id": m.ID, "result": nil})
		}
		e.early = append(e.early, m)
	case <-limit:
		e.t.Fatalf("no such %s; the last one: %s", method, last)
	}
}

type published struct {
	URI         string
	Version     int
	Diagnostics []diagnostic
}

// diagnostics waits until those that are shown of a document fit, and returns them.
func (e *editor) diagnostics(path string, fits func(p published) bool) published {
	e.t.Helper()
	for limit := time.After(60 * time.Second); ; {
		p, known := e.shown[e.uri(path)]
		if known && fits(p) {
			return p
		}
		last, _ := json.Marshal(p)
		e.receive(limit, "textDocument/publishDiagnostics", last)
	}
}

// says waits until a finding of a document is there whose message has a text.
func (e *editor) says(path, text string) (found diagnostic) {
	e.t.Helper()
	e.diagnostics(path, func(p published) bool {
		for _, d := range p.Diagnostics {
			if strings.Contains(d.Message, text) {
				found = d
				return true
			}
		}
		return false
	})
	return found
}

// errors counts findings that are errors.
func errorsOf(p published) (n int) {
	for _, d := range p.Diagnostics {
		if d.Severity == 1 {
			n++
		}
	}
	return n
}

func (e *editor) uri(path string) string { return uriOf(filepath.Join(e.dir, path)) }

func (e *editor) text(path string) string {
	e.t.Helper()
	data, err := os.ReadFile(filepath.Join(e.dir, path))
	if err != nil {
		e.t.Fatal(err)
	}
	return string(data)
}

func (e *editor) open(path string) {
	e.t.Helper()
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri(path), "languageId": "x", "version": 1, "text": e.text(path)}})
}

// change replaces all of a document.
func (e *editor) change(path string, version int, text string) {
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri(path), "version": version}, "contentChanges": []any{map[string]any{"text": text}}})
}

func (e *editor) at(path string, d diagnostic) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(path)}, "position": d.Range.Start, "range": d.Range, "context": map[string]any{"diagnostics": []any{}}}
}

type codeAction struct {
	Title, Kind string
	IsPreferred bool
	Edit        *struct {
		DocumentChanges []struct {
			Kind         string
			URI          string
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []textEdit
		}
		Changes map[string][]textEdit
	}
	Command *struct {
		Command   string
		Arguments []string
	}
}

func (e *editor) actions(path string, d diagnostic) (list []codeAction) {
	e.t.Helper()
	e.must("textDocument/codeAction", e.at(path, d), &list)
	return list
}

func named(list []codeAction, title string) codeAction {
	for _, a := range list {
		if strings.HasPrefix(a.Title, title) {
			return a
		}
	}
	return codeAction{}
}

// apply makes edits, of which the last comes first so that the others stay where they are.
func apply(u units, text string, edits []textEdit) string {
	for i := len(edits) - 1; i >= 0; i-- {
		text = text[:u.offset(text, edits[i].Range.Start)] + edits[i].NewText + text[u.offset(text, edits[i].Range.End):]
	}
	return text
}

const (
	session = ".ocr/sessions/2026-03-11-fix-token-refresh/"
	broken  = session + "state.json"
	cut     = ".ocr/sessions/2026-03-12-refactor-store/state.json"
	ahead   = ".ocr/sessions/2026-03-10-feat-rate-limit/state.json"
)

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost"}, args...)...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// TestEdit: an editor shows what is wrong with text that is not saved, offers the cure as an edit of it, and explains the rule.
func TestEdit(t *testing.T) {
	dir := gatetest.Sample(t, "closed")
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "state")
	e := start(t, dir, gatetest.Built["stategate"])
	e.initialize(capable)
	wrong := e.says(broken, "current_round is 3 but the highest round is 1")
	if want := (textRange{position{6, 19}, position{6, 20}}); wrong.Range != want || wrong.Severity != 1 || wrong.Code != "ocr/round-beyond-files" || wrong.Source != "stategate" {
		t.Errorf("the finding is %+v", wrong)
	}
	e.open(broken)
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri(broken), "version": 2},
		"contentChanges": []any{map[string]any{"range": wrong.Range, "text": "1"}}})
	e.diagnostics(broken, func(p published) bool { return p.Version == 2 && errorsOf(p) == 0 })
	if on := e.text(broken); !strings.Contains(on, `"current_round": 3`) {
		t.Errorf("the file on disk was changed: %s", on)
	}

	text := strings.Replace(e.text(broken), `"current_round": 3`, `"current_round": 12`, 1)
	e.change(broken, 3, text)
	wrong = e.says(broken, "current_round is 12")
	action := named(e.actions(broken, wrong), "Set current_round to 1")
	if action.Kind != quickFix || !action.IsPreferred || action.Edit == nil || len(action.Edit.DocumentChanges) != 1 || *action.Edit.DocumentChanges[0].TextDocument.Version != 3 {
		t.Fatalf("the action is %+v", action)
	}
	if got, want := apply(units{}, text, action.Edit.DocumentChanges[0].Edits), strings.Replace(text, "12", "1", 1); got != want {
		t.Errorf("the edit leads to %s", got)
	}
	all := named(e.actions(broken, diagnostic{}), "Apply every safe remedy")
	if all.Kind != fixAll || all.Edit == nil {
		t.Errorf("all at once: %+v", all)
	}
	var hover struct {
		Contents struct{ Kind, Value string }
		Range    textRange
	}
	e.must("textDocument/hover", e.at(broken, wrong), &hover)
	for _, part := range []string{"error: current_round is 12", "safe: Set current_round to 1", "ocr/round-beyond-files (error)", "Why it matters"} {
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

// TestAlone: an edit has its run examined and no other; a look at all of them comes when files change.
func TestAlone(t *testing.T) {
	e := start(t, gatetest.Sample(t, "closed"), gatetest.Built["stategate"])
	e.initialize(capable)
	e.says(broken, "current_round is 3")
	if err := os.WriteFile(filepath.Join(e.dir, broken), []byte(strings.Replace(e.text(broken), "3,", "4,", 1)), 0o600); err != nil {
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
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri(broken), "type": 2}}})
	e.says(broken, "current_round is 4")
}

// TestUnits: columns are UTF-16 code units, or bytes where the editor offers that; stategate counts characters.
func TestUnits(t *testing.T) {
	for encoding, from := range map[string]int{`"utf-16"`: 32, `"utf-16", "utf-8"`: 37} {
		e := start(t, gatetest.Sample(t, "closed"), gatetest.Built["stategate"])
		e.initialize(strings.Replace(capable, `"utf-16"`, encoding, 1))
		e.open(broken)
		text := strings.Replace(e.text(broken), "\n  \"current_round\": 3,", "\r\n  \"n\": \"\U0001d11eé☃\", \"current_round\": 3,", 1)
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
		if got := apply(units{strings.Contains(encoding, "utf-8")}, text, action.Edit.DocumentChanges[0].Edits); got != strings.Replace(text, ": 3,", ": 1,", 1) {
			t.Errorf("%s: the edit leads to %s", encoding, got)
		}
	}
}

// TestCommand: what is more than edits of documents is stategate's to do, once nothing is unsaved.
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
	if m := e.answer(e.ask("workspace/executeCommand", call)); m.Error == nil || !strings.Contains(m.Error.Message, "save ") {
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
	e.says(filepath.Dir(cut)+"/context.md", "no state.json") // it is not there to be shown
	e.diagnostics(cut, func(p published) bool { return len(p.Diagnostics) == 0 })
	late := e.says(ahead, "round 1 is complete")
	if finish := named(e.actions(ahead, late), "Finish: "); finish.Edit == nil || len(finish.Edit.Changes[e.uri(ahead)]) == 0 {
		t.Errorf("an edit without versions: %+v", finish)
	}
}

// TestSaved: what an editor has created and saved is found; the first look reports how far it is.
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
	if err := os.WriteFile(filepath.Join(e.dir, fresh), []byte(strings.Replace(e.text(broken), "2026-03-11-fix-token-refresh", "2026-03-13-new", 1)), 0o600); err != nil {
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
	e.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{}, "removed": []any{map[string]any{"uri": uriOf(e.dir)}}}})
	e.diagnostics(broken, func(p published) bool { return len(p.Diagnostics) == 0 })
}

// TestCancel: what the editor gives up ends the stategate that was started for it.
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
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$1\" = explain ] || [ -e slow ] && [ ! -e started ]; then rm -f slow; %s=patient exec '%s'; fi\nexec '%s' \"$@\"\n", role, self, gatetest.Built["stategate"])
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
	begin := e.await("$/progress", func(m *received) bool { return strings.Contains(string(m.Params), `"kind":"begin"`) })
	var progress struct{ Token string }
	if err := json.Unmarshal(begin.Params, &progress); err != nil {
		t.Fatal(err)
	}
	await(t, filepath.Join(dir, "started"))
	e.notify("window/workDoneProgress/cancel", map[string]any{"token": progress.Token})
	e.await("$/progress", func(m *received) bool { return strings.Contains(string(m.Params), "the check was cancelled") })
	await(t, filepath.Join(dir, "ended"))

	e.open(broken) // its run is examined all the same
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

// await waits until a file is there, which another process writes.
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

// TestProtocol: what comes at the wrong time or cannot be read is refused, and the server goes on until it is told to exit.
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
	refused(codeInvalidParams, "workspace/executeCommand", map[string]any{"command": applyCommand, "arguments": []string{"file:///elsewhere", "x", "1234"}})
	refused(codeInvalidParams, "workspace/executeCommand", map[string]any{"command": applyCommand, "arguments": []string{uriOf(e.dir), "/etc/passwd", "1234"}})
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

// TestCalls: a wrong call is one line and exit code 2.
func TestCalls(t *testing.T) {
	for want, args := range map[string][]string{
		"wrong number of arguments: 1": {"a"}, "stategate is not found": {"--stategate", "no-such-program"}, "flag provided but not defined": {"--nothing"},
	} {
		var b strings.Builder
		if code := run(t.Context(), args, nil, nil, &b); code != 2 || !strings.Contains(b.String(), want) {
			t.Errorf("%q: %d, %s", args, code, b.String())
		}
	}
}

// TestBadInput: a message that is no JSON is answered and the next one is served; where no message begins, the server says so and ends.
func TestBadInput(t *testing.T) {
	program := []string{"--stategate", gatetest.Built["stategate"]}
	for in, want := range map[string]string{
		"Content-Length: 4\r\n\r\noopsContent-Length: 34\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}": `"code":-32700`,
		"oops\r\n\r\n": "standard input is not readable as messages: malformed MIME header",
		"":             "",
	} {
		var out, stderr strings.Builder
		code := run(t.Context(), program, strings.NewReader(in), &out, &stderr)
		if code != 1 || !strings.Contains(out.String()+stderr.String(), want) || want == "" && stderr.Len() > 0 {
			t.Errorf("%q: %d, %s, %s", in, code, out.String(), stderr.String())
		}
	}
}
