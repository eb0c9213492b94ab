package evidence

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// A Use is how a text uses a file that it names.
type Use uint8

const (
	Mentioned Use = iota // any other use: "Follow src/a.ts"
	Changed              // "Update src/a.ts", "Fix the parser in src/a.ts"
	MadeIn               // something is created in it: "Create a class in src/a.ts"
	Made                 // "Create src/a.ts", "src/a.ts (new)"
	Written              // a program writes it when it runs: "a script that writes its results to data/a.csv"
)

// A File is a file that a text names.
type File struct {
	Path string
	Use  Use
	// The path begins with a slash, so it may be an address: /src/a.ts is a file only if src exists, and /api/a.ts
	// is usually not a file.
	Rooted bool
}

// IsMade reports whether the text says that the file, or something in it, is created.
func (f *File) IsMade() bool { return f.Use == Made || f.Use == MadeIn }

// AllChanged reports whether the list has files and all of them are Changed.
func AllChanged(files []File) bool {
	return len(files) > 0 && !slices.ContainsFunc(files, func(f File) bool { return f.Use != Changed })
}

// Paths lists the files' paths.
func Paths(files []File) []string {
	list := make([]string, len(files))
	for i := range files {
		list[i] = files[i].Path
	}
	return list
}

// maxLine is the length of the longest line that Files reads. People do not write longer lines by hand, and the
// time is quadratic in the length.
const maxLine = 4000

// Files lists the files that a text names, without duplicates. Paths may be in backticks, in links or bare, and
// must have a slash and an extension. The words on its line determine a file's Use. If the text names a file
// several times, the first line that creates or changes it counts.
func Files(text string) (list []File) {
	for line := range strings.Lines(text) {
		if len(line) <= maxLine && strings.IndexByte(line, '/') >= 0 {
			list = filesIn(list, withoutCommands(unlinked(line)))
		}
	}
	return list
}

// withoutCommands blanks code spans such as `bun build src/index.ts`: the paths in a command may be relative to any
// directory, and running it does not create them.
func withoutCommands(line string) string {
	parts := strings.Split(line, "`")
	for i := 1; i+1 < len(parts); i += 2 {
		first, _, command := strings.Cut(parts[i], " ")
		if command && PathOf(first) == "" {
			parts[i] = strings.Repeat(" ", len(parts[i]))
		}
	}
	return strings.Join(parts, "`")
}

func filesIn(list []File, line string) []File {
	tokens, at := strings.FieldsFunc(line, Separates), 0
	begin := "" // the first word
	var before []string
	for i, token := range tokens {
		at += strings.Index(line[at:], token) + len(token)
		f := fileOf(token)
		if f.Path == "" {
			word := words.Lower(strings.Trim(token, "*_:"))
			if strings.Trim(word, "-+[x].0123456789") == "" || word == "" {
				continue
			}
			if begin == "" {
				begin = word
			}
			before = append(before, word)
			continue
		}
		next := ""
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		f.Use = use(begin, before, next, line[at:])
		if n := slices.IndexFunc(list, func(o File) bool { return o.Path == f.Path }); n < 0 {
			list = append(list, f)
		} else if list[n].Use == Mentioned {
			list[n].Use = f.Use
		}
	}
	return list
}

// Separates reports whether a character separates words and paths.
func Separates(c rune) bool {
	return c <= ' ' || strings.ContainsRune("`\"'()（）,;，、。；：「」『』→←=|", c)
}

// fileOf returns the file that a word names. Its path is empty if there is none.
func fileOf(word string) File {
	if name := strings.TrimLeft(word, "*_"); strings.HasPrefix(name, "/") {
		path := PathOf(name[1:])
		if path == "" || slices.Contains([]string{"html", "htm", "xml", "json", "txt"}, Extension(Name(path))) {
			return File{}
		}
		return File{Path: path, Rooted: true}
	}
	return File{Path: PathOf(word)}
}

// use returns how a line uses a path. It reads the first word of the line, the words before the path, the next
// word, and the rest of the line.
func use(begin string, before []string, next, behind string) Use {
	last := ""
	for i := len(before) - 1; i >= 0; i-- {
		if !fillers.Has(before[i]) {
			last = before[i]
			break
		}
	}
	switch {
	case runtime(before):
		return Written
	case makers.Has(last), makersBehind.Begin(next), isNew(behind), madeBy(last, next):
		return Made
	case madeWithin(begin, last, next, behind):
		return MadeIn
	case changers.Has(begin), changers.Has(last), changersBehind.Index(behind) >= 0:
		return Changed
	}
	return Mentioned
}

// madeBy reports whether words around a path say that it is created, in scripts without spaces.
func madeBy(last, next string) bool {
	last = strings.TrimSuffix(strings.TrimSuffix(last, "文件"), "ファイル")
	for _, maker := range makersWide {
		if strings.HasSuffix(last, maker) || strings.HasPrefix(next, "を"+maker) {
			return true
		}
	}
	return false
}

// isNew reports whether the text after a path says that it is new: "`src/a.ts` (new)" or "`src/a.ts` — Create new
// file".
func isNew(behind string) bool {
	behind, ok := strings.CutPrefix(strings.TrimLeft(behind, "`* —–-"), "(")
	return ok && (strings.HasPrefix(behind, "new)") || strings.HasPrefix(behind, "NEW)") ||
		strings.HasPrefix(behind, "new file")) || strings.HasPrefix(behind, "Create new file")
}

// madeWithin reports whether a line says that something is created in a file. It reads the line's first word and
// the word before the path, or the words around and after the path.
func madeWithin(begin, last, next, behind string) bool {
	switch {
	case last == "in", last == "at", last == "as", last == "to", last == "under":
		return creators.Has(begin) || begin == "add" ||
			last == "in" && slices.Contains([]string{"implement", "define", "build"}, begin)
	case last == "up":
		return begin == "set"
	case strings.HasSuffix(last, "在"), strings.HasPrefix(next, "に"), strings.HasPrefix(next, "에"):
		return madeInWide.Index(behind) >= 0
	}
	return (last == "" || last == begin) && listing.Has(begin)
}

// Creates reports whether a title begins with a verb for creating a file, such as "write", rather than changing one.
func Creates(title string) bool {
	title = words.Lower(words.TrimLeft(title, " *_`"))
	n := creators.Longest(title)
	return n > 0 && (n == len(title) || title[n] <= ' ' || title[n] >= 0x80)
}

// runtime reports whether the words before a path say that a program reads or writes it.
func runtime(before []string) bool {
	yield := false
	for len(before) > 0 && between.Has(before[len(before)-1]) {
		yield = yield || yields.Has(before[len(before)-1])
		before = before[:len(before)-1]
	}
	if len(before) == 0 {
		return false
	}
	verb := before[len(before)-1]
	return runs.Has(verb) && len(before) > 1 || yield && begins.Has(verb)
}

// unlinked replaces each link on a line with its text if that is a path, or with its target if it is not.
func unlinked(line string) string {
	for len(line) <= maxLine {
		mid := strings.Index(line, "](")
		if mid < 0 {
			return line
		}
		from, to := strings.LastIndexByte(line[:mid], '['), strings.IndexByte(line[mid:], ')')
		if from < 0 || to < 0 {
			return line
		}
		text, target := line[from+1:mid], line[mid+2:mid+to]
		if PathOf(target) == "" || PathOf(strings.Trim(text, "`")) != "" {
			target = text
		}
		line = line[:from] + target + line[mid+to+1:]
	}
	return line
}
