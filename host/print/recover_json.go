package print

import (
	"io"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// recoverJSON is the document of recover, in the order of schemas/recover.schema.json.
type recoverJSON struct {
	Format    int           `json:"format"`
	Version   string        `json:"version"`
	Workspace string        `json:"anchor"`
	Left      []jsonDone    `json:"left"`
	Planned   []jsonPlanned `json:"planned,omitempty"`
	Diff      *string       `json:"diff,omitempty"`
	Done      []jsonDone    `json:"done"`
	Gate      string        `json:"gate,omitempty"`
	Remedies  []jsonOffer   `json:"remedies"`
	Failures  []jsonFailure `json:"failures"`
	Then      string        `json:"then,omitempty"`
}

type jsonPlanned struct {
	Plugin  string              `json:"plugin"`
	Root    string              `json:"root"`
	To      string              `json:"to"`
	Chosen  []string            `json:"chosen"` // ids
	Files   []result.FileChange `json:"files"`
	Skipped []jsonSkipped       `json:"skipped"`
}

type jsonDone struct {
	Done    string              `json:"done"`
	Plugin  string              `json:"plugin"`
	Root    string              `json:"root"`
	To      string              `json:"to"`
	Titles  []string            `json:"titles"`
	Files   []result.FileChange `json:"files"`
	Skipped []jsonSkipped       `json:"skipped"`
	Why     string              `json:"why"`
}

type jsonSkipped struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Rule  string `json:"rule"`
	Why   string `json:"why"`
}

type jsonOffer struct {
	jsonRemedy
	Kind    string       `json:"kind"`
	Plugin  string       `json:"plugin"`
	Root    string       `json:"root"`
	Subject string       `json:"subject"`
	Heals   []string     `json:"heals"`
	Finding *jsonFinding `json:"finding"`
}

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	result.Place
	Message     string `json:"message"`
	Fingerprint string `json:"fingerprint"`
}

// A Recovery is all that one call of recover has to say. Any part may be nil.
type Recovery struct {
	Left    *result.Outcome // of an interrupted run
	Plan    *result.Plan    // what would be done
	Outcome *result.Outcome // what was done
	Result  *result.Result  // the last look
	Then    string          // the command that comes next, "" for none
}

// RecoverJSON writes a recovery as schemas/recover.schema.json describes it.
func RecoverJSON(w io.Writer, r Recovery, o Options) error {
	d := recoverJSON{Format: 1, Version: o.Version, Workspace: o.Workspace, Left: outcomeJSON(r.Left), Done: outcomeJSON(r.Outcome), Remedies: []jsonOffer{}, Failures: []jsonFailure{}, Then: r.Then}
	if r.Plan != nil {
		var diff strings.Builder
		for i := range r.Plan.Instances {
			d.Planned = append(d.Planned, plannedJSON(&r.Plan.Instances[i]))
			if err := Diff(&diff, r.Plan.Instances[i].Files, Options{}); err != nil {
				return err
			}
		}
		text := diff.String()
		d.Diff = &text
	}
	if r.Result != nil {
		d.Gate, d.Remedies = string(r.Result.Gate(o.FailOn)), each(Offers(r.Result), o.offer)
		d.Failures = each(r.Result.Failures, failureJSON)
	}
	return encode(w, d)
}

func outcomeJSON(o *result.Outcome) []jsonDone {
	if o == nil {
		return []jsonDone{}
	}
	return each(o.Instances, func(i *result.Repaired) jsonDone {
		return jsonDone{string(i.Done), i.Plugin, i.Root, i.To, list(i.Titles), list(i.Files), skippedJSON(i.Skipped), i.Why}
	})
}

func plannedJSON(p *result.Planned) jsonPlanned {
	chosen := each(p.Chosen, func(c *result.Choice) string { return c.ID })
	return jsonPlanned{p.Plugin, p.Root, p.To, chosen, list(p.Files), skippedJSON(p.Skipped)}
}

func skippedJSON(skipped []result.Skipped) []jsonSkipped {
	return each(skipped, func(s *result.Skipped) jsonSkipped { return jsonSkipped{s.ID, s.Title, s.Rule, s.Why} })
}

func (o *Options) offer(f *Offer) jsonOffer {
	out := jsonOffer{
		jsonRemedy: o.remedy(&f.Remedy), Kind: "recovery", Plugin: f.Instance.Plugin, Root: f.Instance.Root, Subject: f.Subject,
		Heals: each(f.Heals, func(rule *string) string { return f.Instance.Plugin + "/" + *rule }),
	}
	if d := f.Finding; d != nil {
		out.Kind = "remedy"
		out.Finding = &jsonFinding{d.Rule, d.Severity.String(), d.Place, d.Message, d.Fingerprint}
	}
	return out
}
