package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A repeat is a section that a document has twice.
type repeat struct{ first, second *head }

// repeats finds duplicate sections under the same heading: single ones by their names, or everything under the title.
// It does not search inside a duplicate again.
func (d *document) repeats() []repeat {
	var list []repeat
	for i, h := range d.heads {
		named := among(h.name, knownSections+"|reviews|quicklinks|plannedqueriesbysource|"+convergenceSection) &&
			d.name() != textName || closing(h.name) >= 0 && closing(h.name) < references
		inside := len(list) > 0 && h.Start() < list[len(list)-1].second.Section().End()
		if h.level > 1 && !named || h.name == "" || inside || !d.real(h.Heading, true) &&
			len(h.Section().Tasks()) == 0 {
			continue
		}
		var first *head
		for j := i - 1; j >= 0 && d.heads[j].level >= h.level; j-- {
			if other := d.heads[j]; other.level == h.level && other.name == h.name {
				first = other
			}
		}
		if first != nil {
			list = append(list, repeat{first, h})
		}
	}
	return list
}

// contradiction is where the second of two sections says something else than the first one of the same thing: another
// status, or another tick. It is not there if they agree.
func (d *document) contradiction(c repeat) *value {
	said := map[string]string{}
	var found *value
	for _, s := range [...]markdown.Section{c.first.Section(), c.second.Section()} {
		isSecond := s.Start() == c.second.Start()
		compare := func(key string, v *value) {
			if was, ok := said[key]; !isSecond && !ok {
				said[key] = fold(v.text)
			} else if isSecond && ok && was != fold(v.text) {
				found = found.or(v)
			}
		}
		for _, t := range s.Tasks() {
			v := d.part(t.Part)
			v.text = t.Raw()
			compare(t.Text(), v)
		}
		for _, f := range d.fields(s) {
			if among(f.key, "status|phase|mode") {
				compare(f.key, f)
			}
		}
		for _, t := range s.Tables() {
			for _, w := range d.columns(t, []string{"citation|paper|title|sourcetype|source|topic|review",
				"status|state"}).records {
				if key := w.real(0); key != "" && !w.bad() {
					compare(key, w.cell(1))
				}
			}
		}
	}
	return found
}

// duplicateSection reports duplicate sections and documents whose whole text is duplicated.
func duplicateSection(k *look) {
	docs := []*document{k.m.index.document}
	if k.review != nil {
		docs = []*document{k.rp, k.sm, k.lr}
	}
	for _, d := range docs {
		for _, c := range d.repeats() {
			title, at := c.second.Text(), d.contradiction(c)
			if c.second.level == 1 {
				title = "everything under " + title
			}
			message := title + " is duplicated; only the first one is read" + d.part(c.first.Part).where()
			if at.ok() {
				message += "; the second one contradicts it: " + say.Quote(at.text) + at.where()
			}
			f := see(k.tell(d.part(c.second.Part), c.second.name, message).As(severityOf(at.ok())),
				d.part(c.first.Part), "the first one")
			if first, second := c.first.Section(),
				c.second.Section(); strings.TrimSpace(first.Raw()) == strings.TrimSpace(second.Raw()) {
				offer(f, "Remove the second one", d.edit(markdown.Edit{Start: second.Start(), End: second.End()}, true))
			}
		}
	}
}
