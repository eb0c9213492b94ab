package main

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/cmd/internal/gate"
	"github.com/stategate/stategate/host/result"
)

// A folder is one that the editor has open. It knows the findings of all runs below it, and has those examined again
// that are edited. Everything but the gate is guarded by the server's state.
type folder struct {
	*gate.Gate
	s     *server
	base  []string        // the flag that names what is compared with
	uri   string          // as the editor spells it
	shown string          // its path, as the editor spells it
	ends  context.Context // when the editor leaves it
	leave context.CancelFunc

	workspaceRoot string              // where stategate's paths begin
	runs          map[runID][]located // everything that is known
	complete      bool                // all runs are
	explain       map[string]string   // rules, by name
	plans         map[string]*plan    // what remedies would do, by their ids

	wake    chan struct{}   // something is to be examined
	waiting map[string]bool // documents to be examined
	current string          // the one that is examined now
	restart func()          // ends that, because its text has changed
	all     chan struct{}   // all runs are to be examined
	endAll  func()          // ends that; nil while it is not under way
	token   string          // of its progress
	since   map[string]bool // documents that were edited since it began
}

// A runID names a state directory and its plugin.
type runID struct{ plugin, root string }

// located is a finding in its document.
type located struct {
	gate.Diagnostic
	uri, path string // of the document; path is absolute
	shown     diagnostic
}

// A diagnostic is a finding in the form of the protocol.
type diagnostic struct {
	Range    textRange     `json:"range"`
	Severity int           `json:"severity"`
	Code     string        `json:"code,omitempty"`
	Source   string        `json:"source"`
	Message  string        `json:"message"`
	Related  []relatedInfo `json:"relatedInformation,omitempty"`
}

type relatedInfo struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

// join adds a folder, unless it is not on this machine or is known; then it returns nil.
func (s *server) join(uri string) *folder {
	path := pathOf(uri)
	if path == "" || slices.ContainsFunc(s.folders, func(f *folder) bool { return f.uri == uri }) {
		return nil
	}
	dir, err := filepath.EvalSymlinks(path)
	if err == nil {
		var g *gate.Gate
		if g, err = gate.New(s.program, dir); err == nil {
			f := &folder{Gate: g, s: s, base: baseFlag(s.base), uri: uri, shown: path, workspaceRoot: g.Dir,
				runs: map[runID][]located{}, waiting: map[string]bool{}, since: map[string]bool{},
				plans: map[string]*plan{}, explain: map[string]string{}, wake: make(chan struct{}, 1),
				all: make(chan struct{}, 1)}
			f.ends, f.leave = context.WithCancel(s.ends)
			s.folders = append(s.folders, f)
			return f
		}
	}
	s.show(1, "stategate-lsp: "+err.Error())
	return nil
}

func (s *server) leave(uri string) {
	s.folders = slices.DeleteFunc(s.folders, func(f *folder) bool {
		if f.uri == uri {
			f.leave()
			f.replace(func(runID) bool { return true }, nil)
		}
		return f.uri == uri
	})
}

// begin starts what examines. An edit does not wait for a check of everything.
func (f *folder) begin() {
	f.again()
	f.s.work.Go(func() {
		for f.awaits(f.wake) {
			for path, ok := f.next(); ok; path, ok = f.next() {
				f.examine(path)
			}
		}
	})
	f.s.work.Go(func() {
		for f.awaits(f.all) {
			f.examineAll()
		}
	})
}

func (f *folder) awaits(c chan struct{}) bool {
	select {
	case <-f.ends.Done():
		return false
	case <-c:
		return true
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is awake
	}
}

// again has all runs examined.
func (f *folder) again() {
	clear(f.plans)
	wake(f.all)
}

// edited has the run of a document examined, unless all runs are known and none holds it: a new one is seen when it is
// saved.
func (f *folder) edited(path string) {
	clear(f.plans)
	f.since[path] = true
	if f.complete && !f.holds(path) {
		return
	}
	f.waiting[path] = true
	if f.current == path {
		f.restart()
	}
	wake(f.wake)
}

func (f *folder) holds(path string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(f.runs)), func(r runID) bool { return f.inside(r, path) })
}

func (f *folder) inside(r runID, path string) bool {
	_, ok := below(filepath.Join(f.workspaceRoot, filepath.FromSlash(r.root)), path)
	return ok
}

func (f *folder) next() (path string, ok bool) {
	f.s.state.Lock()
	defer f.s.state.Unlock()
	for path = range f.waiting {
		delete(f.waiting, path)
		return path, f.ends.Err() == nil
	}
	return "", false
}

// unsaved is the input of --unsaved: the texts that are not on disk. The state is locked.
func (f *folder) unsaved() []byte {
	texts := map[string]string{}
	for _, d := range f.s.open {
		if d.unsaved && f.s.folderOf(d.path) == f {
			texts[d.path] = d.text
		}
	}
	text, _ := json.Marshal(texts) // strings can be encoded
	return text
}

