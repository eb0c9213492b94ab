package tree

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// A Memory stores what earlier checks of a working tree saw: each directory's entries, and the digest of each
// file's content, together with its status. As long as the status is the same, so is the content. The system
// updates the change time (ctime) with every write, rename and change of mode, and no program can set it. Only
// writes through mapped memory may leave it unchanged. As in git, this is reliable only for files that had not
// changed for a while when they were checked, so that a later change gets another time. It also works only on the
// file system of the top directory, and only if Lasting reports that this file system keeps reliable times.
//
// No file is read through a Memory, and a name that now leads elsewhere has another status. It is safe for
// concurrent use.
type Memory struct {
	begin  int64  // when this check began, in nanoseconds
	device uint64 // of the top directory

	mu      sync.Mutex
	old     map[string]string              // by directory: an encoded folding
	now     map[string]string              // the same for new entries
	size    int                            // of now, in bytes
	learned map[string]map[string]sighting // by directory and name
	hits    map[string]bool                // directories that are unchanged
}

// maxMemory limits the bytes that one check adds.
const maxMemory = 32 << 20

// A folding is a directory's content, with the known statuses and digests of its files.
type folding struct {
	status  status // zero: only the digests count
	entries []Entry
}

// A sighting records a file's status and digests at the time it was read.
type sighting struct {
	status status
	Digests
}

// Digests are the digests of a file's bytes.
type Digests struct {
	Sum  [sha256.Size]byte
	blob [sha1.Size]byte
}

// IsBlob reports whether git would store the bytes under this SHA-1 object id.
func (d *Digests) IsBlob(id string) bool {
	var blob [sha1.Size]byte
	if len(id) != hex.EncodedLen(len(blob)) {
		return false
	}
	_, err := hex.Decode(blob[:], []byte(id))
	return err == nil && blob == d.blob
}

// Recall makes the tree use encoded, the result of an earlier Memory.Encode or "" if there is none. begin is the time
// when the check began. Recall returns nil if statuses are not reliable.
func (w *Worktree) Recall(encoded string, begin time.Time) *Memory {
	is, err := w.top.status(".")
	m := &Memory{begin: begin.UnixNano(), device: is.device, old: map[string]string{}, now: map[string]string{},
		learned: map[string]map[string]sighting{}, hits: map[string]bool{}}
	if err != nil || !lasting(w.top) {
		m = nil
	}
	for w.memory = m; m != nil && encoded != ""; {
		d := decoder{encoded, true}
		dir, folded := d.text(), d.text()
		m.old[dir], encoded = folded, d.rest
	}
	return m
}

// settled reports whether an entry had not changed for a while when this check began.
func (m *Memory) settled(is status) bool {
	return is.device == m.device && max(is.modified, is.changed) < m.begin-int64(coarse)
}

