package sdk

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// A Document is one file of the snapshot, or one directory if Dir is set. It is immutable.
type Document struct {
	Path    string // relative to the root, slash-separated; a directory's path ends in a slash
	Dir     bool
	Format  wire.Format
	Need    wire.Need // what the host provided; a Content document over the host's limit arrives as Summary
	Size    int64     // bytes on disk
	Ignored bool      // git ignores it
	BOM     bool      // the file began with a byte-order mark
	// hex SHA-256 of Text with CRLF read as LF; for Markdown, without the differences that formatters cause; "" if
	// the host did not read the file
	Digest  string
	Text    string // valid UTF-8 without a byte-order mark; "" unless Need is Content
	Summary DocumentSummary
	Faults  []DocumentFault // faults that the host found: not UTF-8, syntax, schema, not a file, too large
	outline []byte
	parsed  *markdown.Outline
	audit   *audit // nil except in tests
}

// DocumentSummary describes a document for plugins that do not need its text. Content documents have Lines and
// Words; Counted documents also have Probes. Only Summary documents have Headings and Tail.
type DocumentSummary = wire.DocumentSummary

// DocumentFault is a fault that the host found in a document. The host reports it as a finding unless the workflow
// declines the instance or withdraws the fault with Pass.Override.
type DocumentFault = wire.DocumentFault

// Outline returns the outline of a Markdown document. For other formats and for documents without their text, it
// returns an empty outline, never nil. This also applies to the nil that Docs.Get returns for a missing document.
func (d *Document) Outline() *markdown.Outline {
	if d == nil {
		return &markdown.Outline{}
	}
	if d.Format != wire.Markdown || d.Need != wire.Content {
		d.noteText()
	}
	if d.parsed == nil {
		d.parsed = decodeOutline(d)
	}
	return d.parsed
}

func decodeOutline(d *Document) *markdown.Outline {
	if len(d.outline) == 0 {
		return &markdown.Outline{Text: d.Text}
	}
	o, err := markdown.Decode(d.Text, d.outline)
	if err != nil {
		panic("outline of " + d.Path + ": " + err.Error())
	}
	return o
}

// Readable reports whether the text is available and the host found no encoding or syntax fault in it.
func (d *Document) Readable() bool {
	if d == nil || d.Dir || d.Need != wire.Content {
		if d != nil && !d.Dir {
			d.noteText()
		}
		return false
	}
	for _, f := range d.Faults {
		if f.Rule != wire.RuleSchema && f.Kind != "duplicate-key" {
			return false
		}
	}
	return true
}

// Conflicted reports whether the document contains an unresolved merge conflict, which makes it unreadable.
func (d *Document) Conflicted() bool {
	if d != nil {
		for _, f := range d.Faults {
			if f.Kind == "conflict" {
				return true
			}
		}
	}
	return false
}

// Docs is an immutable set of documents, ordered by path. It is a single machine word, because plugins pass it
// around often, and a larger struct would add 25 KB to a guest.
type Docs struct {
	_   [0]func() // not comparable
	set *docSet
}

type docSet struct {
	list   []*Document
	unseen []string
	audit  *audit // nil except in tests
}

// empty is the set behind the zero Docs.
var empty docSet

func (d Docs) docs() *docSet {
	if d.set == nil {
		return &empty
	}
	return d.set
}

// An audit records the paths and globs that were not found. It records other questions with a prefix: "#/" for an
// option, "?" for a path outside the instance, and "!" for a document whose content or outline the plugin used.
type audit struct{ asked []string }

// note and noteText are not inlined: inlining them would add 11 KB to a guest of 2.6 MB.
//
//go:noinline
func (a *audit) note(asked string) {
	if a != nil {
		a.asked = append(a.asked, asked)
	}
}

// noteText records that the plugin used a document's text or outline.
//
//go:noinline
func (d *Document) noteText() { d.audit.note("!" + d.Path) }

// Get returns the document at path, or nil if there is none. Readable returns false for nil. A directory's path
// ends in a slash.
func (d Docs) Get(path string) *Document { return d.docs().get(path) }

