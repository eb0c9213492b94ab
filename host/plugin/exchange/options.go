package exchange

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/snapshot"
)

// An OptionsFault says what is wrong with a project's options.
type OptionsFault struct {
	Pointer string   // RFC 6901
	Key     bool     // the key there is wrong, not its value
	Message string   // "" if nothing is wrong
	Found   string   // the wrong name; "" if it is no name
	Among   []string // the names that would be right there
}

type optionsJob struct {
	Manifest []byte
	Options  string
}

// OptionsPayload asks whether a plugin accepts options, a JSON text. The answer is
// read by DecodeOptionsFault. No export of the plugin is called.
func OptionsPayload(manifest []byte, options string) ([]byte, error) {
	body, err := json.Marshal(optionsJob{manifest, options})
	return append([]byte{askOptions}, body...), err
}

// DecodeOptionsFault reads the answer to an OptionsPayload.
func DecodeOptionsFault(data []byte) (*OptionsFault, error) {
	var f OptionsFault
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("decode the answer about the options: %w", err)
	}
	return &f, nil
}

func (e *Examiner) options(body []byte) ([]byte, error) {
	var job optionsJob
	if err := json.Unmarshal(body, &job); err != nil {
		return nil, fault.From(err, fault.Protocol)
	}
	p, err := e.prepare(job.Manifest)
	if err != nil {
		return nil, fault.From(err, fault.ABI)
	}
	var ft OptionsFault
	var wrong *snapshot.OptionsError
	if err := p.builder.CheckOptions(job.Options); errors.As(err, &wrong) {
		ft = OptionsFault(*wrong)
	}
	return json.Marshal(ft)
}
