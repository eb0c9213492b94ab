package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// A Model is one session, read from its documents. Rules only read it. Names in capitals, such as STD, come from the
// workflow's specification.
type Model struct {
	sdk.Docs
	ID       string // name of the session's directory
	IsSQLite bool   // v1.5 or later, which keeps the state in a database, wrote files in it
	State    *State // state.json; never nil; see State.Exists and State.OK

	T        *Kind // workflow type in State; None if it is unknown
	TypeRule int   // which of the five rules decided T; 0 if T is None

	STD, REQ, CTX File
	Guided        bool // CTX is filled and contains the Tech Lead's guidance (GUID)

	Rounds, Runs Series

	Subjects []*Subject // every subject: the lifecycle of C first, each by number
	Live     []*Subject // C, then the highest subject of each other lifecycle
	C        *Subject   // the subject that the state file names; nil if T is None
	Fit      sdk.Fit    // how the claim about C fits; FitUnknown without C or with an unknown phase

	Base *Model // the same session in the base revision; nil if there is none
	v14  bool   // no file that exists, or may exist, shows that a later version keeps the state elsewhere
}

// A File is one of the workflow's artifacts, present or not.
type File struct {
	Path string
	Doc  *sdk.Document // nil if there is none
}

// Filled reports whether the document says something; see [Filled].
func (f File) Filled() bool { return Filled(f.Doc) }

// Legible reports whether the document is filled and was read, so that rules can rely on the absence of a text.
func (f File) Legible() bool { return f.Filled() && readable(f.Doc) }

// filled returns the paths of the files that say something.
func filled(files ...File) (paths []string) {
	for _, f := range files {
		if f.Filled() {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Filled reports whether a document says something, as far as it can be read: more than headings and placeholders. A
// document that is too large to be read counts as filled.
func Filled(d *sdk.Document) bool {
	return d != nil && !d.Dir && (d.Summary.Words > 0 && !bare(d) || unread(d, wire.RuleTooLarge))
}

// Hollow reports whether a document was read and contains no words.
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
	if m.BehindFiles() && m.Fit == sdk.Consistent && m.Index() > m.T.Index(m.C.Ladder.Canonical) && !m.wasLater() {
		m.Fit = sdk.Ahead // the phase is that of the earlier round
	}
	return m, nil
}

// newModel reads a session. If state is not nil, it replaces the session's own state.
func newModel(id string, docs sdk.Docs, state *State) *Model {
	m := &Model{ID: id, Docs: docs, State: state}
	if state == nil {
		m.State = readState(docs.Get(StatePath))
	}
	m.STD, m.REQ, m.CTX = m.file("discovered-standards.md"), m.file("requirements.md"), m.file("context.md")
	m.Guided = m.CTX.Filled() && hasGuidance(m.CTX.Doc)
	m.Rounds, m.Runs = m.readSeries(Review), m.readSeries(Map)
	m.readVersion()
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

// Index returns the number of the claimed phase in T, or 0 if T has no such phase.
func (m *Model) Index() int {
	if m.State.IsMapComplete && m.T != Map {
		return 0
	}
	return m.T.Index(m.State.Phase)
}

// ClaimAtLeast reports whether C's claimed phase is the given one or a later one.
func (m *Model) ClaimAtLeast(phase string) bool {
	return m.Index() > 0 && m.Index() >= m.T.Index(phase)
}

// IsLive reports whether rules check the documents of s.
func (m *Model) IsLive(s *Subject) bool { return slices.Contains(m.Live, s) }

// Subject returns the subject with a name such as "round-2", or nil.
func (m *Model) Subject(name string) *Subject {
	for _, s := range m.Subjects {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// BeyondFiles reports whether the state names a round (run) that does not exist.
func (m *Model) BeyondFiles() bool {
	s := m.Series(m.T)
	return m.T != None && s.Claim > max(s.Max, 1) && !s.Starting && m.sees(s)
}

// BehindFiles reports whether a round (run) after the claimed one has begun.
func (m *Model) BehindFiles() bool {
	s := m.Series(m.T)
	return m.T != None && s.Claim > 0 && s.Claim < s.Working && m.sees(s)
}

// wasLater reports whether the base names the round (run) that has begun after the claimed one, so that only the
// number moved back.
func (m *Model) wasLater() bool {
	return m.onBase() && m.Base.T == m.T && m.Base.Series(m.T).Claim == m.Series(m.T).Working
}

// sees reports whether all rounds (runs) are known, so that those that are not in the documents do not exist.
func (m *Model) sees(s *Series) bool { return m.CompleteBelow(s.Kind.Parent) }

// A Series describes the rounds of a session, or its map runs.
type Series struct {
	Kind     *Kind
	Set      []int // canonical numbers that own a document, ascending (Rset, Nset)
	Max      int   // the greatest of Set, or 0 if it is empty (Rmax, Nmax)
	Begun    int   // the greatest that contains text, or 0; an empty one was created for later
	Claim    int   // claimR, claimN; 0 if there is none that the schema accepts
	Starting bool  // the claimed one is the next and has no document yet
	Working  int   // R, N: the one in progress; at least 1
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
		}
		if ok && n > s.Begun && Filled(d) {
			s.Begun = n
		}
		last = name
	}
	return s
}

// inserted adds a number in order. Lists are short, and package sort would add 20 KB to the guest.
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

// work finds out which round or run is in progress. Starting is the normal state between creating the directory and
// writing the first file, because git and the host do not see empty directories.
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

// readVersion determines which versions of the tool wrote the session.
func (m *Model) readVersion() {
	m.IsSQLite = len(m.Match("{rounds,map/runs}/*/{round-meta.json,final-human.md,map-meta.json}")) > 0
	m.v14 = !m.IsSQLite
	for _, s := range []*Series{&m.Rounds, &m.Runs} {
		for _, n := range append([]int{1}, s.Set...) {
			dir := s.Kind.directory(n)
			m.v14 = m.v14 && m.Known(dir+"round-meta.json") && m.Known(dir+"final-human.md") &&
				m.Known(dir+"map-meta.json")
		}
	}
}

// readType sets T, and TypeRule to the number of the rule that decides it. The rules are, in this order: the named
// type unless it is stale, the only type with the phase, the only type that gives the phase its number, the only type
// with files, and review.
func (m *Model) readType() {
	m.T = None
	if !m.State.OK() || m.IsSQLite {
		return
	}
	named := m.State.Type
	if m.isTypeStale() {
		named = None
	}
	for i, k := range []*Kind{named, m.State.OnlyIn, m.State.numberOnlyIn(), m.onlyTree(), Review} {
		if m.T == None && k != None {
			m.T, m.TypeRule = k, i+1
		}
	}
}

// isTypeStale reports whether work has moved to the other workflow since the type was recorded: the phase belongs to
// that workflow, which has documents, while the named workflow has none, or its last round or run has its result.
func (m *Model) isTypeStale() bool {
	named, other := m.State.Type, m.State.OnlyIn
	if named == None || other == None || other == named || !m.HasTree(other) {
		return false
	}
	s := m.Series(named)
	return m.onlyTree() == other || s.Max > 0 && m.file(named.directory(s.Max)+named.Result()).Filled()
}

// onlyTree returns the only workflow that has documents, or None if both or neither have any.
func (m *Model) onlyTree() *Kind {
	switch review, mapped := m.HasTree(Review), m.HasTree(Map); {
	case review == mapped:
		return None
	case mapped:
		return Map
	}
	return Review
}

// HasTree reports whether a workflow has a document.
func (m *Model) HasTree(k *Kind) bool { return len(under(m.Docs, k.Tree)) > 0 }
