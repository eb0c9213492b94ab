package statefiles

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

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
