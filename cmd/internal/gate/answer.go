package gate

import (
	"encoding/json"
	"slices"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// State is what is read of the JSON of check and status.
type State struct {
	Gate          string            `json:"gate"`
	WorkspaceRoot string            `json:"workspace_root"`
	Instances     []Instance        `json:"instances"`
	Runs          []Run             `json:"runs"`
	Failures      []json.RawMessage `json:"failures"`
}

// A Run is what a person would name: its state is blocked if findings that close the gate belong to it.
type Run struct {
	Plugin  string       `json:"plugin"`
	Root    string       `json:"root"`
	Run     wire.RunName `json:"run"`
	Name    string       `json:"name"`
	State   string       `json:"state"`
	Closing int          `json:"closing"`
	Updated string       `json:"updated"`
}

// DetectionOf returns what is said of a run; nothing of one that has parts only.
func (s *State) DetectionOf(r *Run) Detection {
	for _, i := range s.Instances {
		for _, d := range i.Detections {
			if i.Plugin == r.Plugin && i.Root == r.Root && d.Lifecycle == r.Run.Lifecycle && d.Subject == r.Run.Subject {
				return d
			}
		}
	}
	return Detection{}
}

// An Instance is one state directory.
type Instance struct {
	Plugin      string       `json:"plugin"`
	Root        string       `json:"root"`
	Updated     string       `json:"updated"`
	Detections  []Detection  `json:"detections"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Recoveries  []Remedy     `json:"recoveries"`
}

// Offers are the remedies of a finding, and the recovery options that end it: one that does not say what it ends may
// end any error.
func (i *Instance) Offers(d *Diagnostic) []Remedy {
	list := slices.Clone(d.Remedies)
	for _, r := range i.Recoveries {
		if len(r.Fixes) == 0 && d.Severity == "error" || slices.Contains(r.Fixes, d.Rule) {
			list = append(list, r)
		}
	}
	return list
}

// A Detection is what is said of a run.
type Detection struct {
	Lifecycle string         `json:"lifecycle"`
	Subject   string         `json:"subject"`
	Claimed   string         `json:"claimed"`
	Observed  string         `json:"observed"`
	State     string         `json:"state"`
	Progress  map[string]any `json:"progress"`
	Resume    struct {
		First string `json:"first"`
		Next  string `json:"next"`
	} `json:"resume"`
}

// A Diagnostic is a finding as check prints it.
type Diagnostic struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	result.Place
	Message  string           `json:"message"`
	Related  []result.Related `json:"related"`
	Remedies []Remedy         `json:"remedies"`
}

// A Remedy repairs a finding, or an instance as a whole.
type Remedy struct {
	ID     string   `json:"id"`
	Safety string   `json:"safety" jsonschema:"safe, review or manual"`
	Title  string   `json:"title"`
	Root   string   `json:"root,omitempty"`
	Steps  []string `json:"steps,omitempty"`
	Fixes  []string `json:"fixes,omitempty" jsonschema:"the rules whose findings it ends"`
}
