package print

import (
	"bytes"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// JSON writes a result as schemas/output.schema.json describes it.
func JSON(w io.Writer, r *result.Result, o Options) error {
	return encode(w, document(r, o))
}

// SafeJSON returns a JSON text that shows in a terminal what it holds.
func SafeJSON(text []byte) []byte { return escapeHidden(text) }

// escapeHidden writes what a terminal or a CI log would obey as JSON escapes.
// Outside strings JSON text has none, so no parsing is needed.
func escapeHidden(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case bytes.HasPrefix(text, []byte("##[")):
			out = append(out, `\u0023`...)
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case r < utf8.RuneSelf && r != 0x7f, r >= 0xa0 && !hidden(r):
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

func document(r *result.Result, o Options) jsonResult {
	s := r.Summary()
	d := jsonResult{
		Format: 1, Version: o.Version, Gate: string(r.Gate(o.FailOn)), Source: r.Source.String(), Anchor: o.Anchor, Revision: r.Revision,
		Base: list(r.Base), Policy: r.Policy, Plugins: []jsonPlugin{}, Declined: []jsonDeclined{}, Excluded: list(r.Excluded),
		Summary:   jsonSummary{s.Instances, s.Errors, s.Warnings, s.Infos, s.Failures, s.Suppressed},
		Instances: []jsonInstance{}, Notes: []jsonNote{}, Failures: []jsonFailure{},
	}
	for _, n := range r.Notes {
		d.Notes = append(d.Notes, jsonNote{n.Kind, place(n.Place), n.Message})
	}
	for _, p := range r.Plugins {
		d.Plugins = append(d.Plugins, jsonPlugin{p.Name, p.Manifest.Version, p.SHA256()})
	}
	for _, x := range r.NotApplicable {
		d.Unlooked = append(d.Unlooked, jsonUnlooked(x))
	}
	for _, x := range r.Declined {
		d.Declined = append(d.Declined, jsonDeclined(x))
	}
	picks := picked(r)
	for i := range r.Instances {
		d.Instances = append(d.Instances, o.instance(&r.Instances[i], picks))
	}
	for _, f := range r.Failures {
		d.Failures = append(d.Failures, jsonFailure{f.Plugin, f.Root, string(f.Kind), f.Message, f.Stderr})
	}
	return d
}

func (o *Options) instance(i *result.Instance, picks map[*wire.Detection]bool) jsonInstance {
	out := jsonInstance{Plugin: i.Plugin, Root: i.Root, Detections: []jsonDetection{}, Diagnostics: []jsonDiagnostic{}, Suppressed: []jsonSuppressed{}, Recoveries: []jsonRemedy{}}
	for j := range i.Detections {
		d := &i.Detections[j]
		out.Detections = append(out.Detections, detection(d, picks[d]))
	}
	for _, d := range i.Diagnostics {
		out.Diagnostics = append(out.Diagnostics, o.diagnostic(d))
	}
	for _, d := range i.Suppressed {
		out.Suppressed = append(out.Suppressed, jsonSuppressed{o.diagnostic(d.Diagnostic), string(d.Why), d.Reason, d.Was})
	}
	if t := i.LastTouch; !t.At.IsZero() {
		out.Touched, out.Uncommitted = t.At.UTC().Format(time.RFC3339), t.Uncommitted
	}
	for n := range i.Recoveries {
		out.Recoveries = append(out.Recoveries, o.remedy(&i.Recoveries[n]))
	}
	return out
}

func detection(d *wire.Detection, picked bool) jsonDetection {
	out := jsonDetection{
		Lifecycle: d.Lifecycle, Subject: d.Subject, Claimed: d.Claimed, Observed: d.Observed,
		Fit: d.Fit.String(), State: d.State.String(),
		Progress: jsonProgress{d.Progress.Done, d.Progress.Total, d.Progress.Unit},
		Resume: jsonResume{
			First: d.Resume.First, Checks: list(d.Resume.Checks), ReadFirst: list(d.Resume.ReadFirst),
			Context: list(d.Resume.Context), Next: d.Resume.Next, Skip: list(d.Resume.Skip),
			Remaining: list(d.Resume.Remaining), Closing: d.Resume.Closing,
		},
		Facts: map[string]any{}, Picked: picked,
	}
	for _, f := range d.Facts {
		out.Facts[f.Name] = factValue(f.Value)
	}
	return out
}

func factValue(v wire.Value) any {
	switch v.Kind {
	case wire.IntValue:
		return v.Int
	case wire.BoolValue:
		return v.Bool
	case wire.ListValue:
		return list(v.List)
	case wire.TableValue:
		rows := []map[string]string{}
		for _, cells := range v.Rows {
			row := map[string]string{}
			for i, c := range v.Columns {
				row[c] = cells[i]
			}
			rows = append(rows, row)
		}
		return rows
	}
	return v.Text
}

func (o *Options) diagnostic(d result.Diagnostic) jsonDiagnostic {
	out := jsonDiagnostic{
		Rule: d.Rule, Severity: d.Severity.String(), Subject: d.Subject, jsonPlace: place(d.Place),
		Message: d.Message, Related: []jsonRelated{}, Remedies: []jsonRemedy{}, Fingerprint: d.Fingerprint,
	}
	for _, r := range d.Related {
		out.Related = append(out.Related, jsonRelated{place(r.Place), r.Message})
	}
	for n := range d.Remedies {
		out.Remedies = append(out.Remedies, o.remedy(&d.Remedies[n]))
	}
	if len(d.Fixed) > 0 {
		out.Fixed = &jsonFixed{d.Fixed, o.stage(d.Fixed)}
	}
	return out
}

func place(p result.Place) jsonPlace {
	return jsonPlace{p.Path, p.Line, p.Column, p.EndLine, p.EndColumn}
}

func (o *Options) remedy(r *result.Remedy) jsonRemedy {
	return jsonRemedy{ID: r.ID, Title: r.Title, Safety: r.Safety.String(), Steps: list(r.Steps), Doubt: r.Doubt, Command: o.apply(r)}
}

// list keeps an empty list from becoming null.
func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
