// Package paths is about the paths of files that state names, which a person or an agent may have written under another
// name.
package paths

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// families are extensions of which one is often planned and another one written.
var families = [][]string{{"ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "vue", "svelte"}, {"yml", "yaml"},
	{"css", "scss", "less"}, {"md", "mdx"}, {"c", "cc", "cpp"}, {"h", "hpp"}, {"py", "pyi"}, {"sh", "bash"}}

// variants returns other paths that the file of a plan may have: with another extension of its family, its words
// written otherwise, without the last one (Login for LoginPage), with the kind that its directory names (authStore in
// stores), as a directory of its own (album/index.ts, album/__init__.py), or among tests (__tests__/album.test.ts). It
// is empty for a path whose name has no extension.
func variants(path string) (list []string) {
	cut := strings.LastIndexByte(path, '/') + 1
	dir, name := path[:cut], path[cut:]
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 {
		return nil
	}
	stem, ext := name[:dot], name[dot+1:]
	for _, family := range families {
		if slices.Contains(family, ext) {
			for _, other := range family {
				list = append(list, dir+stem+"."+other)
			}
		}
	}
	parts := wordsOf(stem)
	kind := strings.TrimSuffix(dir[strings.LastIndexByte(strings.TrimSuffix(dir, "/"), '/')+1:], "/")
	for _, words := range [][]string{parts, parts[:max(1, len(parts)-1)],
		append(slices.Clip(parts), strings.TrimSuffix(strings.ToLower(kind), "s"))} {
		title := ""
		for _, word := range words {
			if word != "" {
				title += strings.ToUpper(word[:1]) + word[1:]
			}
		}
		for _, stem := range []string{strings.Join(words, "-"), strings.Join(words, "_"), strings.Join(words, ""),
			title, strings.ToLower(title[:min(1, len(title))]) + title[min(1, len(title)):]} {
			list = append(list, dir+stem+"."+ext)
		}
	}
	list = append(list, dir+stem+"/index."+ext, dir+stem+"/"+name)
	if strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") {
		list = append(list, dir+"__tests__/"+name)
	}
	switch ext {
	case "py":
		list = append(list, dir+stem+"/__init__.py")
	case "rs":
		list = append(list, dir+stem+"/mod.rs")
	}
	return list
}

// wordsOf are the words of a name, in lower case: of authStore, AuthStore, auth-store and auth_store.
func wordsOf(stem string) (parts []string) {
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	for i := range len(stem) {
		switch c := stem[i]; {
		case c == '-' || c == '_':
			parts = append(parts, "")
		case i == 0 || upper(c) && !upper(stem[i-1]) && stem[i-1] != '-' && stem[i-1] != '_':
			parts = append(parts, strings.ToLower(stem[i:i+1]))
		default:
			parts[len(parts)-1] += strings.ToLower(stem[i : i+1])
		}
	}
	return parts
}

// Either is Present if one of two is, and Absent if both are.
func Either(a, b sdk.Presence) sdk.Presence {
	switch {
	case a == sdk.Present || b == sdk.Present:
		return sdk.Present
	case a == sdk.Absent && b == sdk.Absent:
		return sdk.Absent
	}
	return sdk.Unseen
}

// Other finds the file of a path under another name of the same words, below one of some directories; "" is the top of
// the workspace, and the others end in a slash. A path that is taken, as by another task that makes it, is no other name
// of this one; taken may be nil. It asks for every variant, whatever is known.
func Other(p *sdk.Pass, dirs []string, path string, taken func(string) bool) (found string, is sdk.Presence) {
	is = sdk.Absent
	for _, other := range variants(path) {
		for _, dir := range dirs {
			there := p.Presence(dir + other)
			if taken != nil && other != path && taken(other) {
				continue
			}
			if is = Either(is, there); there == sdk.Present && found == "" {
				found = dir + other
			}
		}
	}
	return found, is
}

// Renamed says whether one of some files is there under another name, as Other does for one.
func Renamed(p *sdk.Pass, dirs, files []string, taken func(string) bool) sdk.Presence {
	is := sdk.Absent
	for _, path := range files {
		_, other := Other(p, dirs, path, taken)
		is = Either(is, other)
	}
	return is
}
