package print

import (
	"io"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// recoverJSON is the document of recover, in the order of schemas/recover.schema.json.
type recoverJSON struct {
	Format   int           `json:"format"`
	Version  string        `json:"version"`
	Anchor   string        `json:"anchor"`
	Left     []jsonDone    `json:"left"`
	Planned  []jsonPlanned `json:"planned,omitempty"`
	Diff     *string       `json:"diff,omitempty"`
	Done     []jsonDone    `json:"done"`
	Gate     string        `json:"gate,omitempty"`
	Remedies []jsonOffer   `json:"remedies"`
	Failures []jsonFailure `json:"failures"`
	Then     string        `json:"then,omitempty"`
}

type jsonPlanned struct {
	Plugin  string        `json:"plugin"`
	Root    string        `json:"root"`
	To      string        `json:"to"`
	Chosen  []string      `json:"chosen"` // ids
	Files   []jsonFile    `json:"files"`
	Skipped []jsonSkipped `json:"skipped"`
}

type jsonDone struct {
	Done    string        `json:"done"`
	Plugin  string        `json:"plugin"`
	Root    string        `json:"root"`
	To      string        `json:"to"`
	Titles  []string      `json:"titles"`
	Files   []jsonFile    `json:"files"`
	Skipped []jsonSkipped `json:"skipped"`
	Why     string        `json:"why"`
}

type jsonFile struct {
	From string `json:"from"`
	To   string `json:"to"`
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
	jsonPlace
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
	d := recoverJSON{Format: 1, Version: o.Version, Anchor: o.Anchor, Left: outcomeJSON(r.Left), Done: outcomeJSON(r.Outcome), Remedies: []jsonOffer{}, Failures: []jsonFailure{}, Then: r.Then}
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
		d.Gate = string(r.Result.Gate(o.FailOn))
		for _, f := range Offers(r.Result) {
			d.Remedies = append(d.Remedies, o.offer(f))
		}
		for _, f := range r.Result.Failures {
			d.Failures = append(d.Failures, jsonFailure{f.Plugin, f.Root, string(f.Kind), f.Message, f.Stderr})
		}
	}
	return encode(w, d)
}

func outcomeJSON(o *result.Outcome) []jsonDone {
	out := []jsonDone{}
	if o == nil {
		return out
	}
	for _, i := range o.Instances {
		out = append(out, jsonDone{string(i.Done), i.Plugin, i.Root, i.To, list(i.Titles), filesJSON(i.Files), skippedJSON(i.Skipped), i.Why})
	}
	return out
}

func plannedJSON(p *result.Planned) jsonPlanned {
	out := jsonPlanned{p.Plugin, p.Root, p.To, []string{}, filesJSON(p.Files), skippedJSON(p.Skipped)}
	for _, c := range p.Chosen {
		out.Chosen = append(out.Chosen, c.ID)
	}
	return out
}

func filesJSON(files []result.FileChange) []jsonFile {
	out := []jsonFile{}
	for _, c := range files {
		out = append(out, jsonFile{c.From, c.To})
	}
	return out
}

func skippedJSON(skipped []result.Skipped) []jsonSkipped {
	out := []jsonSkipped{}
	for _, s := range skipped {
		out = append(out, jsonSkipped{s.ID, s.Title, s.Rule, s.Why})
	}
	return out
}

func (o *Options) offer(f Offer) jsonOffer {
	out := jsonOffer{jsonRemedy: o.remedy(&f.Remedy), Kind: "recovery", Plugin: f.Instance.Plugin, Root: f.Instance.Root, Subject: f.Subject, Heals: []string{}}
	for _, rule := range f.Heals {
		out.Heals = append(out.Heals, f.Instance.Plugin+"/"+rule)
	}
	if d := f.Finding; d != nil {
		out.Kind = "remedy"
		out.Finding = &jsonFinding{d.Rule, d.Severity.String(), place(d.Place), d.Message, d.Fingerprint}
	}
	return out
}
