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

// A model is what one revision of the directory says.
type model struct {
	docs     sdk.Docs
	specs    []*spec             // by path
	byCap    map[string]*spec    // by capability
	named    map[string][]string // capabilities that have a requirement, by its key
	active   []*change           // by name
	archived []*change           // by directory
	base     *model              // the earlier revision; nil without one
	shelved  map[string]bool     // the names of changes that are over, on shelves that OpenSpec does not know
	complete bool                // nothing is hidden, so that what is absent is missing
}

// A spec is specs/CAPABILITY/spec.md.
type spec struct {
	capability string
	doc        *sdk.Document
	sections   []*section
	reqs       []*requirement          // of its sections outside deltas
	byKey      map[string]*requirement // of all its sections
}

// A change is changes/NAME or changes/archive/DATE-NAME.
type change struct {
	name     string // without a date
	dir      string // below the root
	archived bool
	docs     []*sdk.Document
	deltas   []*delta
	list     *sdk.Document   // tasks.md
	tasks    []*task         // of a change that is not archived
	bare     []markdown.Item // items of its tasks.md without a box
	open     int
	done     int
	marked   int    // in the archive, tasks with another mark, such as [-], which says that they were given up
	openLine int    // of the last open task
	torn     bool   // tasks.md holds an unresolved merge
	schema   string // "" without one
	skips    bool   // .openspec.yaml says that no spec changes
	unclear  bool   // .openspec.yaml cannot be read
}

// A task is one box of tasks.md, or another mark in its place, such as [~].
type task = tasks.Task

// form is how OpenSpec writes tasks: with a number such as 2.1 or without one. Its program counts boxes, so that
// nothing that a title says gives one up.
var form = tasks.Form{ID: numberOf, Mixed: true, Counts: true}

// numberOf is what a task's text begins with: "2.1", "2.1a"; "" without a dot, since lists count as they like.
func numberOf(text string) (id, last, title string) {
	if n, rest := ordinal.Leading(text); strings.IndexByte(n, '.') >= 0 {
		return n, "", rest
	}
	return "", "", text
}

// A delta is changes/NAME/specs/CAPABILITY/spec.md: what the change does to a capability.
type delta struct {
	capability string
	doc        *sdk.Document
	sections   []*section
	added      []*requirement
	modified   []*requirement
	removed    []name
	renamed    []rename
	unpaired   []name // FROM without TO, and TO without FROM
	sorts      int    // how many sections of a delta there are
	vague      bool   // it removes or renames requirements whose names this document does not show
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
func (c *change) custom() bool { return c.schema != "" && c.schema != "spec-driven" }

func (c *change) has(file string) *sdk.Document {
	for _, d := range c.docs {
		if d.Path == c.dir+"/"+file {
			return d
		}
	}
	return nil
}

// look reads one revision. A spec that is the same document in another one, nil for none, is not read again.
func look(docs sdk.Docs, other *model) *model {
	m := &model{docs: docs, byCap: map[string]*spec{}, named: map[string][]string{}, shelved: map[string]bool{},
		complete: docs.Complete()}
	for _, d := range docs.All() {
		parts := strings.Split(d.Path, "/")
		switch {
		case d.Dir || len(parts) < 3:
		case parts[0] == "specs" && parts[len(parts)-1] == "spec.md":
			m.addSpec(other.readSpec(strings.Join(parts[1:len(parts)-1], "/"), d))
		case parts[0] == "changes" && parts[1] == "archive" && len(parts) > 3:
			m.archived = addTo(m.archived, "changes/archive/"+parts[2], d, parts[3:])
		case parts[0] == "archive":
			m.shelved[undated(parts[1])] = true
		case parts[0] == "changes" && shelf(parts[1]):
			m.shelved[undated(parts[2])] = true
		case parts[0] == "changes":
			m.active = addTo(m.active, "changes/"+parts[1], d, parts[2:])
		}
	}
	return m
}

// shelf reports whether a directory beside the changes holds changes that are over, as some projects sort them.
func shelf(dir string) bool {
	return slices.Contains([]string{"archive", "archived", "archives", "completed", "done", "rejected", "abandoned"},
		dir)
}

// readSpec reads a spec, unless the model has it.
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

// addTo adds a document to the change in a directory. Documents come in the order of their paths.
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

// undated is the name of a change without the date that archiving puts in front.
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

// readMetadata reads two keys of .openspec.yaml: which schema the change follows, and whether it has no deltas on
// purpose.
func (c *change) readMetadata(d *sdk.Document) {
	doc, err := jsondoc.Parse(d.Text)
	if c.unclear = !d.Readable() || err != nil; c.unclear {
		return
	}
	c.schema, _ = doc.Root().Get("schema").Text()
	skips := doc.Root().Get("skip_specs")
	text, _ := skips.Text()
	yes, _ := skips.Bool()
	c.skips = yes || text == "true"
}

// operation is the word of a title that makes a section one of a delta: "added", "modified", "removed" or "renamed".
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
		x.vague = x.vague || len(s.reqs) == 0 // it may be a list
		return
	}
	listed(d, s, func(_ string, n name) { x.removed = append(x.removed, n) })
}

// empty reports whether a delta has no entry that OpenSpec finds.
func (x *delta) empty() bool {
	return len(x.added)+len(x.modified)+len(x.removed)+len(x.renamed) == 0
}

// takes reports whether a delta removes a requirement or gives it another name, as far as this document shows.
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

// gives reports whether a delta makes a requirement of that name.
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

// any reports whether a delta of some changes about a capability is accepted.
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

// find returns the change of a directory, nil if there is none.
func find(list []*change, dir string) *change {
	for _, c := range list {
		if c.dir == dir {
			return c
		}
	}
	return nil
}
