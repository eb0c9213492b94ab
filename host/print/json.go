package print

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Members are a JSON object: names and values by turns, in the order of its schema. A name that ends in "?" is left out
// where its value is zero, "" takes in the members of the value. A nil slice is [], not null, and a value of a closed
// vocabulary is its word.
type members []any

// MarshalJSON does not escape HTML, as encode does not.
func (m members) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i := 0; i < len(m); i += 2 {
		value := m[i+1]
		name, optional := strings.CutSuffix(m[i].(string), "?")
		v := reflect.ValueOf(value)
		word, ok := value.(fmt.Stringer)
		switch {
		case optional && (!v.IsValid() || v.IsZero()):
			continue
		case ok && name != "":
			value = word.String()
		case v.Kind() == reflect.Slice && v.IsNil():
			value = []any{}
		}
		var text bytes.Buffer
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(value); err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		if name == "" {
			object := bytes.TrimSpace(text.Bytes())
			b = append(b, object[1:len(object)-1]...)
			continue
		}
		b = append(append(b, `"`+name+`":`...), text.Bytes()...)
	}
	return append(b, '}'), nil
}

// encode writes indented JSON that a terminal shows without obeying it.
func encode(w io.Writer, v any) error {
	text, err := indented(v, "")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// indented returns such JSON; prefix stands before its second and all later lines.
func indented(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the output: %w", err)
	}
	return SafeJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// SafeJSON writes what a terminal or a CI log would obey as JSON escapes. Outside strings JSON text has none, so no
// parsing is needed.
func SafeJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	var e eye
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch missed := e.misses(r); {
		case r == '#' && bytes.HasPrefix(text, []byte("##")) && command(string(text[2:min(len(text), 3)])):
			out = append(out, `\u0023`...)
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case r < utf8.RuneSelf && r != 0x7f, r >= 0xa0 && !missed:
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

// JSON writes a result as schemas/output.schema.json describes it, one instance at a time.
func JSON(w io.Writer, r *result.Result, o Options) error {
	picks := r.Picked()
	head, err := indented(members{
		"format", 1, "version", o.Version, "gate", r.Gate(o.FailOn), "source", r.Source, "anchor", o.Workspace,
		"revision?", r.Revision,
		"base", r.Base, "policy", r.Policy,
		"plugins", each(r.Plugins, func(p **plugin.Plugin) members {
			return members{"name", (*p).Name, "version", (*p).Manifest.Version, "sha256", (*p).SHA256()}
		}),
		"declined", r.Declined, "unlooked?", r.NotApplicable, "excluded", r.Excluded, "summary", r.Summary(),
	}, "")
	tail, failed := indented(members{"notes", r.Notes, "failures", r.Failures}, "")
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	_, _ = out.Write(bytes.TrimSuffix(head, []byte("\n}"))) // Flush returns its error
	_, _ = out.WriteString(",\n  \"instances\": [")
	end := "]"
	for i := range r.Instances {
		text, err := indented(o.instance(&r.Instances[i], picks), "    ")
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "%s\n    %s", strings.Repeat(",", min(i, 1)), text)
		end = "\n  ]"
	}
	_, _ = fmt.Fprintf(out, "%s,%s\n", end, bytes.TrimPrefix(tail, []byte("{")))
	return out.Flush()
}

// StatusJSON writes a result, only the instances of the runs if these were chosen.
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
	return JSON(w, &some, o)
}

func (o *Options) instance(i *result.Instance, picks map[*wire.Detection]bool) members {
	touched := ""
	if t := i.LastTouch; !t.At.IsZero() {
		touched = t.At.UTC().Format(time.RFC3339)
	}
	return members{
		"plugin", i.Plugin, "root", i.Root,
		"detections",
		each(i.Detections, func(d *wire.Detection) members { return append(detection(d), "picked?", picks[d]) }),
		"diagnostics", each(i.Diagnostics, o.diagnostic),
		"suppressed", each(i.Suppressed, func(d *result.Suppressed) members {
			return append(o.diagnostic(&d.Diagnostic), "why", d.Why, "reason?", d.Reason, "was?", d.Was)
		}),
		"recoveries", each(i.Recoveries, func(r *result.Remedy) members {
			return append(o.remedy(r), "heals?",
				healed(i, r))
		}), "touched?", touched, "uncommitted?", i.LastTouch.Uncommitted,
	}
}

