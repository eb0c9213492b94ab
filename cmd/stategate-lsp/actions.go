package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/stategate/stategate/cmd/internal/gate"
)

// Kinds of code actions, and the command behind actions that are not edits.
const (
	quickFix     = "quickfix"
	fixAll       = "source.fixAll.stategate"
	applyCommand = "stategate.apply"
)

type plan struct {
	edit    map[string]any // in the protocol's form; nil if the plan does more than edit documents
	skipped bool           // stategate skips a remedy
}

func (s *server) codeAction(ctx context.Context, params json.RawMessage) (any, error) {
	var p asked
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &wireError{codeInvalidParams, err.Error()}
	}
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only,
			func(only string) bool { return kind == only || strings.HasPrefix(kind, only+".") })
	}
	actions := []any{}
	f, list := s.findings(p.TextDocument.URI, &p.Range)
	for _, l := range list {
		for _, r := range l.Remedies {
			if r.Safety == "manual" || !wants(quickFix) {
				continue
			}
			action, err := actionOf(f, ctx, quickFix, gate.Shown(r.Title), l.path, r.ID)
			if err != nil {
				return nil, err
			}
			if action == nil {
				continue
			}
			action["diagnostics"] = []diagnostic{l.shown}
			if r.Safety == "safe" {
				action["isPreferred"] = true
			} else {
				action["title"] = action["title"].(string) + " (review)"
			}
			actions = append(actions, action)
		}
	}
	if !wants(fixAll) {
		return actions, nil
	}
	var ids []string
	f, list = s.findings(p.TextDocument.URI, nil)
	for _, l := range list {
		if i := slices.IndexFunc(l.Remedies, func(r gate.Remedy) bool { return r.Safety == "safe" }); i >= 0 {
			ids = append(ids, l.Remedies[i].ID)
		}
	}
	if len(ids) > 0 {
		action, err := actionOf(f, ctx, fixAll, "Apply every safe stategate remedy", list[0].path, ids...)
		if err != nil {
			return nil, err
		}
		if action != nil && action["edit"] != nil {
			actions = append(actions, action)
		}
	}
	return actions, nil
}

// actionOf offers remedies of the run that contains a document, or returns nil if they cannot be applied.
func actionOf(f *folder, ctx context.Context, kind, title, path string, ids ...string) (map[string]any, error) {
	p, err := planOf(f, ctx, path, ids)
	if err != nil || p.skipped {
		return nil, err
	}
	action := map[string]any{"title": title, "kind": kind}
	if p.edit != nil {
		action["edit"] = p.edit
	} else {
		action["command"] = map[string]any{"title": title, "command": applyCommand,
			"arguments": []any{f.uri, path, ids[0]}}
	}
	return action, nil
}

// planOf works out the changes that remedies would make to the documents, including unsaved ones.
func planOf(f *folder, ctx context.Context, path string, ids []string) (*plan, error) {
	s, key := f.s, strings.Join(ids, " ")
	s.state.Lock()
	known, input := f.plans[key], f.unsaved()
	before := map[string]int{}
	for uri, d := range s.open {
		before[uri] = d.version
	}
	s.state.Unlock()
	if known != nil {
		return known, nil
	}
	flags := []string{"--dry-run"}
	for _, id := range ids {
		flags = append(flags, "--apply="+id)
	}
	rel, _ := below(f.Dir, path)
	var answer struct {
		Planned []struct {
			Files   []file            `json:"files"`
			Skipped []json.RawMessage `json:"skipped"`
		} `json:"planned"`
	}
	if err := f.Read(ctx, &answer, f.call("recover", input, rel, flags...)); err != nil {
		return nil, err
	}
	s.state.Lock()
	defer s.state.Unlock()
	for uri, version := range before {
		if d := s.open[uri]; d == nil || d.version != version {
			return nil, &wireError{codeModified, "the document has changed since the request"}
		}
	}
	p := &plan{skipped: len(answer.Planned) == 0}
	var files []file
	for _, i := range answer.Planned {
		files = append(files, i.Files...)
		p.skipped = p.skipped || len(i.Skipped) > 0 && len(ids) == 1
	}
	p.edit = editOf(f, files)
	f.plans[key] = p
	return p, nil
}

type file struct {
	From, To string
	Text     *string
}

// editOf returns the changes to files as an edit in the protocol's form, or nil if the editor cannot make them.
// stategate itself moves and removes documents, because it can undo that.
func editOf(f *folder, files []file) map[string]any {
	s := f.s
	changes, list := map[string][]textEdit{}, []any{}
	for _, c := range files {
		path := filepath.Join(f.workspaceRoot, filepath.FromSlash(c.To))
		uri, text := f.uriOf(path), ""
		version := any(nil)
		creates := c.From == "" && s.can.Workspace.WorkspaceEdit.DocumentChanges &&
			slices.Contains(s.can.Workspace.WorkspaceEdit.ResourceOperations, "create")
		switch d := s.documentAt(path); {
		case c.Text == nil || !creates && c.From != c.To:
			return nil
		case creates:
			list = append(list, map[string]any{"kind": "create", "uri": uri})
		case d != nil:
			text, version = d.text, d.version
		default:
			text = read(path)
		}
		edits := s.units.edits(strings.TrimPrefix(text, "\ufeff"), strings.TrimPrefix(*c.Text, "\ufeff"))
		changes[uri] = edits
		list = append(list, map[string]any{"textDocument": map[string]any{"uri": uri, "version": version},
			"edits": edits})
	}
	switch {
	case len(list) == 0:
		return nil
	case s.can.Workspace.WorkspaceEdit.DocumentChanges:
		return map[string]any{"documentChanges": list}
	}
	return map[string]any{"changes": changes}
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

func (u units) edits(before, after string) []textEdit {
	list := []textEdit{}
	for _, e := range udiff.Strings(before, after) {
		list = append(list, textEdit{textRange{u.position(before, e.Start), u.position(before, e.End)}, e.New})
	}
	return list
}

// execute applies a remedy that does more than edit documents.
func (s *server) execute(ctx context.Context, params json.RawMessage) (any, error) {
	var p struct {
		Command   string   `json:"command"`
		Arguments []string `json:"arguments"`
	}
	if err := json.Unmarshal(params, &p); err != nil || p.Command != applyCommand || len(p.Arguments) != 3 {
		return nil, &wireError{codeInvalidParams, applyCommand + " takes a folder, a path and a remedy id"}
	}
	s.state.Lock()
	i := slices.IndexFunc(s.folders, func(f *folder) bool { return f.uri == p.Arguments[0] })
	var f *folder
	unsaved := ""
	if i >= 0 {
		f = s.folders[i]
		for _, d := range s.open {
			if _, ok := below(f.Dir, d.path); ok && d.unsaved {
				unsaved = d.path
			}
		}
	}
	s.state.Unlock()
	if f == nil {
		return nil, &wireError{codeInvalidParams, "the folder " + p.Arguments[0] + " is not open"}
	}
	if unsaved != "" {
		return nil, &wireError{codeFailed, "save " + unsaved + " first, because this remedy changes files on disk"}
	}
	at, err := f.At(p.Arguments[1])
	if err != nil {
		return nil, &wireError{codeInvalidParams, err.Error()}
	}
	out, err := f.Run(ctx, gate.Call{Args: slices.Concat([]string{"recover", "--apply=" + p.Arguments[2]}, f.base, at)})
	s.state.Lock()
	defer s.state.Unlock()
	f.again()
	if err != nil {
		return nil, err
	}
	s.show(3, strings.TrimSpace(string(out)))
	return nil, nil
}
