package status

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// progressKeys are the names of fields that state a list's progress, in lower case. The first nine are the names of a
// status field; see Keys.
var progressKeys = [...]string{
	"status", "状态", "狀態", "ステータス", "状態", "상태", "статус", "estado", "statut",
	"progress", "overall status", "overall progress", "implementation status", "task status", "completion",
	"进度", "進捗", "прогресс", "stand", "fortschritt", "progreso", "progresso", "avancement", "진행",
}

// Keys returns the names of a status field, in lower case: "status", "状态".
func Keys() []string { return progressKeys[:9] }

var (
	signs = []string{"✅", "☑", "✔"}
	// finished are words for complete work. Longer words come before the shorter ones that they begin with.
	finished = []string{
		"completed", "compelted", "complete", "done", "finished", "implemented", "実装済み", "实现完成", "umgesetzt", "完了済み",
		"完了", "已完成", "全部完成", "完成", "abgeschlossen", "fertiggestellt", "fertig", "erledigt", "concluídas", "concluída",
		"concluídos", "concluído", "concluidas", "concluida", "concluidos", "concluido", "completadas", "completada",
		"completados", "completado", "terminadas", "terminada", "terminados", "terminado", "finalizada", "finalizado",
		"hecho", "terminées", "terminée", "terminés", "terminé", "завершены", "завершена", "завершено", "завершён",
		"завершен", "выполнены", "выполнено", "готово", "완료됨", "완료", "completato", "voltooid", "afgerond",
		"zakończone", "ukończone", "completate", "completata", "faites", "faite", "fatto", "finito",
		"сделано", "đã hoàn thành", "hoàn thành", "selesai",
	}
	// wholly are words that may precede a word for complete.
	wholly = []string{"100%", "fully", "all tasks", "all", "now", "successfully", "is", "are"}
	// allTasks are phrases for all tasks. Linking words may follow, up to the word for complete.
	allTasks = []string{"all tasks", "all implementation tasks", "all required tasks", "all of the tasks",
		"all the tasks", "every task", "所有任务", "全部任务",
		"任务全部", "全タスク", "すべてのタスク", "全てのタスク", "alle aufgaben", "alle tasks", "todas as tarefas",
		"todas las tareas", "toutes les tâches", "tutte le attività", "wszystkie zadania", "alle taken",
		"все задачи", "모든 작업", "모든 태스크"}
	linking = []string{"are", "have", "been", "is", "now", "were", "successfully", "fully", "が", "は", "均", "都", "sind",
		"foram", "están", "estan", "sont", "sono", "są", "zijn", "이", "가"}
	// prepositions begin a remark after a word for complete: "Completed on …".
	prepositions = []string{" on ", " as of ", " and ", " in ", " at ", " by ", " with ", " since ", " am ", " el ",
		" em ",
		" le "}
	// retractions withdraw a claim or part of it.
	retractions = []string{"except", "but ", "remain", "partial", "mostly", "almost", "nearly", "pending", "pendente",
		"pendiente", "ausstehend", "todo", "not ",
		"%", "until", "when ", "if ", "剩余", "部分", "除", "残り", "未完", "nicht ", "não ", "не "}
	// plans are words for steps before the work. A value that calls such a step complete does not
	// say that the work is complete.
	plans = []string{"phase", "requirement", "design", "planning", "ready", "await", "to be ", "plan ", "готово к",
		"готов к", "fertig zu", "fertig für", "listo para", "pronto para"}
)

// ProgressKeys returns the names of fields that state a list's progress, in lower case: "status", "progress", "进度".
func ProgressKeys() []string { return progressKeys[:] }

// Title reports whether a heading says that its section is complete. It takes the heading as rendered and as
// written.
//
// Such a heading ends with a sign, or with a word that is in parentheses, after a dash or a sign, in bold or in
// capitals: "Phase 1: Setup ✅", "Setup (COMPLETE)", "Setup (3/3 complete)", but not "Make the index complete". A
// leading sign counts only if the heading has a number; otherwise it is decoration.
func Title(text, raw string) bool {
	if head, _, ok := strings.Cut(text, ":"); ok && (signedBehind(head) || strings.HasSuffix(head, ")")) &&
		numbered(head) && Title(head, head) {
		return true // Phase 1 (DONE): Setup
	}
	if label, ok := strings.CutPrefix(strings.TrimLeft(text, "✅✔☑\ufe0f "), "["); ok {
		label, _, ok = strings.Cut(label, "]")
		if ok && inCapitals(label) && IsComplete(words.Lower(label)) {
			return true // [DONE] Phase 1: Setup
		}
	}
	text = words.TrimRight(uncounted(undated(signed(text))), " )]*_!.）】\ufe0f")
	if !endings.may(text) && !signedInFront(text) {
		return false
	}
	lower := words.Lower(text)
	for _, sign := range signs {
		if before, ok := strings.CutSuffix(lower, sign); ok {
			return !hasAny(before, retractions) && !ofAPart(before)
		}
		if behind, ok := strings.CutPrefix(lower, sign); ok && numbered(strings.TrimLeft(behind, " \ufe0f")) {
			return !hasAny(behind, retractions)
		}
	}
	if before, ok := strings.CutSuffix(lower, "100%"); ok {
		return before != "" && SetApart(before)
	}
	for _, word := range finished {
		before, ok := strings.CutSuffix(lower, word)
		if !ok {
			continue
		}
		shout := len(lower) == len(text) && inCapitals(text[len(before):]) &&
			!inCapitals(text) &&
			strings.HasSuffix(before, " ")
		bold := strings.Contains(words.Lower(raw), "**"+word+"**")
		before, all := cutCount(before)
		return before != "" && !hasAny(before, retractions) &&
			(all || shout || bold || SetApart(before) || signedBehind(before))
	}
	return false
}

