package kiro

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// progressKeys are the fields that say how far a list is, in lower case.
var progressKeys = []string{
	"status", "progress", "overall status", "overall progress", "implementation status", "task status", "completion",
	"状态", "进度", "ステータス", "進捗", "状態", "статус", "прогресс", "stand", "fortschritt", "estado", "progreso", "progresso",
	"statut", "avancement", "상태", "진행",
}

var (
	signs = []string{"✅", "☑", "✔"}
	// What says that something is complete, the longer of two that begin alike first.
	finished = []string{
		"completed", "complete", "done", "finished", "implemented", "完了済み", "完了", "已完成", "全部完成", "完成", "abgeschlossen",
		"fertiggestellt", "fertig", "erledigt",
		"concluídas", "concluída", "concluídos", "concluído", "concluidas", "concluida", "concluidos", "concluido",
		"completadas", "completada", "completados", "completado", "terminadas", "terminada", "terminados", "terminado",
		"finalizado", "hecho",
		"terminées", "terminée", "terminés", "terminé", "завершены", "завершена", "завершено", "завершён", "завершен",
		"выполнены", "выполнено", "готово", "완료됨", "완료", "completato", "voltooid", "afgerond",
	}
	// What may stand before such a word.
	wholly = []string{"100%", "fully", "all tasks", "all", "now", "successfully", "is", "are"}
	// What all tasks are called, with what follows up to the word that says that they are complete.
	allTasks = []string{"all tasks", "all implementation tasks", "all required tasks", "every task", "所有任务", "全部任务",
		"任务全部", "全タスク", "すべてのタスク", "全てのタスク", "alle aufgaben", "alle tasks", "todas as tarefas", "todas las tareas",
		"toutes les tâches", "все задачи", "모든 작업", "모든 태스크"}
	linking = []string{"are", "have", "been", "is", "now", "were", "successfully", "fully", "が", "は", "均", "都", "sind",
		"foram", "están", "estan", "sont", "이", "가"}
)

// How a line may begin, and how a heading may end, that says so. A byte or two tell most others from them.
var (
	claimsBegin = words.ListOf(starts(progressKeys, allTasks, finished)...).AnyCase()
	claimsEnd   = endingsOf(signs, finished, []string{"100%"})
)

// prepositions begin what says more of a completion: "Completed on …".
var prepositions = words.ListOf(" on ", " as of ", " and ", " in ", " at ", " by ", " with ", " since ", " am ", " el ",
	" em ", " le ")

// What takes a claim of completion back.
var takenBack = []string{"except", "but ", "remain", "partial", "mostly", "almost", "nearly", "pending", "todo", "not ",
	"%", "until", "when ", "if ", "剩余", "部分", "除", "残り", "未完", "nicht ", "não ", "не "}

// calledComplete reports whether a heading ends with a sign, or a word in brackets, behind a dash, a sign, in bold or
// in capitals, that calls its section complete: "Phase 1: Setup ✅", "Setup (COMPLETE)", "Setup ✅ DONE", but not "Make
// the index complete". A sign in front counts where the heading has a number: elsewhere it is an ornament.
func calledComplete(h markdown.Heading) bool { return endsComplete(h.Text(), h.Raw()) }

// endsComplete is the same for a text, and how it is written.
func endsComplete(text, raw string) bool {
	text = words.TrimRight(undated(text), " )]*_!.）】\ufe0f")
	if !claimsEnd.may(text) && !hasSign(text) {
		return false
	}
	lower := words.Lower(text)
	for _, sign := range signs {
		if before, ok := strings.CutSuffix(lower, sign); ok {
			return !has(before, takenBack)
		}
		if behind, ok := strings.CutPrefix(lower, sign); ok && numberedTitle(strings.TrimLeft(behind, " \ufe0f")) {
			return !has(behind, takenBack)
		}
	}
	if before, ok := strings.CutSuffix(lower, "100%"); ok {
		return apart(before) && before != ""
	}
	for _, word := range finished {
		before, ok := strings.CutSuffix(lower, word)
		if !ok {
			continue
		}
		shout := len(before) <= len(text) && len(lower) == len(text) && text[len(before):] == strings.ToUpper(word) &&
			strings.ToUpper(text) != text && before[max(0, len(before)-1):] == " "
		bold := strings.Contains(words.Lower(raw), "**"+word+"**")
		before, counted := counted(before)
		if before == "" || has(before, takenBack) {
			return false
		}
		return counted || shout || bold || apart(before) || signed(before)
	}
	return false
}

