package ocr

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// The verdicts of a review.
const (
	Approve         = "APPROVE"
	RequestChanges  = "REQUEST CHANGES"
	NeedsDiscussion = "NEEDS DISCUSSION"
)

// A Final is what final.md says.
type Final struct {
	Doc *sdk.Document

	Mode Mention // the field Mode

	HasVerdict bool    // there is a place for the verdict
	Verdict    Mention // the text there; At is its heading or field
	Word       string  // the one known verdict in it; "" if there is none or several
	Second     Mention // another known verdict, in the head or in another section

	Blockers []Mention // sub-headings under Blockers or Must Fix, those that say None left out

	Cited []Citation // the words of the cells File of the review tables

	cited   bool // it tells of the discourse
	skipped bool // it says that there was none
}

// Final reads final.md, once. It is nil if that is not filled or came without its text.
func (s *Subject) Final() *Final {
	if !s.finalRead {
		s.final, s.finalRead = s.readFinal(), true
	}
	return s.final
}

func (s *Subject) readFinal() *Final {
	d := s.Result.Doc
	if !s.Result.Filled() || d.Need != sdk.Content {
		return nil
	}
	f := &Final{Doc: d}
	outline := d.Outline()
	f.Mode = keyed(d, "Mode", "Review Mode", "Modus")
	f.readVerdict(outline)
	f.readDiscourse(outline)
	f.readBlockers(outline)
	for _, t := range outline.Tables() {
		f.readCitations(s, t)
	}
	for _, item := range outline.Document().Items() {
		f.cite(s, item.Own())
	}
	return f
}

// Mentions reports whether final.md holds a text anywhere, in any case.
func (f *Final) Mentions(text string) bool {
	return strings.Contains(strings.ToLower(f.Doc.Text), strings.ToLower(text))
}

// Full reports whether the mode promises a discourse.
func (f *Final) Full() bool { return words.Mentions(f.Mode.Text, "full", "with discourse") }

// Quick reports whether the review says that the discourse was left out.
func (f *Final) Quick() bool {
	return words.Mentions(f.Mode.Text, "quick", "no discourse", "schnell", "rapide", "rápid", "クイック") || f.skipped
}

// readDiscourse looks for words on the discourse: a section of its own, or its file.
func (f *Final) readDiscourse(o *markdown.Outline) {
	about := false
	for _, line := range o.Document().Meaning() {
		if strings.HasPrefix(line, "#") {
			about = beginsWith(unmarked(line), "Discourse")
			continue
		}
		switch mentions := words.Mentions(line, "discourse"); {
		case words.Mentions(line, "quick") && words.Mentions(line, "mode", "review") && !words.Mentions(line, "not "),
			words.Mentions(line, "schnellmodus", "keine diskussion", "ohne diskussion", "sans discussion", "sin discusión"):
			f.skipped = true
		case mentions && words.Mentions(line, "no ", "not ", "skip", "quick", "without", "left out", "omitted"):
			f.skipped = true
		case about && words.Real(line), words.Mentions(line, "discourse.md"):
			f.cited = true
		}
	}
}

// verdictNames are what the place of a verdict is called: what is named Verdict comes first.
var verdictNames = [][]string{{"Verdict"}, {"Recommendation", "Decision", "Conclusion", "Outcome", "Urteil", "Ergebnis", "Empfehlung", "Fazit"}}

// readVerdict looks for the verdict under a heading, behind its name, in a column, and last in
// capitals anywhere.
func (f *Final) readVerdict(o *markdown.Outline) {
	pairs := o.Document().Pairs()
	if flush := f.flush(pairs); markdown.PairAmong(flush, "Verdict") != nil {
		pairs = flush
	}
	for _, names := range verdictNames {
		if f.Verdict.At.Path == "" {
			f.verdictNamed(o, pairs, names)
		}
	}
	for _, line := range o.Document().Meaning() {
		name, _, ok := strings.Cut(strings.Trim(line, "*_ "), ":") // the whole field may be bold
		if f.Verdict.At.Path == "" && (strings.ToUpper(line) == line || ok && strings.EqualFold(name, "Verdict")) && knownVerdict(line) != "" {
			f.Verdict = Mention{line, sdk.At(f.Doc.Path)}
		}
	}
	f.HasVerdict = f.Verdict.At.Path != ""
	f.Word = knownVerdict(f.Verdict.Text)
	second := func(text string, at sdk.Range) {
		if word := knownVerdict(text); f.Word != "" && word != "" && word != f.Word {
			f.Second = Mention{word, at}
		}
	}
	for _, pair := range f.flush(o.Head().Pairs()) {
		if markdown.PairAmong([]markdown.Pair{pair}, "Verdict") != nil {
			second(pair.Value, sdk.AtBytes(f.Doc.Path, pair.Start, pair.End))
		}
	}
	level := 0
	for _, h := range o.Headings() { // a deeper one is that of a reviewer, one with more words that of another round
		name := strings.Trim(unmarked(h.Text()), " :*")
		if whole := words.Alike(name, "Verdict") || words.Alike(name, "Final Verdict"); (whole || beginsWith(name, "Verdict:")) && (level == 0 || level == h.Level()) {
			level = h.Level()
			second(verdictOf(h), at(f.Doc, h.Part))
		}
	}
}

