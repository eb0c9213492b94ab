// Package exchange is what a worker does: it turns the bytes of one instance
// into a request, calls the plugin and turns the report into findings at
// resolved places. It interprets hostile bytes and runs only inside a worker.
package exchange

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/stategate/stategate/sdk/snapshot"
)

// A Job is one instance to be examined.
type Job struct {
	Manifest   []byte         // the plugin's manifest as JSON
	Input      snapshot.Input // what lies at the root
	MaxContent int            // bytes; see snapshot.Builder
	MaxRequest int            // bytes a plugin may be given
	Limits     snapshot.Limits
}

// header is a Job without its bytes, which follow it in the order of Files and
// then of Base.Files; lengths holds -1 for a file without bytes.
type header struct {
	Job
	Lengths  []int
	Manifest int
}

// Encode writes the job as a 4-byte little-endian length, a JSON header and the
// bytes of manifest and files, in pieces that belong together: the files are
// not copied.
func (j *Job) Encode() ([][]byte, error) {
	h := header{Job: *j, Manifest: len(j.Manifest)}
	h.Job.Manifest = nil
	h.Input.Files, h.Input.Base.Files = stripped(j.Input.Files), stripped(j.Input.Base.Files)
	for _, f := range files(j) {
		h.Lengths = append(h.Lengths, length(f.Data))
	}
	head, err := json.Marshal(&h)
	if err != nil {
		return nil, fmt.Errorf("encode the job: %w", err)
	}
	pieces := [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head, j.Manifest}
	for _, f := range files(j) {
		if f.Data != nil {
			pieces = append(pieces, f.Data)
		}
	}
	return pieces, nil
}

// DecodeJob reads what Encode wrote. The job's bytes alias data.
func DecodeJob(data []byte) (*Job, error) {
	if len(data) < 4 {
		return nil, fmt.Errorf("decode the job: %d bytes", len(data))
	}
	n := int(binary.LittleEndian.Uint32(data))
	if n > len(data)-4 {
		return nil, fmt.Errorf("decode the job: a header of %d bytes in %d", n, len(data))
	}
	var h header
	if err := json.Unmarshal(data[4:4+n], &h); err != nil {
		return nil, fmt.Errorf("decode the job: %w", err)
	}
	j, rest := h.Job, data[4+n:]
	all := files(&j)
	if len(all) != len(h.Lengths) || h.Manifest < 0 || h.Manifest > len(rest) {
		return nil, fmt.Errorf("decode the job: %d files and %d lengths", len(all), len(h.Lengths))
	}
	j.Manifest, rest = rest[:h.Manifest], rest[h.Manifest:]
	for i, f := range all {
		if h.Lengths[i] < 0 {
			continue
		}
		if h.Lengths[i] > len(rest) {
			return nil, fmt.Errorf("decode the job: %s lacks bytes", f.Path)
		}
		f.Data, rest = rest[:h.Lengths[i]:h.Lengths[i]], rest[h.Lengths[i]:]
	}
	return &j, nil
}

func stripped(list []snapshot.File) []snapshot.File {
	out := make([]snapshot.File, len(list))
	for i, f := range list {
		f.Data = nil
		out[i] = f
	}
	return out
}

func files(j *Job) []*snapshot.File {
	var list []*snapshot.File
	for i := range j.Input.Files {
		list = append(list, &j.Input.Files[i])
	}
	for i := range j.Input.Base.Files {
		list = append(list, &j.Input.Base.Files[i])
	}
	return list
}

func length(data []byte) int {
	if data == nil {
		return -1
	}
	return len(data)
}
