package exchange

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Reply is what a worker says of one instance.
type Reply struct {
	Declined     string             `json:",omitempty"`
	Identity     string             `json:",omitempty"` // which run it is
	Detections   []wire.Detection   `json:",omitempty"`
	Findings     []finding.Finding  `json:",omitempty"` // those that others hide, too
	Recoveries   []wire.Remedy      `json:",omitempty"`
	RuleFailures []wire.RuleFailure `json:",omitempty"`
	Failure      string             `json:",omitempty"` // a step of the plugin failed
	Refused      []string           `json:",omitempty"` // why parts of the report were taken out
	ValidFrom    time.Time          // the reply is the same for every clock from here (zero: always)
	ValidUntil   time.Time          // up to but not including here (zero: for ever)
}

func newReply(m *wire.Manifest, request *wire.Request, report *wire.Report) *Reply {
	return &Reply{
		Declined: report.Declined, Identity: report.Identity, Detections: report.Detections, Recoveries: report.Recoveries,
		Findings:     snapshot.Findings(m, request, report),
		RuleFailures: report.RuleFailures, Failure: report.Failure,
		ValidFrom: report.ValidFrom.Std(), ValidUntil: report.ValidUntil.Std(),
	}
}

// DecodeReply reads the answer to a Payload.
func DecodeReply(data []byte) (*Reply, error) {
	var r Reply
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("decode the reply: %w", err)
	}
	return &r, nil
}