// flush leaves out pairs on lines that are indented: those below a reviewer in a list are that reviewer's.
func (f *Final) flush(pairs []markdown.Pair) []markdown.Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p markdown.Pair) bool {
		at := strings.LastIndexByte(f.Doc.Text[:p.Start], '\n') + 1
		return f.Doc.Text[at] == ' ' || f.Doc.Text[at] == '\t'
	})
}

func (f *Final) verdictNamed(o *markdown.Outline, pairs []markdown.Pair, names []string) {
	if h := o.FindFunc(func(h markdown.Heading) bool { return beginsWith(unmarked(h.Text()), names...) }); h.OK() {
		f.Verdict = Mention{verdictOf(h), at(f.Doc, h.Part)}
	} else if pair := markdown.PairAmong(pairs, names...); pair != nil {
		f.Verdict = Mention{strings.Join(pair.Texts(), " "), sdk.AtBytes(f.Doc.Path, pair.Start, pair.End)}
	} else if field := o.FrontMatterField(names...); field.OK() {
		f.Verdict = Mention{field.Text(), at(f.Doc, field.Part)}
	} else if cell := inTable(o.TableWith(names[0]), names[0]); cell.OK() {
		f.Verdict = Mention{cell.Text(), at(f.Doc, cell.Part)}
	}
}

// inTable is the cell with the verdict of all: where rows are those of reviewers, that of the last one; of several
// verdicts without one there is none.
func inTable(t markdown.Table, column string) (cell markdown.Cell) {
	rows := t.Rows()
	for i, row := range rows {
		c := row.Cell(t.Column(column))
		switch {
		case i == 0, beginsWith(unmarked(row.Cell(0).Text()), "Overall", "Final", "Team", "Consensus", "Synthesis", "Total"):
			cell = c
		case cell == rows[0].Cell(t.Column(column)) && knownVerdict(c.Text()) != knownVerdict(cell.Text()):
			cell = markdown.Cell{}
		}
	}
	return cell
}

// verdictOf reads a verdict from a heading, or from what stands right below it.
func verdictOf(h markdown.Heading) (text string) {
	if lines := h.Section().Meaning(); len(lines) > 0 {
		text = strings.Trim(lines[0], "|-*_#> ")
	}
	rest := strings.Trim(strings.TrimLeftFunc(unmarked(h.Text()), unicode.IsLetter), " :-–—\t")
	if rest != "" && (text == "" || knownVerdict(rest) != "") {
		return rest
	}
	return text
}

// Undecided reports whether the place of the verdict holds none: what the template has there, a placeholder or several
// verdicts; nothing, or a verdict that breaks off.
func (f *Final) Undecided() bool {
	text := strings.ToUpper(strings.Trim(f.Verdict.Text, "*_` ."))
	whole := func(verdict string) bool { return len(text) > 2 && strings.HasPrefix(verdict, text) }
	return len(verdicts(text)) > 1 || words.Placeholder(f.Verdict.Text) != "" || !words.Real(text) || whole(Approve) || whole(RequestChanges) || whole(NeedsDiscussion)
}

// knownVerdict returns the one verdict that a text holds, "" if it holds none
// or several.
func knownVerdict(text string) string {
	if list := verdicts(text); len(list) == 1 {
		return list[0]
	}
	return ""
}

// verdicts lists the verdicts that a text holds.
func verdicts(text string) []string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToUpper(text), "_", " ")), " ")
	var found []string
	for _, v := range []struct{ verdict, other string }{{Approve, "APPROVED"}, {RequestChanges, "REQUESTED CHANGES"}, {RequestChanges, "CHANGES REQUESTED"}, {NeedsDiscussion, NeedsDiscussion}} {
		if !slices.Contains(found, v.verdict) && (hasPhrase(text, v.verdict) || hasPhrase(text, v.other)) {
			found = append(found, v.verdict)
		}
	}
	return found
}

