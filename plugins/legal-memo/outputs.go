package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// A proof says how far an output supports what its state records.
type proof uint8

const (
	proofUnknown proof = iota
	absent
	partial
	proven
)

func (m *model) readOutputs() {
	m.letters = sorted(gather(m.reports(), reportLetter))
	m.memo = m.docs.Get(memoPath)
	m.started = m.wholeIn(startedIn(m.memo))
	notesDoc := m.docs.Get(footnotesPath)
	m.notes = readNotes(notesDoc)
	switch m.opt.outputs {
	case "tracked":
		m.tracked = true
	case "auto":
		m.tracked = len(m.reports()) > 0 || m.docs.Get(summaryPath) != nil || notesDoc != nil || m.memo != nil ||
			m.docs.Get(registryPath) != nil || len(m.specialists()) > 0
	}
}

// reports returns the section reports, without the texts that a remedy kept beside them.
func (m *model) reports() []*sdk.Document {
	return keep(m.under(reportsDir), func(d *sdk.Document) bool {
		return strings.HasSuffix(d.Path, ".md") && !strings.Contains(d.Path, "."+overwritten)
	})
}

// reportLetter returns the letter of a report's section, or "" if its name has none.
func reportLetter(d *sdk.Document) string { return sectionLetter(baseName(d.Path)) }

// startedIn returns the letters of the sections that have a heading in a document.
func startedIn(d *sdk.Document) []string {
	if d == nil {
		return nil
	}
	return sorted(gather(d.Summary.Headings, func(h wire.HeadingLine) string { return headingLetter(h.Text) }))
}

// wholeIn removes a long memorandum's last section if it is a few lines that end within a sentence, but its report is
// long: an interrupted append is not a section.
func (m *model) wholeIn(letters []string) []string {
	long := func(d *sdk.Document) bool { return d.Summary.Lines > 100 }
	if len(letters) == 0 || !long(m.memo) {
		return letters
	}
	headings, tail := m.memo.Summary.Headings, m.memo.Summary.Tail
	last, end := headings[len(headings)-1], tail[len(tail)-1]
	if m.memo.Summary.Lines-last.Line > 5 || len(end) > 100 || !alnum(end[len(end)-1]) ||
		!slices.ContainsFunc(m.reportsOf(headingLetter(last.Text)), long) {
		return letters
	}
	return slices.DeleteFunc(letters, func(l string) bool { return l == headingLetter(last.Text) })
}

// headingLetter returns the letter of the section that a heading starts: IV.A or IV-A, after marks and optionally the
// word Section.
func headingLetter(text string) string {
	if strings.Contains(text, "....") || strings.Contains(text, "[Page ") { // a line in the table of contents
		return ""
	}
	text = trimMarks(text)
	if begins(text, "section") {
		text = trimMarks(text[len("section"):])
	}
	if begins(text, "IV.") || begins(text, "IV-") {
		return sectionLetter(text)
	}
	return ""
}

func trimMarks(s string) string {
	for s != "" && !alnum(s[0]) {
		s = s[1:]
	}
	return s
}

// cutShort reports whether the heading list is so long that it may be truncated, so that a missing section may still
// exist.
func cutShort(d *sdk.Document) bool { return d != nil && len(d.Summary.Headings) >= 500 }

// starts reports whether the memorandum has a heading for a section, or may have one after the end of the heading list.
func (m *model) starts(l string) bool { return holds(m.started, l) || cutShort(m.memo) }

func (m *model) reportsOf(l string) []*sdk.Document {
	if holds(m.letters, l) {
		return keep(m.reports(), func(d *sdk.Document) bool { return reportLetter(d) == l })
	}
	name := norm("section-IV-" + l) // for a section whose name is more than a letter
	return keep(m.under(reportsDir), func(d *sdk.Document) bool {
		return strings.HasPrefix(norm(baseName(d.Path)),
			name+"_")
	})
}

// measured reports whether a document's words were counted.
func measured(d *sdk.Document) bool {
	unfit := func(f wire.DocumentFault) bool { return f.Rule != wire.RuleSchema }
	return d != nil && !d.Dir && d.Need != sdk.Listed && !slices.ContainsFunc(d.Faults, unfit)
}

func wordCount(d *sdk.Document) float64 {
	if d == nil {
		return 0
	}
	return float64(d.Summary.Words)
}

// brokenAt returns the index of the tail line where a text is cut off, or -1 if it is not.
func brokenAt(d *sdk.Document) int {
	if d == nil {
		return -1
	}
	tail := d.Summary.Tail
	for i := max(0, len(tail)-3); i < len(tail); i++ {
		line := words.Lower(tail[i])
		if line == "..." || line == "…" || strings.HasPrefix(line, "[continue") || d.Path == summaryPath &&
			strings.Contains(line, "[tbd]") {
			return i
		}
	}
	if len(tail) > 0 && isHeading(tail[len(tail)-1]) && !words.Mentions(tail[len(tail)-1], "END OF ") {
		return len(tail) - 1
	}
	return -1
}

// unfilled reports whether a text is not cut off but has a placeholder in its last lines.
func unfilled(d *sdk.Document) bool {
	at := brokenAt(d)
	return at >= 0 && d.Path == summaryPath && strings.Contains(words.Lower(d.Summary.Tail[at]), "[tbd]")
}

// ended reports whether the memorandum ends with END OF MEMORANDUM.
func ended(d *sdk.Document) bool {
	return slices.ContainsFunc(d.Summary.Tail, func(line string) bool {
		line = words.Lower(line)
		at := strings.Index(line, "end of ")
		return at >= 0 && words.Mentions(line[at:], "memo")
	})
}

func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	n := len(line) - len(rest)
	return n >= 1 && n <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// outputs returns the existing required outputs of an agent.
