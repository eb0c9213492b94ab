package evidence

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// PathOf returns the path of the file that a word names, or "" if there is none or it is ambiguous. The path must have
// a directory and an extension, and must not be a pattern such as src/*.go or specs/NNN-name.md. PathOf cuts off a line
// number, a symbol or a heading after the path.
func PathOf(word string) string {
	if strings.IndexByte(word, '/') < 0 {
		return ""
	}
	word = words.TrimRight(words.Trim(word, "*_~"), ".:!?")
	if cut := strings.IndexAny(word, ":#"); cut > 0 {
		word = word[:cut]
	}
	word = strings.TrimPrefix(word, "./")
	cut := strings.LastIndexByte(word, '/')
	ext := Extension(word[cut+1:])
	if cut < 1 || ext == "" || isPattern(word) || strings.HasPrefix(word, "path/to/") {
		return ""
	}
	for rest, more := word[:cut], true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		// "a.ts/b.ts" is two files; "example.com/x.html" is an address
		if e := Extension(part); part == "" || e != "" && (e == ext || len(e) <= 3) {
			return ""
		}
	}
	return word
}

// Dirs lists the first two directories that a text names with a slash inside, such as packages/core. Each gets a
// trailing slash. The paths in the text may be relative to them.
func Dirs(text string) (list []string) {
	const most = 2
	for _, word := range strings.FieldsFunc(text, Separates) {
		dir := strings.TrimRight(strings.Trim(word, "*_:"), "./") + "/"
		if strings.IndexByte(dir, '/') < len(dir)-1 && PathOf(dir+"a.dir") != "" && len(list) < most {
			list = append(list, strings.TrimPrefix(dir, "./"))
		}
	}
	return list
}

// isPattern reports whether a path stands for other paths, or for one that does not have a name yet.
func isPattern(path string) bool {
	for i := range len(path) {
		switch c := path[i]; c {
		case '*', '{', '}', '<', '>', '[', ']', '$', '@', '?', '=', '&', '%', '!', '\\', '^', '+', '~':
			return true
		case '.':
			if i > 0 && path[i-1] == '.' {
				return true
			}
		case 'x', 'X':
			if i > 1 && path[i-1]|0x20 == 'x' && path[i-2]|0x20 == 'x' {
				return true
			}
		case 'N':
			if i > 1 && path[i-2:i] == "NN" {
				return true
			}
		case 'Y':
			if i > 2 && path[i-3:i] == "YYY" {
				return true
			}
		default:
			if c >= 0x80 {
				return true
			}
		}
	}
	return false
}

// Extension returns the part of a name after the last dot, or "" if that is not an extension. An extension is a
// lowercase letter followed by at most six letters or digits.
func Extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || len(name)-i-1 > 7 || i+1 == len(name) || name[i+1] < 'a' || name[i+1] > 'z' {
		return ""
	}
	for j := i + 1; j < len(name); j++ {
		if c := name[j]; !words.IsWord(c) || c == '_' || c >= 0x80 {
			return ""
		}
	}
	return name[i+1:]
}

// Dir returns a path's directory with its trailing slash, or "" for a file at the top.
func Dir(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// Name returns the part of a path after the last slash.
func Name(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// first returns the first directory of a path, with its trailing slash.
func first(path string) string { return path[:strings.IndexByte(path, '/')+1] }
