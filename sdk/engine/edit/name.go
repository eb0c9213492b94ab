package edit

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// CheckName returns an error for the name of a document or directory that an edit creates, unless every operating
// system can store it below the root. It refuses absolute paths, "..", names that Windows reserves, and paths in
// .git.
func CheckName(name string) error {
	if why := nameFault(name); why != "" {
		return &nameError{name, why}
	}
	return nil
}

type nameError struct{ name, why string }

func (e *nameError) Error() string { return "the name " + strconv.Quote(e.name) + " " + e.why }

func nameFault(name string) string {
	switch {
	case name == "" || name == "/":
		return "is empty"
	case len(name) > 4096:
		return "is longer than 4096 bytes"
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case name[0] == '/':
		return "is absolute; names are relative to the root"
	}
	for _, part := range strings.Split(strings.TrimSuffix(name, "/"), "/") {
		if why := partFault(part); why != "" {
			return why
		}
	}
	return ""
}

func partFault(part string) string {
	switch {
	case part == "":
		return "has an empty part"
	case part == "." || part == "..":
		return "has the part " + strconv.Quote(part)
	case len(part) > 255:
		return "has a part of more than 255 bytes"
	case strings.ContainsAny(part, `<>:"|?*\`):
		return `has one of <>:"|?*\, which Windows refuses`
	case strings.ContainsFunc(part, unicode.IsControl):
		return "has a control character"
	case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
		return "has a part that ends in a dot or blank, which Windows drops"
	case device(part):
		return "has the part " + strconv.Quote(part) + ", which Windows reserves"
	case gitFolder(part):
		return "leads into git's own folder"
	}
	return ""
}

// device reports whether Windows treats a name as a device, regardless of its extension.
func device(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	digit, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		digit, ok = strings.CutPrefix(stem, "LPT")
	}
	return ok && utf8.RuneCountInString(digit) == 1 && strings.Contains("0123456789¹²³", digit)
}

// gitFolder reports whether some file system would open .git under this name: HFS+ ignores invisible characters,
// and FAT has short names.
func gitFolder(part string) bool {
	visible := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, part)
	name := Fold(visible)
	return name == ".git" || name == "git~1"
}

// InGitFolder reports whether a slash-separated path leads into a directory that some file system treats as git's
// own, regardless of its spelling.
func InGitFolder(name string) bool {
	for _, part := range strings.Split(name, "/") {
		// NTFS ignores trailing dots and blanks, and treats text after a colon as a stream name.
		part, _, _ = strings.Cut(part, ":")
		if gitFolder(strings.TrimRight(part, ". ")) {
			return true
		}
	}
	return false
}

// Fold returns the form in which names are compared. File systems that ignore case, Unicode form or invisible
// characters (HFS+) treat names with the same folded form as equal.
func Fold(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(name)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(strings.Map(visible, name))))
}

// visible drops the characters that HFS+ ignores when it compares names.
func visible(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}

// withParents returns a copy with an entry for every directory.
func withParents(files Files) Files {
	all := make(Files, 2*len(files))
	for name, file := range files {
		all[name] = file
		for dir := parent(name); dir != ""; dir = parent(dir) {
			if _, ok := all[dir]; !ok {
				all[dir] = File{}
			}
		}
	}
	return all
}

// parent returns the directory above a path, with a trailing slash, or "".
func parent(name string) string {
	name = strings.TrimSuffix(name, "/")
	return name[:strings.LastIndexByte(name, '/')+1]
}

// sorted returns the paths in order.
func (f Files) sorted() []string { return slices.Sorted(maps.Keys(f)) }

// AsideName returns the n-th candidate, counted from 1, for the name that Aside gives to a path. A directory has no
// extension. A name that consists only of an extension has none either.
func AsideName(name, word string, n int) string {
	slash := ""
	if strings.HasSuffix(name, "/") {
		slash = "/"
	}
	dir := parent(name)
	base := strings.TrimSuffix(name[len(dir):], "/")
	ext := path.Ext(base)
	if slash != "" || ext == base {
		ext = ""
	}
	number := ""
	if n > 1 {
		number = "-" + strconv.Itoa(n)
	}
	return dir + strings.TrimSuffix(base, ext) + "." + word + number + ext + slash
}
