package result

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// An Offer is one remedy of one finding, or one recovery of an instance.
type Offer struct {
	Remedy
	Instance *Instance
	Finding  *Diagnostic // nil: a recovery
}

// Offers returns every remedy and recovery, in the order of the result.
func (r *Result) Offers() []Offer {
	var list []Offer
	for n := range r.Instances {
		list = append(list, r.Instances[n].Offers()...)
	}
	return list
}

// Offers returns the remedies of every finding, then the recoveries.
func (i *Instance) Offers() []Offer {
	var list []Offer
	for n := range i.Diagnostics {
		for _, remedy := range i.Diagnostics[n].Remedies {
			list = append(list, Offer{remedy, i, &i.Diagnostics[n]})
		}
	}
	for _, remedy := range i.Recoveries {
		list = append(list, Offer{remedy, i, nil})
	}
	return list
}

// RecoveriesOf lists the recoveries that end a finding.
func (i *Instance) RecoveriesOf(d *Diagnostic) []Remedy {
	return slices.DeleteFunc(slices.Clone(i.Recoveries), func(r Remedy) bool { return !i.Ends(&r, d) })
}

// Ends reports whether a recovery ends a finding. One that does not say what it ends may end any error that nothing
// else ends.
func (i *Instance) Ends(recovery *Remedy, d *Diagnostic) bool {
	if len(recovery.Fixes) == 0 {
		return d.Severity == wire.Error && len(d.Fixed) == 0
	}
	return slices.ContainsFunc(recovery.Fixes, func(name string) bool { return i.Plugin+"/"+name == d.Rule })
}

// Safe returns the first safe remedy of every finding, and every safe recovery.
func Safe(offers []Offer) []Offer {
	var list []Offer
	var last *Diagnostic
	for _, o := range offers {
		if o.Safety == wire.Safe && (o.Finding == nil || o.Finding != last) {
			list, last = append(list, o), o.Finding
		}
	}
	return list
}

// OfRule returns the first remedy of every finding of a rule, plugin/rule, that is not manual.
func OfRule(offers []Offer, rule string) []Offer {
	var list []Offer
	var last *Diagnostic
	for _, o := range offers {
		if o.Safety != wire.Manual && o.Finding != nil && o.Finding.Rule == rule && o.Finding != last {
			list, last = append(list, o), o.Finding
		}
	}
	return list
}

// Rule returns the plugin/rule of the finding, "" for a recovery.
func (o *Offer) Rule() string {
	if o.Finding == nil {
		return ""
	}
	return o.Finding.Rule
}

// Found returns the finding as the plugin reports it, nil if there is none.
func (o *Offer) Found() *finding.Finding {
	if o.Finding == nil {
		return nil
	}
	return o.Finding.Found
}

// Skipped is a remedy that is left out, and why: it conflicts with one before it, it cannot be made, or it did not
// fix its finding.
type Skipped struct {
	Offer
	Why string // may quote hostile files and plugins

	Conflict bool // with a remedy before it, rather than by itself
}

// A FileChange is what happens to one document or directory, all edits taken together. Paths are slash-separated,
// relative to the workspace; those of directories end in a slash, and a directory has no bytes.
type FileChange struct {
	From   string `json:"from"` // "" if it is new
	To     string `json:"to"`   // "" if it goes; From if it stays where it is
	Before []byte `json:"-"`    // raw; nil if there was none, or if it is not known
	After  []byte `json:"-"`    // raw; nil if there is none, or if it is not known
	Unread bool   `json:"-"`    // it is moved or removed, and its bytes are not known

	Text *string `json:"text,omitempty"` // what After is, of what is planned
}

// An Outcome is what is done to each instance, or would be.
type Outcome struct {
	Instances []Repaired
}

// Skipped returns what is left out of all instances.
func (o *Outcome) Skipped() []Skipped {
	var list []Skipped
	for i := range o.Instances {
		list = append(list, o.Instances[i].Skipped...)
	}
	return list
}

// Changed reports whether any file is not what it was.
func (o *Outcome) Changed() bool {
	return slices.ContainsFunc(o.Instances, func(i Repaired) bool { return i.Done != RolledBack })
}

