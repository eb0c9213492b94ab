package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
)

// An orchestrator is what orchestrator-state.md says.
type orchestrator struct {
	doc        *sdk.Document
	blocks     []block
	broken     []markdown.Fence // the blocks that do not parse
	why        string           // what is wrong with the first of them
	whyAt      stretch          // and where
	structured bool
	current    string
	currentAt  stretch // of the value
	inBlock    bool    // current stands in a block
	differ     bool    // two blocks name another current_phase
	phaseTable stretch // of a table with the columns Phase and Status: evidence, no claim
	ids        []*stage
	expected   []string // letters
	expectedAt stretch  // of their list
	gates      []gateAt
	titled     bool // it reads like a state of this workflow
	session    string
	sessionAt  stretch
	updated    instant.Moment
	observed   int
	state      sdk.State
}

type block struct {
	fence markdown.Fence
	root  value
	text  string
}

// stretch is a half-open range of bytes of the document.
type stretch struct{ start, end int }

// A stage is one id of phases_completed.
type stage struct {
	id     string
	group  int
	word   word
	text   string
	body   value
	at     stretch // of the status
	block  int
	differ bool // another block says otherwise
}

type gateAt struct {
	name string
	body value
	at   stretch
}

func readOrchestrator(d *sdk.Document) *orchestrator {
	if d == nil {
		return nil
	}
	o := &orchestrator{doc: d}
	if !d.Readable() {
		o.titled = true // it could not be looked into
		return o
	}
	out := d.Outline()
	for _, h := range out.Headings() {
		t := strings.TrimLeftFunc(lower(h.Text()), markdown.Symbol)
		if h.Level() == 1 && strings.HasPrefix(t, "orchestrator state") || strings.HasPrefix(t, "orchestrator execution state") || strings.HasPrefix(t, "deal_metadata") {
			o.titled = true
		}
	}
	for _, f := range out.Document().Fences() {
		o.addFence(d.Text, f)
	}
	o.readBlocks()
	o.readExpected(d.Text)
	o.readPairs(out.Document().Pairs())
	o.readProse(out)
	return o
}

// lineOf is a line of a block, 1-based, as a range of bytes of the document.
func lineOf(text string, start, line int) stretch {
	for ; line > 1 && start < len(text); line-- {
		n := strings.IndexByte(text[start:], '\n')
		if n < 0 {
			break
		}
		start += n + 1
	}
	end := len(text)
	if n := strings.IndexAny(text[start:], "\r\n"); n >= 0 {
		end = start + n
	}
	return stretch{start, end}
}

func (o *orchestrator) addFence(d string, f markdown.Fence) {
	text := f.Text()
	names := strings.Contains(text, `"phases_completed"`) || strings.Contains(text, `"gate_attempts"`)
	doc, err := jsondoc.Parse(text)
	if err != nil {
		if names {
			if o.broken = append(o.broken, f); o.why == "" {
				o.why, o.whyAt = err.Error(), stretch{f.Start(), f.End()}
				if wrong, code := syntax(err), f.Code(); wrong != nil && code.Raw() == text {
					o.why, o.whyAt = wrong.Message, lineOf(d, code.Start(), wrong.Line)
				}
			}
		}
		return
	}
	root := doc.Root()
	if root.Get("phases_completed").Exists() || root.Get("gate_attempts").Exists() || root.Get("current_phase").Exists() {
		o.titled = o.titled || root.Get("phases_completed").Exists() || root.Get("gate_attempts").Exists()
		o.structured = true
		o.blocks = append(o.blocks, block{f, root, text})
	}
}

func (o *orchestrator) readBlocks() {
	for i := range o.blocks {
		b := &o.blocks[i]
		if v := b.root.Get("current_phase"); v.Kind() == jsondoc.String {
			text, _ := v.Text()
			o.differ = o.differ || o.current != "" && o.current != text
			o.current, o.currentAt, o.inBlock = text, b.place(v), true
		}
		if v := b.root.Get("session_id"); v.Kind() == jsondoc.String {
			o.session, _ = v.Text()
			o.sessionAt = b.place(v)
		}
		if text, _ := b.root.Get("last_updated").Text(); text != "" {
			o.updated, _ = instant.Loose(text)
		}
		for _, m := range b.root.Get("phases_completed").Members() {
			o.addStage(i, m)
		}
		for _, m := range b.root.Get("gate_attempts").Members() {
			o.gates = append(o.gates, gateAt{m.Key, m.Value, b.place(m.Value)})
		}
	}
}

// place is where a value stands in the document. Of a fence that is indented it
// is the whole fence.
func (b *block) place(v value) stretch {
	code := b.fence.Code()
	if code.Raw() == b.text || strings.TrimRight(code.Raw(), "\n") == strings.TrimRight(b.text, "\n") {
		return stretch{code.Start() + v.Start(), code.Start() + v.End()}
	}
	return stretch{b.fence.Start(), b.fence.End()}
}

