package print

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// The types in this file match the schemas, with fields in the same order.

type jsonResult struct {
	Format        int               `json:"format"`
	Version       string            `json:"version"`
	Gate          result.Gate       `json:"gate"`
	Source        string            `json:"source"`
	WorkspaceRoot string            `json:"workspace_root"`
	Revision      string            `json:"revision,omitempty"`
	Base          []result.Base     `json:"base"`
	Scope         string            `json:"scope"`
	Policy        string            `json:"policy"`
	Plugins       []jsonPlugin      `json:"plugins"`
	Declined      []result.Declined `json:"declined"`
	Skipped       []result.Declined `json:"skipped,omitempty"`
	Excluded      []string          `json:"excluded"`
	Summary       result.Summary    `json:"summary"`
	OutOfScope    result.Outside    `json:"out_of_scope,omitzero"`
	Instances     []jsonInstance    `json:"instances"`
	Runs          []jsonRunState    `json:"runs"`
	Notes         []result.Note     `json:"notes"`
	Failures      []result.Failure  `json:"failures"`
}

// A jsonRunState is a run in the output of status.
type jsonRunState struct {
	Plugin  string        `json:"plugin"`
	Root    string        `json:"root"`
	Run     *wire.RunName `json:"run,omitempty"` // absent for a run that only has parts
	Name    string        `json:"name"`
	State   string        `json:"state"`   // blocked if the run has findings that close the gate
	Closing int           `json:"closing"` // number of the run's findings that close the gate
	Next    string        `json:"next,omitempty"`
	Updated string        `json:"updated,omitempty"`
}

func (o *Options) runState(run *result.Run) jsonRunState {
	out := jsonRunState{Plugin: run.Instance.Plugin, Root: run.Instance.Root, Name: run.Name(),
		State: run.StateIn(o.FailOn).String(), Closing: len(run.Closing(o.FailOn))}
	if d := run.Self; d != nil {
		out.Run, out.Next = &wire.RunName{Lifecycle: d.Lifecycle, Subject: d.Subject}, d.Resume.Next
	}
	if at := run.Updated.At; !at.IsZero() {
		out.Updated = at.UTC().Format(time.RFC3339)
	}
	return out
}

type jsonPlugin struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

type jsonInstance struct {
	Plugin      string          `json:"plugin"`
	Root        string          `json:"root"`
	Detections  []jsonDetection `json:"detections"`
	Diagnostics []jsonFinding   `json:"diagnostics"`
	Suppressed  []jsonFinding   `json:"suppressed"`
	Recoveries  []jsonRemedy    `json:"recoveries"`
	Updated     string          `json:"updated,omitempty"`
	Uncommitted bool            `json:"uncommitted,omitempty"`
}

type jsonDetection struct {
	Lifecycle string         `json:"lifecycle"`
	Subject   string         `json:"subject"`
	Claimed   string         `json:"claimed"`
	Observed  string         `json:"observed"`
	Fit       string         `json:"fit"`
	State     string         `json:"state"`
	Progress  wire.Progress  `json:"progress"`
	Resume    jsonResume     `json:"resume"`
	Facts     map[string]any `json:"facts"`
	Files     []string       `json:"files,omitempty"`
	PartOf    wire.RunName   `json:"part_of,omitzero"`
	Chosen    int            `json:"chosen,omitempty"`
	Current   bool           `json:"current,omitempty"`
}

// A jsonResume is a wire.Resume with all of its fields.
type jsonResume struct {
	First     string   `json:"first"`
	Checks    []string `json:"checks"`
	ReadFirst []string `json:"read_first"`
	Context   []string `json:"context"`
	Next      string   `json:"next"`
	Skip      []string `json:"skip"`
	Remaining []string `json:"remaining"`
	Closing   string   `json:"closing"`
}

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Subject  string `json:"subject"`
	result.Place
	Run         wire.RunName     `json:"run,omitzero"`
	Blocks      []wire.RunName   `json:"blocks,omitempty"`
	Message     string           `json:"message"`
	Related     []result.Related `json:"related"`
	Remedies    []jsonRemedy     `json:"remedies"`
	Fingerprint string           `json:"fingerprint"`
	Former      []string         `json:"former_fingerprints,omitempty"`
	Fixed       *jsonFixed       `json:"fixed,omitempty"`

	Why             result.Why `json:"why,omitempty"` // why it is suppressed
	Reason          string     `json:"reason,omitempty"`
	BaselineMessage string     `json:"baseline_message,omitempty"`
}

type jsonFixed struct {
	Paths   []string `json:"paths"`
	Command string   `json:"command"`
}

type jsonRemedy struct {
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Safety       string   `json:"safety"`
	Steps        []string `json:"steps"`
	ReviewReason string   `json:"review_reason,omitempty"`
	Command      string   `json:"command,omitempty"`
	Fixes        []string `json:"fixes,omitempty"` // only for recovery options
}

// encode writes indented JSON without characters that a terminal would interpret.
func encode(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the output: %w", err)
	}
	_, err := w.Write(SafeJSON(b.Bytes()))
	return err
}

// SafeJSON replaces characters that a terminal or a CI log would interpret with JSON escapes. Such characters occur
// only inside strings, so it need not parse the JSON.
func SafeJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	var s scan
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch hidden := s.unseen(r); {
		case r == '#' && bytes.HasPrefix(text, []byte("##")) && command(string(text[2:min(len(text), 3)])):
			out = append(out, `\u0023`...)
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case r < utf8.RuneSelf && r != 0x7f, r >= 0xa0 && !hidden:
			out = append(out, text[:n]...)
		case r > 0xffff:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[n:]
	}
	return out
}

