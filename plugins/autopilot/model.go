package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A model is what the documents of an instance say, read once, and what follows
// from it. Rules only read it.
type model struct {
	docs     sdk.Docs
	root     string
	base     *model // the earlier revision, nil without one
	cdoc     *sdk.Document
	pos      *position // nil if there is none, or it cannot be read
	blind    bool      // whether there is a position cannot be known
	hand     *hand     // nil if there is none, or it cannot be read
	waypoint *sdk.Document
	phases   *phaseSet
	th       *thresholds
	ak       *acknowledgments
	triggers []*trigger
	options  *jsondoc.Document

	limits  [kinds][3]float64
	ordered [kinds]bool // whether the limits ascend

	n, m, p, t int // phase n of m, plan p of t; -1 if not known
	s          status
	verdict    verdict
	focus      int
	observed   status
	because    []sdk.Range
}

func prepare(p *sdk.Pass) (any, error) {
	var options *jsondoc.Document
	if text := p.Options.Text(); text != "" {
		options, _ = jsondoc.Parse(text)
	}
	m := read(p.Docs, p.Root, options, nil)
	if p.Base.State == sdk.BaseAt {
		m.base = read(p.Base.Docs, p.Base.Root, options, m)
	}
	return m, nil
}

// read takes what it can from a model of another revision, like, which may be nil:
// most documents are the same there.
func read(docs sdk.Docs, root string, options *jsondoc.Document, like *model) *model {
	m := &model{docs: docs, root: root, options: options, waypoint: docs.Get(waypointPath), phases: readPhases(docs)}
	m.findPosition(like)
	m.findHand(like)
	if path := thresholdsPath; like != nil && unchanged(docs.Get(path), like.docs.Get(path)) {
		m.th = like.th
	} else {
		m.th = readThresholds(readable(docs.Get(path)))
	}
	if path := acksPath; like != nil && unchanged(docs.Get(path), like.docs.Get(path)) {
		m.ak = like.ak
	} else {
		m.ak = readAcks(readable(docs.Get(path)))
	}
	m.triggers = readTriggers(readTriggers(nil, thresholdsPath, m.th.doc), acksPath, m.ak.doc)
	for _, d := range docs.Match("state/*trigger*.json") {
		m.triggers = readTriggers(m.triggers, d.Path, readable(d))
	}
	m.derive()
	return m
}

// unchanged reports whether two revisions have the same document.
func unchanged(a, b *sdk.Document) bool {
	return a != nil && b != nil && a.Path == b.Path && a.Text == b.Text && len(a.Faults)+len(b.Faults) == 0
}

// named is a document of a name that is also written in small letters.
//
//go:noinline
func (m *model) named(name string) *sdk.Document {
	if d := m.docs.Get(name); d != nil {
		return d
	}
	return m.docs.Get(strings.ToLower(name))
}

// absent reports whether there surely is no document of a name.
//
//go:noinline
func (m *model) absent(name string) bool {
	return m.named(name) == nil && m.docs.Known(name) && m.docs.Known(strings.ToLower(name))
}

// current reports whether the position file is one that the commands of today read.
//
//go:noinline
func (m *model) current() bool { return m.cdoc != nil && words.Alike(m.cdoc.Path, transponderPath) }

// findPosition takes the first position file that there is.
func (m *model) findPosition(like *model) {
	if m.cdoc = m.named(transponderPath); m.cdoc == nil {
		if m.blind = !m.absent(transponderPath); m.blind {
			return
		}
		if m.cdoc = m.waypoint; m.cdoc == nil && m.docs.Known(waypointPath) {
			if d := m.docs.Get(statePath); d != nil && isPosition(titleOf(d)) {
				m.cdoc = d
			}
		}
	}
	if d := m.cdoc; like != nil && unchanged(d, like.cdoc) {
		m.pos = like.pos
	} else if d != nil && d.Readable() {
		if start, _ := conflict(d.Text); start < 0 {
			m.pos = readPosition(d)
		}
	}
}

func isPosition(title string) bool {
	return title == "projectstate" || title == "flightwaypoint" || title == "contextcheckpoint"
}

