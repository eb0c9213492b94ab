package main

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/cmd/internal/gate"
	"github.com/stategate/stategate/host/result"
)

// A folder is a folder that the editor has open. It keeps the findings of all runs below it, and rechecks a run when
// it is edited. The server's state mutex guards everything but the gate.
type folder struct {
	*gate.Gate
	s     *server
	base  []string        // the flag for the base
	uri   string          // as the editor spells it
	shown string          // its path, as the editor spells it
	ends  context.Context // done when the editor closes the folder
	leave context.CancelFunc

	workspaceRoot string              // where stategate's paths begin
	runs          map[runID][]located // the findings of each run
	complete      bool                // runs contains all runs
	plans         map[string]*plan    // plans of remedies, by their ids

	wake    chan struct{}   // wakes the goroutine that checks waiting documents
	waiting map[string]bool // documents whose runs are to be checked
	current string          // the document whose run is being checked
	restart func()          // cancels that check, because the text has changed
	all     chan struct{}   // requests a check of all runs
	endAll  func()          // cancels that check; nil when none is running
	token   string          // of the progress of that check
	since   map[string]bool // documents edited since that check began
}

// A runID names a state directory, by its absolute path, and its plugin. The paths that stategate prints are not
// enough: outside a repository, they begin at another directory if a check is about one document.
type runID struct{ plugin, dir string }

// located is a finding with its position in a document.
type located struct {
	gate.Diagnostic
	uri, path string // the document's; path is absolute
	shown     diagnostic
}

// A diagnostic is a finding in the protocol's form.
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

// join adds a folder. It returns nil if the folder is not on this machine or is already open.
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
				plans: map[string]*plan{}, wake: make(chan struct{}, 1),
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

// begin starts the goroutines that check. An edit does not wait for a check of everything.
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

func (f *folder) again() {
	clear(f.plans)
	wake(f.all)
}

// edited requests a check of a document's run, unless all runs are known and none contains the document. A new run
// is found when it is saved.
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

func (f *folder) runAt(answer *gate.State, plugin, root string) runID {
	return runID{plugin, filepath.Join(cmp.Or(answer.WorkspaceRoot, f.Dir), filepath.FromSlash(root))}
}

func (f *folder) inside(r runID, path string) bool {
	_, ok := below(r.dir, path)
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

// unsaved returns the input for --unsaved: the unsaved texts. The caller holds the state mutex.
func (f *folder) unsaved() []byte {
	texts := map[string]string{}
	for _, d := range f.s.open {
		if d.unsaved && f.s.folderOf(d.path) == f {
			texts[d.path] = d.text
		}
	}
	text, _ := json.Marshal(texts) // a map of strings cannot fail to encode
	return text
}

// call returns a call that answers in JSON. It is about the run that contains a path below the folder, or about all
// runs if the path is "".
func (f *folder) call(verb string, unsaved []byte, path string, more ...string) gate.Call {
	args := slices.Concat([]string{verb, "--format=json", "--unsaved=-"}, f.base, more)
	if path != "" {
		args = append(args, "--", path)
	}
	return gate.Call{Args: args, Input: unsaved}
}

// examine checks the run that contains a document, including unsaved text.
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
		return // it was edited during the check, and waits again
	}
	if err != nil {
		// a new file is checked when it is saved
		if info := s.documentAt(path); info == nil || read(path) != "" {
			s.show(1, err.Error())
		}
		return
	}
	f.update(&answer, func(r runID) bool { return f.inside(r, path) })
}

// examineAll checks all runs. The first time, the editor shows its progress.
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
	message := "the check was cancelled; edited runs are still checked"
	switch {
	case ctx.Err() != nil:
	case err != nil:
		message = err.Error()
		s.show(1, message)
	default:
		message, f.complete = "the gate is "+answer.Gate, true
		edited := func(r runID) bool {
			return slices.ContainsFunc(slices.Collect(maps.Keys(f.since)),
				func(path string) bool { return f.inside(r, path) })
		}
		answer.Instances = slices.DeleteFunc(answer.Instances,
			func(i gate.Instance) bool { return edited(f.runAt(&answer, i.Plugin, i.Root)) })
		f.update(&answer, func(r runID) bool { return !edited(r) })
		for path := range f.since { // newer results exist for these
			f.edited(path)
		}
	}
	s.state.Unlock()
	end(message)
}

// update replaces the findings of some runs with those in an answer. The caller holds the state mutex.
func (f *folder) update(answer *gate.State, old func(runID) bool) {
	f.workspaceRoot = cmp.Or(answer.WorkspaceRoot, f.Dir)
	now := map[runID][]located{}
	texts := map[string]string{}
	for _, i := range answer.Instances {
		r := f.runAt(answer, i.Plugin, i.Root)
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
		r := f.runAt(answer, fail.Plugin, fail.Root)
		d := gate.Diagnostic{Severity: "error", Place: result.Place{Path: fail.Root},
			Message: "this state directory could not be checked: " + fail.Message}
		now[r] = append(now[r], locate(f, d, texts))
	}
	f.replace(old, now)
}

// replace replaces the findings of some runs, and publishes the findings of the affected documents to the
// editor.
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
