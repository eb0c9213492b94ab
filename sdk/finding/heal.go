package finding

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// Unhealed returns the findings that a remedy should have fixed but did not. These are the finding f that it
// belongs to (nil for a recovery option) and the findings of the rules in Fixes. For a rule of the plugin,
// these are the findings on the remedy's subject; for a rule of the host, the findings in documents that the
// remedy edits.
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
		// Another finding of the same rule has its own remedy.
		return false
	}
	return still.Subject == r.Subject
}

// Made returns the errors that a remedy of f (nil for a recovery option) causes. An error in a document that was
// unreadable before does not count, because it merely became visible. If a remedy does nothing but make an
// unreadable document readable, it causes no errors at all.
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

// Form reports whether the host itself proposes the finding's remedies, which preserve the document's meaning. f
// may be nil.
func (f *Finding) Form() bool { return f != nil && f.Host }

// Broken returns errors that did not exist before. A finding that was hidden before is not new.
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

// An Identity distinguishes findings. Fingerprints are computed from it.
type Identity struct{ Rule, Path, Subject, Key string }

// IdentityOf returns a diagnostic's identity.
func IdentityOf(d *wire.Diagnostic) Identity { return Identity{d.Rule, d.Range.Path, d.Subject, d.Key} }

func (f *Finding) same(other *Finding) bool {
	return IdentityOf(&f.Diagnostic) == IdentityOf(&other.Diagnostic)
}

// Hides reports whether a rule's finding became a related note of f.
func (f *Finding) Hides(rule string) bool {
	return slices.ContainsFunc(f.Diagnostic.Related, func(r wire.Related) bool {
		return strings.HasSuffix(r.Message, " ["+rule+"]")
	})
}
