package finding

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// Unhealed returns the findings that should be gone after a remedy and are
// not: the finding f that it belongs to (nil for a recovery), and those of the
// rules in Fixes, of the plugin's on the remedy's subject, of the host's in
// documents that the remedy edits.
func Unhealed(f *Finding, r *wire.Remedy, after []Finding) []Finding {
	var list []Finding
	for _, still := range after {
		if ends(f, r, &still) {
			list = append(list, still)
		}
	}
	return list
}

func healsFinding(f *Finding, r *wire.Remedy, still *Finding) bool {
	if !slices.Contains(r.Fixes, still.Rule) {
		return false
	}
	if still.Host {
		return touches(r, still.Range.Path)
	}
	if f != nil && f.Rule == still.Rule && f.Subject == still.Subject {
		// Another finding of the remedy's own rule has a remedy of its own.
		return false
	}
	return still.Subject == r.Subject
}

// Made returns the errors that a remedy of f (nil for a recovery) makes. What keeps
// the meaning of a document that could not be read makes none: it only shows them. So does
// an error in a document that could not be read before.
func Made(f *Finding, before, after []Finding) []Finding {
	if f.Form() {
		return nil
	}
	return slices.DeleteFunc(Broken(before, after), func(made Finding) bool {
		return slices.ContainsFunc(before, func(b Finding) bool {
			return b.Host && b.Rule == wire.RuleUnreadable && b.Range.Path == made.Range.Path
		})
	})
}

// Form reports whether the remedies of a finding, which may be nil, are the host's
// own, which keep the meaning of the document.
func (f *Finding) Form() bool { return f != nil && f.Host }

// Broken returns the errors that were not there before. A finding that another
// one hid before is not new.
func Broken(before, after []Finding) []Finding {
	var list []Finding
	for _, f := range after {
		if f.Severity != wire.Error {
			continue
		}
		known := func(b Finding) bool {
			return b.same(&f) && b.Severity == wire.Error ||
				b.Subject == f.Subject && b.Hides(f.Rule)
		}
		if !slices.ContainsFunc(before, known) {
			list = append(list, f)
		}
	}
	return list
}

// An Identity is what tells findings apart, and what a fingerprint holds.
type Identity struct{ Rule, Path, Subject, Key string }

// IdentityOf returns the identity of a diagnostic.
func IdentityOf(d *wire.Diagnostic) Identity { return Identity{d.Rule, d.Range.Path, d.Subject, d.Key} }

func (f *Finding) same(other *Finding) bool {
	return IdentityOf(&f.Diagnostic) == IdentityOf(&other.Diagnostic)
}

// Hides reports whether a finding of a rule became a related note of f.
func (f *Finding) Hides(rule string) bool {
	return slices.ContainsFunc(f.Diagnostic.Related, func(r wire.Related) bool {
		return strings.HasSuffix(r.Message, " ["+rule+"]")
	})
}
