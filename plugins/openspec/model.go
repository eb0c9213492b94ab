package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/tasks"
)

// A model holds one revision of the directory.
type model struct {
	docs     sdk.Docs
	specs    []*spec             // sorted by path
	byCap    map[string]*spec    // by capability
	named    map[string][]string // by a requirement's key: the capabilities that have it
	active   []*change           // sorted by name
	archived []*change           // sorted by directory
	base     *model              // the earlier revision; nil if there is none
	shelved  map[string]bool     // names of the changes in directories that OpenSpec does not read
	complete bool                // no document is hidden, so an absent one does not exist
}

// A spec is specs/CAPABILITY/spec.md.
type spec struct {
	capability string
	doc        *sdk.Document
	sections   []*section
	reqs       []*requirement          // in sections other than delta sections
	byKey      map[string]*requirement // in all sections
}

// A change is changes/NAME or changes/archive/DATE-NAME.
type change struct {
	name     string // without its date
	dir      string // relative to the root
	archived bool
	docs     []*sdk.Document
	deltas   []*delta
	list     *sdk.Document   // tasks.md
	tasks    []*task         // only if the change is not archived
	bare     []markdown.Item // items in its tasks.md without a checkbox
	open     int
	done     int
	marked   int    // in the archive: the number of tasks with another mark, such as [-] for an abandoned task
	openLine int    // the line of the last open task
	torn     bool   // tasks.md contains an unresolved merge
	schema   string // "" if it names none
	skips    bool   // .openspec.yaml states that no spec changes
	unclear  bool   // .openspec.yaml cannot be read
}

// A task is an item in tasks.md with a checkbox or another mark, such as [~].
type task = tasks.Task

// form describes how OpenSpec writes tasks: with a number such as 2.1, or without one. OpenSpec counts checkboxes, so
// words in a title never cancel a task.
var form = tasks.Form{ID: numberOf, Mixed: true, Counts: true}

// numberOf returns the number that a task's text begins with, such as "2.1", "2.1a" or "B.2.1". It returns "" for a
// number without a dot, because ordinary lists also number their items.
func numberOf(text string) (id, last, title string) {
	if len(text) > 2 && text[0] >= 'A' && text[0] <= 'Z' && text[1] == '.' {
		if n, rest := ordinal.Leading(text[2:]); n != "" {
			return text[:2] + n, "", rest
		}
	}
	if n, rest := ordinal.Leading(text); strings.IndexByte(n, '.') >= 0 {
		return n, "", rest
	}
	return "", "", text
}

// A delta is changes/NAME/specs/CAPABILITY/spec.md: the effect of the change on a capability.
type delta struct {
	capability string
	doc        *sdk.Document
	sections   []*section
	added      []*requirement
	modified   []*requirement
	removed    []name
	renamed    []rename
	unpaired   []name // FROM without TO, and TO without FROM
	sorts      int    // the number of delta sections
	vague      bool   // it removes or renames requirements, but this document omits their names
}

type rename struct{ from, to name }

func (c *change) total() int { return c.open + c.done }

// complete reports whether every task is ticked.
func (c *change) complete() bool { return c.done > 0 && c.open == 0 }

// unread reports whether tasks.md exists but is unreadable.
func (c *change) unread() bool {
	return c.list != nil && (len(c.list.Faults) > 0 || c.list.Need != sdk.Content && !c.archived)
}

// custom reports whether the change follows a schema that this workflow does not know.
func (c *change) custom() bool { return c.schema != "" && c.schema != ownSchema }

func (c *change) has(file string) *sdk.Document {
	for _, d := range c.docs {
		if d.Path == c.dir+"/"+file {
			return d
		}
	}
	return nil
}

