package print

import (
	"io"
	"strings"

	"github.com/stategate/stategate/host/result"
)

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
				"chosen", each(p.Chosen, func(c *result.Offer) string { return c.ID }), "files", p.Files, "skipped", each(p.Skipped, skipped)})
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
	return encode(w, members{"format", 1, "version", o.Version, "anchor", o.Workspace, "left", outcome(r.Left), "planned?", planned, "diff?", diff,
		"done", outcome(r.Outcome), "gate?", gate, "remedies", offers, "failures", failures, "then?", r.Then})
}

func outcome(o *result.Outcome) []members {
	if o == nil {
		return nil
	}
	return each(o.Instances, func(i *result.Repaired) members {
		return members{"done", i.Done, "plugin", i.Plugin, "root", i.Root, "to", i.To, "titles", i.Titles, "files", i.Files,
			"skipped", each(i.Skipped, skipped), "why", i.Why}
	})
}

func skipped(s *result.Skipped) members {
	return members{"id", s.ID, "title", s.Title, "rule", s.Rule(), "why", s.Why}
}

func (o *Options) offer(f *result.Offer) members {
	kind, about := "recovery", any(nil)
	if d := f.Finding; d != nil {
		kind, about = "remedy", members{"rule", d.Rule, "severity", d.Severity, "", d.Place, "message", d.Message, "fingerprint", d.Fingerprint}
	}
	return append(o.remedy(&f.Remedy), "kind", kind, "plugin", f.Instance.Plugin, "root", f.Instance.Root, "subject", f.Subject,
		"heals", each(f.Heals, func(rule *string) string { return f.Instance.Plugin + "/" + *rule }), "finding", about)
}
