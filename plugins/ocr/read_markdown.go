package ocr

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// A Mention is text in a document, with its location.
type Mention struct {
	Text string // as displayed, trimmed; "" if there is none
	At   sdk.Range
}

// OK reports whether the document contains the text.
func (m Mention) OK() bool { return m.At.Path != "" }

// paired returns a Mention of the value of a pair.
func paired(d *sdk.Document, pair *markdown.Pair) Mention {
	return Mention{strings.Join(pair.Texts(), " "), sdk.AtBytes(d.Path, pair.Start, pair.End)}
}

// hasGuidance looks for the Tech Lead's guidance, under a heading or after its label. The document may lack its text.
func hasGuidance(d *sdk.Document) bool {
	if d.Need != sdk.Content {
		return slices.ContainsFunc(d.Summary.Headings, func(h wire.HeadingLine) bool { return isGuidance(h.Text) })
	}
	outline := d.Outline()
	for _, h := range outline.Headings() {
		if isGuidance(h.Text()) && slices.ContainsFunc(h.Section().Meaning(), isText) {
			return true
		}
	}
	lines := append(outline.Document().Meaning(), "")
	for i, line := range lines[:len(lines)-1] {
		name, text, ok := cutName(line)
		if len(name) < 50 && !strings.HasPrefix(line, "#") && isGuidance(name) && (isText(text) ||
			strings.Trim(text, "*_ ") == "" && (ok || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "**")) &&
				isText(lines[i+1])) {
			return true
		}
	}
	return false
}

// cutName splits a line after its leading name: at a colon, a dash or a cell border.
func cutName(line string) (name, text string, ok bool) {
	name = line
	for _, mark := range [...]string{":", " | ", " — ", " – ", " - "} {
		if before, after, found := strings.Cut(line, mark); found && len(before) < len(name) {
			name, text, ok = before, after, true
		}
	}
	return name, text, ok
}

func isGuidance(name string) bool {
	return words.Mentions(name, "tech lead", "tech-lead", "techlead", "guidance", "review focus", "focus area",
		"hinweise", "leitlinien", "vorgaben", "technische leitung", "technischen leitung", "orientations", "consignes",
		"directives",
		"lead technique", "pautas", "orientaciones", "líder técnico", "テックリード", "指針", "技术负责人", "指导", "техлид")
}

// isText reports whether a line says something and is neither a heading nor a placeholder.
func isText(line string) bool {
	line = strings.Trim(line, "|-*_ ")
	return !strings.HasPrefix(line, "#") && words.Real(line) && tells(line)
}

// bare reports whether a document has words but no content. Long documents always have content.
func bare(d *sdk.Document) bool {
	if !readable(d) || d.Summary.Words == 0 || d.Summary.Words > 200 {
		return false
	}
	table := false
	for _, line := range d.Outline().Document().Meaning() {
		head := !table && strings.HasPrefix(line, "|") // the column names
		if table = strings.HasPrefix(line, "|"); !head && tells(line) || head && knownVerdict(line) != "" {
			return false
		}
	}
	return !slices.ContainsFunc(d.Outline().FrontMatter(),
		func(f markdown.Field) bool { return tells(f.Key() + ": " + f.Text()) })
}

// said names what a bare document contains.
func said(d *sdk.Document) string {
	lines := d.Outline().Document().Meaning()
	labeled := func(line string) bool {
		_, value, ok := strings.Cut(line, ":")
		value = strings.Trim(value, "*_ ")
		return ok && value != "" && !isPlaceholder(value) && !unwritten(value)
	}
	switch {
	case slices.ContainsFunc(lines, labeled):
		return "headings and labels"
	case slices.ContainsFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "#") }):
		return "headings and placeholders"
	case len(lines) == 0:
		return "comments"
	}
	return "headings"
}