// Line reports whether a line of prose says that all tasks are complete. It may be a field, "Status: ✅ complete" or
// "Progress: 5/5", or a sentence, "All tasks completed." or "5/5 tasks complete".
func Line(text string) bool {
	text = signed(text)
	if !mayClaim(text) {
		return countsAll(text)
	}
	line := strings.TrimRight(words.Lower(strings.Trim(undated(text), "[]() *_")), " !.。！")
	key, value, ok := strings.Cut(strings.Replace(line, "：", ":", 1), ":")
	if ok && slices.Contains(progressKeys[:], strings.Trim(key, " *_📊📈🎯\ufe0f")) {
		return Complete(strings.TrimSpace(value))
	}
	line = strings.TrimSpace(strings.TrimLeft(line, "✅✔☑🎉\ufe0f *_"))
	if rest, ok := cutAll(line); ok {
		return concludes(rest)
	}
	return line == "implementation complete" || strings.TrimRight(text, " ") != line && IsComplete(line) &&
		(signedBehind(text) || signedInFront(text) || inCapitals(text)) || countsAll(text)
}

// Sentence reports whether a line is a sentence that says that all tasks are complete.
func Sentence(text string) bool {
	if !mayClaim(text) {
		return false
	}
	rest, ok := cutAll(strings.TrimSpace(strings.TrimLeft(words.Lower(text), "✅✔☑🎉\ufe0f *_")))
	return ok && concludes(rest)
}

// Complete reports whether a field's value says that everything is done, without exceptions: "✅ done (2026-01-02)",
// "5/5 tasks", but not "design complete" or "complete except the tests".
func Complete(value string) bool {
	sign := signedInFront(value)
	value = strings.TrimRight(strings.TrimLeft(words.Lower(value), "✅✔️☑ *["), " *_✅☑✔!.]\ufe0f")
	if value == "" {
		return sign
	}
	if strings.ContainsAny(value, "?？") {
		return false
	}
	if hasAny(strings.ReplaceAll(value, "100%", "100"), retractions) || hasAny(value, plans) {
		return false
	}
	if strings.Contains(value, "100%") {
		return true
	}
	if rest, ok := cutAll(value); ok {
		return concludes(rest)
	}
	first, rest, _ := strings.Cut(value, " tasks")
	if cut, n, of, ok := cutFraction(first); ok && (cut == "" || IsComplete(strings.Trim(cut, " (-"))) {
		return n == of && n > 0 && (rest == "" || rest[0] == ' ' || rest[0] == ')')
	}
	for _, all := range [...]string{"all tasks ", "all ", "fully ", "implementation ", "successfully ", "是", "全部",
		"全"} {
		value = strings.TrimPrefix(value, all)
	}
	for _, word := range finished {
		if rest, ok := strings.CutPrefix(value, word); ok && !strings.ContainsAny(value, "%/") {
			return rest == "" || !letter(rest[0]) && (len(rest) < 2 || rest[0] != ' ' || !letter(rest[1]) ||
				slices.ContainsFunc(prepositions, func(p string) bool { return strings.HasPrefix(rest, p) }))
		}
	}
	return false
}

// IsComplete reports whether a lowercase text is exactly a word for complete.
func IsComplete(word string) bool { return slices.Contains(finished, word) }

// SetApart reports whether a text ends with something that sets the next word apart: a bracket, a dash, a colon or
// a sign. A hyphen between two words does not: "delete-complete".
func SetApart(before string) bool {
	if word, ok := strings.CutSuffix(before, "-"); ok && word != "" && words.IsWord(word[len(word)-1]) {
		return false
	}
	before = strings.TrimRight(before, " *_⏭⏸❌⚠✅☑✔\ufe0f")
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || strings.ContainsRune("([（【-–—:：", last)
}

// countsAll reports whether a line counts all tasks and says that they are done: "5/5 tasks complete".
func countsAll(text string) bool {
	text = strings.TrimSpace(strings.TrimLeft(text, "✅✔☑🎉\ufe0f *_("))
	if text == "" || !digit(text[0]) {
		return false
	}
	first, rest, ok := strings.Cut(words.Lower(text), " tasks")
	if !ok {
		return false
	}
	cut, n, of, ok := cutFraction(first)
	for _, word := range linking {
		rest = strings.TrimPrefix(strings.TrimLeft(rest, " :*_"), word+" ")
	}
	return ok && cut == "" && n == of && n > 0 && concludes(strings.TrimLeft(rest, " :*_"))
}

