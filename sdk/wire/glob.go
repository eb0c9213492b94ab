package wire

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of a glob. Matching time grows with alternatives and stars. Within these limits, the slowest known
// glob takes 0.1 ms for a path of 270 bytes.
const (
	MaxGlob         = 256 // bytes
	MaxAlternatives = 64  // globs after expanding all braces
	MaxStars        = 8   // "*" or "**", per expanded glob
	MaxDeepStars    = 3   // "**", per expanded glob
)

// CheckGlob returns an error for a glob that a host would not match. The glob must be UTF-8, not empty and not too
// long. It must not leave the root ("..", a leading slash), contain an empty path element, "." or a backslash, or
// nest braces. It must not exceed the limits on alternatives and stars.
//
// A glob consists of literal text and these elements:
//
//   - "?" matches one character.
//   - "*" matches any number of characters other than a slash.
//   - "**" as a whole path element matches any number of elements.
//   - "[a-z]" matches one character in the class; "[!a-z]" or "[^a-z]" matches one that is not.
//   - "{a,b}" matches either alternative.
//
// A trailing slash means a directory. sdk.Match and the methods of sdk.Docs use the same syntax.
func CheckGlob(glob string) error {
	if why := globFault(glob); why != "" {
		return errors.New("glob " + shown(glob) + ": " + why)
	}
	return nil
}

func globFault(glob string) string {
	switch {
	case glob == "":
		return "is empty, expected a pattern such as \"*.json\""
	case len(glob) > MaxGlob:
		return "has " + strconv.Itoa(len(glob)) + " bytes, expected at most " + strconv.Itoa(MaxGlob)
	case !utf8.ValidString(glob):
		return "is not UTF-8"
	case strings.IndexFunc(glob, isControl) >= 0:
		return "contains a control character"
	case strings.ContainsRune(glob, '\\'):
		return "contains a backslash; paths are slash-separated, and [*] matches a star"
	case braceInClass(glob):
		return "has a brace in a character class; matchers disagree about what it means"
	}
	plain, why := expand(glob)
	if why != "" {
		return why
	}
	for _, p := range plain {
		if why := plainFault(strings.TrimSuffix(p, "/")); why != "" {
			return why
		}
	}
	return ""
}

func braceInClass(glob string) bool {
	class := false
	for _, c := range glob {
		switch {
		case c == '[' || c == ']':
			class = c == '['
		case class && (c == '{' || c == '}'):
			return true
		}
	}
	return false
}

// expand expands the braces: a{b,c} becomes ab and ac.
func expand(glob string) (plain []string, why string) {
	plain = []string{""}
	for glob != "" {
		i := strings.IndexAny(glob, "{}")
		if i < 0 && meet(plain, []string{glob}) {
			return nil, starsMeet
		}
		if i < 0 {
			return appended(plain, []string{glob}), ""
		}
		if glob[i] == '}' {
			return nil, "closes a brace that is not open"
		}
		n := strings.IndexAny(glob[i+1:], "{}")
		if n < 0 {
			return nil, "opens a brace and does not close it"
		}
		end := i + 1 + n
		if glob[end] == '{' {
			return nil, "nests braces; write out the alternatives"
		}
		options := strings.Split(glob[i+1:end], ",")
		if len(plain)*len(options) > MaxAlternatives {
			return nil, "stands for more than " + strconv.Itoa(MaxAlternatives) + " alternatives; use several globs"
		}
		literal := []string{glob[:i]}
		glob = glob[end+1:]
		if meet(plain, literal) || meet(appended(plain, literal), options) {
			return nil, starsMeet
		}
		plain = appended(appended(plain, literal), options)
	}
	return plain, ""
}

const starsMeet = "has stars that meet at a brace; matchers disagree about what they mean"

// meet reports whether a prefix ends in a star and a suffix begins with one. A resulting "**" could match more than
// the two stars.
func meet(prefixes, suffixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasSuffix(p, "*") }) &&
		slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasPrefix(s, "*") })
}

// appended combines every prefix with every suffix.
func appended(prefixes, suffixes []string) []string {
	all := make([]string, 0, len(prefixes)*len(suffixes))
	for _, p := range prefixes {
		for _, s := range suffixes {
			all = append(all, p+s)
		}
	}
	return all
}

// plainFault describes the fault of a glob without braces and without a trailing slash, or returns "".
func plainFault(glob string) string {
	if strings.HasPrefix(glob, "/") {
		return "begins with a slash; globs are relative to a root"
	}
	deep, stars := 0, 0
	for _, e := range strings.Split(glob, "/") {
		switch {
		case e == "":
			return "has an empty path element"
		case e == "." || e == "..":
			return "has the path element " + shown(e) + "; globs are relative to a root"
		case e == "**":
			deep++
			stars++
			continue
		case strings.Contains(e, "**"):
			return "has \"**\" next to other text, where it would mean \"*\"; make it a separate path element"
		}
		stars += strings.Count(e, "*")
		if why := classFault(e); why != "" {
			return why
		}
	}
	if deep > MaxDeepStars {
		return "has " + strconv.Itoa(deep) + " times \"**\", expected at most " + strconv.Itoa(MaxDeepStars)
	}
	if stars > MaxStars {
		return "has " + strconv.Itoa(stars) + " stars, expected at most " + strconv.Itoa(MaxStars)
	}
	return ""
}

// classFault describes the fault of a path element's character classes, or returns "". A class contains characters
// and ascending ranges; matchers disagree about anything else.
func classFault(e string) string {
	for {
		i := strings.IndexAny(e, "[]")
		if i < 0 {
			return ""
		}
		n := strings.IndexAny(e[i+1:], "[]")
		if e[i] == ']' || n < 0 || e[i+1+n] == '[' {
			return "has a character class that is not closed, not opened, or in another"
		}
		class := e[i+1 : i+1+n]
		if strings.HasPrefix(class, "!") || strings.HasPrefix(class, "^") {
			class = class[1:]
		}
		if why := rangesFault([]rune(class)); why != "" {
			return why
		}
		e = e[i+2+n:]
	}
}

const badRange = "has a character class whose \"-\" is not between two ascending characters"

func rangesFault(class []rune) string {
	if len(class) == 0 {
		return "has an empty character class"
	}
	for len(class) > 0 {
		low, high := class[0], class[0]
		if class = class[1:]; len(class) > 0 && class[0] == '-' {
			if len(class) == 1 {
				return badRange
			}
			high, class = class[1], class[2:]
		}
		if low == '-' || high == '-' || low > high {
			return badRange
		}
	}
	return ""
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 }
