package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/evidence"
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

// filesOf lists the files that the text of a task says it makes, and those in which it says to make something. Files
// that it updates, reads or runs may be anywhere.
func filesOf(text string) []evidence.File {
	return slices.DeleteFunc(namedIn(text), func(f evidence.File) bool { return !f.IsMade() })
}

// namedIn lists the files that a text names, without those of lines that excuse them.
func namedIn(text string) (list []evidence.File) {
	for line := range strings.Lines(text) {
		if strings.IndexByte(line, '/') < 0 || takesAway.Index(line) >= 0 ||
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

// taken finds another ticked task that takes away a file of a task, and reports whether it surely does: it was ticked
// since the base, too, and its words act on the file itself and not on something in it.
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
