package ocr

import "strings"

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
