package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
)

// A look applies one rule to one review, or to the index if review is nil.
type look struct {
	*check.Report
	*review
	m    *model
	made []*check.Finding
}

// What a rule needs, or checks in addition.
const (
	lossy   check.Needs = 1 << iota // the rule also checks a review whose state file cannot be read
	onBase                          // the base has the review
	withLR                          // the review text can be read
	allSeen                         // entries and papers can be compared
	indexed                         // the index has a usable table of reviews
	given                           // the rule also checks index rows whose review is abandoned
)

// holds returns the conditions that the review meets.
func (k *look) holds() check.Needs {
	n := lossy
	for i, holds := range [...]bool{k.was.name != "", k.lr.readable(), k.identifiable,
		k.m.index.kind == indexUsable} {
		if holds {
			n |= onBase << i
		}
	}
	return n
}

// find runs the rule on the index, on each of its rows, on each review, and on the parts of the reviews. It skips
// abandoned reviews.
func (rule *rule) find(r *check.Report, m *model) {
	k := &look{Report: r, m: m}
	if rule.index != nil && (rule.needs&indexed == 0 || m.index.kind == indexUsable) {
		rule.index(k)
	}
	for _, w := range m.index.rows {
		isGiven := w.review != nil && w.review.abandoned
		if k.review = w.review; rule.row != nil && !w.bad() && (!isGiven || rule.needs&given != 0) {
			rule.row(k, w)
		}
	}
	for _, k.review = range m.reviews {
		if !k.abandoned && (!k.lost || rule.needs&lossy != 0) && (k.lost || k.observed >= rule.from) &&
			rule.needs&^k.holds() == 0 {
			rule.on(k)
		}
	}
	for _, f := range k.made {
		k.close(rule, f)
	}
}

// on runs the rule on a review and its parts.
func (rule *rule) on(k *look) {
	if rule.review != nil {
		rule.review(k)
	}
	visit(k, rule.source, k.sources, func(s *source) bool { return !s.bad() && s.twin == nil })
	visit(k, rule.paper, k.papers, func(p *paper) bool { return !p.bad() })
	visit(k, rule.entry, k.entries, func(*entry) bool { return true })
}

// visit runs one part of a rule, which may be nil, on the usable members of a list.
func visit[T any](k *look, rule func(*look, T), list []T, usable func(T) bool) {
	for _, x := range list {
		if rule != nil && usable(x) {
			rule(k, x)
		}
	}
}

// tell begins a finding about a value of the current review.
func (k *look) tell(v *value, key, message string) *check.Finding {
	f := k.At(v.at(), message).Keyed(key)
	if k.review != nil {
		f.Of(lifecycle.Named(k.name))
	}
	k.made = append(k.made, f)
	return f
}

// close adds the manual remedy if there is no other remedy, or if the rule offers it as another way. If the index
// cannot be seen, findings about a review are at most warnings, because the index may say that the review is abandoned.
func (k *look) close(rule *rule, f *check.Finding) {
	if title, step, _ := strings.Cut(rule.fix, ": "); len(f.Remedies) == 0 || rule.also {
		f.Advise(title, capital(step)+".")
	}
	if f.Severity == 0 {
		f.Severity = rule.severity
	}
	if f.Subject != "" && !k.m.index.known && f.Severity == sdk.Error {
		f.Severity = sdk.Warning
	}
}

// offer adds a remedy that a person must review, if it changes anything.
func offer(f *check.Finding, title string, edits []sdk.Edit) { f.Offer(sdk.Review, title, edits...) }

// see adds a related location, if the value exists.
func see(f *check.Finding, v *value, message string) *check.Finding {
	if v.ok() {
		f.See(v.at(), message)
	}
	return f
}

// both joins edits that only make sense together. It returns nil if either list is empty.
func both(a, b []sdk.Edit) []sdk.Edit {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return append(a, b...)
}

// statusField returns the first Status of the review, or else the state file.
func (r *review) statusField() *value {
	if len(r.status) > 0 {
		return r.status[0]
	}
	return r.rp.whole()
}

// offerStatus offers to set the Status to a phase. If this finishes or reopens the review, it also sets the status in
// the index.
func (k *look) offerStatus(f *check.Finding, phase int) {
	if phase < 0 || len(k.status) > 1 {
		return
	}
	if k.offerWhole(f, k.rp) {
		return
	}
	line := statusLine(phase)
	edits, says := k.rp.setHeader(k.statusField(), "Status", line), rowInProgress
	if phase == complete {
		says = rowComplete
	}
	if k.row != nil && k.row.status >= 0 && k.row.status != says {
		edits = both(edits, k.row.cell(colStatus).set(rowStatuses.names[says]))
	}
	offer(f, "Set Status to "+line, edits)
}

// severityOf returns the severity of a finding about something unreadable: an error if it was readable in the base.
func severityOf(couldRead bool) sdk.Severity {
	if couldRead {
		return sdk.Error
	}
	return sdk.Warning
}

// headingAt returns the heading of a section of the state file.
func (r *review) headingAt(names string) *value { return r.rp.part(r.rp.heading(names).Part) }

// tableAt returns a needed table, or else its section, or else the state file.
func (r *review) tableAt(i int) *value {
	return r.tables[i].whole().or(r.headingAt(needed[i].names))
}

// taskAt returns the location of a task in the state file.
func (r *review) taskAt(t markdown.Task) *value { return r.rp.part(t.Part) }
