package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// mostTries bounds how many remedies are rehearsed in one look.
const mostTries = 150

// remedy takes out the remedies that would not end their finding, or would bring
// an error that is not there now.
func (m *model) remedy() {
	before := m.visible()
	for _, d := range m.found {
		kept := d.Remedies[:0]
		for i := range d.Remedies {
			if r := d.Remedies[i]; r.Safety == sdk.Manual || m.heals(before, nameOf(d), r.Edits) {
				kept = append(kept, r)
			}
		}
		if d.Remedies = kept; len(kept) == 0 {
			d.Remedies = nil
		}
	}
}

func nameOf(d *sdk.Diagnostic) string {
	return d.Rule + "\x00" + d.Range.Path + "\x00" + d.Subject + "\x00" + d.Key
}

// visible names the findings that no other hides, with their severities, and
// the faults of the host.
func (m *model) visible() map[string]sdk.Severity {
	hidden := map[string]bool{}
	spoke := map[string]bool{}
	for _, d := range m.found {
		spoke[d.Rule+"\x00"+d.Subject] = true
	}
	for i := range ruleTable {
		if ruleTable[i].hides == "" {
			continue
		}
		for _, d := range m.found {
			if d.Rule != ruleTable[i].name {
				continue
			}
			for _, h := range strings.Split(ruleTable[i].hides, " ") {
				hidden[h+"\x00"+d.Subject] = true
			}
		}
	}
	names := map[string]sdk.Severity{}
	for _, d := range m.found {
		if !hidden[d.Rule+"\x00"+d.Subject] {
			names[nameOf(d)] = d.Severity
			if d.Severity == 0 {
				names[nameOf(d)] = severityOf(d.Rule)
			}
		}
	}
	for _, d := range m.docs.all() {
		for i := range d.Faults {
			names[d.Faults[i].Rule+"\x00"+d.Path+"\x00"+d.Faults[i].Key] = sdk.Error
		}
	}
	return names
}

func severityOf(rule string) sdk.Severity {
	for i := range ruleTable {
		if ruleTable[i].name == rule {
			return ruleTable[i].severity
		}
	}
	return sdk.Error
}

// heals reports whether edits end a finding and bring no new error.
func (m *model) heals(before map[string]sdk.Severity, name string, edits []sdk.Edit) bool {
	if m.tries >= mostTries || m.costly(edits) {
		return false
	}
	m.tries++
	return m.after(edits).better(before, name)
}

// mostRewritten bounds the bytes that edits of one remedy write anew when it is
// rehearsed: each of them copies its document.
const mostRewritten = 4 << 20

func (m *model) costly(edits []sdk.Edit) bool {
	sum := 0
	for i := range edits {
		if d := m.docs.get(edits[i].Range.Path); d != nil && edits[i].Op == wire.Set {
			sum += len(d.Text)
		}
	}
	return sum > mostRewritten
}

// better reports whether a model that edits lead to lacks a finding and has no
// error that is not among those before. A nil model is of edits that fail.
func (m *model) better(before map[string]sdk.Severity, name string) bool {
	if m == nil || m.notMine() != "" {
		return false
	}
	m.check()
	m.tellApart()
	after := m.visible()
	if _, stays := after[name]; stays {
		return false
	}
	for n, severity := range after {
		if severity == sdk.Error && before[n] != sdk.Error {
			return false
		}
	}
	return true
}

// after is the model as it would be after edits, nil if they cannot be made.
func (m *model) after(edits []sdk.Edit) *model {
	changed := map[string]*sdk.Document{}
	orch := m.orch.edited(edits)
	if m.orch != nil && orch == nil {
		return nil
	}
	for i := range edits {
		e := &edits[i]
		path := e.Range.Path
		switch e.Op {
		case wire.Set:
			old, ok := changed[path]
			if !ok {
				old = m.docs.get(path)
			}
			d := setIn(old, e)
			if d == nil {
				return nil
			}
			changed[path] = d
		case wire.Restore:
			d := m.base.docs.get(path)
			if d == nil {
				return nil
			}
			if changed[path] = d; path == orchestratorPath && m.base.orch != nil {
				same := *m.base.orch
				orch = &same
			}
		case wire.Create:
			changed[path] = &sdk.Document{Path: path, Format: sdk.JSON, Need: sdk.Content, Text: e.New, Size: int64(len(e.New))}
		case wire.Move:
			if old := m.docs.get(path); old != nil {
				moved := *old
				moved.Path = e.To
				changed[path] = nil
				if k, _ := kindOf(e.To); k >= 0 {
					changed[e.To] = &moved
				}
			}
		case wire.Remove:
			changed[path] = nil
		case wire.Replace: // of the orchestrator: see above
		default:
			return nil
		}
	}
	return m.with(changed, orch)
}

func setIn(old *sdk.Document, e *sdk.Edit) *sdk.Document {
	if !whole(old) {
		return nil
	}
	c, err := jsondoc.Set(old.Text, e.Range.Pointer, e.New)
	if err != nil {
		return nil
	}
	d := *old
	d.Text = c.Apply(old.Text)
	return &d
}

// edited is a copy of the orchestrator after the replacements among edits, in
// its blocks or of its claim in Markdown; nil if they break it.
func (o *orchestrator) edited(edits []sdk.Edit) *orchestrator {
	if o == nil {
		return nil
	}
	n := &orchestrator{doc: o.doc, broken: o.broken, why: o.why, structured: o.structured, inBlock: o.inBlock, expected: o.expected, titled: o.titled}
	current := o.current
	for i := range edits {
		if e := &edits[i]; e.Op == wire.Replace && e.Range.Start <= o.currentAt.start && e.Range.End >= o.currentAt.end {
			current = strings.Trim(e.New, " |`\"*")
		}
	}
	for _, b := range o.blocks {
		if b = b.edited(edits); !b.root.Exists() {
			return nil
		}
		n.blocks = append(n.blocks, b)
	}
	if n.readBlocks(); n.current == "" {
		n.current, n.currentAt = current, o.currentAt
	}
	return n
}

// edited is the block after those edits that lie in it.
func (b block) edited(edits []sdk.Edit) block {
	code := b.fence.Code()
	text, end := b.text, code.End()+1
	for {
		// From the last one to the first, so that the places stay right.
		var last *sdk.Edit
		for i := range edits {
			e := &edits[i]
			if e.Op == wire.Replace && e.Range.Start >= code.Start() && e.Range.End <= code.End() && e.Range.Start < end && (last == nil || e.Range.Start > last.Range.Start) {
				last = e
			}
		}
		if last == nil {
			break
		}
		from, to := last.Range.Start-code.Start(), last.Range.End-code.Start()
		if end = last.Range.Start; to > len(text) {
			return block{}
		}
		text = text[:from] + last.New + text[to:]
	}
	if text == b.text {
		return b
	}
	return newBlock(b.fence, text)
}