// Repaired is what applying remedies does to one instance: all of it, or nothing.
type Repaired struct {
	Done    Done
	Plugin  string
	Root    string // where it was: slash-separated, relative to the workspace
	To      string // where it is then; Root if it does not move
	Titles  []string
	Chosen  []Offer // what Titles belong to; nil when Interrupted or Undone
	Skipped []Skipped
	Files   []FileChange // in the order of their paths; without bytes when Interrupted or Undone
	Why     string       // of RolledBack: what was not fixed, or newly broken; may quote hostile texts

	Before  *Instance
	Digest  string
	Changes []edit.Change     // paths relative to the workspace
	Expect  map[string]string // SHA-256 of the files that change, by path
	Unasked bool              // it was not asked for, so that it must leave less wrong than there was
}

// Done says what became of a change.
type Done string

// The outcomes of a change.
const (
	Planned    Done = ""
	Applied    Done = "applied"     // made and verified
	RolledBack Done = "rolled-back" // everything is as it was
	Undone     Done = "undone"      // rolled back later, by Undo
)

// NewErrors returns the errors that all choices together make.
func (p *Repaired) NewErrors(was, is []finding.Finding) []finding.Finding {
	for _, c := range p.Chosen {
		if list := finding.Made(c.Found(), was, is); len(list) > 0 {
			return list
		}
	}
	return nil
}

// LeavesLess reports whether less is wrong than before, or no more where nothing was
// said to be wrong. What is only seen now was wrong before.
func (p *Repaired) LeavesLess(was, is []finding.Finding) bool {
	if !slices.ContainsFunc(p.Chosen, func(c Offer) bool { return !c.Found().Form() }) {
		return true
	}
	by := slices.Compare(finding.Weight(is), finding.Weight(was))
	ended := slices.ContainsFunc(p.Chosen, func(c Offer) bool { return c.Finding != nil })
	return by < 0 || by == 0 && !ended
}

// Fixed is what Fix did.
type Fixed struct {
	Outcome           // every change of every round, in order
	Skipped []Skipped // remedies that were left out for good
	Result  *Result   // the last check, with the remaining findings
}

// A Remedy is a way to end a fault, under an id that stays the same while the fault stays.
type Remedy struct {
	ID     string
	Former []string // the ids under former names of the rule that it is offered for
	wire.Remedy
	// ReviewReason is why it needs review although the plugin calls it safe, "" if it does not. It may quote hostile
	// texts.
	ReviewReason string
}

// ByHand returns a remedy of one step that a person makes.
func (d *Diagnostic) ByHand(title, step string) Remedy {
	return Remedy{ID: ID(d.Fingerprint, title), Remedy: wire.Remedy{Title: title, Safety: wire.Manual,
		Steps: []string{step}}}
}

// TakeRemedies replaces the remedies of a state directory of the index by those of the working tree. differ are the
// paths whose staging ends what the working tree does not have.
func (i *Instance) TakeRemedies(now *Instance, m *wire.Manifest, differ []string) {
	healed := len(finding.Broken(finding.Fold(m, i.Found), finding.Fold(m, now.Found))) == 0
	i.Recoveries = now.Recoveries
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		at := slices.IndexFunc(now.Diagnostics,
			func(other Diagnostic) bool { return other.Fingerprint == d.Fingerprint })
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
			d.Remedies = []Remedy{d.ByHand("Fix the working tree, then stage it",
				"the working tree no longer has this finding, but has errors that are not staged: stategate "+
					"check shows them")}
		}
	}
}

// TakeUnadded finds the findings that end when files are added that are in the working tree and not in the index: those
// that the working tree does not have. A finding names the file that it misses.
func (i *Instance) TakeUnadded(now *Instance, unadded []string) {
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		same := func(other Diagnostic) bool { return other.Fingerprint == d.Fingerprint }
		if d.Found == nil || len(unadded) == 0 || slices.ContainsFunc(now.Diagnostics, same) {
			continue
		}
		files := slices.DeleteFunc(slices.Clone(unadded),
			func(p string) bool { return !strings.Contains(d.Message, p) })
		if len(files) == 0 {
			continue
		}
		for _, r := range d.Remedies {
			d.applied = append(d.applied, r.ID)
		}
		d.Remedies, d.Fixed, d.Unadded = nil, files, true
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
// working tree already, nil if there is none.
func (r *Result) Fixed(id string) []string {
	for _, d := range r.Findings() {
		if slices.ContainsFunc(d.applied, func(known string) bool { return strings.HasPrefix(known, id) }) {
			return d.Fixed
		}
	}
	return nil
}