func (s *docSet) get(path string) *Document {
	from, to := 0, len(s.list)
	for to-from > 8 {
		if mid := (from + to) / 2; s.list[mid].Path <= path {
			from = mid
		} else {
			to = mid
		}
	}
	for _, doc := range s.list[from:to] {
		if doc.Path == path {
			return doc
		}
	}
	s.audit.note(path)
	return nil
}

// All returns every document, ordered by path.
func (d Docs) All() []*Document { return d.docs().list }

// Match returns the documents whose path matches a glob, ordered by path. For the glob syntax, see the function
// Match. Like that function, this method panics if the glob is malformed.
func (d Docs) Match(glob string) []*Document {
	mustBeGlob("Docs.Match", glob)
	start := beginning(glob)
	var choices []string
	var found []*Document
	for _, doc := range d.docs().list {
		if !strings.HasPrefix(doc.Path, start) {
			continue
		}
		if choices == nil {
			anyChoice(glob, func(plain string) bool { choices = append(choices, plain); return false })
		}
		if slices.ContainsFunc(choices, func(plain string) bool { return matchPath(plain, doc.Path) }) {
			found = append(found, doc)
		}
	}
	if len(found) == 0 {
		d.docs().audit.note(glob)
	}
	return found
}

// Paths returns the path of every document, in order.
func (d Docs) Paths() []string {
	paths := make([]string, len(d.docs().list))
	for i, doc := range d.docs().list {
		paths[i] = doc.Path
	}
	return paths
}

// Known reports whether the host would see a document at path if it existed. It returns false if the source cannot
// contain the path; for example, a commit does not contain ignored files. Never report an error for a missing
// document unless Known returns true.
func (d Docs) Known(path string) bool {
	d.docs().audit.note(path)
	for _, glob := range d.docs().unseen {
		if !wellFormed(glob) || matches(glob, path) {
			return false
		}
	}
	return true
}

// Complete reports whether Known is true for every path.
func (d Docs) Complete() bool { return len(d.docs().unseen) == 0 }

// CompleteBelow reports whether Known is true for every path below a directory. A trailing slash makes no
// difference; "" is the root.
func (d Docs) CompleteBelow(dir string) bool {
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" {
		return d.Complete()
	}
	if a := d.docs().audit; a != nil {
		a.note(dir + "/")
	}
	below := func(glob string) bool { return reaches(strings.Split(glob, "/"), strings.Split(dir, "/")) }
	for _, glob := range d.docs().unseen {
		if !wellFormed(glob) || anyChoice(glob, below) {
			return false
		}
	}
	return true
}

// reaches reports whether a glob could match a path below a directory.
func reaches(glob, dir []string) bool {
	for i, name := range dir {
		if i == len(glob) {
			return false
		}
		if glob[i] == "**" {
			return true
		}
		if !matchSegment(glob[i], name) {
			return false
		}
	}
	return len(glob) > len(dir)
}

// newDocs builds the set of documents that a request lists. For a base document that has not changed, it reuses the
// present document, so that nothing is parsed twice.
func newDocs(list []wire.Document, unseen []string, present Docs) Docs {
	set := &docSet{list: make([]*Document, len(list)), unseen: unseen}
	all := make([]Document, len(list))
	for i := range list {
		if list[i].Same {
			set.list[i] = present.docs().get(list[i].Path)
		}
		if set.list[i] == nil {
			set.list[i] = &all[i]
			all[i].fill(&list[i])
		}
	}
	sortByPath(set.list)
	return Docs{set: set}
}

// sortByPath is an insertion sort, because a request's documents are nearly sorted and package sort would add 20 KB
// to a guest.
func sortByPath(list []*Document) {
	for i := range list {
		for ; i > 0 && list[i].Path < list[i-1].Path; i-- {
			list[i], list[i-1] = list[i-1], list[i]
		}
	}
}

func (d *Document) fill(w *wire.Document) {
	d.Path, d.Dir, d.Format, d.Need, d.Size = w.Path, w.Dir, w.Format, w.Need, w.Size
	d.Ignored, d.BOM, d.Digest, d.Text = w.Ignored, w.BOM, w.Digest, w.Text
	d.Summary, d.Faults, d.outline = w.Summary, w.Faults, w.Outline
}
