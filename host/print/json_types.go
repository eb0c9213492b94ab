package print

import (
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// The JSON output, field by field in the order of schemas/output.schema.json.

type jsonResult struct {
	Format    int                    `json:"format"`
	Version   string                 `json:"version"`
	Gate      string                 `json:"gate"`
	Source    string                 `json:"source"`
	Workspace string                 `json:"anchor"`
	Revision  string                 `json:"revision,omitempty"`
	Base      []string               `json:"base"`
	Policy    string                 `json:"policy"`
	Plugins   []jsonPlugin           `json:"plugins"`
	Declined  []result.Declined      `json:"declined"`
	Unlooked  []result.NotApplicable `json:"unlooked,omitempty"`
	Excluded  []string               `json:"excluded"`
	Summary   jsonSummary            `json:"summary"`
	Instances []jsonInstance         `json:"instances"`
	Notes     []jsonNote             `json:"notes"`
	Failures  []jsonFailure          `json:"failures"`
}

type jsonPlugin struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

type jsonSummary struct {
	Instances int `json:"instances"`
	Errors    int `json:"errors"`
	Warnings  int `json:"warnings"`
	Infos     int `json:"infos"`
	Failures  int `json:"failures"`

	Suppressed int `json:"suppressed"`
}

type jsonInstance struct {
	Plugin      string           `json:"plugin"`
	Root        string           `json:"root"`
	Detections  []jsonDetection  `json:"detections"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
	Suppressed  []jsonSuppressed `json:"suppressed"`
	Recoveries  []jsonRemedy     `json:"recoveries"`
	Touched     string           `json:"touched,omitempty"`
	Uncommitted bool             `json:"uncommitted,omitempty"`
}

type jsonDetection struct {
	Lifecycle string         `json:"lifecycle"`
	Subject   string         `json:"subject"`
	Claimed   string         `json:"claimed"`
	Observed  string         `json:"observed"`
	Fit       string         `json:"fit"`
	State     string         `json:"state"`
	Progress  wire.Progress  `json:"progress"`
	Resume    wire.Resume    `json:"resume"`
	Facts     map[string]any `json:"facts"`
	Picked    bool           `json:"picked,omitempty"`
}

type jsonDiagnostic struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Subject  string `json:"subject"`
	result.Place
	Message     string        `json:"message"`
	Related     []jsonRelated `json:"related"`
	Remedies    []jsonRemedy  `json:"remedies"`
	Fingerprint string        `json:"fingerprint"`
	Fixed       *jsonFixed    `json:"fixed,omitempty"`
}

// jsonFixed is what to stage of a finding that the work tree does not have.
type jsonFixed struct {
	Paths   []string `json:"paths"`
	Command string   `json:"command"`
}

type jsonSuppressed struct {
	jsonDiagnostic
	Why    string `json:"why"`
	Reason string `json:"reason,omitempty"`
	Was    string `json:"was,omitempty"`
}

type jsonNote struct {
	Kind string `json:"kind"`
	result.Place
	Message string `json:"message"`
}

type jsonRelated struct {
	result.Place
	Message string `json:"message"`
}

type jsonRemedy struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Safety string   `json:"safety"`
	Steps  []string `json:"steps"`

	Doubt   string `json:"doubt,omitempty"`
	Command string `json:"command,omitempty"`
}

type jsonFailure struct {
	Plugin  string `json:"plugin"`
	Root    string `json:"root"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Stderr  string `json:"stderr"`
}
