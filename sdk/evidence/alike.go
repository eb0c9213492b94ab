package evidence

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// empty lists words that say nothing about a task's subject.
var empty = words.ListOf("implement", "create", "build", "write", "generate", "scaffold", "add", "update", "make",
	"define", "test", "tests", "testing", "unit", "integration", "with", "from", "into", "that", "this", "when", "each",
	"their", "support", "depends", "task", "file", "files", "code", "json", "yaml", "java", "html", "criar", "crie",
	"crear", "créer", "erstelle", "создать")

// Alike reports whether two texts have the same subject: they share a significant word, which may be part of a
// path. In scripts without spaces, two shared characters are enough.
func Alike(a, b string) bool {
	list := telling(a)
	return slices.ContainsFunc(telling(b), func(word string) bool { return slices.Contains(list, word) })
}

func telling(text string) (list []string) {
	for _, word := range strings.FieldsFunc(words.Lower(text), func(c rune) bool {
		return c < 0x80 && !words.IsWord(byte(c)) || c == '_'
	}) {
		switch runes := []rune(word); {
		case runes[0] >= 0x3000:
			for i := range len(runes) - 1 {
				list = append(list, string(runes[i:i+2]))
			}
		case len(runes) > 3 && !empty.Has(word) && strings.Trim(word[1:], "0123456789") != "": // not an id such as T012
			list = append(list, word)
		}
	}
	return list
}
