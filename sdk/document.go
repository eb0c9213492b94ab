package sdk

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// A Document is one file of the snapshot, or one directory if Dir. It is
// immutable.
type Document struct {
	Path    string // below the root, slash-separated; a directory's ends in a slash
	Dir     bool
	Format  wire.Format
	Need    wire.Need // what was given: a Content document over the host's limit arrives as Summary
	Size    int64     // bytes on disk
	Ignored bool      // git ignores it
	BOM     bool      // a byte-order mark stood before Text
	// hex SHA-256 of Text with CRLF read as LF, of Markdown without what formatters change; "" if the bytes were not
	// read
	Digest  string
	Text    string // valid UTF-8 without byte-order mark; "" unless Need is Content
	Summary DocumentSummary
	Faults  []DocumentFault // what the host found wrong: not UTF-8, syntax, schema, not a file, too large
	outline []byte
	parsed  *markdown.Outline
	audit   *audit // nil but in a test
}

// DocumentSummary is what a reader without the text may want to know. Content
// documents have Lines and Words, Counted ones Probes as well; Headings and Tail
// are of Summary documents only.
type DocumentSummary = wire.DocumentSummary

// DocumentFault is what the host found wrong with a document. It becomes a
// finding of the host unless the workflow declines the instance, or withdraws
// it with Pass.Override.
type DocumentFault = wire.DocumentFault

// Outline returns the outline of a Markdown document. It is empty, never nil,
// for other formats, for documents that came without their text, and for the nil
// that Docs.Get returns for one that is absent.
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

// Readable reports whether the text is here and the host found neither an
// encoding nor a syntax fault in it.
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

// Conflicted reports whether the document holds an unresolved merge, which makes it unreadable.
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

// Docs is an immutable set of documents, ordered by path. It is one word, since
// guests hand it about much: as a struct of more it would take 25 KB of one.
type Docs struct {
	_   [0]func() // not comparable
	set *docSet
}

type docSet struct {
	list   []*Document
	unseen []string
	audit  *audit // nil but in a test
}

// empty is the set of the zero Docs.
var empty docSet

func (d Docs) docs() *docSet {
	if d.set == nil {
		return &empty
	}
	return d.set
}

// An audit records the paths and globs that were not found, and more: "#/" begins an option, "?" a path outside of
// the instance, and "!" a document that the plugin asked for something that only its content or outline shows.
type audit struct{ asked []string }

// note is not inlined, as noteText: what reads documents would grow by 11 KB in a guest of 2.6 MB.
//
//go:noinline
func (a *audit) note(asked string) {
	if a != nil {
		a.asked = append(a.asked, asked)
	}
}

// noteText records that the plugin asked for the text or the outline of a document.
//
//go:noinline
func (d *Document) noteText() { d.audit.note("!" + d.Path) }

// Get returns the document at path, or nil, for which Readable returns false. A directory's path ends in a slash.
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

// Match returns the documents whose path matches a glob, ordered by path. The
// function Match says how globs are written, and panics as this method does.
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

// Known reports whether the absence of path would be a fact. It is false where
// the source cannot hold the path, such as a file that git ignores, looked for
// in a commit. No error may rest on an absence that is not known.
func (d Docs) Known(path string) bool {
	d.docs().audit.note(path)
	for _, glob := range d.docs().unseen {
		if !wellFormed(glob) || matches(glob, path) {
			return false
		}
	}
	return true
}

// Complete reports whether the absence of every path would be a fact.
func (d Docs) Complete() bool { return len(d.docs().unseen) == 0 }

// CompleteBelow reports whether the absence of every path below a directory would be
// a fact. A slash at the end of its name makes no difference; "" is the root.
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

// reaches reports whether a glob may match something below a directory.
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

// newDocs makes the set of documents that a request lists. A document of a base that has not changed is the present one
// itself, so that nothing is read twice.
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

// sortByPath sorts documents that are almost sorted, like those of a request. Package sort would take 20 KB of a
// guest.
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
