package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
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
	C        *Subject   // whom the state file speaks of; nil if T is None
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

// Index is the number of the claimed phase in T, 0 if it is none of T's.
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

// BeyondFiles reports whether the state names a round (run) that is not there:
// the finding round-beyond-files (run-beyond-files).
func (m *Model) BeyondFiles() bool {
	s := m.Series(m.T)
	return m.T != None && s.Claim > max(s.Max, 1) && !s.Starting && m.sees(s)
}

// BehindFiles reports whether a later round (run) than the claimed one has
// begun: the finding round-behind-files (run-behind-files).
func (m *Model) BehindFiles() bool {
	s := m.Series(m.T)
	return m.T != None && s.Claim > 0 && s.Claim < s.Working && m.sees(s)
}

// sees reports whether it is known which round (run) is the last one: whether those that are not in the documents do not exist.
func (m *Model) sees(s *Series) bool { return m.CompleteBelow(s.Kind.Parent) }
