package git

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"unsafe"
)

// This file reads git's index file directly if it has the usual format, because git takes 35 ms to print 100,000
// lines through a pipe, and parsing them takes 15 ms more. If the index file contains anything unusual (SHA-256, a
// split or sparse index, a directory entry or damage), git reads it instead.

// maxIndexFile is the maximum size in bytes of an index file that is read here, enough for about ten million names.
const maxIndexFile = 1 << 30

const (
	indexHead  = 12 // "DIRC", version, number of entries
	entryHead  = 62 // the bytes before a path
	atMode     = 24
	atID       = 40
	atFlags    = 60
	idSize     = 20
	extended   = 0x4000 // in the flags: two more bytes of flags follow
	addLater   = 0x2000 // in these bytes: the entry is only intended to be added
	skipped    = 0x4000 // in these bytes: a sparse checkout omits the file
	stageMask  = 0x3000
	lengthMask = 0x0fff
)

// indexFile reads the index file. It reports false if git has to read it.
func (r listings) indexFile() (*Listing, bool) {
	name := filepath.Join(r.Dir, "index")
	if other := (Settings{Environ: r.environ}).Get("GIT_INDEX_FILE"); other != "" {
		name = other
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIndexFile {
		return nil, false
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	return parseIndex(data)
}

// parseIndex parses a complete index file of version 2, 3 or 4. The caller must not modify data afterwards.
func parseIndex(data []byte) (*Listing, bool) {
	if len(data) < indexHead+idSize || string(data[:4]) != "DIRC" {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), int(binary.BigEndian.Uint32(data[8:]))
	rest := data[indexHead : len(data)-idSize]
	if version < 2 || version > 4 || count > len(rest)/(entryHead+1) {
		return nil, false
	}
	l := &Listing{Files: make([]File, 0, count)}
	ids := make([]byte, 2*idSize*count)
	id := func(i int) string { return unsafe.String(&ids[i*2*idSize], 2*idSize) }
	paths := make([]byte, 0, len(rest)-entryHead*count) // a copy, so that the rest of the file can be freed
	path := ""                                          // the previous one
	for i := range count {
		e, ok := entry(&rest, version, path, &paths)
		if !ok || e.path < path || e.path == path && e.stage == 0 || octal(e.mode) == directory {
			return nil, false
		}
		path = e.path
		if len(paths) > max(maxOutput, len(data)) { // in version 4, a long path takes few bytes
			return nil, false
		}
		f := File{Path: path, Mode: octal(e.mode), Unmerged: e.stage != 0, Intended: e.intended && e.stage == 0,
			Skipped: e.skipped && e.stage == 0}
		if !f.Unmerged {
			hex.Encode(ids[i*2*idSize:], e.id)
			f.ID = id(i)
		}
		l.add(f)
	}
	for len(rest) >= 8 { // extensions, which are optional if they begin with a capital letter
		size := int64(binary.BigEndian.Uint32(rest[4:]))
		if rest[0] < 'A' || rest[0] > 'Z' || size > int64(len(rest)-8) {
			return nil, false
		}
		if string(rest[:4]) == "TREE" {
			l.tree = rootOf(rest[8 : 8+size])
		}
		rest = rest[8+size:]
	}
	return l, len(rest) == 0
}

// rootOf returns the object id of the whole index's tree, or "" if the index has changed since git wrote that tree.
// The root comes first in the extension: an empty name, its number of files and directories, and its id.
func rootOf(extension []byte) string {
	head, id, _ := bytes.Cut(extension, []byte("\n"))
	if len(head) < 2 || head[0] != 0 || head[1] == '-' || len(id) < idSize {
		return ""
	}
	return hex.EncodeToString(id[:idSize])
}

type indexEntry struct {
	path     string
	mode     uint32
	stage    uint16
	intended bool
	skipped  bool
	id       []byte
}

// entry parses and removes one entry. In version 4, an entry stores only how its path differs from the previous one.
func entry(data *[]byte, version uint32, before string, paths *[]byte) (e indexEntry, ok bool) {
	d := *data
	if len(d) <= entryHead {
		return e, false
	}
	flags := binary.BigEndian.Uint16(d[atFlags:])
	e.mode, e.id, e.stage = binary.BigEndian.Uint32(d[atMode:]), d[atID:atID+idSize], flags&stageMask
	at := entryHead
	if flags&extended != 0 {
		at += 2
		if len(d) < at {
			return e, false
		}
		more := binary.BigEndian.Uint16(d[entryHead:])
		e.intended, e.skipped = more&addLater != 0, more&skipped != 0
	}
	kept := 0
	if version == 4 {
		cut, n := offset(d[min(at, len(d)):])
		if n == 0 || cut > len(before) {
			return e, false
		}
		at, kept = at+n, len(before)-cut
	}
	end := bytes.IndexByte(d[min(at, len(d)):], 0)
	if end < 0 || flags&extended != 0 && version < 3 {
		return e, false
	}
	name := d[at : at+end]
	next := at + end + 1
	begin := len(*paths)
	*paths = append(append(*paths, before[:kept]...), name...)
	e.path = unsafe.String(unsafe.SliceData((*paths)[begin:]), kept+len(name))
	for ; version < 4 && next%8 != 0; next++ {
		if next >= len(d) || d[next] != 0 {
			return e, false
		}
	}
	*data = d[min(next, len(d)):]
	return e, e.path != "" && int(flags&lengthMask) == min(len(e.path), lengthMask) && next <= len(d)
}

// offset reads a number in git's variable-length encoding, and returns its length.
func offset(d []byte) (value, n int) {
	for n < len(d) {
		c := d[n]
		value = value<<7 | int(c&0x7f)
		if n++; c < 0x80 {
			return value, n
		}
		if value++; value > math.MaxInt32 {
			break
		}
	}
	return 0, 0
}

func octal(mode uint32) string {
	switch mode {
	case 0o100644:
		return "100644"
	case 0o100755:
		return "100755"
	}
	return fmt.Sprintf("%06o", mode)
}
