package bmad

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words/status"
)

// vocabulary has the words that only BMAD uses. A retrospective is optional until it is done.
var vocabulary = status.Vocabulary{Own: map[string]status.Status{
	"optional": status.Open, "planned": status.Open, "drafted": status.Ready, "approved": status.Ready,
	"contexted": status.InProgress, "checked": status.Review, "dev_complete": status.Review, "accepted": status.Done,
	"off": status.Cancelled, "post_mvp": status.Cancelled,
}}

// statusOf reads the status of an epic, a story or a retrospective. Blocked work is in the backlog, unless a remark
// defers it. Work that an automated loop parked, with a status such as awaiting-operator, is in review, because it is
// waiting for a person.
func statusOf(text string) status.Status {
	if first, _, more := strings.Cut(text, "-"); more && (first == "awaiting" || first == "waiting") {
		return status.Review
	}
	s := vocabulary.Of(text)
	switch {
	case s != status.Open && s != status.Blocked:
		return s
	case status.GivenUp(text): // Backlog, deferred to v2
		return status.Cancelled
	}
	return status.Open
}

var spelled = [...]string{status.Open: "backlog", status.Ready: "ready-for-dev", status.InProgress: "in-progress",
	status.Review: "review", status.Done: "done", status.Cancelled: "off"}

// written returns a status as BMAD writes it.
func written(s status.Status) string { return spelled[s] }

// A kind is the kind of item that a tracker key names.
type kind uint8

const (
	aStory kind = iota
	anEpic
	aRetro
)

// An entry is one line of development_status.
type entry struct {
	kind   kind
	key    string
	name   string // the key without a folder; a story's file has this name
	text   string // the status as written
	status status.Status
	at     sdk.Range
	path   string // the tracker's path
	epic   *entry // for a story or retrospective; nil if the tracker has none
	parts  []*entry
	left   []*entry      // the parts with remaining work
	is     status.Status // for an epic: the status that its stories show
	retro  *entry        // for an epic
	number string        // for a story: 1-2
	serial string        // the number with the parts after it: 1-2, 1-2-3, 1-2-a
	file   *story        // for a story; nil if there is none
	// whether the story is, or may be, built from a separate specification, spec-1-2-name.md, so that its own file is
	// not kept current
	spec bool
}

// A tracker is one file of statuses.
type tracker struct {
	path    string
	doc     *sdk.Document
	root    jsondoc.Value
	list    []*entry
	epics   []*entry
	stories []*entry
	byKey   map[string]*entry
	where   string // story_location
}

// A model holds one revision of a sprint.
type model struct {
	docs     sdk.Docs
	trackers []*tracker
	list     []*entry            // the entries in all trackers
	all      []*entry            // the stories among them
	epics    []*entry            // the epics among them; of several with the same key, the first
	byKey    map[string]*entry   // the stories, by name
	numbers  map[string]bool     // of the stories
	stories  map[string]*story   // story files, by name
	names    []string            // the file names, in order
	numbered map[string][]*story // story files by serial number
	unread   bool                // a tracker is unreadable
	hollow   []sdk.Range         // locations in readable trackers without a status mapping
	techs    int                 // specifications of other work, which are not read
	base     *model

	plans     string // the path of the epics file; "" if none is known to exist
	plansKept bool   // whether that file is known to be unchanged since the base
}

