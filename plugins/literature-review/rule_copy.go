package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A repeat is a section that a document contains twice.
type repeat struct{ first, second *head }

// repeats finds headings that occur twice: those of sections that the workflow knows, and the title with everything
// under it. It does not search inside a duplicate.
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

// contradiction returns the first row or checkbox that only the second section has, or nil if there is none.
func (d *document) contradiction(c repeat) *value {
	first := c.first.Section().Raw()
	for _, p := range c.second.Section().Parts(markdown.KindRow) {
		if !strings.Contains(first, strings.TrimSpace(p.Raw())) {
			return d.part(p)
		}
	}
	for _, t := range c.second.Section().Tasks() {
		if !strings.Contains(first, strings.TrimSpace(t.Raw())) {
			return d.part(t.Part)
		}
	}
	return nil
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
				message += "; only the second one has " + say.Quote(at.raw()) + at.where()
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