// tells reports whether a line or heading says more than what belongs there, or whose document it is.
func tells(line string) bool {
	text := strings.Trim(line, "#|-*_> ")
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && strings.Contains(text, " ") {
		return false
	}
	text = strings.Trim(text, "[]()*_ ")
	if strings.HasPrefix(line, "#") {
		return knownVerdict(text) != "" || !words.Real(unmarked(text)) || beginsWith(unmarked(text), "No ")
	}
	if name, value, ok := strings.Cut(text, ":"); ok && !unwritten(text) {
		name = words.Fold(name)
		if strings.Contains(" session round run date mode reviewer reviewers generated author ", " "+name+" ") ||
			name == "status" && !finds(value) {
			return false
		}
		text = value
	}
	text = strings.Trim(text, "|[]()*_ ")
	return strings.ContainsFunc(text, unicode.IsLetter) && !isPlaceholder(text) && !unwritten(text)
}

// finds reports whether the value of Status is a finding or a verdict, rather than the progress of the document.
func finds(status string) bool {
	status = strings.Trim(status, "*_ ")
	return knownVerdict(status) != "" || len(strings.Fields(status)) > 2 && !unwritten(status) &&
		!beginsWith(status, "in progress", "ongoing", "started", "draft")
}

// unwritten reports whether text only says that something is still to be written.
func unwritten(text string) bool {
	first := words.First(text)
	rest := text[len(first):]
	switch words.Fold(first) {
	case "todo", "tbd", "fixme", "wip", "xxx", "placeholder", "pending", "draft", "stub":
		return rest == "" || rest[0] != ' ' ||
			len(strings.Fields(rest)) < 4 // but not "TODO comments must have an owner"
	}
	return beginsWith(text, "to be ", "not written", "not yet written", "not started", "coming soon",
		"work in progress")
}

// beginsWith reports whether text begins with one of the words, ignoring case.
func beginsWith(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return len(text) >= len(w) &&
			strings.EqualFold(text[:len(w)], w)
	})
}

// keyed returns the value of a key in any form: front matter, text after a colon, a two-column table or its header, or
// a heading.
func keyed(d *sdk.Document, keys ...string) Mention {
	o := d.Outline()
	if field := o.FrontMatterField(keys...); field.OK() {
		return Mention{field.Text(), at(d, field.Part)}
	}
	if pair := markdown.PairAmong(o.Document().Pairs(), keys...); pair != nil {
		return paired(d, pair)
	}
	for _, t := range o.Tables() {
		if t.Column(keys...) == 0 && len(t.Columns()) == 2 {
			return Mention{t.Columns()[1], at(d, t.Header().Part)}
		}
	}
	for _, h := range o.Headings() {
		name, text, ok := strings.Cut(h.Text(), ":")
		if lines := h.Body().Meaning(); !ok && len(lines) > 0 {
			text = lines[0]
		}
		if text != "" && markdown.PairAmong([]markdown.Pair{markdown.PairOf(name, h.Part)}, keys...) != nil {
			return Mention{strings.TrimSpace(text), at(d, h.Part)}
		}
	}
	return Mention{}
}

// SessionOf returns the session that a document names as its own, or "" if there is none. For a path it returns the
// last element. Text that does not begin with a date is a session only if nothing follows it.
func SessionOf(f File) Mention {
	if !readable(f.Doc) {
		return Mention{}
	}
	session := keyed(f.Doc, "Session", "Session ID")
	text, _, _ := strings.Cut(session.Text, "|")
	first, _, more := strings.Cut(strings.Trim(text, " \t`\"'“”/"), " ")
	_, name := cutLast(strings.Trim(first, "`\"'“”,;/"), "/")
	if _, dated := sessionDate(name); more && !dated {
		name = ""
	}
	return Mention{name, session.At}
}

// at returns the location of a part, or of its line if it has no bytes.
func at(d *sdk.Document, p markdown.Part) sdk.Range {
	if p.End() > p.Start() {
		return sdk.AtBytes(d.Path, p.Start(), p.End())
	}
	if p.Line() > 0 {
		return sdk.AtLine(d.Path, p.Line())
	}
	return sdk.At(d.Path)
}

