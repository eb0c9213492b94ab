package state

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// was returns the readable value that the base has at v's pointer, or nil. It also returns nil if v is a moment that
// cannot be read, because Malformed reports it. Any other unreadable value counts as changed.
func (d *Doc) was(v *Value, base *Doc) *Value {
	if w := base.at[v.Pointer]; w.OK() && (v.Why == "" || v.Kind != Moment) {
		return w
	}
	return nil
}

// changed begins a finding about a value that differs from the base. It states both values and the line in the
// base, and offers to restore the base value.
func (d *Doc) changed(r *check.Report, v, was *Value, base *Doc) {
	message := say.Was(v.Name(), shown(v.JSON), shown(was.JSON), say.Line(base.Doc, was.JSON.Start()))
	d.found(r, v, message).Offer(sdk.Review, "Set "+v.Name()+" back to "+shown(was.JSON),
		sdk.Set(d.Path, v.Pointer, sdk.Literal(was.JSON.Raw())))
}

// gone reports the base values with the given policy that are missing from a record that still exists. Otherwise, a
// value could be changed by deleting it first and adding another one later. gone offers to restore the base value.
func (d *Doc) gone(r *check.Report, base *Doc, policy Policy, allowed func(*Value) bool) {
	if !d.OK {
		return
	}
	for _, was := range base.List {
		record := was.Pointer[:strings.LastIndexByte(was.Pointer, '/')]
		names := []string{was.At[strings.LastIndexByte(was.At, '/')+1:], was.Also}
		there := func(name string) bool { return name != "" && d.Has(record+"/"+name) }
		if was.Base != policy || !was.OK() || record != "" && !d.Has(record) || slices.ContainsFunc(names, there) ||
			allowed != nil && allowed(was) {
			continue
		}
		at := sdk.AtPointer(d.Path, record)
		if record == "" {
			at = sdk.At(d.Path)
		}
		message := was.Name() + " is missing; it was " + shown(was.JSON) + " in the base" + say.Line(base.Doc,
			was.JSON.Start())
		d.about(r.At(at, message), was.Subject).Keyed(was.At).
			Offer(sdk.Review, "Set "+was.Name()+" back to "+shown(was.JSON),
				sdk.Set(d.Path, was.Pointer, sdk.Literal(was.JSON.Raw())))
	}
}

// Rewritten finds fields that must not change but differ from the base or are missing. allowed, which may be nil,
// reports which values may change and which base values may be removed.
func (d *Doc) Rewritten(r *check.Report, base *Doc, allowed func(*Value) bool) {
	for _, v := range d.List {
		was := d.was(v, base)
		if v.Base == Kept && was != nil && !jsondoc.EqualFunc(v.JSON, was.JSON, instant.Same) &&
			(allowed == nil || !allowed(v)) {
			d.changed(r, v, was, base)
		}
	}
	d.gone(r, base, Kept, allowed)
}

// Fell finds counts that may only rise but are lower than in the base or missing. allowed, which may be nil, reports
// which counts may fall and which base values may be removed.
func (d *Doc) Fell(r *check.Report, base *Doc, allowed func(*Value) bool) {
	for _, v := range d.List {
		was := d.was(v, base)
		if v.Base == Rises && was != nil && (v.Why != "" || v.Int < was.Int) && (allowed == nil || !allowed(v)) {
			d.changed(r, v, was, base)
		}
	}
	d.gone(r, base, Rises, allowed)
}

// NotAdvanced finds moments that are not later than in the base although something else changed. A moment that moved
// backward suggests that an older state was restored, so the first remedy then restores the document from the base.
func (d *Doc) NotAdvanced(r *check.Report, base *Doc) {
	for _, v := range d.List {
		was := d.was(v, base)
		if v.Base != Advances || was == nil || !notLater(v.Moment, was.Moment) {
			continue
		}
		what := d.difference(base)
		if what == "" {
			continue
		}
		f := d.found(r, v, what+"; "+v.Name()+" is "+v.Moment.Text+", not later than in the base"+say.Line(base.Doc,
			was.JSON.Start()))
		if r.Before(was.Moment.Earliest().Seconds().Add(instant.Second)) {
			continue // the base is in the future
		}
		if v.Moment.Before(was.Moment, 0) && !r.Before(was.Moment.At) { // an older state was restored
			f.Offer(sdk.Review, "Restore "+d.Path+" from the base", sdk.Restore(d.Path))
		}
		d.offerNow(f, r.Pass, v)
	}
}

// notLater reports whether a moment is definitely not later than another one.
func notLater(now, was instant.Moment) bool {
	exact := now.Precision == was.Precision && now.Precision != instant.Date
	return now.Before(was, 0) || exact && !was.Before(now, 0)
}

// difference describes a change in the document other than in its advancing moments, or returns "" if there is
// none.
func (d *Doc) difference(base *Doc) string {
	now, was := d.Root.Members(), base.Root.Members()
	for _, m := range now {
		if v := d.at["/"+m.Key]; v != nil && v.Base == Advances {
			continue
		}
		before := base.Root.Get(m.Key)
		switch {
		case !before.Exists():
			return m.Key + " is new"
		case !jsondoc.EqualFunc(m.Value, before, instant.Same):
			return m.Key + " changed"
		}
	}
	for _, m := range was {
		if v := base.at["/"+m.Key]; !d.Root.Get(m.Key).Exists() && (v == nil || v.Base != Advances) {
			return m.Key + " was removed"
		}
	}
	return ""
}
