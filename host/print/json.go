package print

import (
	"bytes"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/stategate/stategate/host/plugin"
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
	s, picks := r.Summary(), picked(r)
	return jsonResult{
		Format: 1, Version: o.Version, Gate: string(r.Gate(o.FailOn)), Source: r.Source.String(), Workspace: o.Workspace, Revision: r.Revision,
		Base: list(r.Base), Policy: r.Policy, Declined: list(r.Declined), Unlooked: r.NotApplicable, Excluded: list(r.Excluded),
		Plugins:   each(r.Plugins, func(p **plugin.Plugin) jsonPlugin { return jsonPlugin{(*p).Name, (*p).Manifest.Version, (*p).SHA256()} }),
		Summary:   jsonSummary{s.Instances, s.Errors, s.Warnings, s.Infos, s.Failures, s.Suppressed},
		Instances: each(r.Instances, func(i *result.Instance) jsonInstance { return o.instance(i, picks) }),
		Notes:     each(r.Notes, func(n *result.Note) jsonNote { return jsonNote{n.Kind, n.Place, n.Message} }),
		Failures:  each(r.Failures, failureJSON),
	}
}

func failureJSON(f *result.Failure) jsonFailure {
	return jsonFailure{f.Plugin, f.Root, string(f.Kind), f.Message, f.Stderr}
}

func (o *Options) instance(i *result.Instance, picks map[*wire.Detection]bool) jsonInstance {
	out := jsonInstance{
		Plugin: i.Plugin, Root: i.Root,
		Detections:  each(i.Detections, func(d *wire.Detection) jsonDetection { return detection(d, picks[d]) }),
		Diagnostics: each(i.Diagnostics, o.diagnostic),
		Suppressed: each(i.Suppressed, func(d *result.Suppressed) jsonSuppressed {
			return jsonSuppressed{o.diagnostic(&d.Diagnostic), string(d.Why), d.Reason, d.Was}
		}),
		Recoveries: each(i.Recoveries, o.remedy),
	}
	if t := i.LastTouch; !t.At.IsZero() {
		out.Touched, out.Uncommitted = t.At.UTC().Format(time.RFC3339), t.Uncommitted
	}
	return out
}

func detection(d *wire.Detection, picked bool) jsonDetection {
	r := d.Resume
	for _, l := range []*[]string{&r.Checks, &r.ReadFirst, &r.Context, &r.Skip, &r.Remaining} {
		*l = list(*l)
	}
	out := jsonDetection{
		Lifecycle: d.Lifecycle, Subject: d.Subject, Claimed: d.Claimed, Observed: d.Observed,
		Fit: d.Fit.String(), State: d.State.String(), Progress: d.Progress, Resume: r, Facts: map[string]any{}, Picked: picked,
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

func (o *Options) diagnostic(d *result.Diagnostic) jsonDiagnostic {
	out := jsonDiagnostic{
		Rule: d.Rule, Severity: d.Severity.String(), Subject: d.Subject, Place: d.Place, Message: d.Message,
		Related:  each(d.Related, func(r *result.Related) jsonRelated { return jsonRelated{r.Place, r.Message} }),
		Remedies: each(d.Remedies, o.remedy), Fingerprint: d.Fingerprint,
	}
	if len(d.Fixed) > 0 {
		out.Fixed = &jsonFixed{d.Fixed, o.stage(d.Fixed)}
	}
	return out
}

func (o *Options) remedy(r *result.Remedy) jsonRemedy {
	return jsonRemedy{ID: r.ID, Title: r.Title, Safety: r.Safety.String(), Steps: list(r.Steps), Doubt: r.Doubt, Command: o.apply(r)}
}

// each makes something of every element. What it returns is never nil, which JSON would have as null.
func each[T, U any](list []T, f func(*T) U) []U {
	out := make([]U, len(list))
	for i := range list {
		out[i] = f(&list[i])
	}
	return out
}

// list keeps an empty list from becoming null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
