package wire

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of a glob. Matching takes time that grows with the alternatives
// and with the stars; within these the worst glob found takes 0.1 ms for a path of 270 bytes.
const (
	MaxGlob         = 256 // bytes
	MaxAlternatives = 64  // the globs that the braces stand for, all groups multiplied
	MaxStars        = 8   // "*" or "**", in each of those globs
	MaxDeepStars    = 3   // "**", in each of those globs
)

// CheckGlob refuses a glob that a host would not match: one that is empty, too
// long or not UTF-8, that leaves the root ("..", a leading slash), that holds
// an empty path element, "." or a backslash, that nests braces, or that stands for more
// alternatives or has more stars than the limits allow.
//
// A glob is made of literal text and of: "?", one character; "*", any
// characters but a slash; "**" as a whole path element, any number of elements; "[a-z]", one
// character of a class; "[!a-z]" or "[^a-z]", one that is not in it; "{a,b}", either. A slash at
// its end names directories. sdk.Match and the methods of sdk.Docs read globs in the same way.
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
		return "holds a control character"
	case strings.ContainsRune(glob, '\\'):
		return "holds a backslash; paths are slash-separated, and [*] matches a star"
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

// expand writes out the braces: a{b,c} is ab and ac.
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
			return nil, "nests braces; write the alternatives out"
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

// meet reports whether a prefix ends in a star and a suffix begins with one: "**" may be more than both.
func meet(prefixes, suffixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasSuffix(p, "*") }) &&
		slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasPrefix(s, "*") })
}

// appended gives every prefix with every suffix.
func appended(prefixes, suffixes []string) []string {
	all := make([]string, 0, len(prefixes)*len(suffixes))
	for _, p := range prefixes {
		for _, s := range suffixes {
			all = append(all, p+s)
		}
	}
	return all
}

// plainFault judges a glob without braces and without a trailing slash.
func plainFault(glob string) string {
	if strings.HasPrefix(glob, "/") {
		return "begins with a slash; globs lie below a root"
	}
	deep, stars := 0, 0
	for _, e := range strings.Split(glob, "/") {
		switch {
		case e == "":
			return "has an empty path element"
		case e == "." || e == "..":
			return "has the path element " + shown(e) + "; globs lie below a root"
		case e == "**":
			deep++
			stars++
			continue
		case strings.Contains(e, "**"):
			return "has \"**\" beside other text, where it would mean \"*\"; make it a path element of its own"
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

// classFault judges the character classes of a path element. A class holds
// characters and ranges of rising characters; matchers disagree about the rest.
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

const badRange = "has a character class whose \"-\" is not between two rising characters"

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
