package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A claim is a file that, according to the front matter of a plan's summary, the plan created or modified.
type claim struct {
	path    string
	at      sdk.Range
	created bool
}

// claimsOf returns the files that a summary lists under key-files.
func claimsOf(d *sdk.Document) (list []claim) {
	f := front(d)
	for _, key := range []string{"key-files", "key_files"} {
		if e := f.Get(key); e != nil {
			from := strings.Index(d.Text, key)
			for _, kind := range append([]markdown.Entry{{List: e.List}}, e.Map...) {
				for _, item := range kind.List {
					path := pathOf(item)
					if at := strings.Index(d.Text[from:], path); path != "" && at >= 0 {
						from += at
						list = append(list, claim{path, sdk.AtBytes(d.Path, from, from+len(path)),
							kind.Key == "created"})
					}
				}
			}
		}
	}
	return list
}

// pathOf returns the path at the start of an entry: "src/a.ts (the reader)", "path: src/a.ts". It returns "" if the
// entry is not a file path, stands for several files, leaves the workspace, or says that the file is not committed.
func pathOf(item string) string {
	item = strings.Trim(strings.TrimPrefix(item, "path: "), "\"'` ")
	path, note, _ := strings.Cut(item, " ")
	path = strings.TrimPrefix(strings.TrimRight(path, ",:;`\"'"), "./")
	if cut := strings.IndexByte(path, ':'); cut >= 0 { // a line number
		path = path[:cut]
	}
	_, name := cutLast("/"+path, "/")
	_, ext := cutLast(name, ".")
	if ext == "" || len(ext) > 10 || strings.ContainsAny(path, "*{}<>$~?|\\") ||
		strings.Contains(strings.ReplaceAll(path, "[...", "["), "..") || path[0] == '/' ||
		strings.Contains(path, "//") || words.Mentions(note, "gitignored", "ignored", "not committed", "uncommitted",
		"untracked", "local", "deleted", "removed", "renamed", "moved", "temporary", "generated") {
		return ""
	}
	return path
}

// A search records whether a file exists now, whether it existed in the base, and whether its directory exists.
type search struct{ now, then, dir sdk.Presence }

// seek looks for a path in the workspace root and in the directory that contains .planning. It always asks the host
// about all paths, because answers only arrive in the next evaluation.
func seek(p *sdk.Pass, path string) search {
	s := search{sdk.Absent, sdk.Absent, sdk.Absent}
	dir, _ := cutLast(path, "/")
	above, _, _ := strings.Cut(p.Root, ".planning")
	for _, top := range []string{"", above} {
		s.now, s.then = s.now.Or(p.Presence(top+path)), s.then.Or(p.Base.Presence(top+path))
		if dir == path {
			s.dir = sdk.Present
		} else {
			s.dir = s.dir.Or(p.Presence(top + dir))
		}
	}
	return s
}

// fileMissing checks the files that summaries claim now but do not claim in the base. It checks older claims only in
// the current phase, because files are moved and removed later.
func fileMissing(r *check.Report, m *model) {
	_, _, work := m.at()
	alike := m.alike()
	for _, ph := range m.phases {
		for _, s := range ph.reports {
			var was []claim
			if m.base != nil {
				if d := m.base.docs.Get(s.doc.Path); ph != work && d != nil && d.Digest == s.doc.Digest {
					continue
				}
				was = m.base.claims(file(s.doc.Path))
			} else if ph != work && r.Base.State != sdk.BaseNew {
				continue
			}
			var missing []claim
			sure, newly := false, false
			for _, c := range claimsOf(s.doc) {
				fresh := (m.base != nil || r.Base.State == sdk.BaseNew) &&
					!slices.ContainsFunc(was, func(w claim) bool { return w.path == c.path })
				if !fresh && (ph != work || !c.created) {
					continue
				}
				f, other := seek(r.Pass, c.path), renamed(r.Pass, c.path, alike)
				if f.now == sdk.Absent && (f.then == sdk.Absent || m.base == nil) && !other {
					missing = append(missing, c)
					newly = newly || fresh
					sure = sure || fresh && c.created && f.dir == sdk.Present
				}
			}
			if missing == nil {
				continue
			}
			var names []string
			for _, c := range missing {
				names = append(names, c.path)
			}
			f := r.At(missing[0].at, file(s.doc.Path)+" lists files that do not exist: "+
				say.List(names)).About(ph.subject()).Keyed(s.id(ph)).
				Advise("Write or commit the files",
					"Commit "+say.List(names)+" if the work is done; otherwise, do the work first.",
					"Correct the paths in key-files if the files have other names.")
			switch {
			case !newly:
				f.As(sdk.Info)
			case !sure || m.base == nil:
				f.As(sdk.Warning)
			}
		}
	}
}

// alike groups the files that summaries name by their paths without numbers.
func (m *model) alike() map[string][]string {
	all := map[string][]string{}
	for _, ph := range m.phases {
		for _, s := range ph.reports {
			for _, c := range claimsOf(s.doc) {
				if bare := unnumbered(c.path); !slices.Contains(all[bare], c.path) {
					all[bare] = append(all[bare], c.path)
				}
			}
		}
	}
	return all
}

// renamed reports whether a missing file was probably renamed: another summary names a path that differs only in its
// numbers, and that file may exist. Like seek, it always asks the host about all paths.
func renamed(p *sdk.Pass, path string, alike map[string][]string) bool {
	is := false
	for _, other := range alike[unnumbered(path)] {
		if other != path && seek(p, other).now != sdk.Absent {
			is = true
		}
	}
	return is
}

// unnumbered returns a path without the leading numbers that order file names: db/0003_users.sql and
// db/20260203080000_users.sql become db/users.sql.
func unnumbered(path string) string {
	parts := strings.Split(path, "/")
	for i, name := range parts {
		if bare := strings.TrimLeft(strings.TrimLeft(name, "0123456789"), "_-"); bare != "" && bare[0] != '.' {
			parts[i] = bare
		}
	}
	return strings.Join(parts, "/")
}

// claims returns the claims of all summaries with the given file name, because the phase's directory may have been
// renamed.
func (m *model) claims(name string) (list []claim) {
	for _, ph := range m.phases {
		for _, s := range ph.reports {
			if file(s.doc.Path) == name {
				list = append(list, claimsOf(s.doc)...)
			}
		}
	}
	return list
}
