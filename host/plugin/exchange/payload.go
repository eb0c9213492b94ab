package exchange

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// The first byte of a payload is the kind of request.
const (
	askDescribe = 'd'
	askExamine  = 'e'
	askReport   = 'r'
	askOptions  = 'o'
	askAnswered = 'a'
	askDeclared = 't'
)

// DescribePayload asks a plugin for its manifest. The answer is the manifest exactly as the plugin wrote it.
func DescribePayload() [][]byte { return [][]byte{{askDescribe}} }

// DeclarationPayload requests that a text that declares a workflow be read. The answer comes from
// Examiner.Declaration.
func DeclarationPayload(text []byte) [][]byte { return [][]byte{{askDeclared}, text} }

// ReportPayload asks a plugin for its report on an encoded request. The answer is the report exactly as the plugin
// wrote it.
func ReportPayload(request []byte) [][]byte { return [][]byte{{askReport}, request} }

// header is an Input without its bytes, which follow it in the order of Files and then of Base.Files.
type header struct {
	snapshot.Input
	Lengths []int // of the bytes; -1 for a file without bytes
}

// ExaminePayload requests that one state directory be examined. It returns pieces that form one message: a 4-byte
// little-endian length, a JSON header and the files' bytes, which are not copied. DecodeReply decodes the answer.
func ExaminePayload(in snapshot.Input) ([][]byte, error) {
	h := header{Input: in}
	h.Files, h.Base.Files = slices.Clone(in.Files), slices.Clone(in.Base.Files)
	pieces := [][]byte{{askExamine}, nil, nil}
	for _, f := range files(&h.Input) {
		length := -1
		if f.Data != nil {
			length, pieces = len(f.Data), append(pieces, f.Data)
		}
		h.Lengths, f.Data = append(h.Lengths, length), nil
	}
	head, err := json.Marshal(&h)
	if err != nil {
		return nil, fmt.Errorf("encode the job: %w", err)
	}
	pieces[1], pieces[2] = binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head
	return pieces, nil
}

// AnswersPayload continues an ExaminePayload that the same worker has just answered with the plugin's questions. It
// contains the answers in the same order, now and in the base. DecodeReply decodes the answer.
func AnswersPayload(now, base []wire.Answer) [][]byte {
	return [][]byte{{askAnswered}, wire.EncodeAnswers(now, base)}
}

// DecodeInput decodes an ExaminePayload without its first byte. The files' bytes alias data.
func DecodeInput(data []byte) (snapshot.Input, error) {
	var h header
	if len(data) < 4 {
		return h.Input, fmt.Errorf("decode the job: %d bytes", len(data))
	}
	n, rest := binary.LittleEndian.Uint32(data), data[4:]
	if uint64(n) > uint64(len(rest)) {
		return h.Input, fmt.Errorf("decode the job: a header of %d bytes in %d", n, len(rest))
	}
	if err := json.Unmarshal(rest[:n], &h); err != nil {
		return h.Input, fmt.Errorf("decode the job: %w", err)
	}
	rest = rest[n:]
	all := files(&h.Input)
	if len(all) != len(h.Lengths) {
		return h.Input, fmt.Errorf("decode the job: %d files and %d lengths", len(all), len(h.Lengths))
	}
	for i, f := range all {
		n := h.Lengths[i]
		if n < 0 {
			continue
		}
		if n > len(rest) {
			return h.Input, fmt.Errorf("decode the job: %s is truncated", f.Path)
		}
		f.Data, rest = rest[:n:n], rest[n:]
	}
	return h.Input, nil
}

func files(in *snapshot.Input) []*snapshot.File {
	var list []*snapshot.File
	for _, some := range [][]snapshot.File{in.Files, in.Base.Files} {
		for i := range some {
			list = append(list, &some[i])
		}
	}
	return list
}

type optionsJob struct {
	Manifest []byte
	Options  string
}

// OptionsPayload asks whether a plugin accepts options, which are JSON. DecodeOptionsFault decodes the answer. The
// payload contains the manifest, so the plugin need not be loaded.
func OptionsPayload(manifest []byte, options string) ([][]byte, error) {
	body, err := json.Marshal(optionsJob{manifest, options})
	return [][]byte{{askOptions}, body}, err
}