// JSON writes a result in the format of schemas/output.schema.json.
func JSON(w io.Writer, r *result.Result, o Options) error { return writeJSON(w, r, r.Runs(), o) }

func writeJSON(w io.Writer, r *result.Result, runs []result.Run, o Options) error {
	picks := r.Current()
	return encode(w, jsonResult{
		Format: 1, Version: o.Version, Gate: r.Gate(o.FailOn), Source: r.Source.String(), WorkspaceRoot: o.Workspace,
		Revision: r.Revision, Base: some(r.Base), Scope: r.Scope(), Policy: r.Policy,
		Plugins: each(r.Plugins, func(p **plugin.Plugin) jsonPlugin {
			return jsonPlugin{(*p).Name, (*p).Manifest.Version, (*p).SHA256()}
		}),
		Declined: some(r.Declined), Skipped: r.Skipped, Excluded: some(r.Excluded), Summary: r.Summary(),
		OutOfScope: r.Outside,
		Instances:  each(r.Instances, func(i *result.Instance) jsonInstance { return o.instance(i, picks) }),
		Runs:       each(runs, o.runState), Notes: some(r.Notes), Failures: some(r.Failures),
	})
}

// StatusJSON writes a result. If the view is filtered, it contains only the instances of the view's runs.
func StatusJSON(w io.Writer, r *result.Result, v View, o Options) error {
	if !v.Filtered {
		return JSON(w, r, o)
	}
	some := *r
	some.Instances = nil
	for i := range r.Instances {
		if slices.ContainsFunc(v.Runs, func(run result.Run) bool { return run.Instance == &r.Instances[i] }) {
			some.Instances = append(some.Instances, r.Instances[i])
		}
	}
	return writeJSON(w, &some, v.Runs, o)
}

func (o *Options) instance(i *result.Instance, picks map[*wire.Detection]bool) jsonInstance {
	finding := findingOf(o, i)
	out := jsonInstance{Plugin: i.Plugin, Root: i.Root, Diagnostics: each(i.Diagnostics, finding),
		Detections: each(i.Detections, func(d *wire.Detection) jsonDetection {
			out := newDetection(d)
			out.Current = picks[d]
			return out
		}),
		Suppressed: each(i.Suppressed, func(d *result.Suppressed) jsonFinding {
			out := finding(&d.Diagnostic)
			out.Why, out.Reason, out.BaselineMessage = d.Why, d.Reason, d.BaselineMessage
			return out
		}),
		Recoveries: each(i.Recoveries, func(r *result.Remedy) jsonRemedy {
			out := o.jsonRemedy(r)
			out.Fixes = fixedRules(i, r)
			return out
		}),
		Uncommitted: i.LastUpdate.Uncommitted}
	if at := i.LastUpdate.At; !at.IsZero() {
		out.Updated = at.UTC().Format(time.RFC3339)
	}
	return out
}

func newDetection(d *wire.Detection) jsonDetection {
	facts, r := map[string]any{}, jsonResume(d.Resume)
	for _, f := range d.Facts {
		facts[f.Name] = factValue(f.Value)
	}
	r.Checks, r.ReadFirst, r.Context = some(r.Checks), some(r.ReadFirst), some(r.Context)
	r.Skip, r.Remaining = some(r.Skip), some(r.Remaining)
	return jsonDetection{Lifecycle: d.Lifecycle, Subject: d.Subject, Claimed: d.Claimed, Observed: d.Observed,
		Fit: d.Fit.String(), State: d.State.String(), Progress: d.Progress, Resume: r, Facts: facts,
		Files: d.Files, PartOf: d.PartOf, Chosen: d.Chosen}
}

func factValue(v wire.Value) any {
	switch v.Kind {
	case wire.IntValue:
		return v.Int
	case wire.BoolValue:
		return v.Bool
	case wire.ListValue:
		return append([]string{}, v.List...)
	case wire.TableValue:
		return each(v.Rows, func(cells *[]string) map[string]string {
			row := map[string]string{}
			for i, c := range v.Columns {
				row[c] = (*cells)[i]
			}
			return row
		})
	}
	return v.Text
}

// findingOf returns a function that converts findings of an instance and names the run that each belongs to.
func findingOf(o *Options, i *result.Instance) func(d *result.Diagnostic) jsonFinding {
	runs := i.Partition()
	return func(d *result.Diagnostic) jsonFinding {
		out := o.jsonFinding(d)
		out.Run = runs.NameOf(d)
		return out
	}
}

func (o *Options) jsonFinding(d *result.Diagnostic) jsonFinding {
	out := jsonFinding{Rule: d.Rule, Severity: d.Severity.String(), Subject: d.Subject, Place: d.Place,
		Run: d.Run, Blocks: d.Blocks,
		Message: d.Message, Related: some(d.Related), Remedies: each(d.Remedies, o.jsonRemedy),
		Fingerprint: d.Fingerprint, Former: d.Former}
	if len(d.Fixed) > 0 {
		out.Fixed = &jsonFixed{d.Fixed, o.stage(d.Fixed)}
	}
	return out
}

func (o *Options) jsonRemedy(r *result.Remedy) jsonRemedy {
	return jsonRemedy{r.ID, r.Title, r.Safety.String(), some(r.Steps), r.ReviewReason, o.apply(r), nil}
}

func fixedRules(i *result.Instance, r *result.Remedy) []string {
	return each(r.Fixes, func(rule *string) string { return i.Plugin + "/" + *rule })
}

func each[T, U any](list []T, f func(*T) U) []U {
	out := make([]U, len(list))
	for i := range list {
		out[i] = f(&list[i])
	}
	return out
}

// some returns a copy of list that is never nil, so that JSON writes [] rather than null.
func some[T any](list []T) []T { return append([]T{}, list...) }
