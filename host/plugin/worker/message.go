package worker

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
)

// A message is the length of its head and that of its body, 4 little-endian bytes each, a head in JSON and the bytes of the
// body. The first one to a worker has a hello as its head, every other a request; those from a worker have an answer.

// hello is how a worker is to run. The body is its plugin's file, if it has one and Dir does not have what it needs. The answer says whether it could be loaded.
type hello struct {
	Limits    limits.Limits
	SHA256    string // of the plugin, hexadecimal; "" for a worker without one
	Dir       string // the entry of the cache; "" for none
	Compile   bool   // compile into Dir and end
	Interpret bool   // compile nothing; Dir is ""
}

// request asks for a job, whose payload is the body.
type request struct {
	Fresh bool // for an instance that has done nothing before
}

// answer is what came of a request. Its body is that of the job.
type answer struct {
	Failure *fault.Failure `json:",omitempty"`
	Stale   bool           `json:",omitempty"` // the entry is of no use, and nothing is loaded
	Stderr  string         `json:",omitempty"` // what the guest wrote
}

// errMalformed is wrapped by every error about a message that is not what it should be.
var errMalformed = errors.New("malformed message")

// writeMessage sends a message in few writes: the parts of the body are not copied.
func writeMessage(w *bufio.Writer, head any, body ...[]byte) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	lengths := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	lengths = binary.LittleEndian.AppendUint32(lengths, uint32(sizeOf(body)))
	for _, piece := range append([][]byte{lengths, text}, body...) {
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

// readMessage reads a message of at most limit bytes. io.EOF means that there are no more.
func readMessage(r *bufio.Reader, limit int64, head any) (body []byte, err error) {
	var lengths [8]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		return nil, err
	}
	headSize, bodySize := int64(binary.LittleEndian.Uint32(lengths[:])), int64(binary.LittleEndian.Uint32(lengths[4:]))
	if headSize+bodySize > limit {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are allowed", errMalformed, headSize+bodySize, limit)
	}
	text, body := make([]byte, headSize), make([]byte, bodySize)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if err := json.Unmarshal(text, head); err != nil {
		return nil, fmt.Errorf("%w: %w", errMalformed, err)
	}
	return body, nil
}
