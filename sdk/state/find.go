package state

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// of returns the values of the fields with these pointers, or all values if there are no pointers.
func (d *Doc) of(fields []string) []*Value {
	if len(fields) == 0 {
		return d.List
	}
	var list []*Value
	for _, v := range d.List {
		if slices.Contains(fields, v.At) {
			list = append(list, v)
		}
	}
	return list
}

// found begins a finding about a value.
func (d *Doc) found(r *check.Report, v *Value, message string) *check.Finding {
	return d.about(r.At(sdk.AtPointer(d.Path, v.Pointer), message), v.Subject).Keyed(v.At)
}

// about sets the run of a finding, and the record or item that it is about.
func (d *Doc) about(f *check.Finding, record string) *check.Finding {
	if record == "" {
		record = d.item
	}
	return f.About(record).Of(d.run)
}

// shown returns a value as a message quotes it.
func shown(v jsondoc.Value) string {
	if text, ok := v.Text(); ok {
		return say.Quote(text)
	}
	return say.Clip(v.Raw())
}

// Unknown finds words that are not in their vocabulary. proved returns the word that the documents show to be right, or
// "" if they show none.
func (d *Doc) Unknown(r *check.Report, proved func(*Value) string, fields ...string) {
	for _, v := range d.of(fields) {
		if v.Kind != Word || v.Why == "" {
			continue
		}
		f := d.found(r, v, say.Wrong(v.Name(), shown(v.JSON), say.Or(v.Words...)))
		if word := proved(v); word != "" {
			f.Offer(sdk.Review, "Set "+v.Name()+" to "+word, sdk.SetText(d.Path, v.Pointer, word))
		}
	}
}

// Noncanonical finds words in a spelling other than the vocabulary's.
func (d *Doc) Noncanonical(r *check.Report, fields ...string) {
	for _, v := range d.of(fields) {
		word := v.Canonical()
		if word == "" || v.Text == word {
			continue
		}
		safety := sdk.Safe
		if v.Alias {
			safety = sdk.Review
		}
		d.found(r, v, say.Wrong(v.Name(), shown(v.JSON), word)).Offer(safety, "Write "+word,
			sdk.SetText(d.Path, v.Pointer, word))
	}
}

// Missing finds required fields that are missing from the document itself, not from its records. proved returns the
// JSON text that a remedy adds for the field, or "" if there is no remedy.
func (d *Doc) Missing(r *check.Report, proved func(*Field) string) {
	for i := range d.spec.Fields {
		f := &d.spec.Fields[i]
		if f.Must == nil || d.Has(f.At) || !f.Must(d) {
			continue
		}
		found := d.about(r.Whole(d.Path, d.Path+" has no "+f.At[1:]), "").Keyed(f.At)
		if json := proved(f); json != "" {
			to := say.Clip(json)
			if json == jsondoc.Quote(sdk.NowInEdit) {
				to = "now"
			}
			found.Offer(sdk.Review, "Set "+f.At[1:]+" to "+to, sdk.Set(d.Path, f.At, json))
		} else {
			found.Advise("Add it", "add "+f.At[1:]+" to "+d.Path)
		}
	}
}

// Malformed finds moments that cannot be parsed.
func (d *Doc) Malformed(r *check.Report, fields ...string) {
	for _, v := range d.of(fields) {
		if v.Kind != Moment || v.Why == "" {
			continue
		}
		f := d.found(r, v, v.Name()+" "+v.Why+"; found "+shown(v.JSON)+", expected a time such as 2026-01-16T10:00:00Z")
		if v.Base == Advances {
			d.offerNow(f, r.Pass, v)
		} else {
			f.Advise("Correct the time", "write "+v.Name()+" as YYYY-MM-DDTHH:MM:SSZ")
		}
	}
}

// InFuture finds moments that are definitely in the future, by more than `ahead`.
func (d *Doc) InFuture(r *check.Report, ahead instant.Duration, fields ...string) {
	for _, v := range d.of(fields) {
		if v.Kind != Moment || v.Why != "" || !r.Before(v.Moment.Earliest().Add(-ahead)) {
			continue
		}
		f := d.found(r, v, v.Name()+" is "+v.Moment.Text+", which is in the future")
		if v.Base == Advances {
			d.offerNow(f, r.Pass, v)
		} else {
			f.Advise("Correct the time", "correct "+v.Name()+", or the clock of the machine that wrote it")
		}
	}
}

// OutOfOrder finds moments that are before the moments that they must follow.
func (d *Doc) OutOfOrder(r *check.Report, fields ...string) {
	for _, v := range d.of(fields) {
		first := d.Get(v.After)
		if !v.Moment.Before(first.Moment, 0) {
			continue
		}
		f := d.found(r, v, v.Name()+" is "+v.Moment.Text+", before "+first.Name()+", which is "+first.Moment.Text)
		f.See(sdk.AtPointer(d.Path, first.Pointer), first.Name()+" is "+first.Moment.Text)
		if v.Base == Advances {
			d.offerNow(f, r.Pass, v)
		} else {
			f.Advise("Correct the times", "correct "+v.Name()+" or "+first.Name())
		}
	}
}

// offerNow offers to set the moment to the time when the remedy is applied, unless that time is before the moment that
// it must follow.
func (d *Doc) offerNow(f *check.Finding, p *sdk.Pass, v *Value) {
	if NotBefore(p, d.Get(v.After).Moment) {
		f.Offer(sdk.Review, "Set "+v.Name()+" to now", sdk.SetNow(d.Path, v.Pointer))
	}
}

// NotBefore reports whether the time when a remedy is applied, in whole seconds, is definitely not before a moment.
func NotBefore(p *sdk.Pass, m instant.Moment) bool {
	t := m.At
	if m.Precision == 0 {
		return true
	}
	if whole := t.Seconds(); whole != t {
		t = whole.Add(instant.Second)
	}
	return !p.Before(t)
}

// Touch adds an edit that sets the document's advancing moment to the time when the edits are applied, if the document
// has such a field and the edits change the document.
func (d *Doc) Touch(p *sdk.Pass, edits []sdk.Edit) []sdk.Edit {
	changes := false
	for i := range edits {
		changes = changes || edits[i].Range.Path == d.Path && edits[i].Range.Pointer != ""
	}
	for _, v := range d.List {
		touched := func(e sdk.Edit) bool { return e.Range.Pointer == v.Pointer || e.Range.Pointer == v.After }
		if changes && v.Base == Advances && !slices.ContainsFunc(edits, touched) &&
			NotBefore(p, d.Get(v.After).Moment) {
			edits = append(edits, sdk.SetNow(d.Path, v.Pointer))
		}
	}
	return edits
}
