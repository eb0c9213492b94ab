package status

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// givenUp are words for work that need not be done, or not yet. An asterisk marks a stem, for languages that
// inflect the word.
var givenUp = table{words: []string{
	"deferred", "defered", "postponed", "skipped", "superseded", "superceded", "cancelled", "canceled",
	"obsolete", "dropped", "descoped",
	"wontfix", "won't fix", "won’t fix", "won't do", "won’t do", "will not do", "n/a", "not applicable", "not needed",
	"no longer needed", "not required", "out of scope", "not in scope", "will not be done", "won't be done",
	"on hold", "abandoned", "moved to", "merged into",
	"duplicate of", "replaced by",
	"推迟", "跳过", "取消", "废弃", "已推迟", "已跳过", "已取消", "已废弃", "不需要",
	"延期", "不适用", "无需", "暂缓", "スキップ", "見送り", "対象外", "不要", "該当なし",
	"건너뜀", "보류", "취소", "취소됨", "entfällt", "entfallen", "zurückgestellt", "verschoben",
	"gestrichen", "aufgeschoben", "übersprungen", "nicht nötig", "wird nicht umgesetzt", "anulowan*",
	"iptal", "iptal edildi",
	"no aplica", "movida a", "movidas a", "movido a", "descartad*", "aplazad*", "pospuest*", "não se aplica",
	"adiad*", "deferid*", "cancelad*", "sans objet", "reporté*",
	"abandonné*", "annulé*", "annullat*", "rimandat*", "hors périmètre", "fuera de alcance", "范围外",
	"スコープ外", "не требуется", "отложен*", "отменен*", "отменён*", "пропущен*",
}}

var optional = table{words: []string{"optional", "任意", "可选", "可選", "オプション", "선택", "опционально", "opcional",
	"optionnel*", "optionell", "facoltativ*", "facultati*", "необязательно", "nice to have", "nice-to-have"}}

// reasons are words that introduce the reason why work is dropped, or the time until which it is deferred.
var reasons = []string{"to ", "until ", "because ", "since "}

// needsTarget reports whether a word drops work only if the replacement follows: "replaced by T012".
func needsTarget(word string) bool {
	return strings.HasSuffix(word, " of") || strings.HasSuffix(word, " by")
}

// targets are words before the version or task that takes over the work: "deferred to v2", "superseded by T012".
const targets = " to until by auf bis durch à до hasta para 到 "

// refers reports whether the first clause of a text contains a number that identifies something: "v2", "phase 3".
func refers(text string) bool {
	if end := strings.IndexAny(text, ",;:()[]"); end >= 0 {
		text = text[:end]
	}
	return strings.ContainsAny(text, "0123456789#")
}

// GivenUp reports whether a task's title, as rendered and without its id, says that the task need not be done, or
// not yet.
//
// The word that says so is set apart: in parentheses, after a dash, before a colon, in capitals after a label, or
// followed by a reason ("deferred to v2"). Elsewhere in a title, the same word describes the task: "Show cancelled
// orders", "Count non-skipped rows".
func GivenUp(title string) bool { return setApart(&givenUp, title) }

// Optional reports whether a task's title says that the task need not be done: "Write docs (optional)". The word
// must be set apart like those of GivenUp: "Support optional fields" is required.
func Optional(title string) bool { return setApart(&optional, title) }

// worksOf are nouns for work that follow a word such as "future" or "optional" in a heading: "Future enhancements".
var worksOf = []string{"tasks", "task", "work", "enhancements", "improvements", "ideas", "considerations", "features",
	"goals", "items", "extensions", "extras", "phases", "iterations", "releases", "versions", "scope", "and", "or",
	"enhancement", "improvement", "feature", "item", "phase", "mvp", "aufgaben", "задачи"}

// worksBefore are words that may precede "future" or "optional": "Possible future work", "Tareas opcionales".
var worksBefore = []string{"possible", "potential", "tareas", "tâches"}

