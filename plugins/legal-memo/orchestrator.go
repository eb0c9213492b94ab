package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// An orchestrator holds the content of orchestrator-state.md.
type orchestrator struct {
	doc        *sdk.Document
	blocks     []block
	broken     []markdown.Fence // blocks that do not parse
	why        string           // error in the first broken block
	whyAt      sdk.Range        // range of that error
	structured bool
	current    string
	currentAt  sdk.Range // range of current
	inBlock    bool      // whether current is in a block
	phaseTable sdk.Range // a table with the columns Phase and Status, which is only evidence
	ids        []*stage
	expected   []string // letters of the expected sections
	gates      []gateAt
	titled     bool // whether it has the workflow's title, which other tools use, too
	own        bool // whether only this workflow writes such content, or the content is unknown
	session    string
	sessionAt  sdk.Range
	updated    instant.Moment
	stamps     []stamp
	observed   int
	state      sdk.State
}

// A block is a JSON or YAML object in the file, or the whole file.
type block struct {
	root  value
	start int       // offset of its JSON in the document, or -1 if the offsets of values are unknown
	all   sdk.Range // the whole block
	marks []mark    // for YAML: ranges of the values in the JSON that was made from it
}

// A mark maps an offset in the JSON text to the range of the value that starts there.
type mark struct {
	json int
	at   sdk.Range
}

// between returns a half-open byte range in the document.
func between(start, end int) sdk.Range { return sdk.AtBytes(orchestratorPath, start, end) }

// A stage is one id in phases_completed.
type stage struct {
	id    string
	group int
	word  word
	text  string
	body  value
	at    sdk.Range // range of the status
	block int
}

type gateAt struct {
	name string
	body value
	at   sdk.Range
}

// A stamp is a time that the file records, for a phase or for the file.
type stamp struct {
	name  string
	group int // the phase's group, or -1 for the file
	place sdk.Range
	raw   string
	at    instant.Moment
}

func readOrchestrator(d *sdk.Document) *orchestrator {
	o := &orchestrator{doc: d, currentAt: between(0, 0)}
	if !d.Readable() {
		o.own = d != nil // its content is unknown
		return o
	}
	out := d.Outline()
	for _, h := range out.Headings() {
		t := strings.TrimLeftFunc(words.Lower(h.Text()), markdown.Symbol)
		o.own = o.own || strings.HasPrefix(t, "deal_metadata")
		o.titled = o.titled || o.own || h.Level() == 1 && strings.HasPrefix(t, "orchestrator state") ||
			strings.HasPrefix(t, "orchestrator execution state")
	}
	for _, f := range out.Document().Fences() {
		o.addFence(d.Text, f)
	}
	if len(o.blocks)+len(o.broken) == 0 {
		o.addWhole(d.Text, out)
	}
	o.readBlocks()
	o.readExpected(d.Text)
	pairs := out.Document().Pairs()
	o.readPairs(pairs)
	o.readProse(out, pairs)
	named := func(s *stage) bool { return phaseID(s.id) }
	o.own = o.own || len(o.gates)+len(o.expected) > 0 ||
		o.titled && (len(o.broken) > 0 || phaseID(o.current) || slices.ContainsFunc(o.ids, named)) ||
		len(o.ids) > 0 && slices.Contains(groupNames[:], o.current)
	return o
}

// phaseID reports whether a text starts with a phase's id. Words such as "planning" are phases of other tools, too.
func phaseID(text string) bool {
	id := leadingID(text)
	return id != "" && capital(id[:1])
}

// lineOf returns a 1-based line of a block as a byte range in the document.
func lineOf(text string, start, line int) sdk.Range {
	lines := strings.SplitAfterN(text[start:], "\n", line+1)
	last := min(line, len(lines)) - 1
	start += len(strings.Join(lines[:last], ""))
	return between(start, start+len(strings.TrimRight(lines[last], "\r\n")))
}

func (o *orchestrator) addFence(d string, f markdown.Fence) {
	text, code := f.Text(), f.Code()
	placed := code.Raw() == text || strings.TrimRight(code.Raw(), "\n") == strings.TrimRight(text, "\n")
	all := between(f.Start(), f.End())
	if !strings.HasPrefix(strings.TrimSpace(text), "{") && placed {
		o.addYAML(d, code.Start(), code.End(), all)
		return
	}
	doc, err := jsondoc.Parse(text)
	start := -1
	if placed {
		start = code.Start()
	}
	switch {
	case err == nil:
		o.addBlock(block{root: doc.Root(), start: start, all: all})
	case claims(text):
		if o.broken = append(o.broken, f); o.why == "" {
			o.why, o.whyAt = err.Error(), all
			if wrong, _ := any(err).(*jsondoc.SyntaxError); wrong != nil && placed {
				o.why, o.whyAt = wrong.Message, lineOf(d, code.Start(), wrong.Line)
			}
		}
	}
}

// claims reports whether a text that is not JSON was meant to be a block.
func claims(text string) bool {
	return strings.Contains(text, `"phases_completed"`) || strings.Contains(text, `"gate_attempts"`)
}