// ListedFiles are the paths of the canonical list in topology.md: one per line
// of a fenced block below its heading, or per item or row there.
func (s *Subject) ListedFiles() []string {
	outline := s.TOP.Doc.Outline()
	h := outline.FindFunc(func(h markdown.Heading) bool {
		return strings.Contains(strings.ToLower(h.Text()), "canonical file list")
	})
	if !h.OK() {
		return nil
	}
	var list []string
	add := func(line string) {
		if path := listedPath(line); path != "" && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	section := h.Section()
	if fence := section.Fence(); fence.OK() {
		for line := range strings.Lines(fence.Text()) {
			add(line)
		}
		return list
	}
	for _, item := range section.Items() {
		if text := item.Own().Text(); strings.ContainsAny(listedPath(text), "/.") {
			add(text)
		}
	}
	for _, table := range section.Tables() {
		if column := table.Column("File", "Path", "Files"); column >= 0 {
			for _, row := range table.Rows() {
				add(row.Cell(column).Text())
			}
		}
	}
	return list
}

// listedPath is the path that a line of a list of changed files names, or "" if it names none: without the marks of a
// list, the letters of git's --name-status, the counts of its --stat, and what a renamed file was called before.
func listedPath(line string) string {
	line = strings.TrimSpace(line)
	line = strings.TrimSpace(strings.TrimLeft(line, "-*•")) // a path does not begin with a hyphen
	for _, box := range [...]string{"[ ]", "[x]", "[X]"} {
		line = strings.TrimSpace(strings.TrimPrefix(line, box))
	}
	if number := strings.TrimLeft(line, "0123456789"); number != line &&
		(strings.HasPrefix(number, ". ") || strings.HasPrefix(number, ") ")) {
		line = number[2:]
	}
	if first, rest, ok := strings.Cut(strings.ReplaceAll(line, "\t", " "), " "); ok && isChange(first) {
		line = strings.TrimSpace(rest)
		if strings.Contains(line, " ") && strings.ContainsAny(first, "RC") && !strings.Contains(line, ">") {
			line = line[strings.LastIndexByte(line, ' ')+1:]
		}
	}
	for _, end := range [...]string{" | ", " (", " — ", " – ", " - ", " # ", ": "} {
		if path, _, ok := strings.Cut(line, end); ok && strings.ContainsAny(path, "/.") {
			line = path
		}
	}
	if path, counts, ok := strings.Cut(line, " +"); ok && strings.Trim(counts, "0123456789 -/") == "" {
		line = path
	}
	for _, arrow := range [...]string{" -> ", " => ", " → "} {
		if _, now, renamed := strings.Cut(line, arrow); renamed {
			line = now
		}
	}
	line = strings.TrimPrefix(strings.Trim(line, " `*"), "./")
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.Contains(line, " ") &&
		!strings.Contains(line, "/") || strings.HasSuffix(line, "}") {
		return "" // a comment, a sentence, or a rename of a directory
	}
	return line
}

// isChange reports whether a word is a git status: M, A, D, R100, ??, MM.
func isChange(word string) bool {
	word = strings.TrimRight(word, "0123456789")
	return len(word) > 0 && len(word) <= 2 && strings.Trim(word, "MADRCTU?!") == ""
}

// LeftOut returns the files in topology.md that map.md never mentions, neither as a path nor as a name with its
// directories, because a map may group files by directory.
func (s *Subject) LeftOut() []string {
	has := func(path string) bool { return mentions(s.Result.Doc.Text, path) }
	return slices.DeleteFunc(s.ListedFiles(), func(path string) bool {
		dir, name := cutLast(path, "/")
		other := func(part string) bool { return !has(part) && !has(part+"/") }
		return has(path) || dir != "" && has(name) &&
			(!other(dir) || !slices.ContainsFunc(strings.Split(dir, "/"), other))
	})
}

// mentions reports whether a path occurs in text as a whole token, not as part of a longer path or word. A period that
// ends a sentence is not part of the token.
func mentions(text, path string) bool {
	return occurs(text, path, func(before, after string) bool {
		for strings.HasSuffix(before, "./") {
			before = before[:len(before)-2]
		}
		rest, stop := strings.CutPrefix(after, ".")
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(rest)
		return !isPathRune(last) && last != '.' && !isPathRune(next) && !(stop && next == '.')
	})
}

func isPathRune(r rune) bool {
	return r == '/' || r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