// FutureSection reports whether a heading defers its section: "Future Enhancements", "Phase 6: Tracing (post-MVP)".
// "Future wake-ups" names a topic and defers nothing.
func FutureSection(heading string) bool {
	return sectionOf(heading, "future", "deferred", "stretch", "post-mvp", "后续", "未来", "将来")
}

// OptionalSection reports whether a heading makes its section optional: "Tracing (optional)", "Optional tasks".
func OptionalSection(heading string) bool {
	return Optional(heading) ||
		sectionOf(heading, "optional", "可选任务", "可選任務", "オプションタスク", "任意タスク", "任意のタスク", "optionale",
			"необязательные", "facultatives", "opcionales")
}

// sectionOf reports whether a heading, or the part that it sets apart, is one of the words, optionally followed by
// a noun for work.
func sectionOf(heading string, kinds ...string) bool {
	low := words.Lower(heading)
	if !slices.ContainsFunc(kinds, func(kind string) bool { return strings.Contains(low, kind) }) {
		return false
	}
	for _, part := range strings.FieldsFunc(low, func(r rune) bool { return strings.ContainsRune(":：—–()（）[]", r) }) {
		list := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" ,/&*_.", r) })
		for len(list) > 1 && (strings.Trim(list[0], "0123456789") == "" || slices.Contains(worksBefore, list[0])) {
			list = list[1:]
		}
		if len(list) > 0 && slices.Contains(kinds, list[0]) && !slices.ContainsFunc(list[1:], func(word string) bool {
			return !slices.Contains(worksOf, word) && !strings.ContainsAny(word, "0123456789")
		}) {
			return true
		}
	}
	return false
}

var noteKeys = []string{"note", "status", "decision", "update", "备注", "注意", "備考", "hinweis", "nota",
	"entscheidung", "décision", "decisión", "решение"}

// DefersWork reports whether a line is a note that drops the task above it: "NOTE: Skipped, there is no database",
// "Deferred: see #12".
func DefersWork(line string) bool {
	low := undatedInFront(words.Lower(strings.Trim(line, " >*_()[]⏭⏸❌🚫\ufe0f")))
	note := false
	for _, subject := range [...]string{"this task is ", "this task was ", "this task has been "} {
		rest, ok := strings.CutPrefix(low, subject)
		low, note = rest, note || ok
	}
	for _, key := range noteKeys {
		rest, ok := strings.CutPrefix(low, key)
		if rest = words.TrimLeft(rest, " *_()0123456789-./"); ok &&
			(strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")) {
			low, note = strings.TrimLeft(rest, " :：*_⏭⏸❌🚫\ufe0f"), true
			break
		}
	}
	n := givenUp.at(low)
	if n == 0 {
		return false
	}
	rest := strings.TrimLeft(low[n:], "*_")
	after := strings.TrimLeft(rest, " ")
	next, _ := utf8.DecodeRuneInString(after)
	first := words.First(after)
	switch {
	case needsTarget(low[:n]):
		return refers(rest)
	case after == "", strings.ContainsRune(":：,，、;(（—–", next), strings.HasPrefix(rest, " - "):
		return true
	case first == "because",
		first == "for" && strings.Contains(low[:n], " ") && refers(after), // out of scope for v1
		first != "" && strings.Contains(targets, " "+first+" ") && refers(after[len(first):]):
		return true
	}
	return note && (next == '.' || len(after) < len(rest) && separate(rest, Cancelled))
}

// setApart reports whether a title contains a word from a table, set apart from the rest of the title.
func setApart(t *table, title string) bool {
	if t.list().Index(words.LowerWide(title)) < 0 {
		return false
	}
	low := words.Lower(title)
	for from := 0; from < len(low); {
		i := t.list().Index(low[from:])
		if i < 0 {
			return false
		}
		at := from + i
		n := t.at(low[at:])
		if n > 0 && !continues(low[:at]) && remark(title, low, at, at+n) {
			return true
		}
		from = at + max(n, 1)
	}
	return false
}

