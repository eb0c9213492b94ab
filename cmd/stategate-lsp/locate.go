package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"github.com/stategate/stategate/cmd/internal/gate"
	"github.com/stategate/stategate/host/result"
)

var severities = map[string]int{"error": 1, "warning": 2, "info": 3}

// locate finds a finding's document and range. texts caches the files that were read, by path.
func locate(f *folder, d gate.Diagnostic, texts map[string]string) located {
	at, path := locationOf(f, d.Place, texts)
	l := located{Diagnostic: d, uri: at.URI, path: path,
		shown: diagnostic{Range: at.Range, Severity: severities[d.Severity],
			Code: gate.Shown(d.Rule), Source: "stategate", Message: gate.Shown(d.Message)}}
	for _, r := range d.Related {
		at, _ := locationOf(f, r.Place, texts)
		l.shown.Related = append(l.shown.Related, relatedInfo{at, gate.Shown(r.Message)})
	}
	return l
}

func locationOf(f *folder, p result.Place, texts map[string]string) (at location, path string) {
	path = filepath.Join(f.workspaceRoot, filepath.FromSlash(p.Path))
	if in := documentFor(path); in != path && f.s.documentAt(path) == nil {
		path, p = in, result.Place{}
	}
	text, known := texts[path]
	d := f.s.documentAt(path)
	switch {
	case d != nil:
		text = d.text
	case !known && p.Line > 0:
		text = read(path)
		texts[path] = text
	}
	u := f.s.units
	start := u.position(text, placed(text, p.Line, p.Column, false))
	end := u.position(text, placed(text, cmp.Or(p.EndLine, p.Line), p.EndColumn, true))
	if end.before(start) {
		end = start
	}
	return location{f.uriOf(path), textRange{start, end}}, path
}

// uriOf returns the URI of a path, as the editor spells it.
func (f *folder) uriOf(path string) string {
	if d := f.s.documentAt(path); d != nil {
		return d.uri
	}
	if rel, ok := below(f.Dir, path); ok {
		path = filepath.Join(f.shown, rel)
	}
	return uriOf(path)
}

func compareDiagnostics(a, b diagnostic) int {
	return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
		cmp.Compare(a.Range.Start.Character, b.Range.Start.Character),
		cmp.Compare(a.Severity, b.Severity), strings.Compare(a.Code, b.Code), strings.Compare(a.Message, b.Message))
}

// patience is how long the first check waits for the editor to agree to show its progress.
const patience = 2 * time.Second

// showProgress has the editor show the progress of the first check. end closes it with a message.
func showProgress(f *folder, ctx context.Context) (report func(done, total int), end func(message string)) {
	s := f.s
	token := "stategate " + f.uri
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if s.request(soon, "window/workDoneProgress/create", map[string]any{"token": token}) != nil {
		return func(int, int) {}, func(string) {}
	}
	s.state.Lock()
	f.token = token
	s.state.Unlock()
	say := func(kind, message string, more map[string]any) {
		value := map[string]any{"kind": kind, "message": message}
		maps.Copy(value, more)
		s.notify("$/progress", map[string]any{"token": token, "value": value})
	}
	say("begin", "", map[string]any{"title": "stategate", "percentage": 0, "cancellable": true})
	last := 0
	report = func(done, total int) {
		if percent := 100 * done / max(total, 1); percent > last {
			last = percent
			say("report", fmt.Sprintf("%d of %d runs", done, total), map[string]any{"percentage": percent})
		}
	}
	return report, func(message string) { say("end", gate.Shown(message), nil) }
}
