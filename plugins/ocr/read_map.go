package ocr

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// ListedFiles are the paths of the canonical list in topology.md: one per line
// of the first fenced block after its heading.
func (s *Subject) ListedFiles() []string {
	if !s.TOP.Filled() || s.TOP.Doc.Need != sdk.Content {
		return nil
	}
	outline := s.TOP.Doc.Outline()
	h := outline.FindFunc(func(h markdown.Heading) bool {
		return strings.Contains(strings.ToLower(h.Text()), "canonical file list")
	})
	if !h.OK() {
		return nil
	}
	for _, fence := range outline.Document().Fences() {
		if fence.Start() > h.Start() {
			return nonBlank(fence.Text())
		}
	}
	return nil
}

func nonBlank(text string) []string {
	var list []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// LeftOut returns the files of topology.md that map.md never mentions. It is
// empty if either came without its text.
func (s *Subject) LeftOut() []string {
	if !s.MAP.Filled() || s.MAP.Doc.Need != sdk.Content {
		return nil
	}
	var missing []string
	for _, path := range s.ListedFiles() {
		if !mentions(s.MAP.Doc.Text, path) {
			missing = append(missing, path)
		}
	}
	return missing
}

// mentions reports whether a path occurs in text as a whole token: not as a
// part of a longer path or word.
func mentions(text, path string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], path)
		if i < 0 {
			return false
		}
		i += from
		if opens(text[:i]) && closes(text[i+len(path):]) {
			return true
		}
		from = i + 1
	}
}

// opens reports whether a token may begin behind text.
func opens(text string) bool {
	if strings.HasSuffix(text, "./") {
		return opens(text[:len(text)-2])
	}
	r, _ := utf8.DecodeLastRuneInString(text)
	return text == "" || !isPathRune(r) && r != '.'
}

// closes reports whether a token may end before text. A full stop that ends a
// sentence does not belong to the path.
func closes(text string) bool {
	if rest, ok := strings.CutPrefix(text, "."); ok {
		r, _ := utf8.DecodeRuneInString(rest)
		return rest == "" || !isPathRune(r) && r != '.'
	}
	r, _ := utf8.DecodeRuneInString(text)
	return text == "" || !isPathRune(r)
}

func isPathRune(r rune) bool {
	return r == '/' || r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
