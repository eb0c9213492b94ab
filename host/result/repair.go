package result

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// An Offer is one remedy of a finding, or one recovery option of an instance.
type Offer struct {
	Remedy
	Instance *Instance
	Finding  *Diagnostic // nil for a recovery option
}

// Offers returns every remedy and recovery option, in the result's order.
func (r *Result) Offers() []Offer {
	var list []Offer
	for n := range r.Instances {
		list = append(list, r.Instances[n].Offers()...)
	}
	return list
}

// Offers returns the remedies of every finding, followed by the recovery options.
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

// RecoveriesOf returns the recovery options that fix a finding.
func (i *Instance) RecoveriesOf(d *Diagnostic) []Remedy {
	return slices.DeleteFunc(slices.Clone(i.Recoveries), func(r Remedy) bool { return !i.Ends(&r, d) })
}

// HasFix reports whether recover offers or describes a fix for a finding.
func (i *Instance) HasFix(d *Diagnostic) bool {
	return len(d.Remedies) > 0 || len(i.RecoveriesOf(d)) > 0
}

// Ends reports whether a recovery option fixes a finding. An option that does not list the findings that it
// fixes may fix any error that has no other fix.
func (i *Instance) Ends(recovery *Remedy, d *Diagnostic) bool {
	if len(recovery.Fixes) == 0 {
		return d.Severity == wire.Error && len(d.Fixed) == 0
	}
	return slices.ContainsFunc(recovery.Fixes, func(name string) bool { return i.Plugin+"/"+name == d.Rule })
}

// Safe returns the first safe remedy of every finding, and every safe recovery option.
func Safe(offers []Offer) []Offer {
	return firsts(offers, func(o Offer) bool { return o.Safety == wire.Safe })
}

// OfRule returns, for each of a rule's findings, the first remedy that is not manual. rule has the form plugin/rule.
func OfRule(offers []Offer, rule string) []Offer {
	return firsts(offers, func(o Offer) bool { return o.Safety != wire.Manual && o.Finding != nil && o.Rule() == rule })
}

// firsts returns the first wanted remedy of every finding, and every wanted recovery option.
func firsts(offers []Offer, wanted func(Offer) bool) (list []Offer) {
	var last *Diagnostic
	for _, o := range offers {
		if wanted(o) && (o.Finding == nil || o.Finding != last) {
			list, last = append(list, o), o.Finding
		}
	}
	return list
}

// Rule returns the finding's rule as plugin/rule, or "" for a recovery option.
func (o *Offer) Rule() string {
	if o.Finding == nil {
		return ""
	}
	return o.Finding.Rule
}

// Found returns the finding as the plugin reported it, or nil if there is none.
func (o *Offer) Found() *finding.Finding {
	if o.Finding == nil {
		return nil
	}
	return o.Finding.Found
}

// Skipped is a remedy that was not applied: it conflicts with an earlier one, cannot be applied, or did not fix its
// finding.
type Skipped struct {
	Offer
	Why string // may quote hostile files and plugins

	Conflict bool // it conflicts with an earlier remedy
}

// A FileChange is the combined effect of all edits on one document or directory. Paths are slash-separated and
// relative to the workspace. A directory's path ends with a slash, and it has no bytes.
type FileChange struct {
	From   string `json:"from"` // "" if it is new
	To     string `json:"to"`   // "" if it is removed; equal to From if it is not moved
	Before []byte `json:"-"`    // raw; nil if it is new, or if the bytes are unknown
	After  []byte `json:"-"`    // raw; nil if it is removed, or if the bytes are unknown
	Unread bool   `json:"-"`    // it is moved or removed, and its bytes are unknown

	Text *string `json:"text,omitempty"` // After as text, in a plan
}

// An Outcome describes what is done to each instance, or what would be done.
type Outcome struct {
	Instances []Repaired
}

// Skipped returns the skipped remedies of all instances.
func (o *Outcome) Skipped() []Skipped {
	var list []Skipped
	for i := range o.Instances {
		list = append(list, o.Instances[i].Skipped...)
	}
	return list
}

// Changed reports whether any file differs from before.
func (o *Outcome) Changed() bool {
	return slices.ContainsFunc(o.Instances, func(i Repaired) bool { return i.Done != RolledBack })
}

