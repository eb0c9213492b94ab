package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// removal has words that, in a title, say that the task removes or moves files. takesAway also has words that excuse
// the paths in the same line: the task removes the file, does not create it, or creates only one of several files.
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

// filesOf returns the files that a task's text says to create, and those in which it says to create something. Files
// that it updates, reads or runs may be anywhere.
func filesOf(text string) []evidence.File {
	return slices.DeleteFunc(namedIn(text), func(f evidence.File) bool { return !f.IsMade() })
}

// namedIn returns the files that a text names, except in lines that excuse them; see takes.
func namedIn(text string) (list []evidence.File) {
	for line := range strings.Lines(text) {
		if strings.IndexByte(line, '/') < 0 || takes(line) ||
			status.GivenUp(words.TrimLeft(line, " \t-*+>")) {
			continue
		}
		for _, f := range evidence.Files(line) {
			at := slices.IndexFunc(list, func(o evidence.File) bool { return o.Path == f.Path })
			if at < 0 {
				list = append(list, f)
			} else if !list[at].IsMade() && f.IsMade() {
				list[at] = f
			}
		}
	}
	return list
}

// takes reports whether a line has a word in takesAway, except in the name of a function: deleteTask, delete_task.
func takes(line string) bool {
	for {
		at := takesAway.Index(line)
		if at < 0 {
			return false
		}
		end, name := at+1, false
		for end < len(line) && (isLetter(line[end]) || line[end] == '_' && isLetter(line[min(end+1, len(line)-1)])) {
			name = name || line[end] < 'a' && line[end-1] >= 'a' || line[end] == '_'
			end++
		}
		if !name || !isLetter(line[at]) {
			return true
		}
		line = line[end:]
	}
}

// taken returns another ticked task that may have removed a file. sure reports whether it certainly did: it was also
// ticked since the base, and its words apply to the file itself, not to something in it.
func (m *model) taken(t *task, path string) (by *task, sure bool) {
	for _, other := range m.tasks {
		if other == t || !other.Ticked {
			continue
		}
		does := evidence.Takes(other.Body(m.list), path)
		if does == evidence.Kept {
			continue
		}
		was := m.before(other)
		if by = other; does == evidence.TakenAway && (was == nil || !was.Ticked) {
			return by, true
		}
	}
	return by, false
}
