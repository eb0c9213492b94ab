package statefiles

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// same returns a function that finds the present document with the object id of an earlier one.
func (i *Instance) same() func(path, id string) *snapshot.File {
	byPath := make(map[string]int, len(i.Files))
	for k, f := range i.Files {
		if f.Kind == snapshot.Regular {
			byPath[f.Path] = k
		}
	}
	return func(path, id string) *snapshot.File {
		k, ok := byPath[path]
		if !ok || !i.has(k, id) {
			return nil
		}
		return &i.Files[k]
	}
}

// has reports whether an object id belongs to a file's bytes. It returns false if that is unknown.
func (i *Instance) has(k int, id string) bool {
	switch f := &i.Files[k]; {
	case f.Kind != snapshot.Regular:
		return false
	case i.ids[k] != "":
		return i.ids[k] == id
	case f.Data != nil:
		return git.ObjectID("blob", f.Data, len(id)) == id
	case i.recalls(k):
		return i.known[k].IsBlob(id)
	}
	return false
}

// digest returns a hex SHA-256 of everything about the files that a plugin may learn. The files must be sorted by
// path. Instances with equal digests give equal snapshots for the same manifest. An object id stands for the bytes
// and everything derived from them.
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