// look reads one revision. It reuses stories of other, which may be nil, if their text is the same.
func look(docs sdk.Docs, other *model) *model {
	m := &model{docs: docs, stories: map[string]*story{}, numbered: map[string][]*story{},
		byKey: map[string]*entry{}, numbers: map[string]bool{}}
	for _, d := range docs.All() {
		switch {
		case d.Format == sdk.YAML && !d.Readable():
			m.unread = true
		case d.Format == sdk.YAML:
			t, hollow := readTracker(d)
			switch {
			case hollow != nil:
				m.hollow, m.unread = append(m.hollow, *hollow), true
			case t != nil:
				m.trackers = append(m.trackers, t)
			case len(d.Faults) > 0:
				m.unread = true
			}
		case d.Format == sdk.Text && d.Need == sdk.Content && d.Readable():
			name := strings.TrimSuffix(d.Path[strings.LastIndexByte(d.Path, '/')+1:], ".md")
			if m.stories[name] == nil {
				m.names = append(m.names, name)
			} else if strings.Contains(d.Path, "/") {
				continue
			}
			m.stories[name] = other.story(name, d)
		}
	}
	specs := map[string]bool{}
	for _, d := range docs.All() {
		name := d.Path[strings.LastIndexByte(d.Path, '/')+1:]
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(name, "tech-"), "spec-"); ok {
			specs[numberOf(rest)] = true
		}
		if strings.HasPrefix(d.Path, "tech-spec-") {
			m.techs++
		}
	}
	for _, name := range m.names {
		serial := serialOf(keyOf(name))
		m.numbered[serial] = append(m.numbered[serial], m.stories[name])
	}
	if len(m.trackers) == 0 && !m.unread {
		m.untracked(other)
	}
	seen := map[string]bool{}
	for _, t := range m.trackers {
		for _, e := range t.epics {
			if !seen[e.key] {
				seen[e.key], m.epics = true, append(m.epics, e)
			}
		}
		m.list, m.all = append(m.list, t.list...), append(m.all, t.stories...)
		for _, e := range t.stories {
			m.byKey[e.name], m.numbers[e.number] = e, true
			e.file = m.fileOf(e)
			e.spec = !docs.Known("spec-"+e.name+".md") || !docs.Known("tech-spec-"+e.name+".md") ||
				e.number != "" && specs[e.number] && (e.file == nil || !e.file.spec())
		}
	}
	return m
}

// fileOf returns a story's file: the one named by its key, or by its number and a similar name. It prefers the
// specification if that has a status and either the story has no other file or the specification is not done.
func (m *model) fileOf(e *entry) *story {
	file := m.stories[e.name]
	for _, s := range m.numbered[e.serial] {
		switch key := keyOf(s.name()); {
		case e.serial == "":
		case s.spec() && s.status != status.Unknown && (file == nil || s.status.Left()):
			return s
		case file == nil && !s.spec() && (key == e.serial ||
			tasks.SameTitle(strings.ReplaceAll(key, "-", " "), strings.ReplaceAll(e.name, "-", " "))):
			file = s
		}
	}
	return file
}

