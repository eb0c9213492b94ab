package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A model holds the content of an instance's documents, read once, and values derived from it. Rules only read it.
type model struct {
	docs     sdk.Docs
	root     string
	base     *model // the model of the base, or an empty model if there is no base
	cdoc     *sdk.Document
	pos      *position // noPosition if the file is missing or unreadable
	blind    bool      // true if it is unknown whether a position file exists
	hand     *hand     // noHand if the file is missing or unreadable
	waypoint *sdk.Document
	phases   *phaseSet
	th       *thresholds
	ak       *acknowledgments
	options  jsondoc.Value
	limits   [kinds][3]float64

	resumePath string // path in the Resume file field, or "" if it is outside the instance
	n, m, p, t int    // phase n of m, plan p of t; -1 if unknown
	s          status
	verdict    verdict
	focus      int
	observed   status
	because    []sdk.Range
	unrouted   bool // a finding says that the complete phase n has no documents
}

func prepare(p *sdk.Pass) (any, error) {
	var options jsondoc.Value
	if doc, err := jsondoc.Parse(p.Options.Text()); err == nil {
		options = doc.Root()
	}
	return read(p.Docs, p.Root, options, read(p.Base.Docs, p.Base.Root, options, nil)), nil
}

func read(docs sdk.Docs, root string, options jsondoc.Value, base *model) *model {
	m := &model{docs: docs, root: root, base: base, options: options, waypoint: docs.Get(waypointPath),
		phases: readPhases(docs), pos: noPosition, hand: noHand}
	m.findPosition()
	if d := m.named(handPath); d.Readable() {
		m.hand = readHand(d)
	}
	m.th = readThresholds(stateForm.Read(thresholdsPath, docs.Get(thresholdsPath)))
	m.ak = readAcks(stateForm.Read(acksPath, docs.Get(acksPath)))
	m.n, m.m, m.p, m.t, m.s = m.pos.phase.n, m.pos.phase.of, m.pos.plan.n, m.pos.plan.of, m.pos.status
	m.resumePath = m.inside(m.pos.resumeFile())
	m.findLimits()
	m.verdict = m.judgeHand()
	m.focus = m.findFocus()
	m.observed, m.because = m.observe()
	return m
}

// named returns the document with the given name, or else the one with that name in lowercase.
func (m *model) named(name string) *sdk.Document {
	if d := m.docs.Get(name); d != nil {
		return d
	}
	return m.docs.Get(strings.ToLower(name))
}

// transponder returns the path of TRANSPONDER.md, in lowercase if that is how the existing file is named.
func (m *model) transponder() string {
	if m.current() {
		return m.cdoc.Path
	}
	return transponderPath
}

// absent reports whether a document is known not to exist.
func (m *model) absent(name string) bool {
	return m.named(name) == nil && m.docs.Known(name) && m.docs.Known(strings.ToLower(name))
}

// current reports whether the position file is TRANSPONDER.md, which current commands read, and not a legacy file.
func (m *model) current() bool { return m.cdoc != nil && words.Alike(m.cdoc.Path, transponderPath) }

// findPosition finds and reads the position file: TRANSPONDER.md, or else waypoint.md.
func (m *model) findPosition() {
	m.cdoc = m.named(transponderPath)
	switch {
	case m.docs.Get(transponderPath) == nil && !m.docs.Known(transponderPath), m.cdoc == nil &&
		!m.absent(transponderPath):
		// a lowercase file does not count, because TRANSPONDER.md may exist and would take precedence
		m.blind, m.cdoc = true, nil
	case m.cdoc == nil && m.waypoint != nil:
		m.cdoc = m.waypoint
	}
	if m.cdoc.Readable() {
		m.pos = readPosition(m.cdoc)
	}
}

// positionTitles holds the titles of position files: first the title of layout A, then those of layout B.
var positionTitles = []string{"projectstate", "flightwaypoint", "contextcheckpoint"}

// titleOf returns the first level-1 heading as markdown.Name returns it, or "" if there is none.
func titleOf(d *sdk.Document) string {
	for _, h := range d.Outline().Headings() {
		if h.Level() == 1 {
			return markdown.Name(h.Text())
		}
	}
	return ""
}

// free returns path if no document has it, or else its first numbered variant that no document has.
func (m *model) free(path string) string {
	stem := strings.TrimSuffix(path, ".md")
	for n := 2; m.docs.Get(path) != nil; n++ {
		path = stem + "-" + itoa(n) + ".md"
	}
	return path
}

// where returns the position for use in a message.
func (m *model) where() string { return m.pos.where() }

// begun returns the path of the first document that shows that a flight has started, or "" if there is none. A phase's
// description alone does not show it, unless one of its tasks is done.
func (m *model) begun() string {
	if d := m.named(handPath); d != nil {
		return d.Path
	}
	started := m.phases.plan != nil || m.base.pos.there() || slices.ContainsFunc(m.phases.list, func(p *phase) bool {
		return p.state == taskDone || m.trace(p.n) != nil
	})
	for _, d := range m.phases.numbered {
		if kind := kindOfFile(d.Path); started || kind != "" && kind != "phase" {
			return d.Path
		}
	}
	if m.phases.plan != nil {
		return planPath
	}
	return ""
}

// placed reports whether the position has a readable phase or status.
func (m *model) placed() bool {
	return m.pos.there() && (m.n >= 0 || m.s != unknown || m.pos.hasLast || m.pos.hasNext)
}

// stopped returns the first threshold type with a recorded stop level, or -1 if there is none.
func (m *model) stopped() int {
	for k, rec := range m.th.levels {
		if k != context && rec.n == 3 {
			return k
		}
	}
	return -1
}

// pausing reports whether a threshold type has an unacknowledged alert.
func (m *model) pausing(k int) bool { return m.th.levels[k].n == 2 && m.ak.valid(k) == nil }

// find returns the first element that accept accepts, or the zero value if there is none.
func find[T any](list []T, accept func(T) bool) (first T) {
	if i := slices.IndexFunc(list, accept); i >= 0 {
		return list[i]
	}
	return first
}
