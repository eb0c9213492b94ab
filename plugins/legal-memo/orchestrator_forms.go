package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// addYAML reads a part of the document as YAML if it is YAML.
func (o *orchestrator) addYAML(text string, start, end int, all sdk.Range) {
	front := markdown.FrontOf("---\n" + text[start:end])
	if len(front.Entries) == 0 || front.Unread > 0 && front.Get("phases_completed") == nil {
		return
	}
	y := yaml{text: text, start: start}
	y.object(front.Entries)
	if doc, err := jsondoc.Parse(string(y.json)); err == nil {
		o.addBlock(block{root: doc.Root(), all: all, marks: y.marks})
	}
}

// A yaml converts YAML to JSON.
type yaml struct {
	text  string // text of the document
	start int    // offset of the YAML in text
	json  []byte
	marks []mark
}

func (y *yaml) object(entries []markdown.Entry) {
	y.json = append(y.json, '{')
	for i, e := range entries {
		if i > 0 {
			y.json = append(y.json, ',')
		}
		y.json = append(y.json, jsondoc.Quote(e.Key)+": "...)
		y.marks = append(y.marks, mark{len(y.json), y.place(e)})
		switch {
		case e.Map != nil:
			y.object(e.Map)
		default:
			y.json = append(y.json, scalar(e.Value)...)
		}
	}
	y.json = append(y.json, '}')
}

// place returns the range of an entry's value with its quotes, or its line if it is not a scalar.
func (y *yaml) place(e markdown.Entry) sdk.Range {
	line := lineOf(y.text, y.start, e.Line-1)
	text := y.text[line.Start:line.End]
	from := strings.Index(text, e.Key) + len(e.Key)
	at := strings.Index(text[max(from, 0):], e.Value)
	if e.Value == "" || from < len(e.Key) || at < 0 {
		return line
	}
	s := between(line.Start+from+at, line.Start+from+at+len(e.Value))
	if q := y.text[s.Start-1]; (q == '"' || q == '\'') && s.End < len(y.text) && y.text[s.End] == q {
		return between(s.Start-1, s.End+1)
	}
	return s
}

// scalar returns a YAML value as JSON.
func scalar(text string) string {
	switch words.Lower(text) {
	case "", "~", "null":
		return "null"
	}
	if _, ok := decimal(text); ok {
		return text
	}
	return jsondoc.Quote(text)
}

// prose is the block index of a stage that is not in a block, but in a table or a list.
const prose = -1

// readProse reads the phases, if no block records them, from a table with the columns Phase and Status, from pairs and
// from headings.
func (o *orchestrator) readProse(out *markdown.Outline, pairs []markdown.Pair) {
	recorded := len(o.ids) > 0
	add := func(name string, w word, text string, at sdk.Range) {
		id := leadingID(name)
		if g := groupIn(name); id != "" && g >= 0 && w != noWord && !recorded {
			o.put(&stage{id: id, group: g, word: w, text: text, at: at, block: prose})
		}
	}
	said := func(name, text string, at sdk.Range) {
		status := strings.TrimSpace(firstWords(text))
		if i := strings.Index(o.doc.Text[at.Start:at.End], status); i >= 0 { // the text around the status stays
			at = between(at.Start+i, at.Start+i+len(status))
		}
		if w := classify(status); w != unknownWord {
			add(name, w, status, at)
		}
	}
	for i := range pairs {
		p := &pairs[i]
		said(bare(p.Key), p.Value, between(p.Start, p.End))
	}
	if t := out.TableWith("Phase", "Status"); t.OK() {
		o.phaseTable = spot(t.Part)
		for _, row := range t.Rows() {
			status := row.Cell(t.Column("Status"))
			add(bare(row.Cell(t.Column("Phase")).Text()), classify(status.Text()), status.Text(), spot(status.Part))
		}
		return
	}
	for _, h := range out.Headings() {
		name := bare(h.Text())
		id := leadingID(name)
		said(name, bare(name[len(id):]), spot(h.Part))
		if folded := words.Lower(name); strings.HasSuffix(folded, " complete") && groupIn(folded) >= 0 && !recorded &&
			o.current == "" && id == "" {
			id, _, _ := strings.Cut(name, " ")
			o.put(&stage{id: id, group: groupIn(folded), word: complete, at: spot(h.Part), block: prose})
		}
	}
}

// spot returns the range of a part.
func spot(p markdown.Part) sdk.Range { return between(p.Start(), p.End()) }

// firstWords returns the start of a text without its comment: "✅ COMPLETE" for "✅ COMPLETE (17 sections) - at noon".
func firstWords(text string) string {
	for _, mark := range [...]string{"(", ",", ";", " - ", "–", "—", " at "} {
		text, _, _ = strings.Cut(text, mark)
	}
	return text
}
