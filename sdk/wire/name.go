package wire

import "strings"

// IsName reports whether s is a valid name for a plugin, a rule or a lifecycle: lowercase words and numbers joined
// by single hyphens, beginning with a letter.
func IsName(s string) bool { return isWord(s) }

// isWord reports whether s consists of lowercase words and numbers joined by single hyphens, beginning with a
// letter.
func isWord(s string) bool {
	if s == "" || len(s) > MaxName || !isLower(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		hyphen := s[i] == '-' && s[i-1] != '-' && i < len(s)-1
		if !hyphen && !isLower(s[i]) && !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// isIdentifier reports whether s is a name in the style of other tools: letters, digits, hyphens, underscores and
// dots, beginning with a letter or digit.
func isIdentifier(s string) bool {
	if s == "" || len(s) > MaxName {
		return false
	}
	for i := 0; i < len(s); i++ {
		if isLower(s[i]|0x20) || isDigit(s[i]) {
			continue
		}
		if i == 0 || s[i] != '-' && s[i] != '_' && s[i] != '.' {
			return false
		}
	}
	return true
}

// IsVersion reports whether s is three numbers joined by dots, optionally with a pre-release and build metadata
// (semver.org).
func IsVersion(s string) bool {
	if len(s) > MaxName {
		return false
	}
	core, build, hasBuild := strings.Cut(s, "+")
	core, pre, hasPre := strings.Cut(core, "-")
	if hasBuild && !isDotted(build) || hasPre && !isDotted(pre) {
		return false
	}
	numbers := strings.Split(core, ".")
	for _, n := range numbers {
		if n == "" || strings.TrimLeft(n, "0123456789") != "" || len(n) > 1 && n[0] == '0' {
			return false
		}
	}
	return len(numbers) == 3
}

func isDotted(s string) bool {
	for _, part := range strings.Split(s, ".") {
		if part == "" {
			return false
		}
		for i := 0; i < len(part); i++ {
			if b := part[i]; !isLower(b|0x20) && !isDigit(b) && b != '-' {
				return false
			}
		}
	}
	return true
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
