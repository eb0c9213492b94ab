package exchange

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// A Reply is the answer to an ExaminePayload: a report whose diagnostics have been turned into findings. If it has
// Ask, its only other content says how long the questions stay valid.
type Reply struct {
	wire.Report
	Findings []finding.Finding // including findings that others hide
	Refused  []string          // why parts of the report were removed
	// documents that are readable now but were unreadable in the base, so that the plugin could not
	// compare them
	Uncompared []string
}

// ValidAt reports whether the reply would be the same at the given time, which is zero if there is no
// clock.
func (r *Reply) ValidAt(now time.Time) bool {
	if now.IsZero() {
		return r.ValidFrom.IsZero() && r.ValidUntil.IsZero()
	}
	at := instant.Of(now)
	return !at.Before(r.ValidFrom) && (r.ValidUntil.IsZero() || at.Before(r.ValidUntil))
}

// besides holds the parts of a Reply that a report cannot contain.
type besides struct {
	Findings   []finding.Finding `json:",omitempty"`
	Refused    []string          `json:",omitempty"`
	Uncompared []string          `json:",omitempty"`
}

// Encode encodes a reply: a 4-byte little-endian length, a report and, if needed, JSON with the parts that a report
// cannot contain. Most runs have no findings, and reports are encoded and decoded without reflection.
func (r *Reply) Encode() ([]byte, error) {
	report := wire.EncodeReport(&r.Report)
	out := append(binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(report)), uint32(len(report))), report...)
	if len(r.Findings)+len(r.Refused)+len(r.Uncompared) == 0 {
		return out, nil
	}
	rest, err := json.Marshal(besides{r.Findings, r.Refused, r.Uncompared})
	return append(out, rest...), err
}

// DecodeReply decodes the answer to an ExaminePayload or an AnswersPayload.
func DecodeReply(data []byte) (*Reply, error) {
	n := uint32(0)
	if len(data) >= 4 {
		n, data = binary.LittleEndian.Uint32(data), data[4:]
	}
	if n == 0 || uint64(n) > uint64(len(data)) {
		return nil, fmt.Errorf("decode a worker's answer: a report of %d bytes in %d", n, len(data))
	}
	report, err := wire.DecodeReport(data[:n])
	if err != nil {
		return nil, fmt.Errorf("decode a worker's answer: %w", err)
	}
	var rest besides
	if data = data[n:]; len(data) > 0 {
		if err := json.Unmarshal(data, &rest); err != nil {
			return nil, fmt.Errorf("decode a worker's answer: %w", err)
		}
	}
	return &Reply{Report: *report, Findings: rest.Findings, Refused: rest.Refused,
		Uncompared: rest.Uncompared}, nil
}
