package ocr

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// The verdicts of a review.
const (
	Approve         = "APPROVE"
	RequestChanges  = "REQUEST CHANGES"
	NeedsDiscussion = "NEEDS DISCUSSION"
)

// verdictNames are the labels of a verdict, in order of preference.
var verdictNames = [][]string{{"Verdict"}, {"Recommendation", "Decision", "Conclusion", "Outcome", "Urteil", "Ergebnis",
	"Empfehlung", "Fazit"}}

// readVerdict looks for the verdict under a heading, after its label, in a column, and finally in capitals anywhere.
func (f *Final) readVerdict(o *markdown.Outline) {
	pairs := o.Document().Pairs()
	if flush := f.flush(pairs); markdown.PairAmong(flush, "Verdict") != nil {
		pairs = flush
	}
	for _, names := range verdictNames {
		if !f.Verdict.OK() {
			f.Verdict = f.verdictNamed(o, pairs, names)
		}
	}
	for _, line := range o.Document().Meaning() {
		name, _, ok := strings.Cut(strings.Trim(line, "*_ "), ":") // the whole field may be bold
		if !f.Verdict.OK() && (strings.ToUpper(line) == line || ok && strings.EqualFold(name, "Verdict")) &&
			knownVerdict(line) != "" {
			f.Verdict = Mention{line, at(f.Doc, markdown.Part{})}
		}
	}
	f.Word = knownVerdict(f.Verdict.Text)
	for _, pair := range f.flush(o.Head().Pairs()) {
		if markdown.PairAmong([]markdown.Pair{pair}, "Verdict") != nil {
			f.second(paired(f.Doc, &pair))
		}
	}
	level := 0
	for _, h := range o.Headings() { // a deeper one is that of a reviewer, one with more words that of another round
		name := strings.Trim(unmarked(h.Text()), " :*")
		whole := words.Alike(name, "Verdict") || words.Alike(name, "Final Verdict")
		if (whole || beginsWith(name, "Verdict:")) && (level == 0 || level == h.Level()) {
			level = h.Level()
			f.second(Mention{verdictOf(h), at(f.Doc, h.Part)})
		}
	}
}

// second records a verdict that differs from the main one.
func (f *Final) second(said Mention) {
	if word := knownVerdict(said.Text); f.Word != "" && word != "" && word != f.Word {
		f.Second = Mention{word, said.At}
	}
}

// flush omits pairs on indented lines: in a list, those belong to a reviewer.
func (f *Final) flush(pairs []markdown.Pair) []markdown.Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p markdown.Pair) bool {
		line := f.Doc.Text[strings.LastIndexByte(f.Doc.Text[:p.Start], '\n')+1:]
		return line[0] == ' ' || line[0] == '\t'
	})
}

func (f *Final) verdictNamed(o *markdown.Outline, pairs []markdown.Pair, names []string) Mention {
	if h := o.FindFunc(func(h markdown.Heading) bool { return beginsWith(unmarked(h.Text()), names...) }); h.OK() {
		return Mention{verdictOf(h), at(f.Doc, h.Part)}
	} else if pair := markdown.PairAmong(pairs, names...); pair != nil {
		return paired(f.Doc, pair)
	} else if field := o.FrontMatterField(names...); field.OK() {
		return Mention{field.Text(), at(f.Doc, field.Part)}
	} else if cell := inTable(o.TableWith(names[0]), names[0]); cell.OK() {
		return Mention{cell.Text(), at(f.Doc, cell.Part)}
	}
	return Mention{}
}

// inTable returns the cell with the overall verdict: if the rows are reviewers, the last of them. It returns none for
// several verdicts without a summary row.
func inTable(t markdown.Table, column string) (cell markdown.Cell) {
	for i, row := range t.Rows() {
		c := row.Cell(t.Column(column))
		switch {
		case i == 0, beginsWith(unmarked(row.Cell(0).Text()), "Overall", "Final", "Team", "Consensus", "Synthesis",
			"Total"):
			cell = c
		case cell == t.Rows()[0].Cell(t.Column(column)) && knownVerdict(c.Text()) != knownVerdict(cell.Text()):
			cell = markdown.Cell{}
		}
	}
	return cell
}

// verdictOf reads a verdict from a heading, or from the text directly under it.
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

// Undecided reports whether the verdict is not decided: it still has the template text, a placeholder or several
// verdicts, or it is blank or cut off.
func (f *Final) Undecided() bool {
	text := strings.ToUpper(strings.Trim(f.Verdict.Text, "*_` ."))
	breaksOff := func(verdict string) bool { return len(text) > 2 && strings.HasPrefix(verdict, text) }
	return len(verdicts(text)) > 1 || words.Placeholder(f.Verdict.Text) != "" || !words.Real(text) ||
		slices.ContainsFunc([]string{Approve, RequestChanges, NeedsDiscussion}, breaksOff)
}

// knownVerdict returns the only known verdict in text, or "" for none or several.
func knownVerdict(text string) string {
	if list := verdicts(text); len(list) == 1 {
		return list[0]
	}
	return ""
}

// verdicts lists the verdicts in text, without negated ones.
func verdicts(text string) (found []string) {
	text = strings.Join(strings.Fields(strings.ReplaceAll(strings.ToUpper(text), "_", " ")), " ")
	for _, said := range [...][]string{{Approve, "APPROVED"},
		{RequestChanges, "REQUESTED CHANGES", "CHANGES REQUESTED"}, {NeedsDiscussion}} {
		if slices.ContainsFunc(said, func(phrase string) bool { return occurs(text, phrase, isClaim) }) {
			found = append(found, said[0])
		}
	}
	return found
}

// isClaim reports whether a phrase between two texts is a whole word that is not negated by one of the last three
// words before it in its sentence.
func isClaim(before, after string) bool {
	list := strings.Fields(before[strings.LastIndexAny(before, ".,;:!")+1:])
	denied := slices.ContainsFunc(list[max(0, len(list)-3):], func(word string) bool {
		return strings.HasSuffix(word, "N'T") || strings.HasSuffix(word, "N’T") ||
			slices.Contains([]string{"NOT", "CANNOT", "NEVER", "UNABLE"}, strings.Trim(word, "*_("))
	})
	return !denied && (before == "" || !isLetter(before[len(before)-1])) && (after == "" || !isLetter(after[0]))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// occurs reports whether a phrase occurs in text between two texts that fit.
func occurs(text, phrase string, fit func(before, after string) bool) bool {
	for from := 0; from <= len(text); from++ {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		if from += i; fit(text[:from], text[from+len(phrase):]) {
			return true
		}
	}
	return false
}
