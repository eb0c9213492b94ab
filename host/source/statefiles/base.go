package statefiles

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Past is what an earlier revision has of an instance. Its bytes are there after Load.
type Past struct {
	Instance
	State wire.BaseState
	Tree  *tree.Listed // the commit that it was read of, or that has nothing of it; nil for one that is remembered
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

// Base reads what a commit has at root, where the instance now is or was before it moved. It is BaseNew if the commit has
// nothing there that the manifest's documents admit, and BaseNone if besides git ignores all of the present instance: what
// is never committed has no earlier revision. Any error is a *fault.Failure.
func Base(ctx context.Context, commit *tree.Listed, specs *Specs, now *Instance, root string, l Limits) (*Past, error) {
	absent := &Past{State: wire.BaseNew, Tree: commit}
	if allIgnored(now.Files) {
		absent.State = wire.BaseNone
	}
	p := &pass{ctx: ctx, tree: commit, specs: specs, limits: l, root: root, past: true, stable: true}
	switch err := p.walk(".", specs.set.Start(), 0); {
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

// Remembered returns what is remembered of an instance, as far as the manifest's documents admit it: BaseNew if that is nothing.
// Any error is a *fault.Failure.
func Remembered(specs *Specs, root string, files []snapshot.File, l Limits) (*Past, error) {
	p := &pass{specs: specs, limits: l, root: root, stable: true}
	for _, f := range files {
		from, st := specs.set.Start(), specs.set.Start()
		for name := range strings.SplitSeq(f.Path, "/") {
			from, st = st, specs.set.Step(st, name)
		}
		spec, ok := specs.admit(from, st, tree.Entry{Name: path.Base(f.Path), Kind: f.Kind})
		if !ok {
			continue
		}
		f.Spec, f.Ignored = spec, false
		hidden, err := p.recall(&f)
		switch {
		case err != nil:
			return nil, located(root, err)
		case hidden:
			p.hide(f.Path)
		default:
			p.add(f)
		}
	}
	p.finish()
	if len(p.found) == 0 {
		return &Past{State: wire.BaseNew}, nil
	}
	return &Past{Instance: *p.instance(), State: wire.BaseAt}, nil
}

// recall leaves of a file what its spec needs.
func (p *pass) recall(f *snapshot.File) (hidden bool, err error) {
	switch need := p.specs.list[f.Spec].Need; {
	case f.Kind != snapshot.Regular:
		return false, nil
	case need == wire.Listed:
		f.Data, f.TooLarge = nil, false
		return false, nil
	case f.Data == nil && !f.TooLarge:
		return true, nil
	default:
		return p.fill(f, tree.Content{Size: f.Size, Data: f.Data}, need)
	}
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
		if !ok || i.ids[k] != id && (i.ids[k] != "" || i.Files[k].Data == nil || blobID(i.Files[k].Data, len(id)) != id) {
			return nil
		}
		return &i.Files[k]
	}
}

// blobID returns the object id of a blob, by the hash that ids of that length come from.
func blobID(data []byte, length int) string {
	h := sha1.New()
	if length == hex.EncodedLen(sha256.Size) {
		h = sha256.New()
	}
	_, _ = io.WriteString(h, "blob "+strconv.Itoa(len(data))+"\x00")
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// digest returns a hex SHA-256 over everything in the files that a plugin may come to know, in the order given, which is
// by path. Two instances of equal digest get equal snapshots from the same manifest. An object id stands for the bytes and
// all that follows from them.
func digest(files []found) string {
	all := sha256.New()
	var head []byte
	for _, f := range files {
		head = appendText(head[:0], f.Path)
		head = append(head, byte(f.Kind), bit(f.TooLarge), bit(f.Ignored), bit(f.Data != nil))
		head = appendText(head, f.Detail)
		head = appendText(head, f.entry.ID)
		head = binary.BigEndian.AppendUint64(head, uint64(f.Size))
		head = binary.BigEndian.AppendUint32(head, uint32(f.Spec))
		if f.Data != nil {
			sum := sha256.Sum256(f.Data)
			head = append(head, sum[:]...)
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
