package tasks

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A Wreck is a line that looks like a task, but whose checkbox is broken or missing.
type Wreck struct {
	Line   int
	Indent int
	Mark   string // the text in place of the box; "" if there is none
	Text   string // the text after Mark, as rendered
	Part   bool   // Mark is a damaged box, not a sign or word in place of one
	Hidden bool   // Mark looks like a box, but contains an invisible character
	ID     string // the id that Text begins with
	Was    *Task  // the base task with this id or text, or nil
}

// Broken lists the lines that begin like tasks but have a damaged box, or a sign or word in place of one:
// "- [ 2. NAME", "- [x 2. NAME", "-[x] T002", "- ☐ 2. NAME", "- [done] 2. NAME", "[ ] 2. NAME". A line with nothing
// in place of a box counts only if it has an id. Broken skips lines whose id or text belongs to a task in now.
func Broken(text string, f *Form, now, was []*Task) (list []Wreck) {
	var here, then indexed
	fenced, hidden, n := false, false, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimLeftFunc(line, unseen)
		switch {
		case bare == "":
			continue
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			fenced = !fenced
			continue
		case hidden, strings.HasPrefix(bare, "<!--"):
			hidden = !strings.Contains(bare, "-->")
			continue
		case fenced, strings.IndexByte("-*+[", bare[0]) < 0:
			continue
		}
		before := words.TrimLeft(line[:len(line)-len(bare)], " \t")
		w, ok := f.wreckOf(before, bare)
		if !ok || w.Mark == "" && f.idOf(w.Text) == "" {
			continue
		}
		if w.Text = markdown.Plain(strings.TrimSpace(w.Text)); w.Text == "" {
			continue
		}
		w.Line, w.Indent, w.ID = n, len(line)-len(bare), f.idOf(w.Text)
		if here == nil {
			here, then = index(now), index(was)
		}
		if here.find(w) == nil {
			w.Was = then.find(w)
			list = append(list, w)
		}
	}
	return list
}

// Wrecks maps each base task whose box is broken now to its present line. It omits lines with nothing in place of a
// box.
func Wrecks(text string, f *Form, now, was []*Task) map[*Task]Wreck {
	list := map[*Task]Wreck{}
	for _, w := range Broken(text, f, now, was) {
		if w.Was != nil && w.Mark != "" {
			list[w.Was] = w
		}
	}
	return list
}

// idOf returns the id that a text begins with, or "".
func (f *Form) idOf(text string) (id string) {
	id, _, _ = f.identify(text)
	return id
}

// An indexed map finds tasks by id and by text.
type indexed map[string]*Task

func index(list []*Task) indexed {
	by := make(indexed, 2*len(list))
	for _, t := range list {
		for _, key := range [...]string{t.ID, "\n" + t.Folded()} {
			if by[key] == nil && key != "" {
				by[key] = t
			}
		}
	}
	return by
}

func (by indexed) find(w Wreck) *Task {
	if t := by["\n"+fold(w.Text)]; t != nil || w.ID == "" {
		return t
	}
	return by[w.ID]
}

// signs are characters that people use in place of a box.
var signs = []string{"☐", "☑", "☒", "✅", "✔", "✓", "✗", "⬜", "🔲", "◻", "□", "■", "❌"}

// marks are the marks that people put in brackets or parentheses instead of x.
const marks = " v V √ ✓ ✔ ✅ o O y Y ok OK todo TODO "

// wreckOf splits a line that begins with a bullet or a bracket into the text in place of its box and the rest. It
// reports false for a line with a valid box and for a line that does not resemble a task. before is the invisible text
// in front of the line, which keeps Markdown from recognizing the bullet.
func (f *Form) wreckOf(before, line string) (w Wreck, ok bool) {
	listed := line[0] != '['
	rest := line
	if listed {
		rest = words.TrimLeft(line[1:], " \t")
	}
	glued := listed && len(rest) == len(line)-1
	if glued {
		before += line[:1]
	}
	shown := strings.TrimLeftFunc(rest, unseen)
	before, rest = before+rest[:len(rest)-len(shown)], shown
	if rest == "" || strings.HasPrefix(words.TrimLeft(rest, " *_"), "~~") { // struck through, including its box
		return w, false
	}
	if _, _, ok := f.cutBox(rest); ok && listed && before == "" {
		return w, false
	}
	for _, sign := range signs {
		if after, ok := strings.CutPrefix(rest, sign); ok {
			return Wreck{Mark: sign, Text: strings.TrimPrefix(after, "\ufe0f")}, listed
		}
	}
	if rest[0] == '[' { // "[ T002 NAME", "[T002] NAME"
		if inside := strings.TrimLeft(rest[1:], " xX"); f.idOf(inside) != "" {
			return Wreck{Mark: strings.TrimSpace(rest[:len(rest)-len(inside)]), Text: inside, Part: true}, listed
		}
	}
	if w, ok, decided := bracketed(before, rest, listed); decided {
		return w, ok
	}
	if !listed || glued {
		return w, false
	}
	if word, after, ok := strings.Cut(rest, " "); ok && isResidue(word) {
		return Wreck{Mark: word, Text: after, Part: true}, true
	}
	return Wreck{Text: rest}, true
}

// bracketed parses brackets or parentheses in place of a box: "-[x] A", "- ( ) A", "- [done] A", "[ ] A".
func bracketed(before, rest string, listed bool) (w Wreck, ok, decided bool) {
	if rest[0] != '[' && rest[0] != '(' {
		return w, false, false
	}
	end := strings.IndexByte(rest, "])"[strings.IndexByte("[(", rest[0])])
	if end < 0 || end > 12 || end+1 == len(rest) || rest[end+1] != ' ' && rest[end+1] != '*' {
		return w, false, false
	}
	inner := strings.TrimSpace(visible(rest[1:end]))
	empty := inner == "" || inner == "x" || inner == "X"
	word := status.IsComplete(words.Lower(inner)) || inner != "" && strings.Contains(marks, " "+inner+" ")
	if rest[0] == '(' && (!listed || !empty && !word && utf8.RuneCountInString(inner) != 1) {
		return w, false, true
	}
	w = Wreck{Mark: before + rest[:end+1], Text: rest[end+1:], Part: empty}
	w.Hidden = empty && w.Mark != visible(w.Mark)
	return w, true, true
}

// visible returns a text without its invisible characters.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, text)
}

// invisible reports whether a character shows nothing, so that brackets around it look like an open box. A blank is
// not invisible in this sense. The function does not use the Unicode tables, which would make a guest too large.
func invisible(r rune) bool {
	switch r {
	case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return r < ' ' && r != '\t' || 0x7f <= r && r < 0xa0 && r != 0x85 || 0x180b <= r && r <= 0x180f ||
		0x200b <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e || 0x2060 <= r && r <= 0x206f ||
		0xfe00 <= r && r <= 0xfe0f || 0xfff9 <= r && r <= 0xfffb || 0xe0000 <= r && r <= 0xe0fff
}

func unseen(r rune) bool { return r == ' ' || r == '\t' || r == '\u00a0' || invisible(r) }

// isResidue reports whether a word is the rest of a box rather than a bullet, number or sign that people put in
// front of a title.
func isResidue(word string) bool {
	if strings.Trim(word, "-*+#>~_.:") == "" {
		return false
	}
	for i := range len(word) {
		if words.IsWord(word[i]) && word[i]|0x20 != 'x' {
			return false
		}
	}
	return true
}
