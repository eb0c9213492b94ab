package wire

// MaxText is the maximum length of a report's visible texts, in bytes; a host may set a lower limit. It does not
// apply to the new text of edits.
const MaxText = 4 << 10

// MaxNext is the maximum length of a brief's next action, in characters: one sentence on one line. Hosts show
// longer ones, but sdktest refuses them.
const MaxNext = 120

// EachText calls f for every visible text of a detection.
func (d *Detection) EachText(f func(name string, text *string)) {
	f("subject", &d.Subject)
	f("claimed", &d.Claimed)
	f("progress.unit", &d.Progress.Unit)
	f("part_of.subject", &d.PartOf.Subject)
	d.Resume.eachText(f)
	for i := range d.Facts {
		d.Facts[i].eachText(f)
	}
}

func (r *Resume) eachText(f func(string, *string)) {
	f("resume.first", &r.First)
	eachOf(r.Checks, "resume.checks", f)
	eachOf(r.ReadFirst, "resume.read_first", f)
	eachOf(r.Context, "resume.context", f)
	f("resume.next", &r.Next)
	eachOf(r.Skip, "resume.skip", f)
	eachOf(r.Remaining, "resume.remaining", f)
	f("resume.closing", &r.Closing)
}

func (f *Fact) eachText(call func(string, *string)) {
	call("fact.name", &f.Name)
	call("fact.title", &f.Title)
	call("fact.value", &f.Value.Text)
	eachOf(f.Value.List, "fact.value", call)
	eachOf(f.Value.Columns, "fact.value", call)
	for _, row := range f.Value.Rows {
		eachOf(row, "fact.value", call)
	}
}

// EachText calls f for every visible text of a diagnostic and of its remedies.
func (d *Diagnostic) EachText(f func(name string, text *string)) {
	f("subject", &d.Subject)
	f("run.subject", &d.Run.Subject)
	for i := range d.Blocks {
		f("blocks.subject", &d.Blocks[i].Subject)
	}
	f("key", &d.Key)
	f("message", &d.Message)
	for i := range d.Related {
		f("related.message", &d.Related[i].Message)
	}
	for i := range d.Remedies {
		d.Remedies[i].EachText(f)
	}
}

// EachText calls f for every visible text of a remedy.
func (r *Remedy) EachText(f func(name string, text *string)) {
	f("title", &r.Title)
	f("subject", &r.Subject)
	eachOf(r.Steps, "step", f)
}

func eachOf(list []string, name string, f func(string, *string)) {
	for i := range list {
		f(name, &list[i])
	}
}
