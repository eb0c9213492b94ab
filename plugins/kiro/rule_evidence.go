package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/paths"
	"github.com/stategate/stategate/sdk/say"
)

func withoutEvidence(r *check.Report, m *model) {
	if m.list == nil || m.base.list == nil {
		return
	}
	for _, t := range m.tasks {
		if !t.done() {
			continue
		}
		e := m.evidence(r.Pass, t)
		if len(e.missing) == 0 {
			continue
		}
		f := r.At(sdk.AtBytes("tasks.md", t.markAt-1, t.markEnd+1), say.Quote(t.text)+" was ticked since the base, but there is no "+say.List(e.missing)+", neither now nor then"+e.but).Keyed(t.key()).
			Offer(sdk.Review, "Untick it", t.set(" ")).
			Advise("Correct the path", "Name in the task the file that was made.")
		if !e.lie {
			f.As(sdk.Warning)
		}
	}
}

// An evidence is what the repository says about the files that a task makes.
type evidence struct {
	missing []string
	but     string // what else may explain it
	lie     bool   // nothing does
}

// evidence looks for the files of a task that the base does not have ticked. All questions are asked, whatever the answers to others are.
func (m *model) evidence(p *sdk.Pass, t *task) (e evidence) {
	if was := m.before(t); was != nil && was.done() || t.dropped || has(t.text, removal) {
		return e
	}
	tops := []string{""}
	if at := strings.Index(p.Root, ".kiro/specs/"); at > 0 {
		tops = append(tops, p.Root[:at])
	}
	files, explained := filesOf(t.own(m.list)), false
	for _, f := range files {
		absent, near := lacking(p, tops, f.path)
		other, is := paths.Other(p, tops, f.path)
		if !absent {
			continue
		}
		by, sure := m.taken(t, f.path)
		if sure {
			continue
		}
		e.missing = append(e.missing, f.path)
		e.lie = e.lie || near && f.made
		switch {
		case is != sdk.Absent:
			explained = true
			if other != "" {
				e.but = "; there is " + other
			}
		case by != nil:
			explained, e.but = true, "; "+say.Quote(by.text)+" is ticked, too"
		}
	}
	e.lie = e.lie && len(e.missing) == len(files) && !explained
	return e
}

// lacking reports whether a path is absent, now and in the base, both from the top of the repository and from the directory that
// holds .kiro, and whether the directory that it begins with is there.
func lacking(p *sdk.Pass, tops []string, path string) (absent, near bool) {
	absent = true
	first, _, _ := strings.Cut(path, "/")
	for _, top := range tops {
		now, then := p.Presence(top+path), p.Base.Presence(top+path)
		absent = absent && now == sdk.Absent && (then == sdk.Absent || p.Base.State == sdk.BaseNone)
		near = p.Presence(top+first) == sdk.Present || near
	}
	return absent, near
}

// What says in a title that a task takes files away, and what says so in the line that names a file, or that it is not one that
// the task makes, or only one of several that it may make.
var (
	removal   = []string{"delet", "remov", "renam", "eliminat", "move ", "moving ", "migrat", "clean up", "cleanup", "deprecat", "consolidat", "uninstall", "削除", "移除", "删除", "重命名", "移动", "清理", "リネーム", "移動", "廃止", "удал", "переимен", "перенес", "elimin", "supprim", "lösch", "borrar", "삭제"}
	takesAway = append(removal[:len(removal):len(removal)], "drop ", "replac", "extract", "merge", "split", "clean", "instead", " not ", "n't ", "no longer", "skip", "ignore", "generated", "e.g.", " from ", " or ", "または", "或", "替换", "置き換え", "замен")
)

// A file is one that a task says it makes, "Create `src/a.ts`", or one in which it says to make something, "Create a class in `src/a.ts`".
// Files that it updates, reads or runs may be anywhere.
type file struct {
	path string
	made bool
}

var (
	makers   = []string{"create", "creates", "add", "write", "implement", "make", "scaffold", "new", "crear", "criar", "créer", "создать", "написать", "добавить"}
	makersOf = []string{"创建", "新建", "新增", "编写", "作成", "建立"} // in scripts without blanks, before the path or, behind を, after it
	between  = []string{"a", "an", "the", "file", "files", "full", "test", "module", "script", "файл"}
)

// filesOf lists the files that the text of a task names as what is made: in backticks or bare, with a slash and an extension.
func filesOf(text string) []file {
	var list []file
	for line := range strings.Lines(text) {
		if has(line, takesAway) || putsOff(strings.ToLower(line)) {
			continue
		}
		words := strings.FieldsFunc(line, func(c rune) bool {
			return c <= ' ' || strings.ContainsRune("`\"'()（）,;，、。；：「」『』→=|", c)
		})
		first, before := "", ""
		for i, word := range words {
			path, lower := pathOf(word), strings.ToLower(strings.Trim(word, "*_:"))
			if path == "" {
				if first == "" && strings.Trim(lower, "-+[x].0123456789") != "" {
					first = lower
				}
				if !slices.Contains(between, lower) {
					before = lower
				}
				continue
			}
			made := slices.Contains(makers, before)
			for _, maker := range makersOf {
				made = made || strings.HasSuffix(before, maker) || i+1 < len(words) && strings.HasPrefix(words[i+1], "を"+maker)
			}
			inside := slices.Contains(makers[:3], first) && slices.Contains([]string{"in", "at", "as", "to", "under"}, before)
			if (made || inside) && !slices.ContainsFunc(list, func(f file) bool { return f.path == path }) {
				list = append(list, file{path, made})
			}
		}
	}
	return list
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
	if slash <= 0 || strings.ContainsAny(word, "*{}<>$@\\%?&+~[]!") || strings.Contains(word, "..") || strings.Contains(word, "//") || word[0] == '/' {
		return ""
	}
	first, _, _ := strings.Cut(word, "/")
	if strings.IndexByte(first, '.') > 0 { // github.com/…, Next.js/…
		return ""
	}
	base := word[slash+1:]
	dot := strings.LastIndexByte(base, '.')
	if dot <= 0 || len(base)-dot > 6 || len(base)-dot < 2 || strings.Contains(strings.ToLower(word), "xxx") {
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