func (o *orchestrator) addStage(at int, m jsondoc.Member) {
	v := m.Value
	if v.Kind() == jsondoc.Object {
		v = v.Get("status")
	}
	s := &stage{id: m.Key, group: groupOf(m.Key), word: wordOf(v), body: m.Value, block: at}
	s.text, _ = v.Text()
	if v.Exists() {
		s.at = o.blocks[at].place(v)
	} else {
		s.at = o.blocks[at].place(m.Value)
	}
	o.put(s)
}

// put adds a stage in the order of the groups; the last of an id counts.
func (o *orchestrator) put(s *stage) {
	for i, old := range o.ids {
		if old.id == s.id {
			s.differ = old.differ || old.block != s.block && old.word != s.word
			o.ids[i] = s
			return
		}
	}
	i := len(o.ids)
	for i > 0 && o.ids[i-1].group > s.group {
		i--
	}
	o.ids = append(o.ids[:i], append([]*stage{s}, o.ids[i:]...)...)
}

// prose is the block of a stage that stands in a table or in a list.
const prose = -1

// readProse reads the phases of a table with the columns Phase and Status, or else of a check list, where no block
// records them.
func (o *orchestrator) readProse(out *markdown.Outline) {
	recorded := len(o.ids) > 0
	add := func(name string, w word, text string, at markdown.Part) {
		id := leadingID(name)
		if g := groupIn(name); id != "" && g >= 0 && w != noWord && !recorded {
			o.put(&stage{id: id, group: g, word: w, text: text, at: stretch{at.Start(), at.End()}, block: prose})
		}
	}
	if t := out.TableWith("Phase", "Status"); t.OK() {
		o.phaseTable = stretch{t.Start(), t.End()}
		for _, row := range t.Rows() {
			status := row.Cell(t.Column("Status"))
			add(bare(row.Cell(t.Column("Phase")).Text()), classify(status.Text()), status.Text(), status.Part)
		}
		return
	}
	for _, h := range out.Headings() {
		if name := lower(bare(h.Text())); strings.HasSuffix(name, " complete") && groupIn(name) >= 0 && !recorded && o.current == "" {
			id, _, _ := strings.Cut(bare(h.Text()), " ")
			o.put(&stage{id: id, group: groupIn(name), word: complete, at: stretch{h.Start(), h.End()}, block: prose})
		}
	}
	for _, task := range out.Tasks() {
		w := pending
		if task.Checked() {
			w = complete
		}
		add(bare(task.Text()), w, "", task.Part)
	}
}

// readPairs reads what the file says in Markdown and no block does: **Current Phase:** … or - current_phase: "…".
func (o *orchestrator) readPairs(pairs []markdown.Pair) {
	value := func(keys ...string) (string, stretch) {
		p := markdown.PairAmong(pairs, keys...)
		if p == nil || p.Value == "" {
			return "", stretch{}
		}
		raw := o.doc.Text[p.Start:p.End]
		text := strings.Trim(raw, " \t\r`\"*")
		start := p.Start + strings.Index(raw, text)
		return text, stretch{start, start + len(text)}
	}
	if o.current == "" {
		if o.current, o.currentAt = value("Current Phase"); o.current == "" {
			o.current, o.currentAt = value("Current State")
		}
	}
	if o.session == "" {
		o.session, o.sessionAt = value("Session ID", "Session Directory", "Session")
	}
	if updated, _ := value("Last Updated"); o.updated.Precision == 0 {
		o.updated, _ = instant.Loose(updated)
	}
}

// readExpected reads EXPECTED_SECTION_IDS … ["IV.A", …]. A mention without a
// list is passed over.
func (o *orchestrator) readExpected(whole string) {
	text := whole
	const name = "EXPECTED_SECTION_IDS"
	for at := strings.Index(text, name); at >= 0 && len(o.expected) == 0; at = strings.Index(text, name) {
		text = text[at+len(name):]
		open := strings.IndexByte(text, '[')
		end := strings.IndexByte(text, ']')
		if open < 0 || end < open || strings.Contains(text[:open], "\n\n") {
			continue
		}
		doc, err := jsondoc.Parse(text[open : end+1])
		if err != nil {
			continue
		}
		for _, e := range doc.Root().Elements() {
			s, _ := e.Text()
			if l := sectionLetter(s); l != "" && !holds(o.expected, l) {
				o.expected = append(o.expected, l)
			}
		}
		o.expectedAt = stretch{len(whole) - len(text) + open, len(whole) - len(text) + end + 1}
	}
	sorted(o.expected)
}

func (o *orchestrator) at(s stretch) sdk.Range {
	if s.end > s.start {
		return sdk.AtBytes(orchestratorPath, s.start, s.end)
	}
	return sdk.At(orchestratorPath)
}

// bare is a text without the symbols and marks around it.
func bare(s string) string { return strings.TrimFunc(s, markdown.Symbol) }

func (o *orchestrator) find(id string) *stage {
	for _, s := range o.ids {
		if s.id == id {
			return s
		}
	}
	return nil
}
