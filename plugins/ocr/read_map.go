package ocr

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
)

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

// listedPath is the path that a line of a list of changed files names, "" if it names none: without the marks of a list, the
// letters of git's --name-status, the counts of its --stat, and what a renamed file was called before.
func listedPath(line string) string {
	line = strings.TrimSpace(line)
	line = strings.TrimSpace(strings.TrimLeft(line, "-*•")) // a path does not begin with a hyphen
	for _, box := range [...]string{"[ ]", "[x]", "[X]"} {
		line = strings.TrimSpace(strings.TrimPrefix(line, box))
	}
	if number := strings.TrimLeft(line, "0123456789"); number != line && (strings.HasPrefix(number, ". ") || strings.HasPrefix(number, ") ")) {
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
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.Contains(line, " ") && !strings.Contains(line, "/") || strings.HasSuffix(line, "}") {
		return "" // a comment, a sentence, or a rename of a directory
	}
	return line
}

// isChange reports whether a word is a status of git: M, A, D, R100, ??, MM.
func isChange(word string) bool {
	word = strings.TrimRight(word, "0123456789")
	return len(word) > 0 && len(word) <= 2 && strings.Trim(word, "MADRCTU?!") == ""
}

// LeftOut returns the files of topology.md that map.md never mentions: not as a path, nor, since a map may group files by
// directory, by name and directories.
func (s *Subject) LeftOut() []string {
	has := func(path string) bool { return mentions(s.Result.Doc.Text, path) }
	return slices.DeleteFunc(s.ListedFiles(), func(path string) bool {
		dir, name := cutLast(path, "/")
		other := func(part string) bool { return !has(part) && !has(part+"/") }
		return has(path) || dir != "" && has(name) && (!other(dir) || !slices.ContainsFunc(strings.Split(dir, "/"), other))
	})
}

// mentions reports whether a path occurs in text as a whole token: not as a
// part of a longer path or word. A full stop that ends a sentence does not belong to it.
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
