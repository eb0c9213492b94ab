package vet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// A loss describes the entries that edits remove from lists in JSON documents, or duplicate there. Entries are compared
// by meaning.
type loss struct {
	gone    bool   // a list loses an entry of the base and becomes shorter
	doubled string // an entry of the base that occurs more often afterward than in the base or now
	instead string // a document that is unreadable now and would lack content of the base
	entry   string // the entry that instead would lack
}

// lossOf compares the lists in the base, now and afterward.
func lossOf(base *wire.Base, now, after []wire.Document) loss {
	var all loss
	if base.State != wire.BaseAt {
		return all
	}
	for i := range base.Documents {
		was := &base.Documents[i]
		is, will := find(now, was.Path), find(after, was.Path)
		if was.Format != wire.JSON && was.Format != wire.YAML || will == nil || is != nil && is.Text == will.Text {
			continue
		}
		c := comparison{base: lists(was), after: lists(will)}
		unreadable := is == nil || !readable(is)
		if c.now = c.base; !unreadable {
			c.now = lists(is)
		}
		for _, at := range slices.Sorted(maps.Keys(c.base)) {
			gone := c.gone(at)
			all.doubled = cmp.Or(all.doubled, c.doubled(at))
			switch {
			case gone == "":
			case !unreadable:
				all.gone = all.gone || len(c.after[at]) < len(c.now[at])
			case all.instead == "":
				all.instead, all.entry = was.Path, gone
			}
		}
	}
	return all
}

func find(list []wire.Document, path string) *wire.Document {
	if i := slices.IndexFunc(list, func(d wire.Document) bool { return d.Path == path }); i >= 0 {
		return &list[i]
	}
	return nil
}

func readable(d *wire.Document) bool {
	_, err := jsondoc.Parse(d.Text)
	return err == nil
}

// lists returns the entries of every list in a JSON document, by pointer.
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

// A comparison holds the lists of one document in the three revisions.
type comparison struct{ base, now, after map[string][]jsondoc.Value }

// maxCompared limits the number of added or dropped entries that are compared per list.
const maxCompared = 100

func (c *comparison) gone(at string) string {
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

// without returns the first entries that occur less often in another list.
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

// times counts the occurrences of an entry in a list, by meaning.
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
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxNew {
		return string(r[:maxNew]) + "…"
	}
	return text
}
