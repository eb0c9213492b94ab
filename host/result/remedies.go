package result

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// A Remedy is a way to end a fault, under an id that stays the same while the fault stays.
type Remedy struct {
	ID string
	wire.Remedy
	Doubt string // why it is for review although the plugin calls it safe, "" if it does not; quotes hostile texts
}

// ByHand returns a remedy of one step that a person makes.
func (d *Diagnostic) ByHand(title, step string) Remedy {
	return Remedy{ID: ID(d.Fingerprint, title), Remedy: wire.Remedy{Title: title, Safety: wire.Manual, Steps: []string{step}}}
}

// TakeRemedies replaces the remedies of a state directory of the index by those of the work tree. differ are the paths
// whose staging ends what the work tree does not have.
func (i *Instance) TakeRemedies(now *Instance, m *wire.Manifest, differ []string) {
	healed := len(finding.Broken(finding.Fold(m, i.Found), finding.Fold(m, now.Found))) == 0
	i.Recoveries = now.Recoveries
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		at := slices.IndexFunc(now.Diagnostics, func(other Diagnostic) bool { return other.Fingerprint == d.Fingerprint })
		switch {
		case d.Found == nil:
		case at >= 0:
			d.Remedies = now.Diagnostics[at].Remedies
		case healed:
			for _, r := range d.Remedies {
				d.applied = append(d.applied, r.ID)
			}
			d.Remedies, d.Fixed = nil, differ
		default:
			d.Remedies = []Remedy{d.ByHand("Repair the work tree, then stage it", "the work tree does not have this finding any more, but has errors that are not staged: stategate check shows them")}
		}
	}
}

// Decide replaces all remedies by what a person does.
func (i *Instance) Decide(title, step string) {
	i.Recoveries = nil
	for n := range i.Diagnostics {
		i.Diagnostics[n].Remedies = []Remedy{i.Diagnostics[n].ByHand(title, step)}
	}
}

// Fixed returns what to stage where the remedy whose id begins so is applied in the
// work tree already, nil if there is none.
func (r *Result) Fixed(id string) []string {
	for _, i := range r.Instances {
		for _, d := range i.Diagnostics {
			if slices.ContainsFunc(d.applied, func(known string) bool { return strings.HasPrefix(known, id) }) {
				return d.Fixed
			}
		}
	}
	return nil
}
