package collect

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"strconv"

	"github.com/stategate/stategate/host/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Base reads what the commit has at the same root. It is BaseNew if the commit has nothing there that the manifest's
// documents admit, and BaseNone if besides git ignores all of the present instance: what is never committed has no
// earlier revision. Documents that are the same now share their bytes with now. Any error is a *failure.Failure.
func Base(ctx context.Context, commit *tree.Commit, specs *Specs, now *Instance, l Limits) (snapshot.InputBase, error) {
	absent := snapshot.InputBase{State: wire.BaseNew}
	if allIgnored(now.Files) {
		absent.State = wire.BaseNone
	}
	dir, err := commit.Open(ctx, now.Root)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, tree.ErrNotDirectory) {
		return absent, nil
	}
	if err != nil {
		return snapshot.InputBase{}, located(now.Root, err)
	}
	defer dir.Close()
	p := &pass{ctx: ctx, dir: dir, specs: specs, limits: l, root: now.Root, known: same(now.Files)}
	if err := p.walk(".", specs.set.Start(), 0); err != nil {
		return snapshot.InputBase{}, located(now.Root, err)
	}
	p.finish()
	if len(p.files) == 0 {
		return absent, nil
	}
	return snapshot.InputBase{State: wire.BaseAt, Root: now.Root, Files: p.files}, nil
}

func allIgnored(files []snapshot.File) bool {
	for _, f := range files {
		if !f.Ignored {
			return false
		}
	}
	return len(files) > 0
}

// same finds the present bytes of a document whose object id in the commit is theirs.
func same(files []snapshot.File) func(tree.Entry, string) ([]byte, bool) {
	byPath := make(map[string][]byte, len(files))
	for _, f := range files {
		if f.Data != nil {
			byPath[f.Path] = f.Data
		}
	}
	return func(e tree.Entry, path string) ([]byte, bool) {
		data, ok := byPath[path]
		return data, ok && blobID(data, len(e.ID)) == e.ID
	}
}

// blobID gives the object id of a blob, by the hash that ids of that length come from.
func blobID(data []byte, length int) string {
	var h hash.Hash = sha1.New()
	if length == hex.EncodedLen(sha256.Size) {
		h = sha256.New()
	}
	_, _ = io.WriteString(h, "blob "+strconv.Itoa(len(data))+"\x00")
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}
