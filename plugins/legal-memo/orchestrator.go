package legalmemo

import (
	"errors"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
)

// An orchestrator is what orchestrator-state.md says.
type orchestrator struct {
	doc        *sdk.Document
	blocks     []block
	broken     []markdown.Fence // the blocks that do not parse
	why        string           // what is wrong with the first of them
	whyAt      span2            // and where
	structured bool
	current    string
	currentAt  span2          // of the value
	field      markdown.Field // of current, where it is a Markdown field
	inBlock    bool           // current stands in a block
	differ     bool           // two blocks name another current_phase
	phaseTable span2          // of a table with the columns Phase and Status: evidence, no claim
	ids        []*stage
	expected   []string // letters
	expectedAt span2    // of their list
	gates      []gateAt
	titled     bool // it reads like a state of this workflow
	observed   int
	state      sdk.State
}

type block struct {
	fence markdown.Fence
	root  value
	text  string
}

// newBlock reads a block; its root is absent if it does not parse.
func newBlock(f markdown.Fence, text string) block {
	b := block{fence: f, text: text}
	if doc, err := jsondoc.Parse(text); err == nil {
		b.root = doc.Root()
	}
	return b
}

// span2 is a half-open range of bytes of the document.
type span2 struct{ start, end int }

// A stage is one id of phases_completed.
type stage struct {
	id     string
	group  int
	word   word
	text   string
	body   value
	at     span2 // of the status
	block  int
	differ bool // another block says otherwise
}

type gateAt struct {
	name string
	body value
	at   span2
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
		t := lower(h.Text())
		if h.Level() == 1 && strings.HasPrefix(t, "orchestrator state") || strings.HasPrefix(t, "orchestrator execution state") || strings.HasPrefix(t, "deal_metadata") {
			o.titled = true
		}
	}
	for _, f := range out.Document().Fences() {
		o.addFence(d.Text, f)
	}
	if t := out.TableWith("Phase", "Status"); t.OK() {
		o.phaseTable = span2{t.Start(), t.End()}
	}
	o.readBlocks()
	o.readExpected(d.Text)
	if o.current == "" {
		o.readField(out)
	}
	return o
}

// lineOf is a line of a block, 1-based, as a range of bytes of the document.
func lineOf(text string, start, line int) span2 {
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
	return span2{start, end}
}

func (o *orchestrator) addFence(d string, f markdown.Fence) {
	text := f.Text()
	names := strings.Contains(text, `"phases_completed"`) || strings.Contains(text, `"gate_attempts"`)
	doc, err := jsondoc.Parse(text)
	if err != nil {
		if names {
			if o.broken = append(o.broken, f); o.why == "" {
				o.why, o.whyAt = err.Error(), span2{f.Start(), f.End()}
				var wrong *jsondoc.SyntaxError
				if code := f.Code(); errors.As(err, &wrong) && code.Raw() == text {
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
func (b *block) place(v value) span2 {
	code := b.fence.Code()
	if code.Raw() == b.text || strings.TrimRight(code.Raw(), "\n") == strings.TrimRight(b.text, "\n") {
		return span2{code.Start() + v.Start(), code.Start() + v.End()}
	}
	return span2{b.fence.Start(), b.fence.End()}
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
	for i, old := range o.ids {
		if old.id == s.id {
			s.differ = old.differ || old.block != at && old.word != s.word
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

// groupOf maps the id of a phase to one of the six, -1 if it is none.
func groupOf(id string) int {
	id = upperAll(id)
	if id == "" {
		return -1
	}
	switch id[0] {
	case 'P':
		if id == "P0" || id == "P1" || strings.HasPrefix(id, "P0.") || strings.HasPrefix(id, "P1.") {
			return 0
		}
		return 1
	case 'V':
		return 2
	case 'G':
		return 3
	case 'A':
		if id == "A1" || strings.HasPrefix(id, "A1.") {
			return 4
		}
		return 5
	}
	return -1
}

// phaseWords are what a claim in prose may say, by group.
var phaseWords = [...]string{"research-plan", "specialist", "research-review validation coverage risk-agg", "section executive citation", "synthesis assembly", "quality qa certif"}

// claimedGroup is the group that the orchestrator claims to be in, -1 if it
// names none.
func (o *orchestrator) claimedGroup() int {
	claim := strings.TrimSpace(o.current)
	end := 0
	for end < len(claim) && (alnum(claim[end]) || claim[end] == '.') {
		end++
	}
	if isID(claim[:end]) {
		return groupOf(claim[:end])
	}
	text := strings.ReplaceAll(strings.ReplaceAll(lower(claim), "_", "-"), " ", "-")
	for g, list := range phaseWords {
		for _, w := range strings.Split(list, " ") {
			if strings.Contains(text, w) {
				return g
			}
		}
	}
	return -1
}

// isID reports whether a word is an id such as P1, V1.1, G or A2.DIAGNOSTIC.
func isID(s string) bool {
	s = upperAll(s)
	if s == "" || strings.IndexByte("PVGA", s[0]) < 0 {
		return false
	}
	return len(s) == 1 && (s == "V" || s == "G") || len(s) > 1 && (digit(s[1]) || s[1] == '.')
}

// readField reads a claim in Markdown: **Current Phase:** … or - current_phase: "…".
// The first one counts.
func (o *orchestrator) readField(out *markdown.Outline) {
	best := -1
	if f := out.Field("Current Phase"); f.OK() {
		o.current, o.field, best = f.Text(), f, f.Start()
		o.currentAt = span2{f.Value().Start(), f.Value().End()}
	}
	for _, i := range out.Document().Items() {
		own := i.Own()
		if best >= 0 && own.Start() >= best {
			return
		}
		line, _, _ := strings.Cut(own.Raw(), "\n")
		name, rest, ok := strings.Cut(line, ":")
		if !ok || foldStatus(strings.Trim(name, "`* ")) != "current_phase" {
			continue
		}
		claim := strings.Trim(rest, " \t\r`\"*")
		start := own.Start() + len(name) + 1 + strings.Index(rest, claim)
		o.current, o.field, o.currentAt = claim, markdown.Field{}, span2{start, start + len(claim)}
		return
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
		o.expectedAt = span2{len(whole) - len(text) + open, len(whole) - len(text) + end + 1}
	}
	sorted(o.expected)
}

func (o *orchestrator) at(s span2) sdk.Range {
	if s.end > s.start {
		return sdk.AtBytes(orchestratorPath, s.start, s.end)
	}
	return sdk.At(orchestratorPath)
}
