package print

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/host/result"
)

// A Recovery is everything that one call of recover reports. Any part may be nil.
type Recovery struct {
	Interrupted *result.Outcome // of an interrupted repair
	Plan        *result.Outcome // what would be done
	Outcome     *result.Outcome // what was done
	Result      *result.Result  // the last check
	NextCommand string          // the command to run next; "" if there is none
}

type jsonRecover struct {
	Format        int              `json:"format"`
	Version       string           `json:"version"`
	WorkspaceRoot string           `json:"workspace_root"`
	Interrupted   []jsonDone       `json:"interrupted"`
	Planned       []jsonPlanned    `json:"planned,omitempty"`
	Diff          *string          `json:"diff,omitempty"`
	Done          []jsonDone       `json:"done"`
	Gate          result.Gate      `json:"gate,omitempty"`
	Remedies      []jsonOffer      `json:"remedies"`
	Failures      []result.Failure `json:"failures"`
	NextCommand   string           `json:"next_command,omitempty"`
}

type jsonDone struct {
	Done    result.Done         `json:"done"`
	Plugin  string              `json:"plugin"`
	Root    string              `json:"root"`
	To      string              `json:"to"`
	Titles  []string            `json:"titles"`
	Files   []result.FileChange `json:"files"`
	Skipped []jsonSkipped       `json:"skipped"`
	Why     string              `json:"why"`
}

type jsonPlanned struct {
	Plugin  string              `json:"plugin"`
	Root    string              `json:"root"`
	To      string              `json:"to"`
	Chosen  []string            `json:"chosen"`
	Files   []result.FileChange `json:"files"`
	Skipped []jsonSkipped       `json:"skipped"`
}

type jsonSkipped struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Rule  string `json:"rule"`
	Why   string `json:"why"`
}

type jsonOffer struct {
	jsonRemedy
	Kind    string     `json:"kind"`
	Plugin  string     `json:"plugin"`
	Root    string     `json:"root"`
	Subject string     `json:"subject"`
	Fixes   []string   `json:"fixes"`
	Finding *jsonAbout `json:"finding"`
}

type jsonAbout struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	result.Place
	Message     string `json:"message"`
	Fingerprint string `json:"fingerprint"`
}

// RecoverJSON writes a recovery in the format of schemas/recover.schema.json.
func RecoverJSON(w io.Writer, x Recovery, o Options) error {
	out := jsonRecover{Format: 1, Version: o.Version, WorkspaceRoot: o.Workspace, Interrupted: newDone(x.Interrupted),
		Done: newDone(x.Outcome), Remedies: []jsonOffer{}, Failures: []result.Failure{}, NextCommand: x.NextCommand}
	if r := x.Result; r != nil {
		out.Gate, out.Remedies, out.Failures = r.Gate(o.FailOn), each(r.Offers(), o.jsonOffer), some(r.Failures)
	}
	if x.Plan != nil {
		var diff strings.Builder
		for _, p := range x.Plan.Instances {
			out.Planned = append(out.Planned, jsonPlanned{p.Plugin, p.Root, p.To,
				each(p.Chosen, func(c *result.Offer) string { return c.ID }), each(p.Files, withText),
				each(p.Skipped, newSkipped)})
			if err := Diff(&diff, p.Files, Options{}); err != nil {
				return err
			}
		}
		text := diff.String()
		out.Diff = &text
	}
	return encode(w, out)
}

func newDone(o *result.Outcome) []jsonDone {
	if o == nil {
		return []jsonDone{}
	}
	return each(o.Instances, func(i *result.Repaired) jsonDone {
		return jsonDone{i.Done, i.Plugin, i.Root, i.To, some(i.Titles), some(i.Files), each(i.Skipped, newSkipped),
			i.Why}
	})
}

// withText adds a document's new text, if it is known to be text.
func withText(f *result.FileChange) result.FileChange {
	out := *f
	if f.After != nil && utf8.Valid(f.After) {
		text := string(f.After)
		out.Text = &text
	}
	return out
}

func newSkipped(s *result.Skipped) jsonSkipped { return jsonSkipped{s.ID, s.Title, s.Rule(), s.Why} }

func (o *Options) jsonOffer(f *result.Offer) jsonOffer {
	out := jsonOffer{o.jsonRemedy(&f.Remedy), "recovery", f.Instance.Plugin, f.Instance.Root, f.Subject,
		fixedRules(f.Instance, &f.Remedy), nil}
	if d := f.Finding; d != nil {
		out.Kind = "remedy"
		out.Finding = &jsonAbout{d.Rule, d.Severity.String(), d.Place, d.Message, d.Fingerprint}
	}
	return out
}
