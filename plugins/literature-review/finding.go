package literaturereview

import (
	"github.com/stategate/stategate/sdk"
)

// checkAll checks all rules in one pass, since they look at the same rows.
func checkAll(p *sdk.Pass) error {
	m := p.Model.(*model)
	m.check()
	m.tellApart()
	for _, rule := range p.Workflow.Rules {
		m.report(p, rule.Name)
	}
	return nil
}

// report hands in what was found under a rule's name.
func (m *model) report(p *sdk.Pass, rule string) {
	n := 0
	for _, d := range m.found {
		if d.Rule != rule {
			continue
		}
		if n++; n > mostOfRule {
			return
		}
		if n == mostOfRule {
			d.Message = "more like this from here on, not listed one by one: " + d.Message
			d.Key, d.Remedies = "more", nil
		}
		if d.Subject != "" && !m.index.known && m.isError(d) {
			d.Severity = sdk.Warning // the index may say that the review is abandoned
		}
		p.Report(*d)
	}
}

// mostOfRule bounds the findings of one rule: a report may hold 5,000 in all.
const mostOfRule = 1000

// tellApart numbers findings that nothing tells apart. They have no remedies:
// what heals one would leave another of the same name.
func (m *model) tellApart() {
	type name struct{ rule, path, subject, key string }
	seen := map[name]*sdk.Diagnostic{}
	for _, d := range m.found {
		n := name{d.Rule, d.Range.Path, d.Subject, d.Key}
		first := seen[n]
		if first == nil {
			seen[n] = d
			continue
		}
		first.Remedies, d.Remedies = byHand(first.Remedies), byHand(d.Remedies)
		for i := 2; seen[n] != nil; i++ {
			n.key = d.Key + "#" + itoa(i)
		}
		d.Key = n.key
		seen[n] = d
	}
}

// byHand keeps the manual remedies.
func byHand(list []sdk.Remedy) []sdk.Remedy {
	var kept []sdk.Remedy
	for i := range list {
		if list[i].Safety == sdk.Manual {
			kept = append(kept, list[i])
		}
	}
	return kept
}

// tell adds a finding about a part of a document, or about the document where
// the part is not there. Of an abandoned review it says nothing.
func (m *model) tell(rule string, r *review, d *document, at place, key, message string) *sdk.Diagnostic {
	found := &sdk.Diagnostic{Rule: rule, Key: key, Message: message, Range: d.place(at)}
	if r != nil {
		found.Subject = r.name
		if r.abandoned {
			return found
		}
	}
	m.found = append(m.found, found)
	return found
}

// place is a part of the document, or the document itself.
func (d *document) place(at place) sdk.Range {
	place := sdk.Range{Path: d.path}
	if at != nil && at.OK() {
		place.Start, place.End = at.Start(), at.End()
	}
	return place
}

// relate points a finding at another place.
func relate(found *sdk.Diagnostic, d *document, at place, message string) {
	if at != nil && at.OK() {
		found.Related = append(found.Related, sdk.Related{Range: d.place(at), Message: message})
	}
}

// offer adds a remedy, unless there is nothing that it could change.
//
//go:noinline
func offer(found *sdk.Diagnostic, safety sdk.Safety, title string, edits []sdk.Edit) {
	if len(edits) == 0 {
		return
	}
	found.Remedies = append(found.Remedies, sdk.Remedy{
		Title: title, Safety: safety, Subject: found.Subject, Heals: []string{found.Rule}, Edits: edits,
	})
}

// advise adds a remedy that only a person can carry out.
//
//go:noinline
func advise(found *sdk.Diagnostic, title, step string) {
	found.Remedies = append(found.Remedies, sdk.Remedy{Title: title, Subject: found.Subject, Steps: []string{step}})
}

// both joins edits that only make sense together; there are none if either is
// empty.
//
//go:noinline
func both(a, b []sdk.Edit) []sdk.Edit {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return append(a, b...)
}

// setStatus is the edit that sets the Status to the line of a phase.
func (r *review) setStatus(phase int) []sdk.Edit {
	var f *field
	if len(r.status) > 0 {
		f = r.status[0]
	}
	if phase < 0 {
		return nil
	}
	return r.rp.setHeader(f, "Status", lines[phase])
}

// offerStatus offers to set the Status to the observed phase.
func (r *review) offerStatus(found *sdk.Diagnostic) {
	if r.observed >= 0 && len(r.status) < 2 {
		offer(found, sdk.Review, "Set Status to "+lines[r.observed], r.setStatus(r.observed))
	}
}

// setRow is the edit that sets the status of the index row.
//
//go:noinline
func (m *model) setRow(w *row, status string) []sdk.Edit {
	return m.index.cell(w.Row, m.index.reviews.cols[colStatus], status)
}