// look reads one revision. If other is not nil, look reuses other's specs whose documents are the same.
func look(docs sdk.Docs, other *model) *model {
	m := &model{docs: docs, byCap: map[string]*spec{}, named: map[string][]string{}, shelved: map[string]bool{},
		complete: docs.Complete()}
	for _, d := range docs.All() {
		parts := strings.Split(d.Path, "/")
		switch {
		case d.Dir || len(parts) < 3 || strings.HasPrefix(parts[1], "."): // OpenSpec ignores hidden directories
		case parts[0] == "specs" && parts[len(parts)-1] == "spec.md":
			m.addSpec(other.readSpec(strings.Join(parts[1:len(parts)-1], "/"), d))
		case parts[0] == "changes" && parts[1] == "archive" && len(parts) > 3:
			m.archived = addTo(m.archived, "changes/archive/"+parts[2], d, parts[3:])
		case parts[0] == "archive", parts[0] == "changes" && shelf(parts[1]):
			// The directory's name alone proves nothing.
			if file := parts[len(parts)-1]; file == "tasks.md" || file == "proposal.md" {
				m.shelved[undated(parts[len(parts)-2])] = true
			}
		case parts[0] == "changes":
			m.active = addTo(m.active, "changes/"+parts[1], d, parts[2:])
		}
	}
	return m
}

// shelf reports whether dir is a name that some projects give to a directory of finished changes.
func shelf(dir string) bool {
	return slices.Contains([]string{"archive", "archived", "archives", "completed", "done", "rejected", "abandoned"},
		dir)
}

// readSpec reads a spec. If m is not nil and has a spec from the same document, readSpec returns that one.
func (m *model) readSpec(capability string, d *sdk.Document) *spec {
	if m != nil && m.byCap[capability] != nil && m.byCap[capability].doc == d {
		return m.byCap[capability]
	}
	s := &spec{capability: capability, doc: d, sections: read(d), byKey: map[string]*requirement{}}
	for _, part := range s.sections {
		for _, r := range part.reqs {
			if operation(part.title) == "" {
				s.reqs = append(s.reqs, r)
			}
			if k := r.key(); s.byKey[k] == nil {
				s.byKey[k] = r
			}
		}
	}
	return s
}

func (m *model) addSpec(s *spec) {
	for k := range s.byKey {
		m.named[k] = append(m.named[k], s.capability)
	}
	m.specs, m.byCap[s.capability] = append(m.specs, s), s
}

// addTo adds a document to its directory's change. Documents arrive in path order.
func addTo(list []*change, dir string, d *sdk.Document, parts []string) []*change {
	if len(list) == 0 || list[len(list)-1].dir != dir {
		list = append(list, &change{dir: dir, name: undated(dir[strings.LastIndexByte(dir, '/')+1:]),
			archived: strings.HasPrefix(dir, "changes/archive/")})
	}
	c := list[len(list)-1]
	c.docs = append(c.docs, d)
	switch file := parts[len(parts)-1]; {
	case parts[0] == "specs" && len(parts) > 2 && file == "spec.md":
		c.deltas = append(c.deltas, readDelta(strings.Join(parts[1:len(parts)-1], "/"), d))
	case len(parts) > 1:
	case file == "tasks.md":
		c.readTasks(d)
	case file == ".openspec.yaml":
		c.readMetadata(d)
	}
	return list
}

// undated returns a change's name without the date that archiving prepends.
func undated(dir string) string {
	if len(dir) > 11 && dir[4] == '-' && dir[7] == '-' && dir[10] == '-' &&
		strings.Trim(dir[:10], "0123456789-") == "" {
		return dir[11:]
	}
	return dir
}

func (c *change) readTasks(d *sdk.Document) {
	c.list = d
	c.torn = d.Conflicted()
	if d.Need != sdk.Content {
		for _, p := range d.Summary.Probes {
			switch p.Name {
			case "open":
				c.open, c.openLine = p.Count, p.LastLine
			case "done":
				c.done = p.Count
			default:
				c.marked = p.Count
			}
		}
		return
	}
	o := d.Outline()
	for _, item := range o.Document().Items() {
		if !form.IsBox(o, item.Index()) {
			c.bare = append(c.bare, item)
		}
	}
	c.tasks = tasks.Read(o, &form)
	for _, t := range c.tasks {
		if t.Ticked {
			c.done++
		} else {
			c.open, c.openLine = c.open+1, t.Line
		}
	}
}