// Repaired is the effect of remedies on one instance. They are applied either completely or not at all.
type Repaired struct {
	Done    Done
	Plugin  string
	Root    string // its path before: slash-separated, relative to the workspace
	To      string // its path afterwards; equal to Root if it is not moved
	Titles  []string
	Chosen  []Offer // the remedies behind Titles; nil if Interrupted or Undone
	Skipped []Skipped
	Files   []FileChange // sorted by path; without bytes if Interrupted or Undone
	Why     string       // if RolledBack: what was not fixed, or what broke; may quote hostile text

	Before  *Instance
	Digest  string
	Changes []edit.Change     // paths relative to the workspace
	Expect  map[string]string // from path to SHA-256, for the files that change
	Unasked bool              // the user did not ask for it, so it must reduce what is wrong
}

// Done is the outcome of a change.
type Done string

const (
	Planned    Done = ""
	Applied    Done = "applied"     // changed and verified
	RolledBack Done = "rolled-back" // everything is as before
	Undone     Done = "undone"      // rolled back later, by Undo
)

// NewErrors returns the errors that the chosen remedies together cause.
func (p *Repaired) NewErrors(was, is []finding.Finding) []finding.Finding {
	for _, c := range p.Chosen {
		if list := finding.Made(c.Found(), was, is); len(list) > 0 {
			return list
		}
	}
	return nil
}

// LeavesLess reports whether there are fewer problems than before. If the change was not meant to fix a finding, it
// is enough that there are not more. Problems that merely became visible count as old.
func (p *Repaired) LeavesLess(was, is []finding.Finding) bool {
	if !slices.ContainsFunc(p.Chosen, func(c Offer) bool { return !c.Found().Form() }) {
		return true
	}
	by := slices.Compare(finding.Weight(is), finding.Weight(was))
	ended := slices.ContainsFunc(p.Chosen, func(c Offer) bool { return c.Finding != nil })
	return by < 0 || by == 0 && !ended
}

// Fixed is the outcome of Fix.
type Fixed struct {
	Outcome           // every change in every round, in order
	Skipped []Skipped // remedies that were finally skipped
	Result  *Result   // the last check, with the remaining findings
}

// A Remedy is a way to fix a finding. Its id stays the same as long as the problem exists.
type Remedy struct {
	ID     string
	Former []string // its ids under the former names of its finding's rule
	wire.Remedy
	// ReviewReason says why the remedy needs review although the plugin calls it safe. It is "" if the remedy is
	// safe, or if the plugin itself asks for review. It may quote hostile text.
	ReviewReason string
}

// ByHand returns a manual remedy with one step.
func (d *Diagnostic) ByHand(title, step string) Remedy {
	return Remedy{ID: ID(d.Fingerprint, title), Remedy: wire.Remedy{Title: title, Safety: wire.Manual,
		Steps: []string{step}}}
}

// TakeRemedies replaces the index's remedies with the working tree's. For findings that the working tree does not
// have, the fix is to stage the paths in differ.
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
			d.stage(differ)
		default:
			d.Remedies = []Remedy{d.ByHand("Fix the working tree, then stage it",
				"the working tree no longer has this finding, but has errors that are not staged: stategate "+
					"check shows them")}
		}
	}
}

// TakeUnadded marks the findings that adding untracked files fixes. The working tree does not have these findings,
// and their messages name one of the files.
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
		d.stage(files)
		d.Unadded = true
	}
}

// stage replaces the remedies of a finding with the paths whose staging fixes it.
func (d *Diagnostic) stage(paths []string) {
	for _, r := range d.Remedies {
		d.applied = append(d.applied, r.ID)
	}
	d.Remedies, d.Fixed = nil, paths
}

// Decide replaces all remedies with one manual step.
func (i *Instance) Decide(title, step string) {
	i.Recoveries = nil
	for n := range i.Diagnostics {
		i.Diagnostics[n].Remedies = []Remedy{i.Diagnostics[n].ByHand(title, step)}
	}
}

// Fixed returns the paths to stage if the working tree already contains the changes of the remedy whose id begins
// with id. It returns nil if there is no such remedy.
func (r *Result) Fixed(id string) []string {
	for _, d := range r.Findings() {
		if slices.ContainsFunc(d.applied, func(known string) bool { return strings.HasPrefix(known, id) }) {
			return d.Fixed
		}
	}
	return nil
}