// numbered reports whether a title begins with a number, or with a word and a number: "1. Core", "Phase 1: Core".
func numbered(lower string) bool {
	if n, rest := words.Leading(lower); n >= 0 {
		return rest != "" && strings.IndexByte(".:)", rest[0]) >= 0
	}
	word, rest, _ := strings.Cut(lower, " ")
	return len(word) <= 16 && rest != "" && digit(rest[0])
}

// undated removes a date in parentheses or after a dash: "Setup ✅ COMPLETED (2026-01-02)".
func undated(text string) string {
	end := words.TrimRight(words.TrimRight(text, " )）*_"), "0123456789-./: ")
	if len(text)-len(end) < 8 {
		return text
	}
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(end, " "), " on"), " ([（-–—")
}

// signed replaces a sign's name with the sign.
func signed(text string) string {
	if !strings.Contains(text, "_check") {
		return text
	}
	for _, name := range [...]string{":white_check_mark:", ":heavy_check_mark:", ":ballot_box_with_check:"} {
		text = strings.ReplaceAll(text, name, signs[0])
	}
	return text
}

// uncounted removes a full count in parentheses: "Setup ✅ (3/3)".
func uncounted(text string) string {
	inner, ok := strings.CutSuffix(strings.TrimRight(text, " *_"), ")")
	if !ok {
		return text
	}
	cut, n, of, ok := cutFraction(inner)
	if before, is := strings.CutSuffix(cut, "("); is && ok && n == of && n > 0 && signedBehind(before) {
		return before
	}
	return text
}

// cutCount removes a full count before a word such as "complete": "3/3 tasks", "100%", "all". It reports whether
// the count was set apart by a bracket, a dash or a sign.
func cutCount(before string) (rest string, apart bool) {
	rest = strings.TrimRight(before, " ")
	for _, word := range [...]string{"tasks", "task"} {
		rest = strings.TrimRight(strings.TrimSuffix(rest, word), " ")
	}
	is := false
	for _, word := range wholly {
		if cut, ok := strings.CutSuffix(rest, word); ok && (cut == "" || !words.IsWord(cut[len(cut)-1])) {
			rest, is = strings.TrimRight(cut, " "), true
		}
	}
	if cut, n, of, ok := cutFraction(rest); ok && n == of {
		rest, is = cut, true
	}
	if !is {
		return before, false
	}
	return rest, SetApart(rest) || signedBehind(rest)
}

// cutFraction splits a fraction off the end of a text: "3/3", "3 of 3".
func cutFraction(text string) (rest string, n, of int, ok bool) {
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
	n, _ = words.Leading(cut[len(rest):])
	of, _ = words.Leading(text[len(head):])
	return strings.TrimRight(rest, " "), n, of, true
}

// cutAll removes the beginning of a statement about all tasks from a lowercase line: "all tasks are now".
func cutAll(line string) (rest string, ok bool) {
	line = withoutNumber(line)
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

// withoutNumber removes the number of tasks from the beginning of a line: "all 12 tasks are".
func withoutNumber(line string) string {
	for at := 0; at < len(line) && at < 16; at++ {
		if line[at] != ' ' || at+1 == len(line) || !digit(line[at+1]) {
			continue
		}
		if rest := strings.TrimLeft(line[at+1:], "0123456789"); rest != "" && rest[0] == ' ' {
			return line[:at] + rest
		}
		break
	}
	return line
}

// conditional reports whether a text turns the words before it into a condition: 所有任务完成后 means "after all tasks are
// complete".
func conditional(rest string) bool {
	for _, word := range [...]string{"后", "後", "之后", "以后", "前", "时", "時", "したら", "すると", "するまで", "してから"} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	return false
}

// concludes reports whether a text is a word such as "complete", followed at most by a remark that does not limit it.
func concludes(text string) bool {
	for _, word := range finished {
		if rest, ok := strings.CutPrefix(text, word); ok {
			return (rest == "" || strings.IndexByte(" .,;(-!", rest[0]) >= 0 || rest[0] >= utf8.RuneSelf) &&
				!hasAny(strings.ReplaceAll(rest, "100%", ""), retractions) &&
				!hasAny(rest, []string{"before", "after", "while", "ready", "below", "吗", "ましたか", "?", "？"}) &&
				!conditional(rest)
		}
	}
	return false
}

// signedBehind reports whether a text ends with a sign for complete.
func signedBehind(text string) bool {
	text = strings.TrimRight(text, " *_\ufe0f")
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.HasSuffix(text, sign) })
}

// signedInFront reports whether a text begins with a sign for complete.
func signedInFront(text string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.HasPrefix(text, sign) })
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// hasAny reports whether a text contains one of the words, ignoring case.
func hasAny(text string, any []string) bool {
	text = words.Lower(text)
	return slices.ContainsFunc(any, func(word string) bool { return strings.Contains(text, word) })
}
