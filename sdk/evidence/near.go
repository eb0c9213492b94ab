package evidence

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// families are groups of extensions that are often interchanged between plan and implementation.
var families = [][]string{{"ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "vue", "svelte"}, {"yml", "yaml"},
	{"css", "scss", "less"}, {"md", "mdx"}, {"c", "cc", "cpp"}, {"h", "hpp"}, {"py", "pyi"}, {"sh", "bash"}}

// A variant is another path that a planned file may have. A loose variant has more or fewer words, so it may just
// as well be another file's name.
type variant struct {
	path  string
	loose bool
}

// variants lists the variants of a path: with another extension of the same family, with its words in another
// style, as a directory (album/index.ts, album/__init__.py), or in a test directory (__tests__/album.test.ts). Loose
// variants lack the last word (Login for LoginPage), add the kind that the directory names (authStore in stores,
// auth.route.ts in routes), or swap singular and plural. A name without an extension has no variants.
func variants(path string) (list []variant) {
	dir, name := Dir(path), Name(path)
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 {
		return nil
	}
	stem, ext := name[:dot], name[dot+1:]
	add := func(loose bool, paths ...string) {
		for _, path := range paths {
			list = append(list, variant{dir + path, loose})
		}
	}
	for _, family := range families {
		if slices.Contains(family, ext) {
			for _, other := range family {
				add(false, stem+"."+other)
			}
		}
	}
	parts := wordsOf(stem)
	add(false, spelled(parts, ext)...)
	add(false, stem+"/index."+ext, stem+"/"+name)
	if strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") {
		add(false, "__tests__/"+name)
	}
	switch ext {
	case "py":
		add(false, stem+"/__init__.py")
	case "rs":
		add(false, stem+"/mod.rs")
	}
	kind := strings.TrimSuffix(strings.ToLower(Name(strings.TrimSuffix(dir, "/"))), "s")
	if len(parts) > 1 {
		add(true, spelled(parts[:len(parts)-1], ext)...)
	}
	if kind != "" {
		add(true, spelled(append(slices.Clip(parts), kind), ext)...)
		add(true, stem+"."+kind+"."+ext)
	}
	if one, many := strings.CutSuffix(stem, "s"); many {
		add(true, one+"."+ext)
	} else {
		add(true, stem+"s."+ext)
	}
	return list
}

// spelled returns the words of a name in each naming style for files.
func spelled(words []string, ext string) (list []string) {
	title := ""
	for _, word := range words {
		if word != "" {
			title += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	for _, stem := range []string{strings.Join(words, "-"), strings.Join(words, "_"), strings.Join(words, ""), title,
		strings.ToLower(title[:min(1, len(title))]) + title[min(1, len(title)):]} {
		if list == nil || !slices.Contains(list, stem+"."+ext) {
			list = append(list, stem+"."+ext)
		}
	}
	return list
}

// wordsOf returns the words of a name in lower case. authStore, AuthStore, auth-store and auth_store have the same
// words.
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

// A Near is a file that may be the missing one under another name.
type Near struct {
	Path string // "" if there is no such file, or none is known
	Is   sdk.Presence
	// The base has this file, and its name has more or fewer words. It may be the missing file, created before its
	// task was ticked, or an unrelated one.
	Old bool
}

// Near searches for a file under other names. It ignores names that another task owns. It asks about every name,
// regardless of the answers so far.
func (s *Search) Near(path string, owned Owned) Near {
	n, old := Near{Is: sdk.Absent}, Near{Is: sdk.Absent, Old: true}
	for _, v := range variants(path) {
		for _, top := range s.Tops {
			now, then := s.Presence(top+v.path), sdk.Absent
			if v.loose && s.Base.State != sdk.BaseNone {
				then = s.Base.Presence(top + v.path)
			}
			if v.path == path || owned != nil && owned(v.path, v.loose) {
				continue
			}
			to := &n
			if then == sdk.Present {
				to = &old
			}
			if to.Is = to.Is.Or(now); now == sdk.Present && to.Path == "" {
				to.Path = top + v.path
			}
		}
	}
	if n.Is == sdk.Absent && old.Is != sdk.Absent {
		return old
	}
	return n
}
