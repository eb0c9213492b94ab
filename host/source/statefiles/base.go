package statefiles

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"strconv"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Past is what an earlier revision has of an instance. Its bytes are there after Load.
type Past struct {
	Instance
	State wire.BaseState
	Tree  tree.Tree // where it was read; nil if there is nothing
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
// is never committed has no earlier revision. Any error is a *failure.Failure.
func Base(ctx context.Context, commit tree.Tree, specs *Specs, now *Instance, root string, l Limits) (*Past, error) {
	absent := &Past{State: wire.BaseNew}
	if allIgnored(now.Files) {
		absent.State = wire.BaseNone
	}
	dir, err := commit.Open(ctx, root)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, tree.ErrNotDirectory) {
		return absent, nil
	}
	if err != nil {
		return nil, located(root, err)
	}
	defer dir.Close()
	p := &pass{ctx: ctx, dir: dir, specs: specs, limits: l, root: root, past: true, stable: true}
	if err := p.walk(".", specs.set.Start(), 0); err != nil {
		return nil, located(root, err)
	}
	p.finish()
	if len(p.found) == 0 {
		return absent, nil
	}
	return &Past{*p.instance(), wire.BaseAt, commit}, nil
}

func allIgnored(files []snapshot.File) bool {
	for _, f := range files {
		if !f.Ignored {
			return false
		}
	}
	return len(files) > 0
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