func detection(d *wire.Detection) members {
	r, facts := &d.Resume, map[string]any{}
	for _, f := range d.Facts {
		facts[f.Name] = factValue(f.Value)
	}
	return members{
		"lifecycle", d.Lifecycle, "subject", d.Subject, "claimed", d.Claimed, "observed", d.Observed, "fit", d.Fit,
		"state", d.State,
		"progress", d.Progress, "resume", members{"first", r.First, "checks", r.Checks, "read_first", r.ReadFirst,
			"context", r.Context,
			"next", r.Next, "skip", r.Skip, "remaining", r.Remaining, "closing", r.Closing}, "facts", facts,
	}
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

func (o *Options) diagnostic(d *result.Diagnostic) members {
	m := members{"rule", d.Rule, "severity", d.Severity, "subject", d.Subject, "", d.Place, "message", d.Message,
		"related", d.Related, "remedies", each(d.Remedies, o.remedy), "fingerprint", d.Fingerprint}
	if len(d.Fixed) > 0 {
		m = append(m, "fixed", members{"paths", d.Fixed, "command", o.stage(d.Fixed)})
	}
	return m
}

func (o *Options) remedy(r *result.Remedy) members {
	return members{"id", r.ID, "title", r.Title, "safety", r.Safety, "steps", r.Steps, "doubt?", r.Doubt, "command?",
		o.apply(r)}
}

func each[T, U any](list []T, f func(*T) U) []U {
	out := make([]U, len(list))
	for i := range list {
		out[i] = f(&list[i])
	}
	return out
}

// A Recovery is all that one call of recover has to say. Any part may be nil.
type Recovery struct {
	Left    *result.Outcome // of an interrupted run
	Plan    *result.Outcome // what would be done
	Outcome *result.Outcome // what was done
	Result  *result.Result  // the last check
	Then    string          // the command that comes next, "" for none
}

// RecoverJSON writes a recovery as schemas/recover.schema.json describes it.
func RecoverJSON(w io.Writer, r Recovery, o Options) error {
	var planned []members
	var diff *string
	if r.Plan != nil {
		var text strings.Builder
		for i := range r.Plan.Instances {
			p := &r.Plan.Instances[i]
			planned = append(planned, members{"plugin", p.Plugin, "root", p.Root, "to", p.To,
				"chosen", each(p.Chosen, func(c *result.Offer) string { return c.ID }), "files",
				each(p.Files, fileMembers), "skipped", each(p.Skipped, skipped)})
			if err := Diff(&text, p.Files, Options{}); err != nil {
				return err
			}
		}
		all := text.String()
		diff = &all
	}
	gate, offers, failures := result.Gate(""), []members(nil), []result.Failure(nil)
	if r.Result != nil {
		gate, offers, failures = r.Result.Gate(o.FailOn), each(r.Result.Offers(), o.offer), r.Result.Failures
	}
	return encode(w, members{"format", 1, "version", o.Version, "anchor", o.Workspace, "left", outcome(r.Left),
		"planned?", planned, "diff?", diff,
		"done", outcome(r.Outcome), "gate?", gate, "remedies", offers, "failures", failures, "then?", r.Then})
}

func outcome(o *result.Outcome) []members {
	if o == nil {
		return nil
	}
	return each(o.Instances, func(i *result.Repaired) members {
		return members{"done", i.Done, "plugin", i.Plugin, "root", i.Root, "to", i.To, "titles", i.Titles, "files",
			i.Files,
			"skipped", each(i.Skipped, skipped), "why", i.Why}
	})
}

// fileMembers has the text that a document would have, where it is text and is known.
func fileMembers(f *result.FileChange) members {
	m := members{"from", f.From, "to", f.To}
	if f.After != nil && utf8.Valid(f.After) {
		m = append(m, "text", string(f.After))
	}
	return m
}

func skipped(s *result.Skipped) members {
	return members{"id", s.ID, "title", s.Title, "rule", s.Rule(), "why", s.Why}
}

func (o *Options) offer(f *result.Offer) members {
	kind, about := "recovery", any(nil)
	if d := f.Finding; d != nil {
		kind, about = "remedy", members{"rule", d.Rule, "severity", d.Severity, "", d.Place, "message", d.Message,
			"fingerprint", d.Fingerprint}
	}
	return append(o.remedy(&f.Remedy), "kind", kind, "plugin", f.Instance.Plugin, "root", f.Instance.Root, "subject",
		f.Subject,
		"heals", healed(f.Instance, &f.Remedy), "finding", about)
}

// healed are the rules whose findings a remedy ends.
func healed(i *result.Instance, r *result.Remedy) []string {
	if len(r.Heals) == 0 {
		return nil
	}
	return each(r.Heals, func(rule *string) string { return i.Plugin + "/" + *rule })
}

// ResumeJSON writes a brief, or the runs to choose from, as schemas/resume.schema.json describes it.
func ResumeJSON(w io.Writer, x *Resumption, o Options) error {
	run := func(c *result.Run) members { return runMembers(c, o.FailOn) }
	var brief any
	if x.Run != nil {
		brief = run(x.Run)
	}
	return encode(w, members{
		"format", 1, "version", o.Version, "outcome", x.outcome(), "anchor", o.Workspace, "run", brief,
		"choices", each(x.Choices, run), "over", each(x.Over, run), "hidden", each(x.Hidden, o.diagnostic), "failures",
		x.Failures,
	})
}

func (x *Resumption) outcome() string {
	switch {
	case len(x.Failures) > 0:
		return "broken"
	case x.Run != nil:
		return "brief"
	case len(x.Choices) > 0:
		return "choose"
	case len(x.Hidden) > 0:
		return "hidden"
	}
	return "nothing"
}

func runMembers(c *result.Run, failOn wire.Severity) members {
	how, closing, gate := Options{Recover: c.Recover}, c.Closing(failOn), "open"
	if len(closing) > 0 {
		gate = "closed"
	}
	var self any
	if c.Self != nil {
		self = detection(c.Self)
	}
	return members{
		"plugin", c.Instance.Plugin, "root", c.Instance.Root, "name", c.Name(), "state", c.State(), "gate", gate,
		"commands", members{"resume", c.Resume, "recover", c.Recover, "check", c.Check}, "detection", self,
		"parts", each(c.Parts, func(part **wire.Detection) members { return detection(*part) }),
		"diagnostics", each(closing, how.diagnostic),
	}
}
