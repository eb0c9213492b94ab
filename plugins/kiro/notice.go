package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A notice is a line at the top of a document that says that the spec is not to be continued.
type notice struct {
	text, place string
}

// notice returns the first notice in the spec's documents, or a zero value.
func (m *model) notice() notice {
	for _, path := range []string{"tasks.md", "requirements.md", "bugfix.md", "design.md"} {
		if d := m.docs.Get(path); d.Readable() {
			if n := noticeIn(d); n.text != "" {
				return n
			}
		}
	}
	return notice{}
}

// noticeIn looks for a notice before the first section, and in the first section if it has a title such as Status.
// There, "resolved" counts as well, because it says that the spec's problem is gone. "complete" does not, because it
// may only describe the document.
func noticeIn(d *sdk.Document) notice {
	head := d.Outline().Head()
	end, state := head.End(), -1
	if heads := d.Outline().Headings(); end < len(d.Text) {
		at := slices.IndexFunc(heads, func(h markdown.Heading) bool { return h.Start() == end })
		if at >= 0 && slices.Contains(status.ProgressKeys(), words.Lower(heads[at].Text())) {
			state, end = heads[at].End(), heads[at].Section().End()
		}
	}
	from := head.Start()
	for line := range strings.Lines(d.Text[from:end]) {
		text := markdown.Plain(bare(line))
		if strings.HasPrefix(text, "[ ]") || strings.HasPrefix(text, "[x]") || strings.HasPrefix(text, "```") {
			break // tasks or code
		}
		_, word := new(status.Vocabulary).Split(text)
		if text != "" && (text[0] != '#' && status.Retired(text) || state >= 0 && from >= state &&
			(status.Retired("Status: "+text) || word == "resolved")) {
			return notice{text, say.Line(d, from)}
		}
		from += len(line)
	}
	return notice{}
}

// mayTell are the words that told searches for before it reads the lines.
var mayTell = words.ListOf(append(status.ProgressKeys(), "blocked", "❌", "✗")...).AnyCase()

// told returns the status that a line below a task gives it, and the line: "Status: ✅ done", "BLOCKED by #12",
// "❌ Not implemented". It returns Unknown if there is none, and ignores _Blocked: notes.
func (m *model) told(t *task) (status.Status, string) {
	_, below, _ := strings.Cut(t.Body(m.list), "\n")
	if mayTell.Index(below) < 0 {
		return status.Unknown, ""
	}
	for line := range strings.Lines(below) {
		text := markdown.Plain(bare(line))
		bold := strings.Trim(text, " *_⚠⛔🚫\ufe0f")
		key, value, keyed := strings.Cut(strings.Replace(bold, "：", ":", 1), ":")
		denied := strings.TrimLeft(bold, "❌✗ ")
		is := status.Unknown
		switch {
		case keyed && slices.Contains(status.ProgressKeys(), words.Lower(strings.Trim(key, " *_"))):
			is = status.Of(value)
		case denied != bold:
			if is = status.Of(denied); is == status.Done { // "❌ Done" contradicts itself
				is = status.Unknown
			}
		case strings.HasPrefix(bold, "BLOCKED"), bold != text && strings.HasPrefix(bold, "Blocked "):
			is = status.Of(bold)
		}
		if is != status.Unknown {
			return is, text
		}
	}
	return status.Unknown, ""
}
