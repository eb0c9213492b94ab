package status

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// forbidden are phrases that forbid work in a document. The English ones need an object; see ofPlan.
var forbidden = table{words: []string{"do not execute", "do not implement", "do not continue", "must not be executed",
	"must not be implemented", "not to be executed", "not to be implemented",
	"不得直接執行", "不得直接执行", "不得執行", "不得执行", "不再執行", "不再执行", "請勿執行", "请勿执行",
	"実装しないでください", "実行しないでください"}}

// ofPlan are words for a whole document with planned work. conditions are words that limit what is forbidden.
var (
	ofPlan = []string{"this spec", "the spec", "this plan", "the plan", "this list", "these tasks", "this document",
		"this design", "this file", "legacy"}
	conditions = []string{"until", "before", "unless", "without", "only", "if ", "when ", "之前", "直到", "まで"}
)

// Retired reports whether a line at the top of a document, as rendered, says that the work in it is not to be done or
// continued: "Status: superseded by #12", "LEGACY SPEC. See ADR 7", "Do not execute this plan." A word counts as a
// field's value, or in capitals at the beginning of the line. "Superseded in part" retires nothing.
func Retired(line string) bool {
	if strings.Contains(words.Lower(line), " in part ") {
		return false
	}
	text := strings.TrimLeft(line, " >*_⚠⛔🚫❌🗄📦✅\ufe0f")
	key, value, ok := strings.Cut(strings.Replace(text, "：", ":", 1), ":")
	if ok && slices.Contains(progressKeys[:], words.Lower(strings.Trim(key, " *_"))) {
		value = strings.TrimLeft(value, " *_")
		return Of(value) == Cancelled || retiredInCapitals(value)
	}
	if retiredInCapitals(text) {
		return true
	}
	at := forbidden.list().Index(text)
	return at >= 0 && !hasAny(text, conditions) && (text[at] >= 0x80 || hasAny(text, ofPlan))
}

// retiredInCapitals reports whether a text begins with a word in capitals that means Cancelled.
func retiredInCapitals(text string) bool {
	n := 0
	for n < len(text) && text[n] >= 'A' && text[n] <= 'Z' {
		n++
	}
	return n > 4 && (n == len(text) || !words.IsWord(text[n]) || text[n] >= 0x80) && shared(Fold(text[:n])) == Cancelled
}
