package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
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
		absolute := len(w) > 1 && w[0] == '/' && isLetter(w[1]) || strings.HasPrefix(w, "~/") || len(w) > 2 && isLetter(w[0]) && w[1:3] == `:\`
		above := strings.Count(w, "../") > 1+strings.Count(root, "/")
		if (absolute || above) && !strings.Contains(w, ".iterative-work/") && literal(w, root) == "" {
			return w
		}
	}
	return ""
}

// paths lists the words of an item's Output that may be paths: what is in code marks, else all.
func (it *item) paths() []string {
	f := markdown.PairAmong(it.subs, outputKeys...)
	if f == nil || words.Mentions(strings.Join(f.Texts(), " "), "per document") {
		return nil
	}
	raw, _, _ := strings.Cut(it.doc.Text[f.Start:f.End], "<!--")
	if spans := strings.Split(raw, "`"); len(spans) > 2 && f.Value != "" {
		var found []string
		for i := 1; i+1 < len(spans); i += 2 {
			found = append(found, strings.TrimSpace(spans[i]))
		}
		return found
	}
	return strings.Fields(strings.ReplaceAll(strings.ReplaceAll(strings.Join(f.Texts(), " "), ",", " "), ";", " "))
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
	name := rest[strings.LastIndexByte(rest, '/')+1:]
	if strings.ContainsAny(w, "{}*<>?[]… \t\\:\"|") || strings.Contains(w, "..") || strings.Contains(w, "//") || strings.Contains(w, "/./") || name != "" && !hasExtension(name) {
		return ""
	}
	return w
}

// hasExtension reports whether name ends in a dot and letters or digits: punctuation behind a
// path in prose is not part of a name.
func hasExtension(name string) bool {
	extension := name[strings.LastIndexByte(name, '.')+1:]
	sign := func(r rune) bool { return r < 0x80 && !words.IsWord(byte(r)) || r == '_' || 0x2000 <= r && r < 0x2070 } // dashes and quotes
	return extension != "" && len(extension) < len(name) && strings.IndexFunc(extension, sign) < 0
}