// negated reports whether one of the last three words before a phrase, in its sentence, denies it.
func negated(before string) bool {
	list := strings.Fields(before[strings.LastIndexAny(before, ".,;:!")+1:])
	return slices.ContainsFunc(list[max(0, len(list)-3):], func(word string) bool {
		return strings.HasSuffix(word, "N'T") || strings.HasSuffix(word, "N’T") || slices.Contains([]string{"NOT", "CANNOT", "NEVER", "UNABLE"}, strings.Trim(word, "*_("))
	})
}

// hasPhrase reports whether text holds the phrase, with no letter around it and no denial before it.
func hasPhrase(text, phrase string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(phrase)
		if !negated(text[:at]) && (at == 0 || !isLetter(text[at-1])) && (end == len(text) || !isLetter(text[end])) {
			return true
		}
		from = at + 1
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

func (f *Final) readBlockers(o *markdown.Outline) {
	for _, h := range o.Headings() {
		lines := h.Body().Meaning()
		if !beginsWith(unmarked(h.Text()), "Blockers", "Must Fix", "Blocking") || len(lines) > 0 && saysNone(lines[0]) {
			continue
		}
		if below := h.Section().Headings(); len(below) > 0 {
			f.addBlockers(below)
			continue
		}
		before := len(f.Blockers)
		items := h.Section().Items()
		for _, item := range items {
			if item.Depth() == 1 && !item.Task().Checked() {
				f.addBlocker(item.Own())
			}
		}
		for _, t := range h.Section().Tables() {
			for _, row := range t.Rows() {
				f.addBlocker(row.Cell(row.Len() - 1).Part)
			}
		}
		if before == len(f.Blockers) && len(items) == 0 && len(h.Section().Tables()) == 0 {
			f.addBlocker(h.Section().Paragraph())
		}
	}
	if pair := markdown.PairAmong(o.Document().Pairs(), "Blockers", "Must Fix"); pair != nil && len(f.Blockers) == 0 && !saysNone(pair.Value) && !settled(pair.Value) {
		f.Blockers = append(f.Blockers, Mention{pair.Value, sdk.AtBytes(f.Doc.Path, pair.Start, pair.End)})
	}
}

// addBlocker takes an item of a list, a row of a table or a paragraph, unless it says that there is nothing, or
// that it is settled.
func (f *Final) addBlocker(p markdown.Part) {
	if text := p.Text(); !saysNone(text) && words.Placeholder(text) == "" && !strings.HasPrefix(p.Raw(), "~~") && !settled(text) {
		f.Blockers = append(f.Blockers, Mention{text, at(f.Doc, p)})
	}
}

// saysNone reports whether a text says that there is no blocker.
func saysNone(text string) bool {
	text = unmarked(text)
	if name, value, ok := strings.Cut(text, ":"); ok && words.Mentions(name, "blocker", "blockers", "must fix") && len(name) < 20 {
		text = unmarked(value)
	}
	return !words.Real(text) || beginsWith(text, "No ", "None", "Nothing", "There are no", "There is no", "There were no", "There was no", "There are none", "There were none", "We found no", "We found none", "Not ", "N/A", "All ", "Clear", "Zero", "Everything", "Kein", "Aucun", "Ning")
}

// settled reports whether a text says that a blocker is one no longer.
func settled(text string) bool {
	return words.Mentions(text, "resolved", "fixed", "addressed", "withdrawn") && !words.Mentions(text, "must", "should", "need", "to be", "unresolved", "not ")
}

// addBlockers takes the highest of the headings below Blockers: deeper ones are
// parts of a blocker.
func (f *Final) addBlockers(headings []markdown.Heading) {
	top := 6
	for _, h := range headings {
		top = min(top, h.Level())
	}
	for _, h := range headings {
		text := unmarked(h.Text())
		if h.Level() == top && !saysNone(text) && !settled(text) && !strings.HasPrefix(strings.TrimLeft(h.Raw(), "# "), "~~") {
			f.Blockers = append(f.Blockers, Mention{text, at(f.Doc, h.Part)})
		}
	}
}

// unmarked drops the symbols and emoji before a heading's words.
func unmarked(s string) string {
	return strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}
