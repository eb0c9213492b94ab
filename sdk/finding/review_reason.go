package finding

import (
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// ReviewReason returns the reason why a remedy that claims to be safe needs review, or "" if there is none. The
// remedy belongs to finding f, which is nil for a recovery option. A remedy needs review if it may be based on
// the very claim that an error contradicts, or on a document that could not be read. Remedies that only repair a
// document's form are exempt. The findings are those of the whole instance, folded.
func ReviewReason(f *Finding, r *wire.Remedy, findings []Finding) string {
	if r.Safety != wire.Safe || f.Form() {
		return ""
	}
	for i := range findings {
		if e := &findings[i]; e.Severity == wire.Error && concerns(e, f, r) && !ends(f, r, e) {
			return "an error that it does not fix is still there: " + e.Message + " [" + e.Rule + "]"
		}
	}
	if f != nil && !restores(r) && slices.ContainsFunc(f.Remedies,
		func(other wire.Remedy) bool { return restores(&other) }) {
		return "the base can restore the text that it drops"
	}
	return ""
}

// concerns reports whether an error shares the remedy's subject, is in a document that the remedy edits, or is
// about a document that could not be read.
func concerns(e, f *Finding, r *wire.Remedy) bool {
	if !e.Host {
		return e.Subject == r.Subject || f != nil && e.Subject == f.Subject
	}
	if e.Rule == wire.RuleUnreadable && !slices.Contains(r.Fixes, wire.RuleUnreadable) {
		return true
	}
	return touches(r, e.Range.Path)
}

func ends(f *Finding, r *wire.Remedy, e *Finding) bool {
	return f != nil && f.same(e) || healsFinding(f, r, e)
}

func touches(r *wire.Remedy, path string) bool {
	return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return e.Range.Path == path || e.To == path })
}

func restores(r *wire.Remedy) bool {
	return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return e.Op == wire.Restore })
}

// Weight returns the number of errors, warnings and infos. Compare two results with slices.Compare; the greater one
// is worse.
func Weight(findings []Finding) []int {
	n := make([]int, 3)
	for i := range findings {
		n[wire.Error-findings[i].Severity]++
	}
	return n
}
