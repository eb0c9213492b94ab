// Package edit computes what the edits of a remedy leave, purely: documents in
// memory go in, documents and a list of changes come out. A host writes the
// changes, a test kit looks at the documents.
//
// The edits of one call happen together: every range and pointer names a place
// in the documents as they were, in whatever order the edits stand. Identical
// edits count once. Two edits that cannot both hold are refused with a
// [*Conflict]; any other edit that cannot be made is refused with an [*Error].
// Then nothing has happened, since nothing but the result is ever changed.
//
// Byte-order marks and line endings stay: ranges count after the mark, and new
// text gets the line ending that most lines of its document have. Create and
// Restore are byte for byte. Hosts and test kits link this package; guests do not.
package edit

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/stategate/stategate/sdk/wire"
)

// MaxEdits is how many different edits one call makes at most.
const MaxEdits = 1000

// maxWork bounds the bytes that are read when values are changed by their pointers: each change reads its document
// once.
const maxWork = 256 << 20

// work is how many bytes the changes of values read.
func work(files Files, edits []wire.Edit) (n int) {
	for _, e := range edits {
		if e.Range.Pointer != "" {
			n += len(files[e.Range.Path].Data)
		}
	}
	return n
}

// Files lists the entries below the root of an instance, by slash-separated path. The name of a directory ends in a
// slash; the parents of an entry need none of their own. It should list all existing entries, seen by the plugin or
// not: any of them can occupy a name.
type Files map[string]File

// A File is the entry at a path. The zero File is an empty document or a directory, depending on its name.
type File struct {
	Data []byte // raw: with byte-order mark
	// something is here whose bytes are unknown: it may be moved, set aside, replaced or removed, and not edited
	Unread bool
}

// Env is what edits need to know beyond the files.
type Env struct {
	Now  time.Time // what ${now} stands for
	Root string    // where the instance lies
	Base Files     // what Restore restores
	// CheckRoot refuses a place that the instance may not move to: one that the
	// workflow's roots do not match or that is taken. If nil, no place is allowed.
	CheckRoot func(to string) error
}

// A Result is what edits leave.
type Result struct {
	Root    string   // where the instance lies then
	Files   Files    // with an entry for every directory
	Changes []Change // what leads there, to be made in this order; afterwards the root moves
}

// A ChangeKind says what a Change does.
type ChangeKind uint8

// The kinds of change, in the order in which they are made.
const (
	Delete ChangeKind = iota // Path goes: a document, or an empty directory
	Rename                   // From becomes Path, which is free by then
	Write                    // Path holds Data afterwards; missing parents are made
)

// A Change is one step of a host. A name that ends in a slash is a directory.
type Change struct {
	Kind ChangeKind
	Path string
	From string // for Rename
	Data []byte // for Write
}

// An Error says which edit cannot be made and why.
type Error struct {
	Edit wire.Edit
	Why  string
}

func (e *Error) Error() string { return Describe(e.Edit) + ": " + e.Why }

// A Conflict says which two edits cannot both hold and why.
type Conflict struct {
	First, Second wire.Edit
	Why           string
}

func (c *Conflict) Error() string {
	return Describe(c.First) + " conflicts with " + Describe(c.Second) + ": " + c.Why
}

// Apply makes the edits of one remedy, or of several that are made together.
// It leaves files alone.
func Apply(files Files, edits []wire.Edit, env Env) (*Result, error) {
	edits = unique(edits)
	if len(edits) > MaxEdits {
		return nil, errors.New("apply edits: " + strconv.Itoa(len(edits)) + " edits, the limit is " +
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

// Merge makes the edits of several remedies together, the first ones first. A
// remedy that conflicts with those before it, or that cannot be made, is skipped
// whole. The error is that of edits which cannot be made at all: none.
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

// Describe names an edit on one line, without its text: "set state.json#/round".
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

// unique drops repeated edits and keeps the order.
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

// Same reports whether two sets of files are the same, parents of what is
// listed counted as listed.
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
