//go:build !wasip1

package vet

import (
	"cmp"
	"maps"
	"slices"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// changedEntries compares what the lists of JSON documents hold in the base, now and afterwards,
// by meaning: lost is an entry that the base has and now has and that is gone afterwards, doubled
// one of the base that is there more often afterwards than in the base and now.
func changedEntries(base *wire.Base, now, after []wire.Document) (lost, doubled string) {
	if base.State != wire.BaseAt {
		return "", ""
	}
	for i := range base.Documents {
		was := &base.Documents[i]
		is, will := find(now, was.Path), find(after, was.Path)
		if was.Format != wire.JSON || is == nil || will == nil || is.Text == will.Text {
			continue
		}
		c := comparison{lists(was), lists(is), lists(will)}
		for _, at := range slices.Sorted(maps.Keys(c.base)) {
			lost, doubled = cmp.Or(lost, c.lost(at)), cmp.Or(doubled, c.doubled(at))
		}
	}
	return lost, doubled
}

func find(list []wire.Document, path string) *wire.Document {
	if i := slices.IndexFunc(list, func(d wire.Document) bool { return d.Path == path }); i >= 0 {
		return &list[i]
	}
	return nil
}

// lists gives the entries of every list of a JSON document, by the way there.
func lists(d *wire.Document) map[string][]jsondoc.Value {
	all := map[string][]jsondoc.Value{}
	doc, err := jsondoc.Parse(d.Text)
	if err != nil {
		return all
	}
	var walk func(at string, v jsondoc.Value)
	walk = func(at string, v jsondoc.Value) {
		for _, e := range v.Elements() {
			all[at] = append(all[at], e)
			walk(at+"/-", e)
		}
		for _, m := range v.Members() {
			walk(at+"/"+m.Key, m.Value)
		}
	}
	walk("", doc.Root())
	return all
}

// A comparison is of the lists of one document.
type comparison struct{ base, now, after map[string][]jsondoc.Value }

// maxCompared bounds how many entries of a list, of those that a remedy writes or drops, are compared.
const maxCompared = 100

func (c *comparison) lost(at string) string {
	for _, e := range without(c.now[at], c.after[at]) {
		if times(c.base[at], e) > 0 && times(c.after[at], e) == 0 {
			return clipped(e.Raw())
		}
	}
	return ""
}

func (c *comparison) doubled(at string) string {
	for _, e := range without(c.after[at], c.now[at]) {
		if n := times(c.base[at], e); n > 0 && times(c.after[at], e) > max(n, times(c.now[at], e)) {
			return clipped(e.Raw())
		}
	}
	return ""
}

// without gives the first entries that are not written in another list as often.
func without(list, other []jsondoc.Value) []jsondoc.Value {
	there := map[string]int{}
	for _, e := range other {
		there[e.Raw()]++
	}
	var rest []jsondoc.Value
	for _, e := range list {
		if there[e.Raw()]--; there[e.Raw()] < 0 && len(rest) < maxCompared {
			rest = append(rest, e)
		}
	}
	return rest
}

// times counts an entry in a list, by meaning.
func times(list []jsondoc.Value, e jsondoc.Value) int {
	n := 0
	for _, other := range list {
		if jsondoc.EqualFunc(other, e, instant.Same) {
			n++
		}
	}
	return n
}

func clipped(text string) string {
	if r := []rune(text); len(r) > maxNew {
		return string(r[:maxNew]) + "…"
	}
	return text
}
