package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/cmd/internal/gate"
)

type server struct {
	client
	program, base string
	can           capabilities
	units         units

	state   sync.Mutex // guards the fields below
	phase   int
	open    map[string]*document // by URI
	folders []*folder
	work    sync.WaitGroup
	ends    context.Context // done when the server stops
	shown   map[string]bool // messages shown to the user; each is shown once
}

// The phases of a server.
const (
	isNew = iota
	isServing
	isShut
)

// capabilities holds the editor's capabilities that matter here.
type capabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress"`
	} `json:"window"`
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges    bool     `json:"documentChanges"`
			ResourceOperations []string `json:"resourceOperations"`
		} `json:"workspaceEdit"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
	} `json:"workspace"`
}

type workspaceFolder struct {
	URI string `json:"uri"`
}

func newServer(program, base string, out io.Writer) *server {
	return &server{
		client:  client{w: out, waiting: map[string]chan *wireError{}, running: map[string]context.CancelCauseFunc{}},
		program: program, base: base, open: map[string]*document{}, shown: map[string]bool{},
	}
}

var errInput = errors.New("standard input does not contain valid messages")

// serve answers until the editor sends exit or disconnects. An error means that the input is malformed, and that no
// further message can be found in it.
func (s *server) serve(ctx context.Context, in io.Reader) (code int, err error) {
	ctx, end := context.WithCancelCause(ctx)
	defer s.work.Wait()
	defer end(nil)
	s.ends = ctx
	messages := make(chan *message)
	s.work.Go(func() {
		defer end(nil)
		for r := bufio.NewReader(in); ; {
			m, err := receive(r)
			var wrong *wireError
			if errors.As(err, &wrong) {
				s.send(map[string]any{"id": nil, "error": wrong})
				continue
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					end(fmt.Errorf("%w: %w", errInput, err))
				}
				return
			}
			select {
			case messages <- m:
			case <-ctx.Done():
				return
			}
			if m.Method == "exit" {
				return
			}
		}
	})
	for {
		select {
		case <-ctx.Done():
			if err := context.Cause(ctx); errors.Is(err, errInput) {
				return 1, err
			}
			return 1, nil
		case m := <-messages:
			if m.Method == "exit" {
				if s.phase == isShut {
					return 0, nil
				}
				return 1, nil
			}
			s.handle(ctx, m)
		}
	}
}

// handle handles one message. Notifications are handled in order; requests may run concurrently.
func (s *server) handle(ctx context.Context, m *message) {
	request := len(m.ID) > 0 && string(m.ID) != "null"
	switch {
	case m.Method == "":
		s.answered(m)
	case !request:
		s.notified(m)
	case m.Method == "initialize" && s.phase == isNew:
		result, err := s.initialize(m.Params)
		s.answer(m.ID, result, err)
	case s.phase == isNew:
		s.answer(m.ID, nil, &wireError{codeNotInitialized, "expected initialize first"})
	case s.phase == isShut || m.Method == "initialize":
		s.answer(m.ID, nil, &wireError{codeInvalidRequest, m.Method + " is not expected now"})
	case m.Method == "shutdown":
		s.phase = isShut
		s.answer(m.ID, nil, nil)
	default:
		ask := map[string]func(context.Context, json.RawMessage) (any, error){
			"textDocument/codeAction": s.codeAction, "textDocument/hover": s.hover,
			"workspace/executeCommand": s.execute,
		}[m.Method]
		if ask == nil {
			s.answer(m.ID, nil, &wireError{codeNoMethod, m.Method + " is not supported"})
			return
		}
		ctx := s.begin(ctx, m.ID)
		s.work.Go(func() {
			result, err := ask(ctx, m.Params)
			s.answer(m.ID, result, err)
		})
	}
}

// notified handles a notification. A malformed one changes nothing.
func (s *server) notified(m *message) {
	var p struct {
		ID           json.RawMessage `json:"id"`
		Token        string          `json:"token"`
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
		Changes []change `json:"contentChanges"`
		Event   struct {
			Added, Removed []workspaceFolder
		} `json:"event"`
	}
	if s.phase != isServing || m.Params != nil && json.Unmarshal(m.Params, &p) != nil &&
		!strings.HasPrefix(m.Method, "workspace/didChangeWatched") {
		return
	}
	if m.Method == "$/cancelRequest" {
		s.cancel(p.ID, errCancelled)
		return
	}
	s.state.Lock()
	defer s.state.Unlock()
	switch uri := p.TextDocument.URI; m.Method {
	case "initialized":
		s.watch()
		for _, f := range s.folders {
			f.begin()
		}
	case "window/workDoneProgress/cancel":
		for _, f := range s.folders {
			if f.token == p.Token && f.endAll != nil {
				f.endAll()
			}
		}
	case "workspace/didChangeWorkspaceFolders":
		for _, w := range p.Event.Removed {
			s.leave(w.URI)
		}
		for _, w := range p.Event.Added {
			if f := s.join(w.URI); f != nil {
				f.begin()
			}
		}
	case "workspace/didChangeWatchedFiles":
		for _, f := range s.folders {
			f.again()
		}
	case "textDocument/didOpen":
		if path := pathOf(uri); path != "" {
			d := &document{uri: uri, path: resolved(path), version: p.TextDocument.Version, text: p.TextDocument.Text}
			d.unsaved = d.text != strings.TrimPrefix(read(d.path), "\ufeff")
			s.open[uri] = d
			s.edited(d)
		}
	case "textDocument/didChange":
		if d := s.open[uri]; d != nil {
			for _, c := range p.Changes {
				d.apply(s.units, c)
			}
			d.version = p.TextDocument.Version
			s.edited(d)
		}
	case "textDocument/didSave":
		if d := s.open[uri]; d != nil {
			d.unsaved = false
			if f := s.folderOf(d.path); f != nil {
				f.again()
			}
		}
	case "textDocument/didClose":
		if d := s.open[uri]; d != nil {
			delete(s.open, uri)
			if d.unsaved {
				s.edited(d)
			}
		}
	}
}

func (s *server) initialize(params json.RawMessage) (any, error) {
	var p struct {
		Capabilities capabilities      `json:"capabilities"`
		Folders      []workspaceFolder `json:"workspaceFolders"`
		Root         string            `json:"rootUri"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &wireError{codeInvalidParams, err.Error()}
	}
	s.can, s.phase = p.Capabilities, isServing
	s.units.bytes = slices.Contains(s.can.General.PositionEncodings, "utf-8")
	if len(p.Folders) == 0 && p.Root != "" {
		p.Folders = []workspaceFolder{{p.Root}}
	}
	if len(p.Folders) == 0 {
		here, err := filepath.Abs(".")
		if err != nil {
			return nil, err
		}
		p.Folders = []workspaceFolder{{uriOf(here)}}
	}
	for _, w := range p.Folders {
		s.join(w.URI)
	}
	encoding := "utf-16"
	if s.units.bytes {
		encoding = "utf-8"
	}
	return map[string]any{
		"serverInfo": map[string]any{"name": "stategate-lsp", "version": gate.Version()},
		"capabilities": map[string]any{
			"positionEncoding":       encoding,
			"textDocumentSync":       map[string]any{"openClose": true, "change": 2, "save": map[string]any{}},
			"hoverProvider":          true,
			"codeActionProvider":     map[string]any{"codeActionKinds": []string{quickFix, fixAll}},
			"executeCommandProvider": map[string]any{"commands": []string{applyCommand}},
			"workspace": map[string]any{"workspaceFolders": map[string]any{"supported": true,
				"changeNotifications": true}},
		},
	}, nil
}