// addWhole reads a file without fences: JSON, YAML or front matter.
func (o *orchestrator) addWhole(text string, out *markdown.Outline) {
	all := between(0, len(text))
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		if doc, err := jsondoc.Parse(text); err == nil {
			o.addBlock(block{root: doc.Root(), all: all})
		} else if claims(text) {
			o.why, o.whyAt, o.own = err.Error(), all, true
		}
	} else if front := out.At(0); front.Node().Kind == markdown.KindFrontMatter {
		_, inner, _ := strings.Cut(front.Raw(), "\n")
		o.addYAML(text, front.End()-len(inner), front.End(), between(front.Start(), front.End()))
	} else {
		o.addYAML(text, 0, len(text), all)
	}
}

func (o *orchestrator) addBlock(b block) {
	completed, gates := b.root.Get("phases_completed").Exists(), b.root.Get("gate_attempts").Exists()
	if completed || gates || b.root.Get("current_phase").Exists() {
		o.titled = o.titled || completed
		o.structured = true
		o.blocks = append(o.blocks, b)
	}
}

func (o *orchestrator) readBlocks() {
	for i := range o.blocks {
		b := &o.blocks[i]
		if text, at, ok := b.text(b.root, "current_phase"); ok {
			o.current, o.currentAt, o.inBlock = text, at, true
		}
		if text, at, ok := b.text(b.root, "session_id"); ok {
			o.session, o.sessionAt = text, at
		}
		if text, at, ok := b.text(b.root, "last_updated"); ok {
			o.updated, _ = instant.Loose(text)
			o.addStamp("last_updated", -1, at, text)
		}
		for _, m := range b.root.Get("phases_completed").Members() {
			o.addStage(i, m)
		}
		for _, m := range b.root.Get("gate_attempts").Members() {
			o.gates = append(o.gates, gateAt{name: m.Key, body: m.Value, at: b.place(m.Value)})
		}
	}
}

// text returns the string that an object in the block has for a key, with its range.
func (b *block) text(object value, key string) (text string, at sdk.Range, ok bool) {
	v := object.Get(key)
	text, ok = v.Text()
	return text, b.place(v), ok
}

// place returns the range of a value in the document, or the whole block if that is unknown.
func (b *block) place(v value) sdk.Range {
	for _, k := range b.marks {
		if k.json == v.Start() {
			return k.at
		}
	}
	if b.marks != nil || b.start < 0 {
		return b.all
	}
	return between(b.start+v.Start(), b.start+v.End())
}

func (o *orchestrator) addStage(at int, m jsondoc.Member) {
	v := m.Value
	if v.Kind() == jsondoc.Object {
		v = v.Get("status")
	}
	b := &o.blocks[at]
	s := &stage{id: m.Key, group: groupOf(m.Key), word: wordOf(v), body: m.Value, block: at}
	s.text, _ = v.Text()
	if s.at = b.place(m.Value); v.Exists() {
		s.at = b.place(v)
	}
	o.put(s)
	for _, key := range [...]string{"timestamp", "completed_at"} {
		if text, at, ok := b.text(m.Value, key); ok {
			o.addStamp(key+" of "+m.Key, s.group, at, text)
		}
	}
}

func (o *orchestrator) addStamp(name string, group int, place sdk.Range, text string) {
	at, _ := instant.Loose(text)
	o.stamps = append(o.stamps, stamp{name, group, place, text, at})
}

// put adds a stage in group order. It replaces an earlier stage with the same id.
func (o *orchestrator) put(s *stage) {
	for i, old := range o.ids {
		if old.id == s.id {
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

// readPairs reads values that are in Markdown but not in any block, such as "**Current Phase:** …" or "- current_phase:
// …".
func (o *orchestrator) readPairs(pairs []markdown.Pair) {
	value := func(keys ...string) (string, sdk.Range) {
		p := markdown.PairAmong(pairs, keys...)
		if p == nil || p.Value == "" {
			return "", between(0, 0)
		}
		raw := o.doc.Text[p.Start:p.End]
		text := strings.Trim(raw, " \t\r`\"*")
		start := p.Start + strings.Index(raw, text)
		return text, between(start, start+len(text))
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
		o.updated, _ = instant.Loose(updated) // prose may contain anything
	}
}

// readExpected reads the list in EXPECTED_SECTION_IDS … ["IV.A", …]. It skips a mention without a list.
func (o *orchestrator) readExpected(text string) {
	for _, mention := range strings.Split(text, "EXPECTED_SECTION_IDS")[1:] {
		before, list, _ := strings.Cut(mention, "[")
		list, _, closed := strings.Cut(list, "]")
		doc, err := jsondoc.Parse("[" + list + "]")
		if closed && err == nil && !strings.Contains(before, "\n\n") {
			o.expected = sorted(gather(textsOf(doc.Root()), sectionLetter))
			return
		}
	}
}

// bare removes the symbols and marks around a text.
func bare(s string) string { return strings.TrimFunc(s, markdown.Symbol) }

func (o *orchestrator) find(id string) *stage {
	return first(o.ids, func(s *stage) bool { return s.id == id })
}
