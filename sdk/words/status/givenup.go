package status

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

// givenUp are the words for work that nobody has to do, or not now. A stem ends with an asterisk: languages inflect it.
var givenUp = table{words: []string{
	"deferred", "postponed", "skipped", "superseded", "cancelled", "canceled", "obsolete", "dropped", "descoped",
	"wontfix", "won't fix", "won’t fix", "won't do", "won’t do", "will not do", "n/a", "not applicable", "not needed",
	"no longer needed", "not required", "out of scope", "on hold", "abandoned", "moved to", "merged into",
	"推迟", "跳过", "取消", "不需要", "延期", "不适用", "无需", "暂缓", "スキップ", "見送り", "対象外", "不要", "該当なし",
	"건너뜀", "보류", "취소", "entfällt", "entfallen", "zurückgestellt", "verschoben",
	"no aplica", "descartad*", "aplazad*", "não se aplica", "adiad*", "cancelad*", "sans objet", "reporté*",
	"abandonné*", "annulé*", "annullat*", "rimandat*", "не требуется", "отложен*", "отменен*", "отменён*", "пропущен*",
}}

var optional = table{words: []string{"optional", "任意", "可选", "可選", "オプション", "선택", "опционально", "opcional",
	"optionnel*", "optionell", "facoltativ*"}}

// reasons begin why, or until when, work is given up.
var reasons = []string{"to ", "until ", "because ", "since "}

// GivenUp reports whether the title of a task, as a reader sees it and without its id, says that nobody has to do the
// task, or not now.
//
// The word that says so is set apart: in brackets, behind a dash, in front of a colon, in capitals behind a label, or
// followed by a reason ("deferred to v2"). Within a title the same word says what the task is about: "Show cancelled
// orders", "Count non-skipped rows".
func GivenUp(title string) bool { return setApart(&givenUp, title) }

// Optional reports whether the title of a task says that the task need not be done: "Write docs (optional)". The word
// is set apart as those of GivenUp are: "Support optional fields" is required.
func Optional(title string) bool { return setApart(&optional, title) }

// DefersWork reports whether a line is a note that gives up the task above it: "NOTE: Skipped, there is no database",
// "Deferred: see #12".
func DefersWork(line string) bool {
	low := words.Lower(strings.Trim(line, " *_"))
	note := false
	for _, key := range [...]string{"note", "status", "备注", "注意", "備考", "hinweis", "nota"} {
		if rest, ok := strings.CutPrefix(low, key); ok {
			low, note = strings.TrimLeft(rest, " :：*_"), true
			break
		}
	}
	n := givenUp.at(low)
	if n == 0 {
		return false
	}
	rest := strings.TrimLeft(low[n:], "*_")
	next, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || strings.ContainsRune(":：,，、;(（—–", next) || strings.HasPrefix(rest, " (") ||
		strings.HasPrefix(rest, " - ") || strings.HasPrefix(rest, " —") || strings.HasPrefix(rest, " –") ||
		note && (next == ' ' || next == '.')
}

// setApart reports whether a title has a word of a table that is set apart.
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

// continues reports whether what follows a text belongs to a word that begins in it, as "skipped" in "non-skipped".
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

// remark reports whether a word of a title is a remark on it rather than a part of it.
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
	before := strings.TrimRight(low[:at], " *_⏭⏸❌⚠✅☑✔\ufe0f")
	if before == "" {
		return shout || closes
	}
	switch last, _ := utf8.DecodeLastRuneInString(before); last {
	case '(', '[', '（', '【':
		return true
	case '—', '–', '-':
		return shout || behindDash(low[at:end], low[end:])
	case ':', '：': // "States: deferred, done" lists words
		return shout || after == "" || next != ',' && closes
	case ']':
		return shout || closes
	}
	// "Publish *deferred*"
	return at > 0 && (low[at-1] == '*' || low[at-1] == '_') && strings.Trim(after, ".)*_ ") == ""
}

// inCapitals reports whether a text has no small letter of ASCII.
func inCapitals(text string) bool {
	for i := range len(text) {
		if text[i] >= 'a' && text[i] <= 'z' {
			return false
		}
	}
	return true
}

// behindDash reports whether a word behind a dash says what becomes of the task: "— deferred to v2", "- cancelled". In
// "— skipped rows are counted" it says more of what the task is about.
func behindDash(word, rest string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	return strings.Contains(word, " ") || last >= 0x3040 || separate(rest, Cancelled)
}

// isDeferral reports whether a text begins with a word behind which a reason may follow without a mark: "Publishing
// deferred to the user".
func isDeferral(low string) bool {
	return strings.HasPrefix(low, "deferred") || strings.HasPrefix(low, "postponed") ||
		strings.HasPrefix(low, "skipped")
}
