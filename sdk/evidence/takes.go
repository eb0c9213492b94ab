package evidence

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// A Taking says what a text does to a file that another text creates.
type Taking uint8

const (
	Kept      Taking = iota
	Touched          // it removes something from the file: "Remove logging from src/a.py"
	TakenAway        // it removes the file: "Rename src/a.py to src/b.py" does so to src/a.py
)

// Takes returns what a text does to the file at a path, or to a directory that contains it. The text may name only
// the end of the path: models/album.py. The target of a move, such as src/b.py above, is Kept.
func Takes(text, path string) (is Taking) {
	path = words.Lower(path)
	titled, begin := false, true
	for line := range strings.Lines(text) {
		line = words.Lower(line)
		taking := hasTaker(line)
		if titled = titled || begin && taking; titled || taking {
			tokens := strings.FieldsFunc(line, Separates)
			for i, token := range tokens {
				if names(token, path) {
					is = max(is, takenBy(tokens[:i], tokens[i+1:], !begin))
				}
			}
		}
		begin = false
	}
	return is
}

// names reports whether a word refers to a path: the whole path, its end, or a directory that contains it.
func names(word, path string) bool {
	word = strings.TrimPrefix(words.TrimRight(words.Trim(word, "*_~"), ".:!?"), "./")
	if cut := strings.IndexAny(word, ":#"); cut > 0 {
		word = word[:cut]
	}
	dir := strings.TrimSuffix(word, "/")
	return word == path || strings.Contains(word, "/") && dir != "" && strings.HasPrefix(path, dir+"/") ||
		strings.Contains(word, ".") && strings.HasSuffix(path, "/"+word)
}

// hasTaker reports whether a text contains a word for removing, ignoring words in paths.
func hasTaker(text string) bool {
	if takersWide.Index(text) >= 0 {
		return true
	}
	for token := range strings.FieldsSeq(text) {
		if strings.IndexByte(token, '/') < 0 && takers.Begin(strings.TrimLeft(token, "([*_~\"'`（")) {
			return true
		}
	}
	return false
}

// takenBy returns what the words around a path do to it. listed means that the line is in a list whose title
// removes its items.
func takenBy(before, behind []string, listed bool) Taking {
	if len(behind) > 0 && takersWide.Begin(strings.TrimPrefix(behind[0], "を")) {
		return TakenAway
	}
	others := 0
	for i := len(before) - 1; i >= 0 && others < 4; i-- {
		switch word := strings.Trim(before[i], "([*_~\"'`,:-+"); {
		case word == "", word == "a", besides.Has(word), strings.ContainsAny(word, "/."):
			// the file is one of several
		case word == "from" && hasMover(before):
		case targets.Has(word):
			if others == 0 {
				return Kept
			}
			return Touched
		case positions.Has(word):
			return Touched
		case takers.Begin(word), takersWide.Index(word) >= 0:
			return TakenAway
		default:
			listed = false
			others++
		}
	}
	if listed && others == 0 {
		return TakenAway
	}
	return Touched
}

func hasMover(tokens []string) bool {
	return slices.ContainsFunc(tokens, movers.Begin)
}
