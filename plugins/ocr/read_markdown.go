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

// hasGuidance looks for the Tech Lead's guidance, under a heading or after its label. If the document's text was not
// read, the heading is enough.
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

// tells reports whether a line has content. Placeholders, ordinary headings, and lines that only identify the
// document, such as "Reviewer: principal-1", have none.
func tells(line string) bool {
	text := strings.Trim(line, "#|-*_> ")
	if strings.HasPrefix(text, "[") && strings.IndexByte(text, ']') == len(text)-1 && strings.Contains(text, " ") {
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
		if value == "" || !words.IsWord(value[0]) { // not the colon in "src/auth.ts:42"
			text = value
		}
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

// keyed returns the value of a key: in the front matter, in text after a colon, or under a heading.
func keyed(d *sdk.Document, keys ...string) Mention {
	o := d.Outline()
	if field := o.FrontMatterField(keys...); field.OK() {
		return Mention{field.Text(), at(d, field.Part)}
	}
	if pair := markdown.PairAmong(o.Document().Pairs(), keys...); pair != nil {
		return paired(d, pair)
	}
	h := o.Find(keys...)
	if lines := h.Body().Meaning(); len(lines) > 0 {
		return Mention{lines[0], at(d, h.Part)}
	}
	return Mention{}
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

// ListedFiles returns the paths in topology.md's canonical file list, which is the output of git diff --name-only in a
// fenced block under a heading. It omits lines that contain more than a path.
func (s *Subject) ListedFiles() (list []string) {
	h := s.TOP.Doc.Outline().FindFunc(func(h markdown.Heading) bool {
		return strings.Contains(strings.ToLower(h.Text()), "canonical file list")
	})
	if !h.OK() || !h.Section().Fence().OK() {
		return nil
	}
	for line := range strings.Lines(h.Section().Fence().Text()) {
		path := strings.TrimPrefix(strings.TrimSpace(line), "./")
		if strings.ContainsAny(path, "/.") && !strings.ContainsAny(path, " \t#") && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	return list
}

// LeftOut returns the files in topology.md that map.md never mentions. A map mentions a file by its path, or by its
// name and its directories, because it may group files by directory.
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
