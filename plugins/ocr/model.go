package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// The eras: which versions of the tool a session's files come from.
const (
	EraState  = "state-json" // v1.2 to v1.4: the layout that most rules judge
	EraSQLite = "sqlite"     // v1.5 and later: state lives in a database
	EraLegacy = "legacy"     // v1.0 and v1.1
)

// A Model is one session as its documents tell it. Rules read it and never
// change it. Names in capitals are those of the workflow's specification.
type Model struct {
	sdk.Docs
	ID    string // name of the session's directory
	Era   string
	State *State // state.json; never nil, see State.Exists and State.OK

	T        *Kind // type of the workflow that State tells, None if it does not
	TypeRule int   // which of the five rules decided T; 0 if T is None

	STD, REQ, CTX File
	Guided        bool // CTX is filled and holds the Tech Lead's guidance (GUID)

	Flat         bool // v1.0 layout: round-1 is virtual, its files lie in the root
	Rounds, Runs Series

	Subjects []*Subject // every subject: the lifecycle of C first, each by number
	Live     []*Subject // C, then the highest subject of each other lifecycle
	C        *Subject   // the one that the state file names; nil if T is None
	Fit      sdk.Fit    // of the claim on C; FitUnknown if there is no such phase, or no C

	Base *Model // the same session in the base revision; nil if there is none
	v14  bool   // no file shows that a later version keeps the state elsewhere, and none is unseen
}

// A File is one of the workflow's artifacts, present or not.
type File struct {
	Path string
	Doc  *sdk.Document // nil if there is none
}

// Filled is the function for the document.
func (f File) Filled() bool { return Filled(f.Doc) }

// Legible reports whether the document is filled and was read, so that what is not found in it is not there.
func (f File) Legible() bool { return f.Filled() && readable(f.Doc) }

