package ocr

import (
	"strings"
	"unicode"
)

// canMake reports whether every system can keep a document of that name.
func canMake(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if !isPortable(part) {
			return false
		}
	}
	return true
}

// isPortable refuses what Windows or git reserves, and a little more.
func isPortable(part string) bool {
	if part == "" || len(part) > 255 || strings.ContainsAny(part, "<>:\"|?*\\$~") || strings.ContainsFunc(part, unicode.IsControl) {
		return false
	}
	stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
	stem = strings.TrimSpace(stem)
	for _, device := range []string{"CON", "PRN", "AUX", "NUL", "COM", "LPT"} {
		if rest, ok := strings.CutPrefix(stem, device); ok && len(rest) <= len("¹") {
			return false
		}
	}
	isHidden := part[0] == '.' && part != ".gitkeep"
	return !isHidden && !strings.HasSuffix(part, ".") && !strings.HasSuffix(part, " ")
}

// isFree reports whether a name in a directory can be taken by a move from
// another name there, on every file system. Names that systems may take for one
// another (case, accents composed or not) are not free: the guest knows no
// Unicode tables to tell, so beyond ASCII it trusts only scripts without either.
func (m *Model) isFree(dir, from, to string) bool {
	if !isCaseless(to) || strings.EqualFold(from, to) {
		return false
	}
	for _, d := range m.Docs.All() {
		rest, ok := strings.CutPrefix(d.Path, dir)
		name, _, _ := strings.Cut(rest, "/")
		if ok && name != from && (!isCaseless(name) || strings.EqualFold(name, to)) {
			return false
		}
	}
	return true
}

// isCaseless reports whether ASCII and ideographs are all that a name holds.
func isCaseless(name string) bool {
	for _, r := range name {
		if r >= 0x80 && (r < 0x3400 || r > 0x9fff) {
			return false
		}
	}
	return true
}
