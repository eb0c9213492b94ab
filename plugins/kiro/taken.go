package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// What says in a line that it takes a file away, and what comes between that word and the file.
var (
	taking = append(removal[:len(removal):len(removal)], "move", "drop", "replac", "merge", "merging", "split",
		"convert", "combin", "fold", "inlin", "supersed", "retir", "relocat", "discard", "替换", "合并", "統合", "置き換え",
		"замен", "объедин")
	beside = []string{"a", "an", "the", "old", "file", "files", "module", "model", "and", "&", "directory", "folder",
		"whole", "entire", "temporary", "obsolete", "legacy"}
	// the new place follows
	behind = []string{"to", "into", "as", "with", "by", "→", "->", "=>", "⇒", "на", "в", "a", "para", "por", "nach",
		"durch", "vers", "par"}
)

// taken finds another ticked task that takes away a file of a task, and reports whether it surely does: it was ticked
// since the base, too, and its words act on the file itself and not on something in it.
func (m *model) taken(t *task, path string) (by *task, sure bool) {
	for _, other := range m.tasks {
		if other == t || !other.Ticked {
			continue
		}
		named, direct := takes(other.Body(m.list), path, has(other.Text, taking))
		if !named {
			continue
		}
		was := m.before(other)
		if by = other; direct && (was == nil || !was.Ticked) {
			return by, true
		}
	}
	return by, false
}

// takes reports whether the text of a task says that it takes a file away, and whether the file itself is meant.
func takes(text, path string, titled bool) (named, direct bool) {
	for line := range strings.Lines(text) {
		if !titled && !has(line, taking) {
			continue
		}
		tokens := strings.FieldsFunc(line, func(c rune) bool {
			return c <= ' ' || strings.ContainsRune("`\"'()（）,;，、。；：「」『』=|", c)
		})
		last := ""
		for i, word := range tokens {
			lower := words.Lower(strings.Trim(word, "*_:"))
			if !names(word, path) {
				// no file
				if strings.IndexByte(strings.Trim(word, "*_.:"), '.') < 0 && !slices.Contains(beside, lower) {
					last = lower
				}
				continue
			}
			if slices.Contains(behind, last) || i > 0 && strings.HasSuffix(tokens[i-1], "为") {
				continue
			}
			named = true
			direct = direct || has(last, taking) || strings.Trim(last, "-+*[x].0123456789") == "" || last[0] >= 0x80 ||
				i+1 < len(tokens) && tokens[i+1][0] >= 0x80
		}
	}
	return named, direct
}

// names reports whether a word of a task means a path: all of it, its end, or a directory that holds it.
func names(word, path string) bool {
	word = strings.TrimPrefix(strings.TrimRight(strings.Trim(word, "*_"), ".:!?/"), "./")
	if word == path {
		return true
	}
	if strings.Contains(word, "/") && strings.HasPrefix(path, word+"/") {
		return true
	}
	return strings.Contains(word, ".") && strings.HasSuffix(path, "/"+word)
}
