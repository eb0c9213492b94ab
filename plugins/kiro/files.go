package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// What says in a title that a task takes files away, and what says so in the line that names a file, or that it is not
// one that the task makes, or only one of several that it may make.
var (
	removal = []string{"delet", "remov", "renam", "eliminat", "move ", "moving ",
		"migrat", "clean up", "cleanup", "deprecat", "consolidat", "uninstall", "削除", "移除", "删除", "重命名", "移动", "清理",
		"リネーム", "移動", "廃止", "удал", "переимен", "перенес", "Удал", "Переимен", "Перенес", "elimin", "supprim", "lösch",
		"borrar", "삭제"}
	takesAway = words.ListOf(append(removal[:len(removal):len(removal)], "drop ", "replac", "extract", "merge", "split",
		"clean", "instead", " not ", "n't ", "no longer", "skip", "ignore", "generated", "e.g.", " from ", " or ",
		"(or ", "または", "或", "替换", "置き換え", "замен", "Замен")...).AnyCase()
	removes = words.ListOf(removal...).AnyCase()
)

// A file is one that a task says it makes, "Create `src/a.ts`", or one in which it says to make something, "Create a
// class in `src/a.ts`". Files that it updates, reads or runs may be anywhere.
type file struct {
	path string
	made bool
	// it is only meant if the directory that it begins with is there: /src/a.ts, unlike /api/a.ts, which is an address
	near bool
}

var (
	makers = []string{
		"create", "creates", "add", "write", "implement", "make", "scaffold", "new", "crear", "crea", "criar", "crie",
		"créer", "créez", "creare", "erstelle", "erstellen", "implementiere", "implementar", "implémenter",
		"создать", "написать", "добавить", "реализовать",
	}
	// in scripts without blanks, before the path or, behind を, after it
	makersOf     = []string{"创建", "新建", "新增", "编写", "作成", "建立", "实现", "添加", "実装"}
	makersBehind = words.ListOf("erstellen", "anlegen", "생성", "작성", "구현")
	// behind a path in which something is made
	madeIn  = []string{"创建", "实现", "添加", "编写", "定义", "新增", "作成", "実装", "追加", "定義", "구현", "작성", "추가", "생성", "정의"}
	between = []string{"a", "an", "the", "file", "files", "full", "test", "module", "script", "файл"}
)

// maxLine is how long a line may be in which files are looked for: nobody writes a longer one by hand, and the time
// grows with its square.
const maxLine = 4000

// filesOf lists the files that the text of a task names as what is made: in backticks or bare, with a slash and an
// extension.
func filesOf(text string) []file {
	var list []file
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		if len(line) > maxLine || strings.IndexByte(line, '/') < 0 || takesAway.Index(line) >= 0 ||
			status.GivenUp(words.TrimLeft(line, " \t-*+>")) {
			continue
		}
		line = unlinked(line)
		tokens, at := strings.FieldsFunc(line, parts), 0
		first, before := "", ""
		for i, word := range tokens {
			at += strings.Index(line[at:], word) + len(word)
			f, lower := fileOf(word), words.Lower(strings.Trim(word, "*_:"))
			if f.path == "" {
				if strings.Trim(lower, "-+[x].0123456789") == "" {
					continue
				}
				if first == "" {
					first = lower
				}
				if !slices.Contains(between, lower) {
					before = lower
				}
				continue
			}
			next := ""
			if i+1 < len(tokens) {
				next = tokens[i+1]
			}
			f.made = makes(before, next) || isNew(line[at:])
			if !seen[f.path] && (f.made || inside(first, before, next, line[at:])) {
				list, seen[f.path] = append(list, f), true
			}
		}
	}
	return list
}

// fileOf is the file that a word names, without a path if it names none.
func fileOf(word string) file {
	name := strings.TrimRight(strings.Trim(word, "*_"), ".:!?")
	if strings.HasPrefix(name, "/") {
		path := pathOf(name[1:])
		if path == "" || has(path[strings.LastIndexByte(path, '.'):], []string{"htm", "xml", "json", "txt"}) {
			return file{}
		}
		return file{path: path, near: true}
	}
	return file{path: pathOf(word)}
}

// parts reports whether a character stands between words.
func parts(c rune) bool {
	return c <= ' ' || strings.ContainsRune("`\"'()（）,;，、。；：「」『』→=|", c)
}

// makes reports whether the word before a path, or the one behind it, says that the file is made.
func makes(before, next string) bool {
	if slices.Contains(makers, before) || makersBehind.Begin(next) {
		return true
	}
	before = strings.TrimSuffix(strings.TrimSuffix(before, "文件"), "ファイル")
	for _, maker := range makersOf {
		if strings.HasSuffix(before, maker) || strings.HasPrefix(next, "を"+maker) {
			return true
		}
	}
	return false
}

// isNew reports whether a path is called new by what follows: "`src/a.ts` (new)".
func isNew(behind string) bool {
	behind, ok := strings.CutPrefix(strings.TrimLeft(behind, "`* "), "(")
	return ok && (strings.HasPrefix(behind, "new)") || strings.HasPrefix(behind, "NEW)") ||
		strings.HasPrefix(behind, "new file"))
}

// inside reports whether a line says that something is made in a file: by its first word and the one before the path,
// or by those around the path and behind it.
func inside(first, before, next, behind string) bool {
	switch {
	case slices.Contains(makers[:3], first) && slices.Contains([]string{"in", "at", "as", "to", "under"}, before):
		return true
	case before == "up" && first == "set":
		return true
	case before == "in" && slices.Contains([]string{"implement", "define", "write", "build"}, first):
		return true
	case before == "" && slices.Contains([]string{"file", "files", "文件", "ファイル", "파일", "datei", "dateien"}, first):
		return true
	case strings.HasSuffix(before, "在"), strings.HasPrefix(next, "に"), strings.HasPrefix(next, "에"):
		return has(behind, madeIn)
	}
	return false
}

// unlinked is a line with each link as what it names: its text if that is a path, or else its target.
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
		if pathOf(target) == "" || pathOf(strings.Trim(text, "`")) != "" {
			target = text
		}
		line = line[:from] + target + line[mid+to+1:]
	}
	return line
}

// pathOf is the path that a word is, "" if it is none or nobody can tell where it would be.
func pathOf(word string) string {
	word = strings.TrimRight(strings.Trim(word, "*_"), ".:!?")
	if i := strings.IndexByte(word, ':'); i > 0 { // a line, a symbol
		word = word[:i]
	}
	if i := strings.IndexByte(word, '#'); i > 0 {
		word = word[:i]
	}
	word = strings.TrimPrefix(word, "./")
	slash := strings.LastIndexByte(word, '/')
	if slash <= 0 || strings.ContainsAny(word, "*{}<>$@\\%?&+~[]!") || strings.Contains(word, "..") ||
		strings.Contains(word, "//") || word[0] == '/' {
		return ""
	}
	first, _, _ := strings.Cut(word, "/")
	if strings.IndexByte(first, '.') > 0 { // github.com/…, Next.js/…
		return ""
	}
	base := word[slash+1:]
	dot := strings.LastIndexByte(base, '.')
	if dot <= 0 || len(base)-dot > 6 || len(base)-dot < 2 || strings.Contains(words.Lower(word), "xxx") {
		return ""
	}
	letter := false
	for _, c := range base[dot+1:] {
		letter = letter || c >= 'a' && c <= 'z'
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return ""
		}
	}
	if !letter {
		return ""
	}
	for i := range len(word) {
		if word[i] >= 0x80 {
			return ""
		}
	}
	return word
}