// titleOf is the name of the first heading of level 1.
//
//go:noinline
func titleOf(d *sdk.Document) string {
	for _, h := range d.Outline().Headings() {
		if h.Level() == 1 {
			return markdown.Name(mend(h.Text()))
		}
	}
	return ""
}

func (m *model) findHand(like *model) {
	d := m.named(handPath)
	if d == nil && m.cdoc != nil && m.cdoc.Path == statePath {
		d = m.docs.Get(oldHandPath)
	}
	if d == nil || !d.Readable() {
		return
	}
	if like != nil && like.hand != nil && unchanged(d, like.hand.doc) {
		m.hand = like.hand
		return
	}
	if start, _ := conflict(d.Text); start < 0 {
		m.hand = readHand(d)
	}
}

// conflict returns the first of the markers of a merge, -1 without them.
func conflict(text string) (start, end int) {
	if !strings.Contains(text, "<<<<<<< ") {
		return -1, -1
	}
	at, want, start := 0, 0, -1
	for _, line := range strings.SplitAfter(text, "\n") {
		bare := strings.TrimRight(line, "\r\n")
		switch {
		case want == 0 && strings.HasPrefix(line, "<<<<<<< "):
			start, end, want = at, at+len(bare), 1
		case want == 1 && bare == "=======":
			want = 2
		case want == 2 && strings.HasPrefix(line, ">>>>>>> "):
			return start, end
		}
		at += len(line)
	}
	return -1, -1
}

// free is a path, or the first of its numbered forms that nothing takes.
func (m *model) free(path string) string {
	stem := strings.TrimSuffix(path, ".md")
	for n := 2; m.docs.Get(path) != nil; n++ {
		path = stem + "-" + itoa(n) + ".md"
	}
	return path
}

// derive works out what follows from what was read.
func (m *model) derive() {
	m.n, m.m, m.p, m.t, m.s = -1, -1, -1, -1, unknown
	if p := m.pos; p != nil {
		m.n, m.m, m.p, m.t, m.s = p.phase.n, p.phase.of, p.plan.n, p.plan.of, p.status
	}
	m.findLimits()
	m.verdict = m.judgeHand()
	m.focus = m.findFocus()
	m.observed, m.because = m.observe()
}

var defaultLimits = [kinds][3]float64{{10, 25, 50}, {30, 40, 50}, {20, 30, 50}, {2, 3, 5}}

// findLimits takes the limits of the tables, else of the options, else the defaults.
func (m *model) findLimits() {
	m.limits = defaultLimits
	if m.options != nil {
		given := m.options.Root().Get("thresholds")
		for k := range kinds {
			for i, v := range given.Get(kindNames[k]).Elements() {
				if f, ok := v.Float(); ok && i < 3 {
					m.limits[k][i] = f
				}
			}
		}
	}
	if p := m.pos; p != nil {
		for _, r := range p.limits {
			a := &r.amounts
			switch {
			case !r.ofCost() && a[1].ok && a[2].ok && a[3].ok:
				m.limits[r.kind] = [3]float64{a[1].v, a[2].v, a[3].v}
			case r.ofCost() && a[colWarning].ok:
				m.limits[cost][r.kind-1] = a[colWarning].v
			}
		}
	}
	for k := range kinds {
		m.ordered[k] = ascend(m.limits[k])
	}
}

// ofCost reports whether a row is one of layout B.
func (r *limitRow) ofCost() bool { return r.columns[colStop] < 0 }

func ascend(l [3]float64) bool { return l[0] < l[1] && l[1] < l[2] }

// level is that of a value by limits.
func levelBy(v float64, limits *[3]float64) int {
	for i := 2; i >= 0; i-- {
		if v >= limits[i] {
			return i + 1
		}
	}
	return 0
}

// fitsLevel reports whether a value may have a level: a variance signed or absolute, and exactly at
// a limit that of either side.
func fitsLevel(k int, v float64, level int, limits *[3]float64) bool {
	return levelBy(v, limits) == level || level < 3 && v == limits[max(level, 0)] || k == variance && v < 0 && fitsLevel(k, -v, level, limits)
}

// stopped returns the first type that a stop level is recorded for, -1 without.
func (m *model) stopped() int {
	for _, k := range [...]int{cost, variance, errors} {
		if m.th.levels[k].n == 3 {
			return k
		}
	}
	return -1
}
