package exchange

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Reply is the answer to an ExaminePayload.
type Reply struct {
	Ask          []string           `json:",omitempty"` // paths whose presence the plugin needs to know: nothing else is in the reply
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

// ValidAt reports whether the reply is the same at a time, which is zero if there is no clock.
func (r *Reply) ValidAt(now time.Time) bool {
	if now.IsZero() {
		return r.ValidFrom.IsZero() && r.ValidUntil.IsZero()
	}
	return !now.Before(r.ValidFrom) && (r.ValidUntil.IsZero() || now.Before(r.ValidUntil))
}

// An OptionsFault is what is wrong with a project's options: nothing if it has no message.
type OptionsFault = snapshot.OptionsError

// Decode reads an answer: a Reply to an ExaminePayload, an OptionsFault to an OptionsPayload.
func Decode[T Reply | OptionsFault](data []byte) (*T, error) {
	var answer T
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("decode the answer of a worker: %w", err)
	}
	return &answer, nil
}
