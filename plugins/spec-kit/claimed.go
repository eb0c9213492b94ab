package speckit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// completed are words and phrases that call work complete, elsewhere those of other languages, endings those that do so
// behind a mark.
var (
	completed = []string{"implementation complete",
		"implementation completed", "implementation done", "fully implemented", "fully complete", "feature complete",
		"all tasks complete", "all tasks completed", "all tasks are complete", "all tasks done", "all phases complete",
		"all done"}
	elsewhere = []string{"已完成", "全部完成", "完成", "完了", "実装済み",
		"实现完成", "완료", "abgeschlossen", "fertig", "erledigt", "umgesetzt", "concluído", "concluída", "concluido",
		"concluida", "finalizado", "finalizada", "completado", "completada", "terminé", "terminée", "завершено",
		"готово", "выполнено"}
	endings   = append([]string{"complete", "completed", "done", "finished", "implemented"}, elsewhere...)
	lastBytes = lastOf(endings)
	statuses  = []string{"status", "状态", "狀態", "ステータス", "状態", "상태", "estado", "statut", "статус"}
)

// lastOf are the bytes that some words, whatever the case of their letters, may end with, and all beyond ASCII.
func lastOf(any []string) (is [256]bool) {
	for c := range is {
		is[c] = c >= utf8.RuneSelf
	}
	for _, word := range any {
		c := word[len(word)-1]
		is[c], is[c&^0x20] = true, true
	}
	return is
}

// called reports whether a text begins with a word that calls something complete, and takes nothing of it back.
func called(text string) bool {
	text = lower(strings.TrimLeft(strings.TrimLeftFunc(text, markdown.Symbol), "[ "))
	first := words.First(text)
	switch first {
	case "complete", "completed", "implemented", "done", "shipped", "delivered", "finished":
		rest := strings.TrimLeft(text[len(first):], " ")
		// "Complete the setup" is a task
		return !qualified(text) && (first != "complete" || rest == "" || !letter(rest[0]))
	}
	return begun(text, completed) && !qualified(text) || text != "" && text[0] >= 'a' && begun(text, elsewhere) &&
		!qualified(text)
}

// begun reports whether a text begins with one of some words, and not only with the beginning of another one.
func begun(text string, any []string) bool {
	return slices.ContainsFunc(any, func(word string) bool {
		rest, ok := strings.CutPrefix(text, word)
		if !ok || rest == "" {
			return ok
		}
		next, _ := utf8.DecodeRuneInString(rest)
		return !unicode.IsLetter(next) && next != '度'
	})
}

// said reports whether a field of a key, in small letters, is a Status that calls something complete.
func said(key string, f markdown.Field) bool {
	return slices.Contains(statuses, key) && (called(f.Text()) || strings.Trim(f.Text(), " ️") == "✅")
}

// qualified reports whether a claim takes back a part of itself, or is a condition.
func qualified(text string) bool {
	text = lower(text)
	for _, word := range []string{"%", "partial", "mostly", "almost", "nearly",
		"except", "but ", "deviation", "pending", "deferred", "remaining", "skipped", "open", "not ", "until", "todo",
		"when", "after ", "before ", "?", "未", "部分", "予定", "teilweise", "außer", "nicht", "parcial", "exceto",
		"excepto", "partiel"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// ofTheSpec reports whether a Status calls the document complete, so that what comes next may begin: "Complete - ready
// for planning".
func ofTheSpec(text string) bool {
	text = lower(text)
	for _, word := range []string{
		"speckit", "specification", "spec complete", "spec only", "spec phase", "for planning", "awaiting",
		"ready to plan", "ready to impl", "ready to build", "ready to start",
		"ready for plan", "ready for the plan", "ready for task", "ready for impl", "ready for dev", "ready for design",
		"ready for clarif", "ready for technical",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// passed reports whether a checkpoint, such as "✅ User Story 1 complete", says that its phase is complete. Without a
// sign it is a plan.
func passed(text string) bool {
	if text = strings.Trim(text, " ."); !strings.HasPrefix(text, "✅") && !strings.HasSuffix(text, "✅") {
		return false
	}
	text = lower(text)
	return strings.Contains(text, "complete") && !strings.Contains(text, "incomplete") && !qualified(text)
}

// claimsComplete reports whether a heading ends with a sign or a word that calls its section complete, a remark in
// brackets aside.
func claimsComplete(text string) bool {
	i := strings.LastIndexByte(text, '(')
	return (ends(text) || i > 0 && strings.HasSuffix(text, ")") && ends(text[:i])) && !qualified(text)
}

// ends reports whether a text ends with a sign or a word for what is complete. A sign, a bracket or a dash makes a word
// a mark: "Setup (COMPLETE)", not "Make the index complete". So does a count of all: "Setup (3/3 complete)".
func ends(text string) bool {
	for trimmed := ""; trimmed != text; {
		trimmed = text
		text = strings.TrimSuffix(words.TrimRight(text, " )]*_"), "）")
	}
	if text == "" || !lastBytes[text[len(text)-1]] {
		return false
	}
	text = lower(text)
	if strings.HasSuffix(text, "✅") {
		return true
	}
	for _, word := range endings {
		if cut, ok := strings.CutSuffix(text, word); ok {
			cut = strings.TrimRight(cut, " ")
			for _, mark := range []string{"[", "(", "（", "*", "_", "✅", "-", "–", "—", ":", "："} {
				if strings.HasSuffix(cut, mark) {
					return true
				}
			}
			all := cut[strings.LastIndexAny(cut, "([")+1:]
			n, rest := leading(all)
			after, ok := cutAny(rest, "/", " / ", " of ")
			m, rest := leading(after)
			if ok && all != cut && n > 0 && n == m && rest == "" {
				return true
			}
		}
	}
	return false
}
