package statefiles

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Past is what an earlier revision has of an instance. Its bytes are there after Load.
type Past struct {
	Instance
	State wire.BaseState
	Tree  *tree.Listed // the commit that it was read of, or that has nothing of it
}

// Equal reports whether two pasts, loaded or not, are the same.
func (p *Past) Equal(other *Past) bool {
	return p.State == other.State && p.Root == other.Root && p.Digest == other.Digest
}

// Input returns the loaded past as a worker wants it.
func (p *Past) Input() snapshot.InputBase {
	if p.State != wire.BaseAt {
		return snapshot.InputBase{State: p.State}
	}
	return snapshot.InputBase{State: p.State, Root: p.Root, Files: p.Files}
}

// Base reads what a commit has at root, where the instance now is or was before it moved. It is BaseNew if the commit
// has nothing there that the manifest's documents admit, and BaseNone if besides git ignores all of the present
// instance: what is never committed has no earlier revision. Any error is a *fault.Failure.
func Base(ctx context.Context, commit *tree.Listed, specs *snapshot.Specs, now *Instance, root string,
	l Limits) (*Past, error) {
	absent := &Past{State: wire.BaseNew, Tree: commit}
	if allIgnored(now.Files) {
		absent.State = wire.BaseNone
	}
	p := &pass{ctx: ctx, tree: commit, specs: specs, limits: l, root: root, past: true, stable: true}
	switch err := p.walk(".", specs.Start(), 0); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, tree.ErrNotDirectory):
		return absent, nil
	case err != nil:
		return nil, located(root, err)
	}
	p.finish()
	if len(p.found) == 0 {
		return absent, nil
	}
	return &Past{*p.instance(), wire.BaseAt, commit}, nil
}

func allIgnored(files []snapshot.File) bool {
	return len(files) > 0 && !slices.ContainsFunc(files, func(f snapshot.File) bool { return !f.Ignored })
}

// same finds the present document whose object id that of an earlier one is.
func (i *Instance) same() func(path, id string) *snapshot.File {
	byPath := make(map[string]int, len(i.Files))
	for k, f := range i.Files {
		if f.Kind == snapshot.Regular {
			byPath[f.Path] = k
		}
	}
	return func(path, id string) *snapshot.File {
		k, ok := byPath[path]
		if !ok || i.ids[k] != id && (i.ids[k] != "" || i.Files[k].Data == nil ||
			git.ObjectID("blob", i.Files[k].Data, len(id)) != id) {
			return nil
		}
		return &i.Files[k]
	}
}

// digest returns a hex SHA-256 over everything in the files that a plugin may come to know, in the order given, which
// is by path. Two instances of equal digest get equal snapshots from the same manifest. An object id stands for the
// bytes and all that follows from them.
func digest(files []found) string {
	all := sha256.New()
	var head []byte
	for i := range files {
		f := &files[i]
		if f.Data != nil {
			sum := sha256.Sum256(f.Data)
			f.sum = &sum
		}
		head = appendText(head[:0], f.Path)
		head = append(head, byte(f.Kind), bit(f.TooLarge), bit(f.Ignored), bit(f.sum != nil))
		head = appendText(head, f.Detail)
		head = appendText(head, f.entry.ID)
		head = binary.BigEndian.AppendUint64(head, uint64(f.Size))
		head = binary.BigEndian.AppendUint32(head, uint32(f.Spec))
		if f.sum != nil {
			head = append(head, f.sum[:]...)
		}
		all.Write(head)
	}
	return hex.EncodeToString(all.Sum(nil))
}