// readMetadata reads two keys in .openspec.yaml: the change's schema, and whether it has no deltas on purpose.
func (c *change) readMetadata(d *sdk.Document) {
	doc, err := jsondoc.Parse(d.Text)
	kind := doc.Root().Kind()
	if c.unclear = !d.Readable() || err != nil || kind != jsondoc.Object && kind != jsondoc.Null; c.unclear {
		return
	}
	c.schema, _ = doc.Root().Get("schema").Text()
	skips := doc.Root().Get("skip_specs")
	text, _ := skips.Text()
	yes, _ := skips.Bool()
	c.skips = yes || text == "true"
}

// operation returns a delta section's operation from its title: "added", "modified", "removed" or "renamed". It
// returns "" for any other title.
func operation(title string) string {
	word, rest, _ := strings.Cut(fold(title), " ")
	if rest == "requirements" && slices.Contains([]string{"added", "modified", "removed", "renamed"}, word) {
		return word
	}
	return ""
}

func readDelta(capability string, d *sdk.Document) *delta {
	x := &delta{capability: capability, doc: d, sections: read(d)}
	for _, s := range x.sections {
		op := operation(s.title)
		if op != "" {
			x.sorts++
		}
		switch op {
		case "added":
			x.added = append(x.added, s.reqs...)
		case "modified":
			x.modified = append(x.modified, s.reqs...)
		case "removed":
			x.readRemoved(d, s)
		case "renamed":
			x.vague = d.Need != sdk.Content
			var from name
			listed(d, s, func(before string, n name) {
				switch {
				case before == "from":
					x.unpair(from)
					from = n
				case before == "to" && from.line > 0:
					x.renamed = append(x.renamed, rename{from, n})
					from = name{}
				case before == "to":
					x.unpair(n)
				}
			})
			x.unpair(from)
		}
	}
	return x
}

func (x *delta) unpair(n name) {
	if n.line > 0 {
		x.unpaired = append(x.unpaired, n)
	}
}

func (x *delta) readRemoved(d *sdk.Document, s *section) {
	if d.Need != sdk.Content {
		for _, r := range s.reqs {
			x.removed = append(x.removed, name{text: r.name, line: r.line})
		}
		x.vague = x.vague || len(s.reqs) == 0 // the requirements may be in a list
		return
	}
	listed(d, s, func(_ string, n name) { x.removed = append(x.removed, n) })
}

// empty reports whether OpenSpec finds no entry in a delta.
func (x *delta) empty() bool {
	return len(x.added)+len(x.modified)+len(x.removed)+len(x.renamed) == 0
}

// takes reports whether a delta removes or renames a requirement, or may do so if its document omits names.
func (x *delta) takes(key string) bool { return x.vague || x.namesTaken(key) }

func (x *delta) namesTaken(key string) bool {
	for _, n := range x.removed {
		if fold(n.text) == key {
			return true
		}
	}
	for _, r := range x.renamed {
		if fold(r.from.text) == key {
			return true
		}
	}
	return false
}

// gives reports whether a delta adds a requirement with this name, or gives this name to another requirement.
func (x *delta) gives(key string) bool {
	for _, r := range x.added {
		if r.key() == key {
			return true
		}
	}
	for _, r := range x.renamed {
		if fold(r.to.text) == key {
			return true
		}
	}
	return false
}

// anyDelta reports whether accept returns true for any delta that the changes have for a capability.
func anyDelta(changes []*change, capability string, accept func(*change, *delta) bool) bool {
	for _, c := range changes {
		for _, x := range c.deltas {
			if x.capability == capability && accept(c, x) {
				return true
			}
		}
	}
	return false
}

// find returns the change in a directory, or nil if there is none.
func find(list []*change, dir string) *change {
	for _, c := range list {
		if c.dir == dir {
			return c
		}
	}
	return nil
}
