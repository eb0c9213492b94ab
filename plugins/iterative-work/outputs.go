package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// outputs lists the literal paths of an item's Output, below the instance's own path.
func (it *item) outputs(root string) []string {
	var paths []string
	for _, w := range it.paths() {
		if p := literal(w, root); p != "" && !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// outside is the first path of an item's Output that leads out of the repository, "" if none does.
func (it *item) outside(root string) string {
	for _, w := range it.paths() {
		up := strings.Count(w, "../")
		if strings.Contains(w, ".iterative-work/") || literal(w, root) != "" {
			continue
		}
		if strings.HasPrefix(w, "/") && len(w) > 1 && isLetter(w[1]) || strings.HasPrefix(w, "~/") || up > 1+strings.Count(root, "/") || len(w) > 2 && isLetter(w[0]) && w[1:3] == `:\` {
			return w
		}
	}
	return ""
}

// paths lists the words of an item's Output that may be paths: what is in code marks, else all.
func (it *item) paths() []string {
	var found []string
	f := it.sub(outputKeys)
	if f == nil {
		return nil
	}
	raw := bare(it.doc.Text[f.Start:f.End])
	for _, text := range f.Texts() {
		if words.Mentions(text, "per document") {
			return nil
		}
		if spans := strings.Split(raw, "`"); len(spans) > 2 && f.Value != "" {
			for i := 1; i+1 < len(spans); i += 2 {
				found = append(found, strings.TrimSpace(spans[i]))
			}
			continue
		}
		found = append(found, strings.Fields(strings.ReplaceAll(strings.ReplaceAll(text, ",", " "), ";", " "))...)
	}
	return found
}

// literal is the path below the root that a word names, "" if it names none.
func literal(w, root string) string {
	own := max(strings.LastIndex(root, ".iterative-work/"), 0)
	if _, below, ok := strings.Cut("/"+w, "/"+root[own:]+"/"); ok {
		w = below
	}
	w = strings.TrimPrefix(strings.TrimPrefix(w, "."), "/")
	dir, rest, ok := strings.Cut(w, "/")
	if !ok || !slices.Contains(strings.Split(strings.Trim(outputDirs, "{}"), ","), dir) {
		return ""
	}
	if strings.ContainsAny(w, "{}*<>?[]… \t\\:\"|") || strings.Contains(w, "..") || strings.Contains(w, "//") || strings.Contains(w, "/./") {
		return ""
	}
	name := rest[strings.LastIndexByte(rest, '/')+1:]
	if name != "" && !hasExtension(name) {
		return ""
	}
	return w
}

// hasExtension reports whether name ends in a dot and letters or digits: punctuation behind a
// path in prose is not part of a name.
func hasExtension(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || dot == len(name)-1 {
		return false
	}
	for _, r := range name[dot+1:] {
		sign := r < 0x80 && (r < '0' || '9' < r) && (r|0x20 < 'a' || 'z' < r|0x20)
		if sign || 0x2000 <= r && r < 0x2070 { // general punctuation: dashes and quotes
			return false
		}
	}
	return true
}