// continues reports whether a text ends in the middle of a word, like "non-" before "skipped".
func continues(before string) bool {
	if before == "" {
		return false
	}
	last := before[len(before)-1]
	if last == '-' {
		return len(before) > 1 && before[len(before)-2] != ' '
	}
	return last < utf8.RuneSelf && last != '_' && words.IsWord(last)
}

// remark reports whether a word in a title is a remark on it rather than part of it.
func remark(title, low string, at, end int) bool {
	shout := len(low) == len(title) && title[at] >= 'A' && title[at] <= 'Z' && inCapitals(title[at:end])
	after := strings.TrimLeft(low[end:], " *_")
	next, _ := utf8.DecodeRuneInString(after)
	closes := after == "" || strings.ContainsRune("—–:：(（", next) || strings.HasPrefix(after, "- ")
	for _, reason := range reasons {
		if strings.HasPrefix(after, reason) && isDeferral(low[at:]) {
			return true
		}
	}
	if needsTarget(low[at:end]) && !refers(low[end:]) {
		return false
	}
	signed := strings.TrimRight(low[:at], " *_\ufe0f")
	before := strings.TrimRight(strings.TrimSuffix(signed, "still"), " *_⏭⏸❌🚫⚠✅☑✔\ufe0f")
	if before == "" {
		return shout || closes
	}
	switch last, _ := utf8.DecodeLastRuneInString(before); last {
	case '(', '[', '（', '【':
		return !quoted(before) && behindDash(low[at:end], low[end:]) && !listed(low[at:])
	case '—', '–', '-':
		return shout || behindDash(low[at:end], low[end:])
	case ':', '：': // "States: deferred, done" lists words
		return shout || after == "" || next != ',' && closes
	case ']':
		return shout || closes
	}
	if last, _ := utf8.DecodeLastRuneInString(signed); strings.ContainsRune("⏭⏸❌🚫", last) {
		return shout || behindDash(low[at:end], low[end:])
	}
	// emphasized at the end: "Publish *deferred*"
	return shout && strings.HasSuffix(signed, "⚠") ||
		at > 0 && (low[at-1] == '*' || low[at-1] == '_') && strings.Trim(after, ".)*_ ") == ""
}

// quoted reports whether a text ends with an opening quotation mark and bracket, as in: Add an "(optional)" hint.
func quoted(before string) bool {
	return strings.HasSuffix(before, `"(`) || strings.HasSuffix(before, "“(") || strings.HasSuffix(before, "'(")
}

// listed reports whether a text in parentheses lists statuses, including one for done: "(deferred, done)".
func listed(low string) bool {
	if end := strings.IndexAny(low, ")]）】"); end >= 0 {
		low = low[:end]
	}
	for item := range strings.FieldsFuncSeq(low, func(r rune) bool { return strings.ContainsRune(",/|，、", r) }) {
		if IsComplete(strings.Trim(item, " *_")) {
			return true
		}
	}
	return false
}

// inCapitals reports whether a text has no lowercase ASCII letter.
func inCapitals(text string) bool {
	for i := range len(text) {
		if text[i] >= 'a' && text[i] <= 'z' {
			return false
		}
	}
	return true
}

// behindDash reports whether a word after a dash or bracket says what happened to the task: "— deferred to v2",
// "(cancelled)". In "— skipped rows are counted" and "(optional fields)" it describes the task.
func behindDash(word, rest string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	return strings.Contains(word, " ") || last >= 0x3040 || separate(rest, Cancelled)
}

// isDeferral reports whether a text begins with a word that a reason may follow without punctuation: "Publishing
// deferred to the user".
func isDeferral(low string) bool {
	return strings.HasPrefix(low, "deferred") || strings.HasPrefix(low, "defered") ||
		strings.HasPrefix(low, "postponed") || strings.HasPrefix(low, "skipped")
}
