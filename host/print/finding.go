package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// This file holds text that several formats share.

func (o *Options) stage(paths []string) string {
	if o.Stage == nil {
		return "git add " + Safe(strings.Join(paths, " "))
	}
	return Safe(o.Stage(paths))
}

func (o *Options) apply(r *result.Remedy) string {
	if o.Recover == "" || r.Safety == wire.Manual {
		return ""
	}
	return advice.Apply(Safe(o.Recover), cmp.Or(o.short[r.ID], r.ID))
}

// A fix is one way to resolve a finding. Its strings are safe to print.
type fix struct {
	Option  bool   // a recovery option for the whole state directory
	ID      string // the remedy's id if no command here applies it, or else ""
	Command string // "" if a person has to do it
	Safety  string // "" if the working tree has the fix but git lacks it
	Title   string
	Steps   []string // why it is not safe, and what a person does
}

// fixes returns a finding's remedies, followed by its instance's recovery options.
func (o *Options) fixes(i *result.Instance, d *result.Diagnostic) []fix {
	var list []fix
	if len(d.Fixed) > 0 {
		list = append(list, fix{Command: o.stage(d.Fixed), Title: fixedTitle(d)})
	}
	for n := range d.Remedies {
		list = append(list, o.fix(&d.Remedies[n]))
	}
	for _, r := range i.RecoveriesOf(d) {
		x := o.fix(&r)
		x.Option = true
		list = append(list, x)
	}
	return list
}

func (o *Options) fix(r *result.Remedy) fix {
	x := fix{Command: o.apply(r), Safety: r.Safety.String(), Title: Safe(r.Title), Steps: steps(r)}
	if x.Command == "" && r.Safety != wire.Manual {
		x.ID = cmp.Or(o.short[r.ID], r.ID)
	}
	return x
}

// fixTexts returns the text of each fix for a finding. The first line of a text contains the command, and the other
// lines are manual steps.
func (o *Options) fixTexts(i *result.Instance, d *result.Diagnostic) []string {
	return each(o.fixes(i, d), (*fix).text)
}

func (x *fix) text() string {
	as := func(text string) string { return text }
	return x.written(as, as, "\n")
}

// written returns a fix's text. command formats its command, and other formats its other strings.
func (x *fix) written(command, other func(string) string, newline string) string {
	text := other(x.Title)
	switch {
	case x.Safety == "":
		text += ": " + command(x.Command)
	case x.Command != "":
		text = command(x.Command) + " (" + x.Safety + "): " + text
	case x.ID != "":
		text = "remedy " + x.ID + " (" + x.Safety + "): " + text
	default:
		text = "by hand: " + text
	}
	if x.Option {
		text = "recovery option: " + text
	}
	for _, s := range x.Steps {
		text += newline + other(s)
	}
	return text
}

func (o *Options) fixed(d *result.Diagnostic) string { return fixedTitle(d) + ": " + o.stage(d.Fixed) }

// fixedTitle says that a finding is fixed in the working tree, or which files are not added to git.
func fixedTitle(d *result.Diagnostic) string {
	if !d.Unadded {
		return "already fixed in the working tree"
	}
	there := " exists but is not added"
	if len(d.Fixed) > 1 {
		there = " exist but are not added"
	}
	return Safe(strings.Join(d.Fixed, ", ")) + there
}

// steps returns why a remedy is not safe, followed by the manual steps.
func steps(r *result.Remedy) []string {
	var list []string
	if r.ReviewReason != "" {
		list = append(list, "- not safe: "+Safe(r.ReviewReason))
	}
	for _, s := range r.Steps {
		list = append(list, "- "+Safe(s))
	}
	return list
}

// detail returns a finding as Text shows it, with the commands that fix it.
func (o Options) detail(i *result.Instance, d *result.Diagnostic) string {
	o.Color, o.Width, o.Link = false, 0, nil
	var b strings.Builder
	p := newReport(&b, nil, o)
	p.finding(d)
	for _, text := range o.fixTexts(i, d) {
		p.text("  ", text)
	}
	_ = p.w.Flush()
	return b.String()
}

// worded returns a format's word for a severity.
func worded(s wire.Severity, error, warning, info string) string {
	switch s {
	case wire.Error:
		return error
	case wire.Warning:
		return warning
	}
	return info
}