// filled returns the paths of those files that say something.
func filled(files ...File) (paths []string) {
	for _, f := range files {
		if f.Filled() {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Filled reports whether a document says something, as far as it can be read: more than headings and
// placeholders. One that is too large to be read does.
func Filled(d *sdk.Document) bool {
	return d != nil && !d.Dir && (d.Summary.Words > 0 && !bare(d) || unread(d, wire.RuleTooLarge))
}

// Hollow reports whether a document was read and has no word.
func Hollow(d *sdk.Document) bool {
	return d != nil && !d.Dir && d.Summary.Words == 0 && !unread(d, wire.RuleTooLarge) && !unread(d, wire.RuleNotAFile)
}

func unread(d *sdk.Document, rule string) bool {
	return slices.ContainsFunc(d.Faults, func(f wire.DocumentFault) bool { return f.Rule == rule })
}

func model(p *sdk.Pass) *Model { return p.Model.(*Model) }

func prepare(p *sdk.Pass) (any, error) {
	m := newModel(p.Name, p.Docs, nil)
	if p.Base.State == sdk.BaseAt {
		m.Base = newModel(p.Base.Root[strings.LastIndexByte(p.Base.Root, '/')+1:], p.Base.Docs, nil)
	}
	return m, nil
}

// newModel reads a session, under another state than its own if one is given.
func newModel(id string, docs sdk.Docs, state *State) *Model {
	m := &Model{ID: id, Docs: docs, State: state}
	if state == nil {
		m.State = readState(docs.Get(StatePath))
	}
	m.STD, m.REQ, m.CTX = m.file("discovered-standards.md"), m.file("requirements.md"), m.file("context.md")
	m.Guided = m.CTX.Filled() && hasGuidance(m.CTX.Doc)
	m.Rounds, m.Runs = m.readSeries(Review), m.readSeries(Map)
	m.Flat = len(m.Rounds.Set) == 0 && len(flatDocs(docs)) > 0
	m.readEra()
	m.readType()
	m.work(&m.Rounds)
	m.work(&m.Runs)
	m.listSubjects()
	if m.C != nil && m.Index() > 0 {
		m.Fit = m.C.Ladder.Fit(m.State.Phase)
	}
	return m
}

func (m *Model) file(path string) File { return File{path, m.Get(path)} }

// Series returns the rounds or the runs.
func (m *Model) Series(k *Kind) *Series {
	if k == Map {
		return &m.Runs
	}
	return &m.Rounds
}

// Index returns the number of the claimed phase in T, 0 if T has no such phase.
func (m *Model) Index() int {
	if m.State.Alias == "map-complete" && m.T != Map {
		return 0
	}
	return m.T.Index(m.State.Phase)
}

// ClaimAtLeast reports whether the claim on C is a phase of C's lifecycle with at least the number of the given phase.
func (m *Model) ClaimAtLeast(phase string) bool {
	return m.Index() > 0 && m.Index() >= m.T.Index(phase)
}

// IsLive reports whether s is judged on its documents.
func (m *Model) IsLive(s *Subject) bool { return slices.Contains(m.Live, s) }

// Subject returns the subject of a name such as "round-2", or nil.
func (m *Model) Subject(name string) *Subject {
	for _, s := range m.Subjects {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// BeyondFiles reports whether the state names a round (run) that is not there.
func (m *Model) BeyondFiles() bool {
	s := m.Series(m.T)
	return m.T != None && s.Claim > max(s.Max, 1) && !s.Starting && m.sees(s)
}

// BehindFiles reports whether a later round (run) than the claimed one has begun.
func (m *Model) BehindFiles() bool {
	s := m.Series(m.T)
	return m.T != None && s.Claim > 0 && s.Claim < s.Working && m.sees(s)
}

// sees reports whether it is known which round (run) is the last one: whether those that are not in the documents do
// not exist.
func (m *Model) sees(s *Series) bool { return m.CompleteBelow(s.Kind.Parent) }

// A Series is what is known of the rounds of a session, or of its map runs.
type Series struct {
	Kind     *Kind
	Set      []int    // canonical numbers that own a document, ascending (Rset, Nset)
	Max      int      // the greatest of Set, 0 if empty (Rmax, Nmax)
	Begun    int      // the greatest that holds a word, 0 if none does: an empty one was made for later
	Claim    int      // claimR, claimN: 0 if there is none that the schema accepts
	Starting bool     // the claimed one is the next and owns no document yet
	Working  int      // R, N: the one that work is in; at least 1
	Strange  []string // directories with documents and no canonical name, "rounds/round-01/"
}

// readSeries enumerates the directories of rounds or runs that own a document.
func (m *Model) readSeries(k *Kind) Series {
	s, last := Series{Kind: k}, ""
	for _, d := range under(m.Docs, k.Parent) {
		name, _, nested := strings.Cut(d.Path[len(k.Parent):], "/")
		if !nested {
			continue
		}
		n, ok := canonicalNumber(strings.TrimPrefix(name, k.Unit+"-"))
		ok = ok && name == k.name(n)
		if ok && name != last {
			s.Set = inserted(s.Set, n)
			s.Max = max(s.Max, n)
		} else if name != last {
			s.Strange = append(s.Strange, k.Parent+name+"/")
		}
		if ok && n > s.Begun && Filled(d) {
			s.Begun = n
		}
		last = name
	}
	return s
}

// inserted adds a number at its place. There are few: package sort would take 20 KB of the guest.
func inserted(list []int, n int) []int {
	list = append(list, n)
	for i := len(list) - 1; i > 0 && list[i-1] > n; i-- {
		list[i-1], list[i] = n, list[i-1]
	}
	return list
}

// canonicalNumber reads a number from 1 to 999999 without leading zeros.
func canonicalNumber(s string) (int, bool) {
	n, rest := words.Leading(s)
	return n, rest == "" && n > 0 && s[0] != '0' && n <= 999999
}

// work finds out which round or run is being worked on. Starting is the normal state between "directory made" and
// "first file written": git and the host see no empty directory.
func (m *Model) work(s *Series) {
	if n, ok := m.State.Int(s.Kind.Number); ok && n >= 1 && n <= 999999 && !m.State.Rejected(s.Kind.Number) {
		s.Claim = n
	}
	s.Starting = s.Kind == m.T && s.Claim == s.Max+1 && m.Index() >= 1 && m.Index() <= s.Kind.Index(s.Kind.Unproved) &&
		(s.Max == 0 || m.file(s.Kind.directory(s.Max)+s.Kind.Result()).Filled())
	switch {
	case s.Starting:
		s.Working = s.Claim
	case s.Claim > 0 && s.Claim <= s.Max:
		s.Working = max(s.Claim, s.Begun)
	default:
		s.Working = max(s.Max, 1)
	}
}

// readEra tells which versions wrote the session.
func (m *Model) readEra() {
	m.Era, m.v14 = EraState, true
	for _, s := range []*Series{&m.Rounds, &m.Runs} {
		for _, n := range append([]int{1}, s.Set...) {
			dir := s.Kind.directory(n)
			m.v14 = m.v14 && m.Known(dir+"round-meta.json") && m.Known(dir+"final-human.md") &&
				m.Known(dir+"map-meta.json")
		}
	}
	if m.metaFile() != "" {
		m.Era, m.v14 = EraSQLite, false
	} else if m.Flat || m.State.Has("completed_phases") || m.State.Has("reviewers") || m.State.Alias == "requirements" {
		m.Era = EraLegacy
	}
}

// metaFile is the path of a file that only v1.5 and later write, "" if there is none.
func (m *Model) metaFile() string {
	for _, d := range m.Match("{rounds,map/runs}/*/{round-meta.json,final-human.md,map-meta.json}") {
		return d.Path
	}
	return ""
}

// readType decides T, and by which rule: the type that is named, that of the phase or of its number, that of the files.
func (m *Model) readType() {
	m.T = None
	if !m.State.OK() || m.Era == EraSQLite {
		return
	}
	for i, k := range []*Kind{m.State.Type, m.State.OnlyIn, m.State.numberOnlyIn(), m.onlyTree(), Review} {
		if m.T == None && k != None {
			m.T, m.TypeRule = k, i+1
		}
	}
}

// onlyTree is the workflow whose documents are the only ones.
func (m *Model) onlyTree() *Kind {
	switch review, mapped := m.HasTree(Review), m.HasTree(Map); {
	case review == mapped:
		return None
	case mapped:
		return Map
	}
	return Review
}

// HasTree reports whether a document of a workflow is there, in the flat layout, too.
func (m *Model) HasTree(k *Kind) bool { return k == Review && m.Flat || len(under(m.Docs, k.Tree)) > 0 }
