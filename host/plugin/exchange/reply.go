package exchange

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// A Reply is the answer to an ExaminePayload.
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

// ValidAt reports whether the reply is the same at a time, which is zero if there is no clock.
func (r *Reply) ValidAt(now time.Time) bool {
	if now.IsZero() {
		return r.ValidFrom.IsZero() && r.ValidUntil.IsZero()
	}
	return !now.Before(r.ValidFrom) && (r.ValidUntil.IsZero() || now.Before(r.ValidUntil))
}

// DecodeReply reads the answer to an ExaminePayload.
func DecodeReply(data []byte) (*Reply, error) {
	var r Reply
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("decode the reply: %w", err)
	}
	return &r, nil
}

// An OptionsFault is what is wrong with a project's options.
type OptionsFault struct {
	Pointer string   // RFC 6901
	Key     bool     // the key there is wrong, not its value
	Message string   // "" if nothing is wrong
	Found   string   // the wrong name; "" if it is not a name
	Among   []string // the names that would be right there
}

// DecodeOptionsFault reads the answer to an OptionsPayload.
func DecodeOptionsFault(data []byte) (*OptionsFault, error) {
	var f OptionsFault
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("decode the answer about the options: %w", err)
	}
	return &f, nil
}
