package ocr

import (
	"github.com/stategate/stategate/sdk/instant"
	"strings"
	"unicode"
)

// splitReviewer reads the name of a reviewer file without .md, {type}-{n}. The
// type is "" and the number 0 if it is none: lower-case or caseless letters and
// digits in groups joined by single hyphens, then a number from 1 without
// leading zeros.
func splitReviewer(stem string) (kind string, number int) {
	cut := strings.LastIndexByte(stem, '-')
	if cut < 0 || !isReviewerType(stem[:cut]) {
		return "", 0
	}
	n, ok := canonicalNumber(stem[cut+1:])
	if !ok {
		return "", 0
	}
	return stem[:cut], n
}

func isReviewerType(s string) bool {
	for _, group := range strings.Split(s, "-") {
		if group == "" || strings.ContainsFunc(group, notOfReviewer) {
			return false
		}
	}
	return true
}

func notOfReviewer(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsTitle(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}

// mendedStem is a reviewer file's name as it should be: lower case, hyphens for
// underscores and blanks, no leading zeros. It is "" if that is no valid name.
func mendedStem(stem string) string {
	lower := strings.ToLower(strings.Map(hyphen, stem))
	cut := strings.LastIndexByte(lower, '-')
	if cut < 0 {
		return ""
	}
	mended := lower[:cut+1] + strings.TrimLeft(lower[cut+1:], "0")
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