func (m *model) outputs(a *agent) []*sdk.Document {
	switch {
	case a.kind == kinds[writer]:
		return m.reportsOf(a.letter)
	case a.kind.makes == "":
		return nil
	}
	if d := m.docs.Get(a.kind.makes); d != nil {
		return []*sdk.Document{d}
	}
	return nil
}

// output returns the path of an agent's required output, or "" if there is none. The rest of a report's name is
// unknown until the report exists or its state names it.
func (a *agent) output() string {
	if a.kind == kinds[writer] {
		out, _ := a.root.Get("output_file").Text()
		if at := strings.Index(out, reportsDir); at >= 0 && sectionLetter(baseName(out)) == a.letter {
			return out[at:]
		}
		return reportsDir + "section-IV-" + a.letter + "*.md"
	}
	return a.kind.makes
}

// prove determines how far an agent's outputs support what its state records.
func (m *model) prove(a *agent) proof {
	there := m.outputs(a)
	if a.output() == "" || !m.tracked || a.kind == kinds[writer] && len(m.letters) == 0 {
		return proofUnknown
	}
	best := absent
	for _, d := range there {
		best = max(best, m.proveBy(a, d))
	}
	if len(there) > 0 && best == absent || len(there) == 0 && !m.complete {
		return proofUnknown
	}
	return best
}

// proveBy evaluates one output. An unreadable output proves nothing.
func (m *model) proveBy(a *agent, d *sdk.Document) proof {
	least := 1.0
	switch a.kind {
	case kinds[risk]:
		if d.Size > 0 {
			return proven
		}
		return partial
	case kinds[facts]: // headings alone are not facts
		for i := range d.Summary.Headings {
			least += float64(1 + len(strings.Fields(d.Summary.Headings[i].Text)))
		}
	case kinds[writer], kinds[execSummary], kinds[assembly], kinds[synthesis]:
		least = m.least(a.kind)
	}
	switch {
	case !measured(d):
		return absent
	case wordCount(d) < least || a.kind.prose && brokenAt(d) >= 0:
		return partial
	case a.kind.stage == 7 && (len(m.unstarted(m.letters)) > 0 || !ended(d)):
		return partial
	}
	return proven
}

// least returns the minimum number of words in a prose output.
func (m *model) least(k *kind) float64 {
	switch k.stage {
	case 4:
		return m.opt.section
	case 7:
		return m.opt.memorandum
	}
	return m.opt.floor
}

// unstarted returns the letters of the sections that have no heading in the memorandum.
func (m *model) unstarted(letters []string) []string {
	return keep(letters, func(l string) bool { return !m.starts(l) })
}

// known reports whether any document has a base name.
func (m *model) known(name string) bool {
	return slices.ContainsFunc(m.docs.All(), func(d *sdk.Document) bool { return !d.Dir && baseName(d.Path) == name })
}

func (m *model) anyStage7() bool {
	return slices.ContainsFunc(m.agents, func(a *agent) bool { return a.kind.stage == 7 })
}

// softOutputs returns an agent's optional outputs.
func (m *model) softOutputs(a *agent) []*sdk.Document {
	if a.kind.soft == "" {
		return nil
	}
	return m.under(a.kind.soft)
}

// lastSubsection returns the index of the last subsection that a heading in a report starts, or -1 if there is none.
func lastSubsection(report *sdk.Document) int {
	if letters := lettered(report); len(letters) > 0 {
		return int(letters[len(letters)-1][0] - 'A')
	}
	return -1
}

// headed reports whether a heading in a report names a subsection, by its letter or its first word. The footnotes are
// at the end, and need no heading.
func headed(report *sdk.Document, subsection string) bool {
	mark, name, _ := strings.Cut(norm(subsection), "_")
	word, _, _ := strings.Cut(name, "_")
	named := func(h wire.HeadingLine) bool { return words.Mentions(h.Text, word) }
	return mark == "f" || holds(lettered(report), upper(mark)) ||
		slices.ContainsFunc(report.Summary.Headings, named)
}

// lettered returns the letters of the subsections that headings in a report start.
func lettered(report *sdk.Document) []string {
	return sorted(gather(report.Summary.Headings, func(h wire.HeadingLine) string {
		if t := trimMarks(h.Text); len(t) > 1 && t[0] >= 'A' && t[0] <= 'F' && strings.IndexByte(".:)", t[1]) >= 0 {
			return t[:1]
		}
		return ""
	}))
}

// sectionLetter returns the section letter in a name: A in IV-A, section_IV_A and "IV.A - Title". It returns "" if
// there is none.
func sectionLetter(s string) string {
	l, _ := nextLetter(s)
	return l
}

// sectionLetters returns the letters of all sections that a text names.
func sectionLetters(s string) (letters []string) {
	for l, rest := nextLetter(s); l != ""; l, rest = nextLetter(rest) {
		letters = append(letters, l)
	}
	return letters
}

// sectionNames returns the names of sections with the given letters.
func sectionNames(letters []string) []string {
	return gather(letters, func(l string) string { return "IV-" + l })
}

func nextLetter(s string) (l, rest string) {
	for i := 0; i+2 < len(s); i++ {
		if s[i]|32 != 'i' || s[i+1]|32 != 'v' || i > 0 && alnum(s[i-1]) {
			continue
		}
		at := i + 2
		if strings.IndexByte("-._ ", s[at]) >= 0 {
			at++
		}
		_, rest := leading(s[at:])
		end := len(s) - len(rest)
		if end == at && rest != "" && letter(rest[0]) {
			end = at + 1
		}
		if end > at && (end == len(s) || !alnum(s[end])) {
			return upper(s[at:end]), s[end:]
		}
	}
	return "", ""
}