// watch asks the editor to report changes made by other programs, such as an agent or git.
func (s *server) watch() {
	if !s.can.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return
	}
	files := []any{map[string]any{"globPattern": "**/*.{json,md,yaml,yml}"}}
	s.work.Go(func() {
		// without this, only saved documents are noticed
		_ = s.request(s.ends, "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "files", "method": "workspace/didChangeWatchedFiles",
			"registerOptions": map[string]any{"watchers": files},
		}}})
	})
}

func (s *server) edited(d *document) {
	if f := s.folderOf(d.path); f != nil {
		f.edited(d.path)
	}
}

// folderOf returns the innermost folder that contains a path, or nil if there is none.
func (s *server) folderOf(path string) (in *folder) {
	for _, f := range s.folders {
		if _, ok := below(f.Dir, path); ok && (in == nil || len(f.Dir) > len(in.Dir)) {
			in = f
		}
	}
	return in
}

// documentAt returns the open document at a path, or nil if the editor has not opened it.
func (s *server) documentAt(path string) *document {
	for _, d := range s.open {
		if d.path == path {
			return d
		}
	}
	return nil
}

// show shows the user a message, but only once. Type 1 is an error, 3 is information.
func (s *server) show(kind int, text string) {
	if kind == 1 && s.shown[text] {
		return
	}
	s.shown[text] = true
	s.notify("window/showMessage", map[string]any{"type": kind, "message": gate.Shown(text)})
}
