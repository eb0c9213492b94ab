package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// An editor is a client of a server that runs in this process.
type editor struct {
	t        testing.TB
	dir      string
	w        io.WriteCloser
	next     int
	messages chan *received
	early    []*received // messages that no test has awaited yet
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
	e := &editor{t: t, dir: dir, w: w, shown: map[string]published{}, messages: make(chan *received, 1000),
		exit: make(chan int, 1)}
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
		for range e.messages { // until the server exits
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

// capable holds this editor's capabilities.
const capable = `{
	"general": {"positionEncodings": ["utf-32", "utf-16"]}, "window": {"workDoneProgress": true},
	"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}, "didChangeWatchedFiles": {"dynamicRegistration": true}}
}`

// initialize starts a session and waits until all runs are known.
func (e *editor) initialize(capabilities string) {
	e.t.Helper()
	var result struct{ Capabilities map[string]any }
	e.must("initialize", map[string]any{"capabilities": json.RawMessage(capabilities),
		"workspaceFolders": []any{map[string]any{"uri": uriOf(e.dir), "name": "x"}}}, &result)
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

// must sends a request and decodes the answer.
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

// await returns the first new message with a method that fits, and discards earlier messages with that method.
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

// receive receives one message. It answers the server's requests, and stores findings.
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

// diagnostics waits until the findings shown in a document fit, and returns them.
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

// says waits for a finding in a document whose message contains a text.
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

// errorsOf counts the errors among the findings.
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
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri(path),
		"languageId": "x", "version": 1, "text": e.text(path)}})
}

// change replaces the whole text of a document.
func (e *editor) change(path string, version int, text string) {
	e.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": e.uri(path),
		"version": version}, "contentChanges": []any{map[string]any{"text": text}}})
}

func (e *editor) at(path string, d diagnostic) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(path)}, "position": d.Range.Start,
		"range": d.Range, "context": map[string]any{"diagnostics": []any{}}}
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

// apply applies edits from the last to the first, so that earlier positions remain valid.
func apply(u units, text string, edits []textEdit) string {
	for i := len(edits) - 1; i >= 0; i-- {
		text = text[:u.offset(text, edits[i].Range.Start)] + edits[i].NewText +
			text[u.offset(text, edits[i].Range.End):]
	}
	return text
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost"}, args...)...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}
