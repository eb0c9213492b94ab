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

// readVerdict looks for the verdict under its heading, after its label in the head, and in the front matter.
func (f *Final) readVerdict(o *markdown.Outline) {
	isVerdict := func(h markdown.Heading) bool { return beginsWith(unmarked(h.Text()), "Verdict", "Final Verdict") }
	if h := o.FindFunc(isVerdict); h.OK() {
		f.Verdict = Mention{verdictOf(h), at(f.Doc, h.Part)}
	} else if pair := markdown.PairAmong(o.Head().Pairs(), "Verdict"); pair != nil {
		f.Verdict = paired(f.Doc, pair)
	} else if field := o.FrontMatterField("Verdict"); field.OK() {
		f.Verdict = Mention{field.Text(), at(f.Doc, field.Part)}
	}
	f.Word = knownVerdict(f.Verdict.Text)
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

// isClaim reports whether a phrase between two texts is a whole word, and none of the three words before it in its
// sentence negates it.
func isClaim(before, after string) bool {
	list := strings.Fields(before[strings.LastIndexAny(before, ".,;:!")+1:])
	denied := slices.ContainsFunc(list[max(0, len(list)-3):], func(word string) bool {
		return strings.HasSuffix(word, "N'T") || strings.HasSuffix(word, "N’T") ||
			slices.Contains([]string{"NOT", "CANNOT", "NEVER", "UNABLE"}, strings.Trim(word, "*_("))
	})
	return !denied && (before == "" || !isLetter(before[len(before)-1])) && (after == "" || !isLetter(after[0]))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// occurs reports whether a phrase occurs at a position in text where fit accepts the text before and after it.
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
