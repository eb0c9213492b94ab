package cache

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"time"
)

// recordsHead begins a file of verdicts. A change of the format changes it, and
// the old file counts as damaged.
const recordsHead = "stategate verdicts 1\n"

// A record is one verdict as the file holds it: the CRC-32C of what follows, the
// length of the whole record, key, slot, two times as Unix nanoseconds (0 is open),
// and what was said, deflated. Integers are little-endian.
type record []byte

const (
	atSize = 4
	atKey  = 8
	atSlot = atKey + 32
	atFrom = atSlot + 8
	atTo   = atFrom + 8
	atSaid = atTo + 8
)

func newRecord(v Verdict, packed []byte) record {
	r := make(record, atSaid, atSaid+len(packed))
	copy(r[atKey:], v.Key[:])
	copy(r[atSlot:], v.Slot[:])
	binary.LittleEndian.PutUint64(r[atFrom:], uint64(nanoseconds(v.From)))
	binary.LittleEndian.PutUint64(r[atTo:], uint64(nanoseconds(v.To)))
	r = append(r, packed...)
	binary.LittleEndian.PutUint32(r[atSize:], uint32(len(r)))
	binary.LittleEndian.PutUint32(r, crc32.Checksum(r[atSize:], castagnoli))
	return r
}

// readRecords cuts a file into records, and reports whether it came out even.
// The records' own checksums are looked at when they are used.
func readRecords(data []byte) (list []record, whole bool) {
	rest, ok := bytes.CutPrefix(data, []byte(recordsHead))
	if !ok {
		return nil, false
	}
	for len(rest) > 0 {
		if len(rest) < atSaid {
			return list, false
		}
		size := int64(binary.LittleEndian.Uint32(rest[atSize:]))
		if size < atSaid || size > int64(len(rest)) {
			return list, false
		}
		list = append(list, record(rest[:size:size]))
		rest = rest[size:]
	}
	return list, true
}

func (r record) key() (k [32]byte) { copy(k[:], r[atKey:]); return k }

func (r record) slot() (s [8]byte) { copy(s[:], r[atSlot:]); return s }

func (r record) packed() []byte { return r[atSaid:] }

func (r record) whole() bool {
	return crc32.Checksum(r[atSize:], castagnoli) == binary.LittleEndian.Uint32(r)
}

func (r record) holds(now time.Time) bool {
	from, to, n := number(r[atFrom:]), number(r[atTo:]), nanoseconds(now)
	known := n > earliest && n < latest && !now.IsZero()
	return (from == 0 || known && n >= from) && (to == 0 || known && n < to)
}

// The times that nanoseconds can hold: some 292 years before and after 1970.
const earliest, latest = math.MinInt64, math.MaxInt64

// nanoseconds gives 0 for the zero time, the nearest that there is for a time that
// cannot be held, and never 0 for any other.
func nanoseconds(t time.Time) int64 {
	switch n := t.UnixNano(); {
	case t.IsZero():
		return 0
	case t.Before(time.Unix(0, earliest)):
		return earliest
	case t.After(time.Unix(0, latest)):
		return latest
	case n == 0:
		return 1
	default:
		return n
	}
}

// A packer deflates and inflates, one text at a time. Its parts are large, so
// they are made once.
type packer struct {
	in  *flate.Writer
	out io.ReadCloser
}

func (p *packer) pack(text []byte) []byte {
	var b bytes.Buffer
	if p.in == nil {
		p.in, _ = flate.NewWriter(&b, flate.BestSpeed) // the level is a valid one
	} else {
		p.in.Reset(&b)
	}
	_, _ = p.in.Write(text) // a buffer takes everything
	_ = p.in.Close()
	return b.Bytes()
}

func (p *packer) unpack(packed []byte) ([]byte, error) {
	r := bytes.NewReader(packed)
	if p.out == nil {
		p.out = flate.NewReader(r)
	} else if err := p.out.(flate.Resetter).Reset(r, nil); err != nil {
		return nil, err
	}
	return io.ReadAll(p.out)
}
