package gate

import (
	"encoding/json"
	"slices"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// State holds the fields that are read from the JSON output of check and status.
type State struct {
	Gate          string `json:"gate"`
	WorkspaceRoot string `json:"workspace_root"`
	Summary       struct {
		Runs int `json:"runs"`
	} `json:"summary"`
	Instances []Instance        `json:"instances"`
	Runs      []Run             `json:"runs"`
	Failures  []json.RawMessage `json:"failures"`
}

// A Run is one run of a workflow. Its state is blocked if some of its findings close the gate.
type Run struct {
	Plugin  string       `json:"plugin"`
	Root    string       `json:"root"`
	Run     wire.RunName `json:"run"`
	Name    string       `json:"name"`
	State   string       `json:"state"`
	Closing int          `json:"closing"`
	Updated string       `json:"updated"`
}

// DetectionOf returns the detection of a run, or an empty one if the run only groups others.
func (s *State) DetectionOf(r *Run) Detection {
	for _, i := range s.Instances {
		for _, d := range i.Detections {
			if i.Plugin == r.Plugin && i.Root == r.Root && d.Lifecycle == r.Run.Lifecycle &&
				d.Subject == r.Run.Subject {
				return d
			}
		}
	}
	return Detection{}
}

// NameOf returns the name of the run that a finding is about, or "" if it is about the whole state directory.
func (s *State) NameOf(i *Instance, d *Diagnostic) string {
	for _, r := range s.Runs {
		if r.Plugin == i.Plugin && r.Root == i.Root && r.Run == d.Run {
			return r.Name
		}
	}
	return ""
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

// Offers returns a finding's remedies and the recovery options that fix it. A recovery option that does not list the
// rules it fixes may fix any error.
func (i *Instance) Offers(d *Diagnostic) []Remedy {
	list := slices.Clone(d.Remedies)
	for _, r := range i.Recoveries {
		if len(r.Fixes) == 0 && d.Severity == "error" || slices.Contains(r.Fixes, d.Rule) {
			list = append(list, r)
		}
	}
	return list
}

// A Detection is what a plugin reports about a run: its phases, state and progress.
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
	Rule     string       `json:"rule"`
	Severity string       `json:"severity"`
	Run      wire.RunName `json:"run"` // empty if the finding is about the whole state directory
	result.Place
	Message  string           `json:"message"`
	Related  []result.Related `json:"related"`
	Remedies []Remedy         `json:"remedies"`
}

// A Remedy fixes a finding, or rebuilds an instance.
type Remedy struct {
	ID     string   `json:"id"`
	Safety string   `json:"safety" jsonschema:"safe, review or manual"`
	Title  string   `json:"title"`
	Root   string   `json:"root,omitempty"`
	Steps  []string `json:"steps,omitempty"`
	Fixes  []string `json:"fixes,omitempty" jsonschema:"the rules whose findings it fixes"`
}
