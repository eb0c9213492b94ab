package bmad

import "strings"

// nameOf returns a tracker key without a folder: 1-2-name for epic-01/1-2-name.
func nameOf(key string) string {
	if name := key[strings.LastIndexByte(key, '/')+1:]; numberOf(name) != "" {
		return name
	}
	return key
}

func kindOf(key string) kind {
	switch {
	case strings.HasSuffix(key, "-retrospective") || strings.HasSuffix(key, "-retro"):
		return aRetro
	case isEpic(key):
		return anEpic
	}
	return aStory
}

// isEpic reports whether a key begins with epic-, or ends with epic-ID, where ID is one short word.
func isEpic(key string) bool {
	i := strings.LastIndex(key, "epic-")
	if i < 0 || i > 0 && key[i-1] != '-' {
		return false
	}
	id := key[i+len("epic-"):]
	return i == 0 && !strings.Contains(id, "story") || id != "" && !strings.Contains(id, "-") && len(id) < 8
}

// keyOf returns a story file's name in the form of a key: 1-2-name for story-1.2-name and spec-1-2-name.
func keyOf(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "story-"), "spec-")
	if first := digits(name); first != "" && strings.HasPrefix(name[len(first):], ".") {
		name = first + "-" + strings.ReplaceAll(name[len(first)+1:], ".", "-")
	}
	return name
}

// digits returns the digits that text begins with.
func digits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}

// isOrdinal reports whether a part of a key is a number, possibly followed by a letter.
func isOrdinal(part string) bool {
	n := len(digits(part))
	return n > 0 && len(part)-n <= 1
}

// numberOf returns a story's number: 1-2 for 1-2-name, 2-6a for 2-6a-name, or "" if there is none.
func numberOf(key string) string {
	first, rest, _ := strings.Cut(key, "-")
	second, _, _ := strings.Cut(rest, "-")
	if second == "" || second[0] < '0' || second[0] > '9' || len(first) > 4 || len(second) > 4 {
		return ""
	}
	return first + "-" + second
}

// serialOf returns a story's number with the short parts after it, each a number, a letter or a combination: 1-2-3 for
// 1-2-3-name, 10-5-a for 10-5-a-name, 6-2-p1 for 6-2-p1-name.
func serialOf(key string) string {
	serial := numberOf(key)
	if serial == "" {
		return ""
	}
	for _, part := range strings.Split(key[len(serial):], "-")[1:] {
		if letters := strings.Trim(part, "0123456789"); part == "" || len(part) > 3 || len(letters) > 1 ||
			letters == part && len(part) > 1 {
			break
		}
		serial += "-" + part
	}
	return serial
}