// readTracker returns nil for another program's file. If a tracker has no status mapping, hollow is the location where
// one is expected.
func readTracker(d *sdk.Document) (t *tracker, hollow *sdk.Range) {
	doc, err := jsondoc.Parse(d.Text)
	if err != nil {
		return nil, nil
	}
	statuses := doc.Root().Get("development_status")
	switch {
	case doc.Root().Kind() == jsondoc.Null:
		at := sdk.At(d.Path)
		return nil, &at
	case doc.Root().Kind() != jsondoc.Object:
		return nil, nil
	case statuses.Exists() && statuses.Kind() != jsondoc.Object:
		at := sdk.AtPointer(d.Path, "/development_status")
		return nil, &at
	}
	t = &tracker{path: d.Path, doc: d, root: doc.Root(), byKey: map[string]*entry{}}
	t.where, _ = t.root.Get("story_location").Text()
	var last *entry
	members := statuses.Members()
	below := map[string]int{} // how many keys extend a key with a number: an epic's key may lack the word epic
	for _, member := range members {
		parts := strings.Split(member.Key, "-")
		for n := 1; n < len(parts); n++ {
			if isOrdinal(parts[n]) {
				below[strings.Join(parts[:n], "-")]++
			}
		}
	}
	for _, member := range members {
		e := &entry{key: member.Key, name: nameOf(member.Key), path: d.Path,
			at: sdk.AtPointer(d.Path, "/development_status/"+jsondoc.EscapeToken(member.Key))}
		if text, ok := member.Value.Text(); ok {
			e.text = text
		} else if v := member.Value.Get("status"); v.Exists() { // the status is one of several fields
			e.text, _ = v.Text()
			e.at.Pointer += "/status"
		}
		if e.status, e.kind = statusOf(e.text), kindOf(e.name); e.kind == aStory && below[e.key] > 1 {
			e.kind = anEpic
		}
		t.list, t.byKey[e.key] = append(t.list, e), e
		switch e.kind {
		case anEpic:
			t.epics, last = append(t.epics, e), e
			switch { // version 6 wrote contexted for an epic in progress
			case e.status == status.Ready && plain(e.text) == "contexted":
				e.status = status.InProgress
			case e.status == status.Ready:
				e.status = status.Open
			}
		case aStory:
			e.number, e.serial = numberOf(e.name), serialOf(e.name)
			t.stories = append(t.stories, e)
			fallthrough
		default:
			e.epic = last
		}
	}
	named := map[*entry]bool{} // epics that their stories' keys name
	for _, e := range t.list {
		if own := t.epicOf(e); own != nil && e.kind != anEpic {
			e.epic = own
			named[own] = named[own] || e.kind == aStory
		}
	}
	for _, e := range t.list {
		if e.kind == anEpic {
			continue
		}
		if e.kind == aStory && e.epic != nil && e.epic != t.epicOf(e) && e.epic.foreign(e, named[e.epic]) {
			e.epic = nil
		}
		switch {
		case e.epic == nil:
		case e.kind == aRetro:
			e.epic.retro = e
		default:
			e.epic.parts = append(e.epic.parts, e)
		}
	}
	for _, e := range t.epics {
		e.prove()
	}
	return t, nil
}

// epicOf returns the epic that a key names, or nil if there is none. For 34-5-1-name it is epic-34-5 if that exists;
// 34-5-name is the fifth story in epic-34.
func (t *tracker) epicOf(e *entry) *entry {
	if e.kind == aRetro {
		return t.epic(e.key[:strings.LastIndex(e.key, "-retro")])
	}
	parts := strings.Split(e.name, "-")
	for n := len(parts) - 1; n > 0; n-- {
		id := strings.Join(parts[:n], "-")
		for _, key := range []string{"epic-" + id, id} {
			if own := t.epic(key); own != nil && (n == 1 || isOrdinal(parts[n])) {
				return own
			}
		}
	}
	return nil
}

// foreign reports whether a story does not belong to the epic above it: the story has another epic's number, or it has
// no number although the keys of the epic's other stories name the epic.
func (e *entry) foreign(s *entry, named bool) bool {
	id, number := digits(strings.TrimPrefix(e.key, "epic-")), digits(s.name)
	return id != "" && id != number && (number != "" || named)
}

func (t *tracker) epic(key string) *entry {
	if own := t.byKey[key]; own != nil && own.kind == anEpic {
		return own
	}
	return nil
}

// prove derives an epic's status and its remaining stories from its stories. An epic may already be in progress when
// its first story is ready, because create-story sets both.
func (e *entry) prove() {
	begun, over := false, 0
	for _, s := range e.parts {
		begun = begun || s.status.Started() || s.status == status.Ready && e.status == status.InProgress
		if s.status.Finished() {
			over++
		}
		if s.status.Left() {
			e.left = append(e.left, s)
		}
	}
	switch e.is = status.Open; {
	case over > 0 && over == len(e.parts):
		e.is = status.Done
	case begun:
		e.is = status.InProgress
	}
}

// with returns the stories of an epic that have a given status.
func (e *entry) with(is status.Status) (list []*entry) {
	for _, s := range e.parts {
		if s.status == is {
			list = append(list, s)
		}
	}
	return list
}

// andUnknown continues a message about an epic's open stories with the stories whose status is unknown.
func (e *entry) andUnknown() string {
	list := e.with(status.Unknown)
	if len(list) == 0 {
		return ""
	}
	return "; " + say.Count(len(list), "other") + " " + say.Has(len(list)) + " an unknown status: " + names(list)
}
