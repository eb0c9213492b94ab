package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// stems begin the words of a task that need not leave a file behind, or leave it under another name; short are such
// words.
var (
	short = []string{"not", "via", "or", "now"}
	stems = []string{
		"delet", "remov", "renam", "move", "drop", "deprecat", "migrat", "replac", "merg", "split", "skip", "defer",
		"cancel", "obsolet", "supersed", "instead", "longer", "needed",
		"applicable", "required", "verif", "confirm", "ensur", "temporar", "scratch", "extract", "consolidat", "inlin",
		"prun", "purg", "revert", "clean", "archived", "convert", "retir",
		"combin", "relocat", "discard", "reus", "existing", "already", "covered", "either", "eliminat", "fold",
		"optional", "actual",
	}
	anyExcuse = words.ListOf(append(stems, short...)...).AnyCase()
	anyShort  = words.ListOf(short...).AnyCase()
	anyStem   = words.ListOf(stems...).AnyCase()

	denials = words.ListOf("n/a", "n't", "n’t").AnyCase()
)

// exempt reports whether a text says that a file may be missing: a word of it, not of a path in it, begins with a stem,
// or is a short one.
func exempt(text string) bool {
	for at := anyExcuse.IndexWord(text, 0, &inWord); at >= 0; at = anyExcuse.IndexWord(text, at+1, &inWord) {
		if (anyShort.Has(wordAt(text[at:])) || anyStem.Begin(text[at:])) && !inPath(text, at) {
			return true
		}
	}
	return denials.Index(text) >= 0 && slices.ContainsFunc(strings.Fields(lower(text)), func(token string) bool {
		bare := strings.Trim(token, "()[]{}:;,.*_-")
		return bare == "n/a" || strings.HasSuffix(bare, "n't") || strings.HasSuffix(bare, "n’t")
	})
}

// wordAt is the word that a text begins with.
func wordAt(text string) string {
	end := 0
	for end < len(text) && inWord[text[end]] {
		end++
	}
	return text[:end]
}

// inWord are the bytes of words: letters, and any beyond ASCII.
var inWord = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= 0x80 || letter(byte(c))
	}
	return is
}()

// inPath reports whether there is a slash in what stands between the blanks around a place.
func inPath(text string, at int) bool {
	for i := at; i < len(text) && text[i] > ' '; i++ {
		if text[i] == '/' {
			return true
		}
	}
	for i := at; i > 0 && text[i-1] > ' '; i-- {
		if text[i-1] == '/' {
			return true
		}
	}
	return false
}

// exempt reports whether the task says that a file may be missing.
func (t *task) exempt() bool {
	if !t.excuses {
		t.excused, t.excuses = exempt(t.Title), true
	}
	return t.excused
}

// The words around a path that a program reads or writes when it runs: "a script that writes its results to
// data/result.csv".
var (
	runs = []string{"writes", "generates", "produces", "outputs", "saves", "emits", "exports", "creates", "dumps",
		"stores", "logs", "prints", "renders", "reads", "loads", "parses"}
	begins  = []string{"write", "generate", "save", "export", "dump", "store", "log", "print"}
	yields  = []string{"output", "outputs", "result", "results", "logs"}
	between = append([]string{"to", "into", "its", "the", "a", "an", "it", "them", "data", "file", "files", "all"},
		yields...)
)

// atRuntime reports whether all files of a task are what a program reads or writes, and not what the task makes.
func (t *task) atRuntime(files []string) bool {
	text := lower(behindBox(t.Raw))
	for _, path := range files {
		i := strings.Index(text, lower(path))
		before, yield := strings.Fields(strings.Map(func(r rune) rune {
			if separates(r) {
				return ' '
			}
			return r
		}, text[:max(i, 0)])), false
		for len(before) > 0 && slices.Contains(between, before[len(before)-1]) {
			yield = yield || slices.Contains(yields, before[len(before)-1])
			before = before[:len(before)-1]
		}
		if len(before) == 0 || !slices.Contains(runs, before[len(before)-1]) &&
			!(yield && slices.Contains(begins, before[len(before)-1])) {
			return false
		}
	}
	return true
}

// generated are the directories of what programs make; git mostly ignores them.
var generated = []string{"out", "output", "outputs", "dist", "build", "target", "coverage", "tmp", "temp", "log",
	"logs", "result", "results", "artifacts", "node_modules"}