// list returns a directory's remembered content if the directory is unchanged, or else the remembered digests of
// its files.
func (m *Memory) list(w *Worktree, dir string) (l Listing, unchanged bool, files []Entry) {
	f := unfold(m.old[dir])
	if f.status == (status{}) {
		return l, false, f.entries
	}
	if !w.top.is(dir, f.status) {
		return l, false, f.entries
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hits[dir] = true
	return Listing{f.entries, Stamp{status: f.status, remembered: true}}, true, nil
}

// note records a directory's content, and the remembered digests of its files.
func (m *Memory) note(dir string, l Listing, files []Entry) {
	f := folding{entries: l.Entries}
	if m.settled(l.Stamp.status) {
		f.status = l.Stamp.status
	}
	for i, at := 0, 0; i < len(f.entries); i++ {
		for at < len(files) && files[at].Name < f.entries[i].Name {
			at++
		}
		if at < len(files) && files[at].Name == f.entries[i].Name {
			f.entries[i].seen = files[at].seen
		}
	}
	folded := f.fold(nil)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size += len(folded); m.size <= maxMemory {
		m.now[dir] = folded
	}
}

// Known returns the digests of a listed file if it is unchanged since it was read. The returned content has a
// size but no bytes.
func (w *Worktree) Known(name string, e Entry) (c Content, known *Digests) {
	if _, unsaved := w.unsaved[name]; unsaved || e.seen == nil {
		return c, nil
	}
	if !w.top.is(name, e.seen.status) {
		return c, nil
	}
	return Content{Size: e.seen.status.size, Stamp: Stamp{status: e.seen.status, remembered: true}}, &e.seen.Digests
}

// Learn records the digests of a file that was read, if its stamp is still valid.
func (w *Worktree) Learn(name string, e Entry, s Stamp, data []byte, sum [sha256.Size]byte) {
	m := w.memory
	if m == nil || !m.settled(s.status) || e.seen != nil && e.seen.status == s.status && e.seen.Sum == sum {
		return
	}
	read := sighting{s.status, Digests{Sum: sum}}
	copy(read.blob[:], git.SHA1("blob", data))
	dir, base := path.Split(name)
	dir = path.Clean(dir)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.learned[dir] == nil {
		m.learned[dir] = map[string]sighting{}
	}
	m.learned[dir][base] = read
}

// Encode returns the text to store for the next check. It returns "" if there is little new, because storing it
// would cost more than checking again. After a check of the whole tree, the text omits files that no longer
// exist.
func (m *Memory) Encode(whole bool) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if 64*(len(m.now)+len(m.learned)) <= len(m.hits) {
		return ""
	}
	for dir, folded := range m.old {
		if _, again := m.now[dir]; !again && (!whole || m.hits[dir]) {
			m.now[dir] = folded
		}
	}
	var b []byte
	for _, dir := range slices.Sorted(maps.Keys(m.now)) {
		folded := m.now[dir]
		if files := m.learned[dir]; files != nil {
			folded = unfold(folded).fold(files)
		}
		b = appendText(appendText(b, dir), folded)
	}
	return string(b)
}

// fold encodes a folding. New sightings replace the earlier ones for the same files.
func (f folding) fold(files map[string]sighting) string {
	b := binary.AppendUvarint(appendStatus(nil, f.status), uint64(len(f.entries)))
	for _, e := range f.entries {
		b = appendText(binary.AppendUvarint(appendText(b, e.Name), uint64(e.Kind)), e.Detail)
		if s, ok := files[e.Name]; ok {
			e.seen = &s
		}
		if e.seen == nil {
			b = append(b, 0)
		} else {
			b = append(appendStatus(append(b, 1), e.seen.status), e.seen.Sum[:]...)
			b = append(b, e.seen.blob[:]...)
		}
	}
	return string(b)
}

// unfold is the inverse of fold. It returns nothing for damaged data.
func unfold(text string) (f folding) {
	d := decoder{text, true}
	f.status = d.status()
	f.entries = make([]Entry, min(d.number(), uint64(len(d.rest))))
	for i := range f.entries {
		e := &f.entries[i]
		*e = Entry{Name: d.text(), Kind: snapshot.Kind(d.number()), Detail: d.text()}
		if d.number() == 1 {
			e.seen = &sighting{status: d.status()}
			copy(e.seen.Sum[:], d.bytes(sha256.Size))
			copy(e.seen.blob[:], d.bytes(sha1.Size))
		}
	}
	if !d.ok {
		return folding{}
	}
	return f
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStatus(b []byte, is status) []byte {
	for _, n := range []uint64{uint64(is.mode), uint64(is.size), uint64(is.modified), uint64(is.changed), is.device,
		is.inode} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// A decoder consumes an encoded string.
type decoder struct {
	rest string
	ok   bool // everything so far could be decoded
}

func (d *decoder) bytes(n uint64) string {
	if d.ok = d.ok && n <= uint64(len(d.rest)); !d.ok {
		return ""
	}
	var taken string
	taken, d.rest = d.rest[:n], d.rest[n:]
	return taken
}

func (d *decoder) number() (n uint64) {
	for shift := 0; shift < 35; shift += 7 {
		c := d.bytes(1)
		if c == "" {
			return 0
		}
		if n |= uint64(c[0]&0x7f) << shift; c[0] < 0x80 {
			return n
		}
	}
	d.ok = false
	return 0
}

func (d *decoder) text() string { return d.bytes(d.number()) }

func (d *decoder) status() status {
	b := d.bytes(6 * 8)
	if b == "" {
		return status{}
	}
	n := func(i int) uint64 { return binary.LittleEndian.Uint64([]byte(b[8*i : 8*i+8])) }
	return status{fs.FileMode(n(0)), int64(n(1)), int64(n(2)), int64(n(3)), n(4), n(5)}
}