func appendText(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// Ignored reports whether git ignores all of an instance.
func (i *Instance) Ignored() bool { return allIgnored(i.Files) }

// SomeIgnored reports whether git ignores a document of the instance.
func (i *Instance) SomeIgnored() bool {
	return slices.ContainsFunc(i.Files, func(f snapshot.File) bool { return f.Ignored })
}

// Unchanged reports whether the documents that git does not ignore are those of the past. Nothing need be loaded.
// Directories do not count: git has none. Of documents that are only listed the name counts.
func (p *Past) Unchanged(now *Instance) bool {
	if len(p.Files) == 0 {
		return false
	}
	same, seen := now.same(), 0
	for k, f := range p.Files {
		if f.Kind == snapshot.Directory {
			continue
		}
		if id := p.ids[k]; id == "" {
			return false // a link or the like: rare, and looking at it is always right
		} else if same(f.Path, id) == nil && !now.lists(f.Path) {
			return false
		}
		seen++
	}
	for _, f := range now.Files {
		if f.Kind != snapshot.Directory && !f.Ignored {
			seen--
		}
	}
	return seen == 0
}

// lists reports whether a document is there by name only.
func (i *Instance) lists(path string) bool {
	for k, f := range i.Files {
		if f.Path == path {
			return f.Kind == snapshot.Regular && i.ids[k] == "" && f.Data == nil && !f.TooLarge
		}
	}
	return false
}

// A Likeness is how much of a past state directory another one holds, in documents that are not empty.
type Likeness struct {
	Exact  int // the same bytes under the same name
	Shared int // the same name
	Total  int // documents of the past
}

// Likeness compares an instance with a past one that lay elsewhere. Nothing need be loaded.
func (p *Past) Likeness(now *Instance) (l Likeness) {
	same := now.same()
	names := make(map[string]bool, len(now.Files))
	for _, f := range now.Files {
		names[f.Path] = f.Kind == snapshot.Regular
	}
	for k, f := range p.Files {
		id := p.ids[k]
		if id == "" || id == git.ObjectID("blob", nil, len(id)) {
			continue
		}
		l.Total++
		if names[f.Path] {
			l.Shared++
		}
		if same(f.Path, id) != nil {
			l.Exact++
		}
	}
	return l
}

// Moved reports whether the likeness is that of one instance which has moved between two roots: most of it is the same,
// or its name is and much of it. Two runs of one workflow that were begun from the same templates are not alike.
func (l Likeness) Moved(from, to string) bool {
	if path.Base(from) == path.Base(to) {
		return l.Exact > 0 || l.Shared > 0 && 2*l.Shared >= l.Total
	}
	return l.Exact > 0 && 2*l.Exact >= l.Total
}

// A Sketch is what the documents of an instance say, whatever their line endings, indentation and blank lines are.
type Sketch map[string]text // by path; documents without a word are left out

// text counts the lines of a document, without the white space around them, by hash.
type text struct {
	lines  map[uint64]line
	length int // of all lines, in bytes
}

type line struct{ count, length int }

// Sketch loads the documents and sketches them.
func (i *Instance) Sketch(ctx context.Context) (Sketch, error) {
	if err := i.Load(ctx, nil); err != nil {
		return nil, err
	}
	s := Sketch{}
	for _, f := range i.Files {
		if f.Kind != snapshot.Regular {
			continue
		}
		if t := textOf(string(f.Data)); t.length > 0 {
			s[f.Path] = t
		}
	}
	return s, nil
}

func textOf(data string) text {
	t := text{lines: map[uint64]line{}}
	for l := range strings.Lines(data) {
		l = strings.TrimSpace(l)
		h := fnv.New64a()
		_, _ = h.Write([]byte(l))
		t.lines[h.Sum64()] = line{t.lines[h.Sum64()].count + 1, len(l)}
		t.length += len(l)
	}
	return t
}

// holds reports whether a text has nearly all lines of an earlier one.
func (t text) holds(old text) bool {
	common := 0
	for h, l := range old.lines {
		common += min(l.count, t.lines[h].count) * l.length
	}
	return 10*common >= 9*old.length
}

// Near counts the documents that still hold nearly all that they held in a past one, and reports whether these are
// enough to call it one state directory that has moved: most of what either of the two has, and a third of what there
// was. What two runs take from one template is less.
func (s Sketch) Near(past Sketch) (near int, moved bool) {
	for path, was := range past {
		if now, ok := s[path]; ok && now.holds(was) {
			near++
		}
	}
	return near, near > 0 && 3*near >= 2*min(len(s), len(past)) && 3*near >= len(past)
}