// taking are the beginnings of words by which a task takes away what another one made, or puts it elsewhere;
// takingElsewhere are such words of languages that write no blanks.
var (
	taking = words.ListOf(
		"delet", "remov", "renam", "move", "moving", "drop", "replac", "merg", "split", "consolidat", "inlin", "purg",
		"prun", "revert", "retir", "combin", "relocat", "discard", "eliminat", "convert",
		"migrat", "refactor", "restructur", "reorgani", "supersed", "rewrit", "collaps", "archiv", "transform", "undo",
		"lösch", "entfern", "umbenenn", "verschieb", "ersetz", "elimin", "renombr", "reemplaz", "fusion", "borr",
		"renome", "substitu", "mescl", "exclu", "supprim", "renomm", "déplac", "remplac", "удал", "переимен", "перенес",
		"замен",
	)
	takingElsewhere = words.ListOf("删除", "移除", "重命名", "移动", "合并", "替换", "迁移", "刪除", "移動", "合併", "替換", "削除", "名前変更",
		"リネーム", "置換", "統合", "삭제", "제거", "이동")
	positions = []string{"in", "inside", "within", "of", "to", "into", "as", "with", "by", "using", "across",
		"for", "on", "at", "under", "from", "via"}
)

// A taken says what the other ticked tasks say about a file of a task.
type taken int

const (
	kept      taken = iota
	touched         // one that takes something away names the file: "Remove logging from src/a.py"
	takenAway       // one takes the file away: "Rename src/a.py to src/b.py"
)

// taken tells whether another ticked task takes the files of a task away again.
func (m *model) taken(t *task, files []string) (is taken) {
	for i := range m.list {
		if o := &m.list[i]; o.state == done && o.Start != t.Start {
			for _, path := range files {
				if is = max(is, o.takes(path)); is == takenAway {
					return is
				}
			}
		}
	}
	return is
}

// takes tells whether a task takes away what is at a path, or the directory around it.
func (t *task) takes(path string) (is taken) {
	at := -1
	for name := path; ; {
		if at = mention(t.Raw, name); at >= 0 {
			break
		}
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			break
		}
		name = rest
	}
	named := at >= 0
	for dir := path; at < 0; {
		i := strings.LastIndexByte(dir, '/')
		if i <= 0 {
			return kept
		}
		dir = dir[:i]
		if at = mention(t.Raw, dir+"/"); at < 0 && strings.Contains(dir, "/") {
			at = mention(t.Raw, dir)
		}
	}
	text := lower(t.Raw)
	if len(text) != len(t.Raw) {
		return touched
	}
	if takingElsewhere.Index(text) >= 0 {
		before, after := strings.TrimRight(text[:at], " `\"'*（(./"), text[at:]
		if i := strings.IndexFunc(after, separates); i > 0 &&
			takingElsewhere.Begin(strings.TrimLeft(after[i:], " `\"'*）)を")) ||
			takingElsewhere.Index(before[max(0, len(before)-12):]) >= 0 {
			return takenAway
		}
		return touched
	}
	before := strings.Fields(strings.TrimRight(text[:at], "`\"'*([~./"))
	for n := 0; len(before) > 0 && n < 4; before = before[:len(before)-1] {
		switch word := strings.Trim(before[len(before)-1], "([*_~\"'`,:"); {
		case word == "from" && anyWord(text, movesFrom.Begin), word == "and", strings.ContainsAny(word, "/."):
			// of several files
		case slices.Contains(positions, word):
			n = 4
		case taking.Begin(word):
			return takenAway
		default:
			n++
		}
	}
	if named && anyWord(text, taking.Begin) {
		return touched
	}
	return kept
}

// movesFrom are the words after which "from" names what is moved.
var movesFrom = words.ListOf("renam", "move", "moving", "relocat", "migrat")

// mention is where a text names a path or the end of one, -1 if it does not: models/album.py is in
// "src/models/album.py", not in "old/models/album.pyi".
func mention(text, name string) int {
	for at := 0; ; at++ {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return -1
		}
		at += i
		end := at + len(name)
		if (at == 0 || !pathByte(text[at-1]) || strings.HasSuffix(text[:at], " ./")) &&
			(end == len(text) || name[len(name)-1] == '/' && !words.IsWord(text[end]) || !pathByte(text[end]) ||
				(text[end] == '.' || text[end] == '/') && (end+1 == len(text) || !words.IsWord(text[end+1]))) {
			return at
		}
	}
}

func pathByte(c byte) bool { return words.IsWord(c) && c < 0x80 || c == '/' || c == '.' || c == '-' }

// anyWord reports whether one of the words of a text is as wanted; what is in a path is none.
func anyWord(text string, is func(word string) bool) bool {
	for token := range strings.FieldsSeq(text) {
		if strings.IndexByte(token, '/') < 0 && is(strings.TrimLeft(token, "([*_~\"'`（")) {
			return true
		}
	}
	return false
}
