package work

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

// DependencyMissing finds dependencies on items that do not exist.
func (k *Kind[M, I]) DependencyMissing(r *check.Report, m M, complete Complete[I]) {
	k.each(m, func(i I) {
		for _, n := range k.Needs(m, i) {
			if !n.Exists && !n.Unclear {
				f := begin(r, n.At, SayMissing(i.Called(), n.ID), i)
				f.Keyed(n.ID)
				complete.of(f)
			}
		}
	})
}

// DependencyCircular finds items that depend on each other in a circle. A part that depends on its whole is not a
// circle, because this only says where the part belongs.
func (k *Kind[M, I]) DependencyCircular(r *check.Report, m M, complete Complete[I]) {
	for _, list := range k.Lists(m) {
		byKey := make(map[string]I, len(list))
		keys := make([]string, 0, len(list))
		for _, i := range list {
			if _, twice := byKey[i.Key()]; !twice {
				byKey[i.Key()], keys = i, append(keys, i.Key())
			}
		}
		g := graph.New(keys...)
		for _, i := range list {
			for _, n := range k.Needs(m, i) {
				if n.Exists && byKey[i.Key()] == i && !slices.Contains(k.Parts(n.On), i) {
					g.Need(i.Key(), n.On.Key())
				}
			}
		}
		for _, circle := range g.Cycles() {
			items := make([]I, len(circle)-1)
			for n := range items {
				items[n] = byKey[circle[n]]
			}
			first := items[0]
			place := first.At()
			for _, n := range k.Needs(m, first) {
				if n.Exists && n.On.Key() == circle[1] {
					place = n.At
					break
				}
			}
			names := slices.Clone(circle)
			for n, key := range circle {
				if called := byKey[key].Called(); !strings.Contains(called, " ") {
					names[n] = called // the id as written
				}
			}
			f := begin(r, place, SayCircle(k.Noun, names), first, items[1:]...)
			f.Keyed(strings.Join(circle, " → "))
			complete.of(f)
		}
	}
}

// DependencyOpen finds items that are done although a dependency is not done. A whole and its parts do not wait for
// each other.
func (k *Kind[M, I]) DependencyOpen(r *check.Report, m M, complete Complete[I]) {
	k.each(m, func(i I) {
		if i.Is() != status.Done {
			return
		}
		var open []I
		var place sdk.Range
		for _, n := range k.Needs(m, i) {
			if n.Exists && n.On != i && n.On.Is().Left() && !slices.Contains(k.Parts(i), n.On) &&
				!slices.Contains(k.Parts(n.On), i) {
				if open = append(open, n.On); len(open) == 1 {
					place = n.At
				}
			}
		}
		if len(open) > 0 {
			f := begin(r, place, i.Called()+" is done, but depends on "+say.Count(len(open), k.Noun)+" that "+
				say.Are(len(open))+" not: "+Briefs(open), i, open...)
			f.See(open[0].At(), open[0].Called())
			complete.of(f)
		}
	})
}

// DoneWithOpenParts finds items that are done although one of their parts is not done.
func (k *Kind[M, I]) DoneWithOpenParts(r *check.Report, m M, complete Complete[I]) {
	k.each(m, func(i I) {
		if i.Is() != status.Done {
			return
		}
		if open := left(k.Parts(i)); len(open) > 0 {
			f := begin(r, i.At(), i.Called()+" is done, but "+say.Count(len(open), k.Part)+" of it "+
				say.Are(len(open))+" not: "+Briefs(open), i, open...)
			f.See(open[0].At(), "the first of them")
			complete.of(f)
		}
	})
}

// OpenWithDoneParts finds items that are not finished although all their parts are finished and at least one part
// is done.
func (k *Kind[M, I]) OpenWithDoneParts(r *check.Report, m M, complete Complete[I]) {
	k.each(m, func(i I) {
		if i.Is() != status.Open && i.Is() != status.InProgress {
			return
		}
		parts, done := k.Parts(i), false
		for _, p := range parts {
			if !p.Is().Finished() {
				return
			}
			done = done || p.Is() == status.Done
		}
		if done {
			complete.of(begin(r, i.At(), i.Called()+" is "+i.Says()+", but "+SayAll(len(parts), k.Part)+" done",
				i))
		}
	})
}

// IDRepeated finds items with the same id as another item.
func (k *Kind[M, I]) IDRepeated(r *check.Report, m M, complete Complete[I]) {
	if k.Apart == nil {
		panic("Kind.Apart is nil, but IDRepeated needs it to tell two items apart")
	}
	for _, p := range k.Twice(m) {
		complete.of(begin(r, p.Is.At(), p.Is.Called()+" appears twice: "+k.Apart(p.Was)+" and "+k.Apart(p.Is), p.Is,
			p.Was))
	}
}

// TickLost finds items that were done in the base but are open now, and items that have fewer ticked boxes than
// in the base. If an item fits both descriptions, it reports it once.
func (k *Kind[M, I]) TickLost(r *check.Report, m M, complete Complete[I]) {
	undone := k.Undone(m)
	for _, p := range undone {
		complete.of(begin(r, p.Is.At(), p.Is.Called()+" is "+p.Is.Says()+", but was done in the base", p.Is, p.Was))
	}
	if k.Ticks == nil {
		return
	}
	for _, t := range k.Ticks(m) {
		if !slices.ContainsFunc(undone, func(p Pair[I]) bool { return p.Is == t.Item }) {
			f := begin(r, t.At, t.Item.Called()+" has "+say.Int(t.Now)+" ticked "+t.Boxes+"; it had "+
				say.Int(t.Before)+" in the base", t.Item)
			f.Keyed(t.Boxes)
			complete.of(f)
		}
	}
}

// ItemLost finds items of the base that are missing. If too many are missing to have been removed one by one, it
// reports one finding, with Others.
func (k *Kind[M, I]) ItemLost(r *check.Report, m M, complete Complete[I]) {
	for _, loss := range k.Lost(m) {
		if loss.Many {
			lost := say.Count(len(loss.Items), k.Noun)
			if loss.Of > 0 {
				lost = say.Int(len(loss.Items)) + " of " + say.Count(loss.Of, k.Noun)
			}
			f := begin(r, loss.At, lost+" from the base are missing: "+Briefs(loss.Items),
				loss.Items[0], loss.Items[1:]...)
			if loss.Assign != nil {
				loss.Assign(f.Finding)
			}
			complete.of(f)
			continue
		}
		for _, i := range loss.Items {
			title := ""
			if i.Titled() != "" {
				title = ": " + say.Quote(i.Titled())
			}
			complete.of(begin(r, loss.At, i.Called()+" is missing; in the base it is "+i.Says()+title, i))
		}
	}
}

func (k *Kind[M, I]) each(m M, f func(I)) {
	for _, list := range k.Lists(m) {
		for _, i := range list {
			f(i)
		}
	}
}
