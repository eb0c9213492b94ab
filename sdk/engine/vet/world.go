package vet

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// after returns the input that a host would read after the edits. It knows only the documents. A host that applies a
// remedy also checks the other entries below the root and verifies the result.
func after(m *wire.Manifest, in snapshot.Input, edits []wire.Edit) (snapshot.Input, error) {
	if err := lineEdits(m, edits); err != nil {
		return in, err
	}
	env := edit.Env{Now: in.Now, Root: in.Root, Base: tree(in.Base.Files), CheckRoot: CheckRoot(m, in.Root)}
	result, err := edit.Apply(tree(in.Files), edits, env)
	if err != nil {
		return in, err
	}
	all := map[string]snapshot.File{}
	for _, f := range in.Files {
		all[nameOf(&f)] = f
	}
	edit.Replay(all, result.Changes, func(was snapshot.File, data []byte) snapshot.File {
		return snapshot.File{Data: data, Size: int64(len(data)), Ignored: was.Ignored}
	})
	if in.Files, err = admitted(m, all, result.Files); err != nil {
		return in, err
	}
	if result.Root != in.Root {
		in.Root, in.Name = result.Root, path.Base(result.Root)
	}
	return in, nil
}

// lineEdits refuses an edit by pointer in JSON Lines, because a file with a single line is also a JSON document, and
// the edit would write a member called 0 there.
func lineEdits(m *wire.Manifest, edits []wire.Edit) error {
	for _, e := range edits {
		spec := snapshot.SpecOf(m.Documents, e.Range.Path, snapshot.Regular)
		if (e.Op == wire.Set || e.Op == wire.Unset) && spec >= 0 && m.Documents[spec].Format == wire.JSONLines {
			return &edit.Error{Edit: e, Why: "the document is JSON Lines; replace the line"}
		}
	}
	return nil
}

// admitted lists the files that the manifest admits, and the directories that the edits created.
func admitted(m *wire.Manifest, all map[string]snapshot.File, made edit.Files) ([]snapshot.File, error) {
	for name := range made {
		if _, ok := all[name]; !ok && strings.HasSuffix(name, "/") {
			all[name] = snapshot.File{Kind: snapshot.Directory}
		}
	}
	var files []snapshot.File
	for name, f := range all {
		f.Path = strings.TrimSuffix(name, "/")
		if f.Spec = snapshot.SpecOf(m.Documents, f.Path, f.Kind); f.Spec < 0 {
			continue
		}
		switch listed := m.Documents[f.Spec].Need == wire.Listed; {
		case listed:
			f.Data = nil
		case f.Kind == snapshot.Regular && f.Data == nil && !f.TooLarge:
			return nil, fmt.Errorf("the bytes of %s were not read", f.Path)
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b snapshot.File) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// nameOf returns a file's path in the form that edits use.
func nameOf(f *snapshot.File) string {
	if f.Kind == snapshot.Directory {
		return f.Path + "/"
	}
	return f.Path
}

// tree returns the files that edits apply to.
func tree(list []snapshot.File) edit.Files {
	files := make(edit.Files, len(list))
	for i := range list {
		f := &list[i]
		unread := f.Kind != snapshot.Regular && f.Kind != snapshot.Directory || f.TooLarge
		files[nameOf(f)] = edit.File{Data: f.Data, Unread: unread}
	}
	return files
}

// CheckRoot returns a function that reports why an instance must not move to a path.
func CheckRoot(m *wire.Manifest, was string) func(string) error {
	return func(to string) error {
		to = strings.TrimSuffix(to, "/")
		if to == was {
			return errors.New("the instance already exists")
		}
		if !snapshot.IsRoot(m, to) {
			return errors.New("no root of the workflow matches this path")
		}
		return nil
	}
}

// blind reports whether edits replace, move or remove content that was not read.
func blind(in *snapshot.Input, edits []wire.Edit) bool {
	read := func(name string) bool {
		return slices.ContainsFunc(in.Files, func(f snapshot.File) bool { return nameOf(&f) == name && f.Data != nil })
	}
	there := func(name string) bool {
		return slices.ContainsFunc(in.Files, func(f snapshot.File) bool { return nameOf(&f) == name })
	}
	return slices.ContainsFunc(edits, func(e wire.Edit) bool {
		switch e.Op {
		case wire.Remove, wire.Move:
			return !read(e.Range.Path)
		case wire.Create, wire.Restore:
			return there(e.Range.Path)
		}
		return e.Op == wire.MoveRoot
	})
}

func timed(edits []wire.Edit) bool {
	return slices.ContainsFunc(edits, func(e wire.Edit) bool { return wire.Timed(e.New) })
}

// A plugin may compare a time that an edit writes with other times in the documents, and the clock does not
// record that comparison. If all times in the documents are days in the past, the result stays the same.
var (
	dates  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}|\b\d{8}T?`) })
	epochs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b\d{10}(\d{3}){0,3}\b`) })
)

// past reports whether every time in the documents is at least a day in the past.
func past(in *snapshot.Input) bool {
	yesterday := in.Now.UTC().AddDate(0, 0, -2)
	date, epoch := yesterday.Format("20060102"), fmt.Sprint(yesterday.Unix())
	for _, list := range [][]snapshot.File{in.Files, in.Base.Files} {
		for i := range list {
			for _, d := range dates().FindAll(list[i].Data, -1) {
				if strings.TrimSuffix(strings.ReplaceAll(string(d), "-", ""), "T") >= date {
					return false
				}
			}
			for _, e := range epochs().FindAll(list[i].Data, -1) {
				if string(e[:len(epoch)]) >= epoch {
					return false
				}
			}
		}
	}
	return true
}
