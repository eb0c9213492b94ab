package snapshot

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// place checks a range. Its path must match a declared glob, be a directory above one, or be the root. Only a
// document with text may have a more precise location.
func (a *admission) place(r wire.Range) error {
	if err := a.placePath(r.Path); err != nil {
		return err
	}
	if r == (wire.Range{Path: r.Path}) {
		return nil
	}
	if r.Line != 0 && (r.Bytes || r.Pointer != "") || r.Bytes && r.Pointer != "" || !r.Bytes && r.Start|r.End != 0 {
		return fmt.Errorf("the location in %q must be either a line, bytes or a pointer", r.Path)
	}
	doc := a.document(r.Path)
	if doc == nil {
		return fmt.Errorf("the location in %q is in a document that does not exist", r.Path)
	}
	if r.Line != 0 && (r.Line < 0 || r.Line > max(doc.Summary.Lines, 1)) {
		return fmt.Errorf("line %d of %q, which has %d", r.Line, r.Path, doc.Summary.Lines)
	}
	if err := bytePlace(doc, r); err != nil {
		return err
	}
	if _, err := jsondoc.Tokens(r.Pointer); err != nil {
		return fmt.Errorf("the pointer %q in %q is malformed", r.Pointer, r.Path)
	}
	return nil
}

func bytePlace(doc *wire.Document, r wire.Range) error {
	if r.Bytes && doc.Format == wire.YAML {
		return fmt.Errorf("bytes %d to %d of %q, a YAML document, whose bytes the plugin does not know; use a "+
			"pointer or a line", r.Start, r.End, r.Path)
	}
	if r.Start < 0 || r.End < r.Start || r.End > len(doc.Text) {
		return fmt.Errorf("bytes %d to %d of %q, which has %d", r.Start, r.End, r.Path, len(doc.Text))
	}
	for _, at := range []int{r.Start, r.End} {
		if at < len(doc.Text) && !utf8.RuneStart(doc.Text[at]) {
			return fmt.Errorf("byte %d of %q is inside a character", at, r.Path)
		}
	}
	return nil
}

func (a *admission) document(name string) *wire.Document {
	if a.documents == nil {
		a.documents = make(map[string]*wire.Document, len(a.request.Documents))
		for i := range a.request.Documents {
			a.documents[a.request.Documents[i].Path] = &a.request.Documents[i]
		}
	}
	return a.documents[name]
}

func (a *admission) placePath(name string) error {
	if name == "" {
		return nil
	}
	// An existing document may have a backslash in its name.
	if err := CleanPath(name); err != nil && a.document(name) == nil {
		return err
	}
	for _, spec := range a.m.Documents {
		if glob.Match(spec.Glob, name) || glob.Above(spec.Glob, name) {
			return nil
		}
	}
	return fmt.Errorf("the path %q matches no declared document and is above none", name)
}

// CleanPath returns an error for a path that leaves the root, or that is not in its canonical form. One trailing
// slash is allowed for a directory.
func CleanPath(name string) error {
	trimmed := strings.TrimSuffix(name, "/")
	switch {
	case !utf8.ValidString(name):
		return fmt.Errorf("the path %q is not valid UTF-8", name)
	case strings.HasPrefix(name, "/"), len(name) > 1 && name[1] == ':', strings.Contains(name, `\`):
		return fmt.Errorf("the path %q is not a relative, slash-separated path", name)
	case trimmed == "" || path.Clean(trimmed) != trimmed || trimmed == ".." || strings.HasPrefix(trimmed, "../"):
		return fmt.Errorf("the path %q is not below the root", name)
	case strings.ContainsRune(name, 0):
		return fmt.Errorf("the path %q contains a NUL byte", name)
	}
	return nil
}
