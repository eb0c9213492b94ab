package snapshot

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/wire"
)

const byteOrderMark = "\ufeff"

// decode returns a document's text without its byte-order mark. If there is a fault, the text is the raw bytes,
// which may only be used for counting.
func decode(data []byte) (text string, mark bool, fault *wire.DocumentFault) {
	text = string(data)
	if rest, ok := strings.CutPrefix(text, byteOrderMark); ok {
		text, mark = rest, true
	}
	return text, mark, encodingFault(text)
}

func encodingFault(text string) *wire.DocumentFault {
	found, fix := "", "save it as UTF-8"
	var at int
	switch {
	case strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff"):
		found, at = "is UTF-16", 0
	case invalidAt(text) >= 0:
		at = invalidAt(text)
		found = fmt.Sprintf("has the byte 0x%02x, which is not UTF-8,", text[at])
	case strings.IndexByte(text, 0) >= 0:
		at = strings.IndexByte(text, 0)
		found, fix = "has a NUL byte", "remove the byte"
	default:
		return nil
	}
	line := 1 + strings.Count(text[:at], "\n")
	return &wire.DocumentFault{
		Rule: wire.RuleUnreadable, Kind: "encoding", Key: "encoding", Line: line,
		Message: fmt.Sprintf("the document %s on line %d at byte %d; %s", found, line, at, fix),
	}
}

// invalidAt returns the offset of the first byte that is not UTF-8, or -1.
func invalidAt(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			return i
		}
	}
	return -1
}