// signed reports whether a text ends with a sign that calls something complete.
func signed(text string) bool {
	text = strings.TrimRight(text, " *_\ufe0f")
	for _, sign := range signs {
		if strings.HasSuffix(text, sign) {
			return true
		}
	}
	return false
}

// numberedTitle reports whether a title begins with a number, or a word and a number: "Phase 1: Core".
func numberedTitle(lower string) bool {
	if number, _ := numberOf(lower); number != "" {
		return true
	}
	word, rest, _ := strings.Cut(lower, " ")
	return len(word) <= 16 && rest != "" && isDigit(rest[0])
}

// undated is a text without a date that follows in brackets or behind a dash: "Setup ✅ COMPLETED (2026-01-02)".
func undated(text string) string {
	end := words.TrimRight(words.TrimRight(text, " )）*_"), "0123456789-./: ")
	if len(text)-len(end) < 8 {
		return text
	}
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(end, " "), " on"), " ([（-–—")
}

// counted cuts off what counts all in front of a word such as "complete": "3/3 tasks", "100%", "all". It says whether
// something was cut off behind a bracket, a dash or a colon.
func counted(before string) (rest string, is bool) {
	rest = strings.TrimRight(before, " ")
	for _, word := range []string{"tasks", "task"} {
		rest = strings.TrimRight(strings.TrimSuffix(rest, word), " ")
	}
	for _, word := range wholly {
		if cut, ok := strings.CutSuffix(rest, word); ok && (cut == "" || !words.IsWord(cut[len(cut)-1])) {
			rest, is = strings.TrimRight(cut, " "), true
		}
	}
	if cut, n, of, ok := fraction(rest); ok && n == of {
		rest, is = cut, true
	}
	if !is {
		return before, false
	}
	return rest, apart(rest) || signed(rest)
}

// fraction cuts a fraction off the end of a text: "3/3", "3 of 3".
func fraction(text string) (rest string, n, of int, ok bool) {
	head := strings.TrimRight(text, "0123456789")
	slash := strings.TrimRight(head, " ")
	cut, ok := strings.CutSuffix(slash, "/")
	if !ok {
		cut, ok = strings.CutSuffix(slash, " of")
	}
	cut = strings.TrimRight(cut, " ")
	rest = strings.TrimRight(cut, "0123456789")
	if !ok || head == text || rest == cut || len(text)-len(head) > 6 || len(cut)-len(rest) > 6 {
		return text, 0, 0, false
	}
	return strings.TrimRight(rest, " "), atoi(cut[len(rest):]), atoi(text[len(head):]), true
}

// saysComplete reports whether a line says that all tasks are complete: as a field, "Status: ✅ complete", or in a
// sentence, "All tasks completed."
func saysComplete(text string) bool {
	if !mayClaim(text) {
		return false
	}
	line := strings.TrimRight(words.Lower(strings.Trim(undated(text), "[]() *_")), " !.。！")
	key, value, ok := strings.Cut(strings.Replace(line, "：", ":", 1), ":")
	if ok && slices.Contains(progressKeys, strings.Trim(key, " *_📊📈🎯\ufe0f")) {
		return complete(strings.TrimSpace(value))
	}
	line = strings.TrimSpace(strings.TrimLeft(line, "✅✔☑🎉\ufe0f *_"))
	if rest, ok := ofAll(line); ok {
		return over(rest)
	}
	return line == "implementation complete" || strings.TrimRight(text, " ") != line && finishedAlone(line) &&
		(signed(text) || hasSign(text) || strings.ToUpper(text) == text)
}

// ofAll cuts off the words by which a line in lower case begins to say something of all tasks: "all tasks are now".
func ofAll(line string) (rest string, ok bool) {
	for _, all := range allTasks {
		rest, ok := strings.CutPrefix(line, all)
		if !ok {
			continue
		}
		for rest = strings.TrimSpace(rest); ; {
			cut := rest
			for _, word := range linking {
				cut = strings.TrimSpace(strings.TrimPrefix(cut, word))
			}
			if cut == rest {
				return rest, true
			}
			rest = cut
		}
	}
	return line, false
}

