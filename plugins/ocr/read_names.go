package ocr

import (
	"strings"
	"unicode"

	"github.com/stategate/stategate/sdk/instant"
)

// splitReviewer reads the name of a reviewer file without .md, {type}-{n}. The type is "" and the number 0 if it is none:
// lower-case or caseless letters and digits in groups joined by single hyphens, then a number from 1 without leading zeros.
func splitReviewer(stem string) (kind string, number int) {
	kind, digits := cutLast(stem, "-")
	n, ok := canonicalNumber(digits)
	strange := func(r rune) bool {
		return r != '-' && (unicode.IsUpper(r) || unicode.IsTitle(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r))
	}
	if !ok || strings.Contains("-"+kind+"-", "--") || strings.ContainsFunc(kind, strange) {
		return "", 0
	}
	return kind, n
}

// cutLast cuts a text around the last separator: all is behind it if there is none.
func cutLast(text, separator string) (before, after string) {
	at := strings.LastIndex(text, separator)
	return text[:max(at, 0)], text[at+1:]
}

// mendedStem is a reviewer file's name as it should be: lower case, hyphens for
// underscores and blanks, no leading zeros. It is "" if that is no valid name.
func mendedStem(stem string) string {
	kind, digits := cutLast(strings.ToLower(strings.Map(hyphen, stem)), "-")
	mended := kind + "-" + strings.TrimLeft(digits, "0")
	if _, n := splitReviewer(mended); n == 0 {
		return ""
	}
	return mended
}

// dateLength is that of the date at the beginning of a session's name.
const dateLength = len("2006-01-02")

// sessionDate is the date that a session's name begins with: a real date, a
// hyphen and a name.
func sessionDate(id string) (day instant.Time, ok bool) {
	if len(id) < dateLength+2 || id[dateLength] != '-' {
		return day, false
	}
	m, why := instant.Loose(id[:dateLength])
	return m.At, why == "" && m.Precision == instant.Date && id[4] == '-'
}