// call is a subcommand that answers in JSON, for the run that holds a path below the folder, or for all if that is "".
func (f *folder) call(verb string, unsaved []byte, path string, more ...string) gate.Call {
	args := slices.Concat([]string{verb, "--format=json", "--unsaved=-"}, f.base, more)
	if path != "" {
		args = append(args, "--", path)
	}
	return gate.Call{Args: args, Input: unsaved}
}

// examine examines the run that holds a document, with what is not saved.
func (f *folder) examine(path string) {
	s := f.s
	rel, ok := below(f.Dir, path)
	if !ok {
		return
	}
	ctx, cancel := context.WithCancel(f.ends)
	defer cancel()
	s.state.Lock()
	f.current, f.restart = path, cancel
	input := f.unsaved()
	s.state.Unlock()
	var answer gate.State
	err := f.Read(ctx, &answer, f.call("check", input, rel))
	s.state.Lock()
	defer s.state.Unlock()
	f.current = ""
	if ctx.Err() != nil {
		return // it was edited meanwhile, and waits again
	}
	if err != nil {
		// a file that is new is checked once it is saved
		if info := s.documentAt(path); info == nil || read(path) != "" {
			s.show(1, err.Error())
		}
		return
	}
	f.update(&answer, func(r runID) bool { return f.inside(r, path) })
}

// examineAll examines all runs; the first time the editor shows how far it is.
func (f *folder) examineAll() {
	s := f.s
	ctx, cancel := context.WithCancel(f.ends)
	defer cancel()
	s.state.Lock()
	clear(f.since)
	f.endAll = cancel
	input, first := f.unsaved(), !f.complete
	s.state.Unlock()
	call := f.call("check", input, "")
	end := func(string) {}
	if first && s.can.Window.WorkDoneProgress {
		call.Args = slices.Insert(call.Args, 1, "--progress")
		call.Progress, end = showProgress(f, ctx)
	}
	var answer gate.State
	err := f.Read(ctx, &answer, call)
	s.state.Lock()
	f.endAll = nil
	message := "the check was cancelled: edited runs are checked"
	switch {
	case ctx.Err() != nil:
	case err != nil:
		message = err.Error()
		s.show(1, message)
	default:
		message, f.complete = "the gate is "+answer.Gate, true
		clear(f.explain)
		edited := func(r runID) bool {
			return slices.ContainsFunc(slices.Collect(maps.Keys(f.since)),
				func(path string) bool { return f.inside(r, path) })
		}
		answer.Instances = slices.DeleteFunc(answer.Instances,
			func(i gate.Instance) bool { return edited(runID{i.Plugin, i.Root}) })
		f.update(&answer, func(r runID) bool { return !edited(r) })
		for path := range f.since { // for which this says less than is known
			f.edited(path)
		}
	}
	s.state.Unlock()
	end(message)
}

// update replaces what is known of some runs by an answer. The state is locked.
func (f *folder) update(answer *gate.State, old func(runID) bool) {
	f.workspaceRoot = f.Dir
	if answer.WorkspaceRoot != "" {
		f.workspaceRoot = answer.WorkspaceRoot
	}
	now := map[runID][]located{}
	texts := map[string]string{}
	for _, i := range answer.Instances {
		r := runID{i.Plugin, i.Root}
		now[r] = []located{}
		for _, d := range i.Diagnostics {
			d.Remedies = i.Offers(&d)
			now[r] = append(now[r], locate(f, d, texts))
		}
	}
	for _, raw := range answer.Failures {
		var fail struct{ Plugin, Root, Message string }
		_ = json.Unmarshal(raw, &fail)
		if fail.Root == "" {
			f.s.show(1, "stategate could not check everything: "+strings.TrimPrefix(fail.Plugin+": ", ": ")+
				fail.Message)
			continue
		}
		r := runID{fail.Plugin, fail.Root}
		d := gate.Diagnostic{Severity: "error", Place: result.Place{Path: fail.Root},
			Message: "it could not be checked: " + fail.Message}
		now[r] = append(now[r], locate(f, d, texts))
	}
	f.replace(old, now)
}

// replace replaces what is known of some runs, and tells the editor of the documents that this concerns.
func (f *folder) replace(old func(runID) bool, now map[runID][]located) {
	clear(f.plans)
	concerned := map[string]bool{}
	for r, list := range f.runs {
		if old(r) {
			for i := range list {
				concerned[list[i].uri] = true
			}
			delete(f.runs, r)
		}
	}
	for r, list := range now {
		for i := range list {
			concerned[list[i].uri] = true
		}
		f.runs[r] = list
	}
	all := map[string][]diagnostic{}
	for uri := range concerned {
		all[uri] = []diagnostic{}
	}
	for _, list := range f.runs {
		for i := range list {
			if d := &list[i]; concerned[d.uri] {
				all[d.uri] = append(all[d.uri], d.shown)
			}
		}
	}
	for uri, list := range all {
		slices.SortStableFunc(list, compareDiagnostics)
		params := map[string]any{"uri": uri, "diagnostics": list}
		if d := f.s.open[uri]; d != nil {
			params["version"] = d.version
		}
		f.s.notify("textDocument/publishDiagnostics", params)
	}
}
