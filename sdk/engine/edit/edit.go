// Package edit computes the result of a remedy's edits in memory: it takes documents and returns documents and a
// list of changes. A host writes the changes; a test kit examines the documents.
//
// The edits of one call are applied together. Every range and pointer refers to the original documents, regardless
// of the order of the edits. Identical edits count once. Incompatible edits are refused with a [*Conflict], and
// edits that cannot be applied with an [*Error]. In both cases nothing has changed, because only the result is ever
// modified.
//
// Byte-order marks and line endings are kept: ranges count from after the mark, and new text gets the most common
// line ending of its document. Create and Restore write exact bytes. Hosts and test kits link this package; guests
// do not.
package edit

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/stategate/stategate/sdk/wire"
)

// MaxEdits is the maximum number of distinct edits in one call.
const MaxEdits = 1000

// maxWork limits the bytes read for changing values by pointer: each change reads its document once.
const maxWork = 256 << 20

// work returns the number of bytes that edits by pointer read.
func work(files Files, edits []wire.Edit) (n int) {
	for _, e := range edits {
		if e.Range.Pointer != "" {
			n += len(files[e.Range.Path].Data)
		}
	}
	return n
}

// Files maps the slash-separated paths below an instance's root to entries. The name of a directory ends in a
// slash; the parents of an entry need no entries themselves. It should contain all existing entries, even those
// that the plugin does not see, because each of them occupies a name.
type Files map[string]File

// A File is the entry at a path. The zero File is an empty document or a directory, depending on its name.
type File struct {
	Data []byte // raw: with byte-order mark
	// Unread means that the content is unknown: the entry may be moved, set aside, replaced or removed, but not edited.
	Unread bool
}

// Env holds the information that edits need besides the files.
type Env struct {
	Now  time.Time // the value of ${now}
	Root string    // the instance's directory
	Base Files     // the content that Restore restores
	// CheckRoot returns an error for a path that the instance must not move to, because no root of the workflow
	// matches it or because it is taken. If CheckRoot is nil, no path is allowed.
	CheckRoot func(to string) error
}

// A Result is the result of edits.
type Result struct {
	Root    string   // the instance's directory afterward
	Files   Files    // with an entry for every directory
	Changes []Change // the changes to make, in order; afterward the root moves
}

// A ChangeKind is the type of a Change.
type ChangeKind uint8

// The values of ChangeKind, in the order in which changes are made.
const (
	Delete ChangeKind = iota // removes Path: a document, or an empty directory
	Rename                   // renames From to Path, which is free by then
	Write                    // writes Data to Path and creates missing parents
)

// A Change is a step for a host to make. A name that ends in a slash is a directory.
type Change struct {
	Kind ChangeKind
	Path string
	From string // for Rename
	Data []byte // for Write
}

// An Error says which edit cannot be applied and why.
type Error struct {
	Edit wire.Edit
	Why  string
}

func (e *Error) Error() string { return Describe(e.Edit) + ": " + e.Why }

// A Conflict says which two edits are incompatible and why.
type Conflict struct {
	First, Second wire.Edit
	Why           string
}

func (c *Conflict) Error() string {
	return Describe(c.First) + " conflicts with " + Describe(c.Second) + ": " + c.Why
}

// Apply applies the edits of a remedy, or of several remedies that are applied together. It does not change files.
func Apply(files Files, edits []wire.Edit, env Env) (*Result, error) {
	edits = unique(edits)
	if len(edits) > MaxEdits {
		return nil, errors.New("apply edits: " + strconv.Itoa(len(edits)) + " edits, but the limit is " +
			strconv.Itoa(MaxEdits))
	}
	if n := work(files, edits); n > maxWork {
		return nil, errors.New("apply edits: " + strconv.Itoa(len(edits)) + " edits read " + strconv.Itoa(n>>20) +
			" MiB of documents, the limit is " + strconv.Itoa(maxWork>>20) + " MiB; make them in several steps")
	}
	p := &plan{env: env, was: withParents(files), edits: edits, result: Result{Root: env.Root}}
	for _, step := range []func() error{p.encoding, p.conflicts, p.texts, p.leave, p.arrive, p.moveRoot, p.order} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	p.result.Files = p.now
	return &p.result, nil
}

// A Skipped remedy was left out of a merge because of Err.
type Skipped struct {
	Index int // in the list of remedies
	Err   error
}

// Merge applies the edits of several remedies together, earlier ones first. It skips a remedy that conflicts with
// earlier ones or that cannot be applied. It returns an error only if it could not even apply an empty list of
// edits.
func Merge(files Files, remedies [][]wire.Edit, env Env) (*Result, []Skipped, error) {
	var all []wire.Edit
	var skipped []Skipped
	done := 0
	for i, edits := range remedies {
		more := append(all[:len(all):len(all)], edits...)
		if done += work(files, more); done > 4*maxWork {
			skipped = append(skipped, Skipped{i, errors.New("too much is changed at once; apply it in another step")})
			continue
		}
		if _, err := Apply(files, more, env); err != nil {
			skipped = append(skipped, Skipped{i, err})
			continue
		}
		all = more
	}
	result, err := Apply(files, all, env)
	return result, skipped, err
}

// Describe describes an edit on one line, without its text: "set state.json#/round".
func Describe(e wire.Edit) string {
	switch e.Op {
	case wire.MoveRoot:
		return "move-root to " + strconv.Quote(e.To)
	case wire.Move:
		return "move " + place(e.Range) + " to " + strconv.Quote(e.To)
	case wire.Aside:
		return "aside " + place(e.Range) + " as " + strconv.Quote(e.To)
	}
	return e.Op.String() + " " + place(e.Range)
}

func place(r wire.Range) string {
	s := strconv.Quote(r.Path)
	s = strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
	switch {
	case r.Pointer != "" && r.Key:
		return s + "#" + r.Pointer + " (key)"
	case r.Pointer != "":
		return s + "#" + r.Pointer
	case r.Line != 0:
		return s + ":" + strconv.Itoa(r.Line)
	case r.Bytes:
		return s + "[" + strconv.Itoa(r.Start) + ":" + strconv.Itoa(r.End) + "]"
	}
	return s
}

// unique removes repeated edits and keeps the order.
func unique(edits []wire.Edit) []wire.Edit {
	seen := make(map[wire.Edit]bool, len(edits))
	list := make([]wire.Edit, 0, len(edits))
	for _, e := range edits {
		if !seen[e] {
			seen[e] = true
			list = append(list, e)
		}
	}
	return list
}

// Same reports whether two sets of files are equal. Parents of listed entries count as listed.
func (f Files) Same(other Files) bool {
	a, b := withParents(f), withParents(other)
	if len(a) != len(b) {
		return false
	}
	for path, file := range a {
		if there, ok := b[path]; !ok || !equalData(file, there) {
			return false
		}
	}
	return true
}