// failureText states what failed, and for which plugin and directory.
func failureText(f *result.Failure) string {
	where := f.Root
	if f.Plugin != "" {
		where = strings.TrimSuffix("plugin "+f.Plugin+", "+f.Root, ", ")
	}
	if where != "" {
		where += ": "
	}
	return Safe(where+string(f.Kind)+": ") + safeText(f.Message)
}

// failureFingerprint returns an id that stays the same as long as the failure persists.
func failureFingerprint(f *result.Failure) string {
	return result.ID(notChecked, string(f.Kind), f.Plugin, f.Root)
}

// notes returns one line for each omission that is not a failure.
func (o *Options) notes(r *result.Result) []string {
	var list []string
	for _, u := range r.Skipped {
		list = append(list, Safe(u.Plugin)+" was not checked: "+Safe(u.Why))
	}
	p := newReport(nil, r, *o)
	if o.Quiet {
		return prefixed(append(list,
			p.notesOf((*result.Note).ChecksLess)...))
	}
	alike := map[result.Declined][]string{} // paths, by plugin and reason
	for _, d := range r.Declined {
		if !inside(d, r.Instances) {
			why := result.Declined{Plugin: d.Plugin, Why: d.Why}
			alike[why] = append(alike[why], p.path(d.Root))
		}
	}
	for _, d := range r.Declined {
		why := result.Declined{Plugin: d.Plugin, Why: d.Why}
		if paths := alike[why]; len(paths) > 1 {
			list = append(list, fmt.Sprintf("%s and %d more are not examined by %s: %s", paths[0], len(paths)-1,
				Safe(d.Plugin), Safe(d.Why)))
		} else if len(paths) == 1 {
			list = append(list, paths[0]+" is not examined by "+Safe(d.Plugin)+": "+Safe(d.Why))
		}
		delete(alike, why)
	}
	if len(r.Excluded) > 0 {
		paths := each(r.Excluded, func(x *string) string { return p.path(*x) })
		list = append(list, "excluded by the configuration: "+strings.Join(paths, ", "))
	}
	if len(r.Disabled) > 0 {
		list = append(list, "disabled by the configuration: "+Safe(strings.Join(r.Disabled, ", ")))
	}
	list = append(list, p.notesOf(func(*result.Note) bool { return true })...)
	if r.Policy != "" {
		list = append(list, "the configuration comes from commit "+Safe(r.Policy))
	}
	return prefixed(list)
}

func (p *report) notesOf(wanted func(*result.Note) bool) (list []string) {
	for i := range p.result.Notes {
		n := &p.result.Notes[i]
		at := p.place(n.Place)
		// write the location the way git names a file in a commit
		if p.result.Policy != "" && !n.ChecksLess() {
			at = Safe(n.Place.String())
		}
		if wanted(n) {
			list = append(list, at+": "+Safe(n.Message))
		}
	}
	return list
}

func prefixed(list []string) []string {
	for i := range list {
		list[i] = "note: " + list[i]
	}
	return list
}

// inside reports whether a declined directory is part of a checked one. Examples are a run's folder that looks like
// a run, and a directory that two workflows call specs. Such directories do not deserve a note.
func inside(d result.Declined, instances []result.Instance) bool {
	return slices.ContainsFunc(instances, func(i result.Instance) bool {
		return i.Root == "." && i.Plugin == d.Plugin || i.Root == d.Root && i.Plugin != d.Plugin ||
			strings.HasPrefix(d.Root, i.Root+"/")
	})
}

// shortIDs maps the ids of remedies and the fingerprints of findings to their shortest unique prefixes of at least 4
// characters. Every command that takes an id accepts such a prefix.
func shortIDs(r *result.Result) map[string]string {
	all := each(r.Offers(), func(f *result.Offer) string { return f.ID })
	for _, d := range r.Findings() {
		all = append(all, d.Fingerprint)
	}
	slices.Sort(all)
	all = append(slices.Compact(all), "")
	short, before := map[string]string{}, ""
	for i, id := range all[:len(all)-1] {
		n := min(4, len(id))
		for n < len(id) && (strings.HasPrefix(before, id[:n]) || strings.HasPrefix(all[i+1], id[:n])) {
			n++
		}
		short[id], before = id[:n], id
	}
	return short
}
