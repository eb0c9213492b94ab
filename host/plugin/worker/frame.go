package worker

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The types of frames.
const (
	frameHello  = 'H' // to the worker: limits (JSON), cache directory, anything if it is only read
	frameLoad   = 'L' // to the worker: plugin's digest, wasm
	frameUnload = 'U' // to the worker: plugin's digest; not answered
	frameRenew  = 'R' // to the worker: plugin's digest; not answered
	frameJob    = 'J' // to the worker: plugin's digest, payload

	frameLoaded = 'l' // from the worker: nanoseconds that it took, warnings
	frameResult = 'r' // from the worker: payload, stderr, bytes of memory
	frameFailed = 'f' // from the worker: kind, message, stderr, warnings
)

const frameHead = 5 // bytes: type, length

// frame is one message. Fields are opaque bytes.
type frame struct {
	typ    byte
	fields [][]byte
	last   [][]byte // one more field, in pieces; only of a frame that is sent
}

// errFrame is wrapped by every error that says that a frame is not what it should be.
var errFrame = errors.New("malformed frame")

// write sends a frame in few writes: large fields are not copied.
func (f frame) write(w *bufio.Writer) error {
	head := make([]byte, frameHead)
	var lengths [][]byte
	total := 0
	for _, field := range f.fields {
		length := binary.AppendUvarint(nil, uint64(len(field)))
		lengths = append(lengths, length)
		total += len(length) + len(field)
	}
	var last []byte
	if n := sizeOf(f.last); f.last != nil {
		last = binary.AppendUvarint(nil, uint64(n))
		total += len(last) + n
	}
	head[0] = f.typ
	binary.LittleEndian.PutUint32(head[1:], uint32(total))
	pieces := [][]byte{head}
	for i, field := range f.fields {
		pieces = append(pieces, lengths[i], field)
	}
	pieces = append(pieces, last)
	pieces = append(pieces, f.last...)
	for _, piece := range pieces {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return w.Flush()
}

func sizeOf(pieces [][]byte) int {
	n := 0
	for _, p := range pieces {
		n += len(p)
	}
	return n
}

// readFrame reads one frame of at most limit bytes. io.EOF means that there is none.
func readFrame(r *bufio.Reader, limit int64) (frame, error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return frame{}, err
	}
	size := binary.LittleEndian.Uint32(head[1:])
	if int64(size) > limit {
		return frame{}, fmt.Errorf("%w: %d bytes, at most %d are allowed", errFrame, size, limit)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return frame{}, io.ErrUnexpectedEOF
	}
	fields, err := splitFields(body)
	return frame{typ: head[0], fields: fields}, err
}

func splitFields(body []byte) ([][]byte, error) {
	var fields [][]byte
	for len(body) > 0 {
		n, used := binary.Uvarint(body)
		if used <= 0 || n > uint64(len(body)-used) {
			return nil, fmt.Errorf("%w: a field reaches past its end", errFrame)
		}
		body = body[used:]
		fields, body = append(fields, body[:n:n]), body[n:]
	}
	return fields, nil
}

// field returns the field with that index; a missing one is empty.
func (f frame) field(i int) []byte {
	if i < len(f.fields) {
		return f.fields[i]
	}
	return nil
}

// texts returns the fields from an index on as strings.
func (f frame) texts(from int) []string {
	var out []string
	for i := from; i < len(f.fields); i++ {
		out = append(out, string(f.fields[i]))
	}
	return out
}

func bytesOf(texts []string) [][]byte {
	var out [][]byte
	for _, t := range texts {
		out = append(out, []byte(t))
	}
	return out
}
