package snapshot

import (
	"crypto/sha256"
	"sync"

	"github.com/stategate/stategate/sdk/wire"
)

// maxRemembered is how many bytes of documents are remembered; beyond, all are forgotten.
const maxRemembered = 64 << 20

// A memory holds what was made of documents. It is safe for concurrent use.
type memory struct {
	mu   sync.Mutex
	size int
	docs map[remembered]wire.Document
}

// A remembered is all that a document is made of.
type remembered struct {
	path    string
	spec    int
	size    int64
	ignored bool
	most    int
	sum     [sha256.Size]byte
}

// Remember has the Builder keep what it makes of documents, so that each is interpreted once: the kit sees the same
// ones a thousand times.
func (b *Builder) Remember() { b.memory = &memory{docs: map[remembered]wire.Document{}} }

// made is the document of a file, or the one that was made before.
func (b *Builder) made(f *File) wire.Document {
	if b.memory == nil || f.Kind != Regular || f.Data == nil || f.TooLarge {
		return b.anew(f)
	}
	m, key := b.memory, remembered{f.Path, f.Spec, f.Size, f.Ignored, b.MaxContent, sha256.Sum256(f.Data)}
	m.mu.Lock()
	doc, ok := m.docs[key]
	m.mu.Unlock()
	if ok {
		return doc
	}
	doc = b.anew(f)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size += len(f.Data); m.size > maxRemembered {
		m.size = len(f.Data)
		clear(m.docs)
	}
	m.docs[key] = doc
	return doc
}

func (b *Builder) anew(f *File) wire.Document {
	doc := b.document(f)
	shorten(doc.Faults)
	return doc
}