// saysAll reports whether a line says, in a sentence, that all tasks are complete.
func saysAll(text string) bool {
	if !mayClaim(text) {
		return false
	}
	rest, ok := ofAll(strings.TrimSpace(strings.TrimLeft(words.Lower(text), "✅✔☑🎉\ufe0f *_")))
	return ok && over(rest)
}

// mayClaim reports whether a line may be a claim, as far as its first two characters say.
func mayClaim(line string) bool {
	line = words.TrimLeft(line, " \t\r\n\v\f*_[]()")
	return len(line) > 1 && (line[0] >= 0x80 || line[1] >= 0x80 || claimsBegin.Begin(line))
}

// starts are the first two bytes of words.
func starts(lists ...[]string) (list []string) {
	for _, word := range slices.Concat(lists...) {
		list = append(list, word[:2])
	}
	return list
}

// endings are those of some words, in lower case: by the last byte, the low six bits of the one before it.
type endings [256]uint64

func endingsOf(lists ...[]string) *endings {
	e := &endings{}
	for _, word := range slices.Concat(lists...) {
		e[word[len(word)-1]] |= 1 << (word[len(word)-2] & 63)
	}
	return e
}

// may reports whether a text may end with one of the words, as far as two bytes say.
func (e *endings) may(text string) bool {
	at := max(0, len(text)-2*utf8.UTFMax)
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	text = words.Lower(text[at:])
	return len(text) > 1 && e[text[len(text)-1]]>>(text[len(text)-2]&63)&1 != 0
}

// hasSign reports whether a text begins with a sign that calls something complete.
func hasSign(text string) bool {
	for _, sign := range signs {
		if strings.HasPrefix(text, sign) {
			return true
		}
	}
	return false
}

// finishedAlone reports whether a line is only a word such as "completed".
func finishedAlone(line string) bool {
	return slices.Contains(finished, line)
}

// over reports whether a text begins with a word such as "complete", behind which nothing but a remark follows.
func over(text string) bool {
	for _, word := range finished {
		if rest, ok := strings.CutPrefix(text, word); ok {
			return (rest == "" || strings.IndexByte(" .,;(-!", rest[0]) >= 0 || rest[0] >= 0x80) &&
				!has(strings.ReplaceAll(rest, "100%", ""), takenBack) &&
				!has(rest, []string{"before", "after", "while", "ready", "below"})
		}
	}
	return false
}

// complete reports whether a value says that everything is done, without anything that takes it back.
func complete(value string) bool {
	signed := hasSign(value)
	value = strings.TrimRight(strings.TrimLeft(words.Lower(value), "✅✔️☑ *"), " *_✅☑✔!.\ufe0f")
	if value == "" {
		return signed
	}
	if has(strings.ReplaceAll(value, "100%", "100"), takenBack) ||
		has(value, []string{"phase", "requirement", "design", "planning", "ready", "await", "to be ", "plan ",
			"готово к", "готов к", "fertig zu", "fertig für", "listo para", "pronto para"}) {
		return false
	}
	if has(value, []string{"100%"}) {
		return true
	}
	if rest, ok := ofAll(value); ok {
		return over(rest)
	}
	first, rest, _ := strings.Cut(value, " tasks")
	if cut, n, of, ok := fraction(first); ok && (cut == "" || finishedAlone(strings.Trim(cut, " (-"))) {
		return n == of && n > 0 && (rest == "" || strings.HasPrefix(rest, " ") || rest[0] == ')')
	}
	for _, all := range []string{"all tasks ", "all ", "fully ", "implementation ", "successfully ", "是", "全部", "全"} {
		value = strings.TrimPrefix(value, all)
	}
	for _, word := range finished {
		if rest, ok := strings.CutPrefix(value, word); ok && !strings.Contains(value, "%") &&
			!strings.Contains(value, "/") {
			return rest == "" || !isLetter(rest[0]) &&
				(len(rest) < 2 || rest[0] != ' ' || !isLetter(rest[1]) || prepositions.Begin(rest))
		}
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
