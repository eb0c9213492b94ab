package finding

import (
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// ReviewReason says why a remedy of finding f (nil for a recovery) that calls itself safe
// is none to be applied unasked, "" if nothing speaks against it. What a remedy
// follows may be the very claim that an error denies, and what is in a document that
// cannot be read is not known; what only repairs the form of a document follows
// nothing. The findings are those of the whole instance, folded.
func ReviewReason(f *Finding, r *wire.Remedy, findings []Finding) string {
	if r.Safety != wire.Safe || f.Form() {
		return ""
	}
	for i := range findings {
		if e := &findings[i]; e.Severity == wire.Error && concerns(e, f, r) && !ends(f, r, e) {
			return "an error that it does not end is still there: " + e.Message + " [" + e.Rule + "]"
		}
	}
	if f != nil && !restores(r) && slices.ContainsFunc(f.Remedies,
		func(other wire.Remedy) bool { return restores(&other) }) {
		return "what it gives up can be restored from the base"
	}
	return ""
}

// concerns reports whether an error is about what a remedy is about: the same
// subject, a document that it edits, or a document that could not be read.
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

// Weight counts errors, warnings and infos. Of two, slices.Compare tells which is
// worse.
func Weight(findings []Finding) []int {
	n := make([]int, 3)
	for i := range findings {
		n[wire.Error-findings[i].Severity]++
	}
	return n
}
