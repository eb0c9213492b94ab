package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// What several formats say in the same words.

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
	return advice.Apply(Safe(o.Recover), r.ID)
}

// A fix is one way to end a finding. Its texts are safe to print.
type fix struct {
	Option  bool   // it is a recovery of the whole state directory
	ID      string // of a remedy that no command here applies, else ""
	Command string // "" if a person has to do it
	Safety  string // "" if the work tree has the fix, and only git lacks it
	Title   string
	Steps   []string // why it is not safe, and what a person does
}

// fixes are all that ends a finding: its remedies, then the recoveries of its instance.
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
		x.ID = r.ID
	}
	return x
}

// fixTexts are the texts of all that ends a finding. The first line of each has the command, the others are steps by
// hand.
func (o *Options) fixTexts(i *result.Instance, d *result.Diagnostic) []string {
	return each(o.fixes(i, d), (*fix).text)
}

func (x *fix) text() string {
	text := x.Title
	switch {
	case x.Safety == "":
		text += ": " + x.Command
	case x.Command != "":
		text = x.Command + " (" + x.Safety + "): " + text
	case x.ID != "":
		text = "remedy " + x.ID + " (" + x.Safety + "): " + text
	default:
		text = "by hand: " + text
	}
	if x.Option {
		text = "recovery option: " + text
	}
	return strings.Join(append([]string{text}, x.Steps...), "\n")
}

func (o *Options) fixed(d *result.Diagnostic) string { return fixedTitle(d) + ": " + o.stage(d.Fixed) }

// fixedTitle says what a finding lacks that git has to add.
func fixedTitle(d *result.Diagnostic) string {
	if !d.Unadded {
		return "already fixed in the working tree"
	}
	there := " is there, but not added"
	if len(d.Fixed) > 1 {
		there = " are there, but not added"
	}
	return Safe(strings.Join(d.Fixed, ", ")) + there
}

// steps are why a remedy is not safe, and what a person does.
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

// detail is a finding as Text shows it, with the commands of all that ends it.
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

// worded is what a format calls a severity.
func worded(s wire.Severity, error, warning, info string) string {
	switch s {
	case wire.Error:
		return error
	case wire.Warning:
		return warning
	}
	return info
}

// failureText says what failed, and for which plugin and directory.
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

// failureFingerprint stays the same while the failure stays.
func failureFingerprint(f *result.Failure) string {
	return result.ID(notChecked, string(f.Kind), f.Plugin, f.Root)
}

// notes say what was left out on purpose, a line each.
func (o *Options) notes(r *result.Result) []string {
	var list []string
	for _, u := range r.Skipped {
		list = append(list, Safe(u.Plugin)+" was not checked: "+Safe(u.Why))
	}
	p := newReport(nil, r, *o)
	if o.Quiet {
		return prefixed(append(list,
			p.notesOf(func(n *result.Note) bool { return n.Kind == result.PathsNotChecked })...))
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
	list = append(list, p.notesOf(func(*result.Note) bool { return true })...)
	if r.Policy != "" {
		list = append(list, "the configuration is that of commit "+Safe(r.Policy))
	}
	return prefixed(list)
}

// notesOf are the notes that are wanted.
func (p *report) notesOf(wanted func(*result.Note) bool) (list []string) {
	for i := range p.result.Notes {
		n := &p.result.Notes[i]
		at := p.place(n.Place)
		if p.result.Policy != "" && n.Kind != result.PathsNotChecked { // it is named as git does a file of a commit
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

// inside reports whether what a plugin declined is a part of what was examined, such as a folder of a run that looks
// like a run, or the specs of one workflow in a directory that another one calls so, too: that is not worth a note.
func inside(d result.Declined, instances []result.Instance) bool {
	return slices.ContainsFunc(instances, func(i result.Instance) bool {
		return i.Root == "." && i.Plugin == d.Plugin || i.Root == d.Root && i.Plugin != d.Plugin ||
			strings.HasPrefix(d.Root, i.Root+"/")
	})
}

// counts say how much was checked and found. Findings milder than show are folded: the count says how to see them.
func counts(r *result.Result, show wire.Severity) string {
	s := r.Summary()
	var list []string
	for _, c := range []struct {
		n        int
		name     string
		severity wire.Severity
	}{{s.Errors, "error", wire.Error}, {s.Warnings, "warning", wire.Warning}, {s.Infos, "info", wire.Info},
		{s.Failures, "failure", wire.Error}} {
		if c.n == 0 {
			continue
		}
		text := Count(c.n, c.name)
		if c.severity < show {
			text += " (--show " + c.name + ")"
		}
		list = append(list, text)
	}
	list = append(list, accepted(&s)...)
	runs := Count(countRuns(r), "run")
	if len(list) == 0 {
		return runs
	}
	return runs + ": " + strings.Join(list, ", ")
}

// countRuns counts runs as a person would: a state directory may hold many, and counts as one if it holds none.
func countRuns(r *result.Result) int { return len(r.RunsAndRoots()) }

func accepted(s *result.Summary) (list []string) {
	if n := s.Suppressed - s.InBaseline; n > 0 {
		list = append(list, fmt.Sprintf("%d ignored", n))
	}
	if s.InBaseline > 0 {
		list = append(list, fmt.Sprintf("%d in baseline (stategate check --baseline none)", s.InBaseline))
	}
	return list
}

func verdict(r *result.Result, failOn wire.Severity) string {
	return counts(r, wire.Inherit) + ": " + gateWords[r.Gate(failOn)]
}

var gateWords = map[result.Gate]string{result.Open: "the gate is open", result.Closed: "the gate is closed",
	result.Incomplete: "the check is incomplete"}

// Count is a number of things, in the plural unless it is one.
func Count(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}

// shortIDs are the shortest beginnings, of 4 characters at least, that tell the ids of remedies and the fingerprints of
// findings apart: wherever a command takes an id, such a beginning is enough.
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
