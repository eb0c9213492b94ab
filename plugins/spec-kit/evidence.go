package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/paths"
	"github.com/stategate/stategate/sdk/words"
)

// files lists the paths that a task names: those with a directory and an extension.
func (t *task) files() []string {
	if !t.filesRead {
		t.named, t.filesRead = t.readFiles(), true
	}
	return t.named
}

// allFiles are those files, or such a one at the top.
func (t *task) allFiles() []string {
	if files := t.files(); len(files) > 0 {
		return files
	}
	return t.topFiles()
}

func (t *task) readFiles() []string {
	list, text := t.first[:0], behindBox(t.Raw)
	for {
		i := strings.IndexByte(text, '/')
		if i < 0 {
			return list
		}
		from, to := i, i
		for ; from > 0; from-- {
			if c := text[from-1]; separators[c] || c >= 0x80 &&
				(strings.HasSuffix(text[:from], "→") || strings.HasSuffix(text[:from], "←")) {
				break
			}
		}
		for ; to < len(text); to++ {
			if c := text[to]; separators[c] || c >= 0x80 &&
				(strings.HasPrefix(text[to:], "→") || strings.HasPrefix(text[to:], "←")) {
				break
			}
		}
		if path := pathOf(text[from:to]); path != "" && !slices.Contains(list, path) {
			list = append(list, path)
		}
		text = text[to:]
	}
}

// atTop are the names of files that stand at the top of a workspace, and are mostly named without a directory.
var atTop = words.ListOf("Dockerfile", "Makefile", "docker-compose.y", "compose.y", "pyproject.toml", "package.json",
	"tsconfig.json", "go.mod", "Cargo.toml", "requirements.txt", "ruff.toml", "pom.xml", "build.gradle", "Gemfile",
	"composer.json")

// topFiles lists such a file that a task names which names no other place.
func (t *task) topFiles() []string {
	if strings.IndexByte(t.Raw, '/') >= 0 || atTop.Index(t.Raw) < 0 {
		return nil
	}
	for _, name := range strings.FieldsFunc(t.Raw, separates) {
		if name = strings.Trim(name, "*~.:"); atTop.Begin(name) &&
			(extension(name) != "" || name[len(name)-4:] == "file" || name == "go.mod") {
			return []string{name}
		}
	}
	return nil
}

func separates(r rune) bool { return r < 0x80 && separators[r] || r == '→' || r == '←' }

// separators are the ASCII characters that stand between paths.
var separators = func() (is [256]bool) {
	for c := range byte(' ' + 1) {
		is[c] = true
	}
	for _, c := range []byte("`\"'(),;|+") {
		is[c] = true
	}
	return is
}()

// pathOf is the path that a word is, "" if it is none.
func pathOf(token string) string {
	if strings.IndexByte(token, '/') < 0 {
		return ""
	}
	token = words.TrimRight(words.Trim(token, "*~"), ".:!?")
	if token[0] != ':' && token[0] != '#' { // what follows is a line, a test or a heading of the file
		token, _, _ = strings.Cut(token, ":")
		token, _, _ = strings.Cut(token, "#")
	}
	token = strings.TrimPrefix(token, "./")
	cut := strings.LastIndexByte(token, '/')
	ext := extension(token[cut+1:])
	if cut < 0 || ext == "" || patterned(token) || strings.HasPrefix(token, "path/to/") ||
		strings.HasPrefix(token, "~/") {
		return ""
	}
	for rest, more := token[:cut], true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		// "a.ts/b.ts" are two files, "example.com/x.html" is an address
		if e := extension(part); part == "" || e != "" && (e == ext || len(e) <= 3) {
			return ""
		}
	}
	return token
}

// patterned reports whether a path stands for others, or for one that has yet to be named: src/*.go,
// specs/NNN-name/xxx.md.
func patterned(path string) bool {
	for i := range len(path) {
		switch c := path[i]; c {
		case '*', '{', '}', '<', '>', '[', ']', '$', '@', '?', '=', '&', '%', '!', '\\', '^':
			return true
		case '.':
			if i > 0 && path[i-1] == '.' {
				return true
			}
		case 'x', 'X':
			if i > 1 && path[i-1]|0x20 == 'x' && path[i-2]|0x20 == 'x' {
				return true
			}
		case 'N':
			if i > 1 && path[i-2:i] == "NN" {
				return true
			}
		case 'Y':
			if i > 2 && path[i-3:i] == "YYY" {
				return true
			}
		}
	}
	return false
}

// extension is what follows the last dot of a name, if it is one: letters, at most one digit among them.
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || len(name)-i-1 > 7 || i+1 == len(name) || !letter(name[i+1]) || upper(name[i+1]) {
		return ""
	}
	for j := i + 1; j < len(name); j++ {
		if !letter(name[j]) && !digit(name[j]) {
			return ""
		}
	}
	return name[i+1:]
}

// anchors are the directories that paths of tasks are relative to: the top of the workspace, the directory that holds
// specs, and the feature itself.
func anchors(root string) []string {
	list := []string{""}
	if above, _, ok := strings.Cut("/"+root, "/specs/"); ok {
		if above = strings.TrimPrefix(strings.TrimSuffix(above, "/.specify"), "/"); above != "" {
			list = append(list, above+"/")
		}
	}
	return append(list, root+"/")
}

// A find is what is at a path, now and in the base, at its directory, and at the first directory on the way.
type find struct{ now, then, dir, top sdk.Presence }

// A search looks for files.
type search struct {
	*sdk.Pass
	dirs []dir // what is known, by directory: few hold most of the files
}

// A dir is what is at a directory, and at the first one on the way.
type dir struct {
	path    string
	is, top sdk.Presence
}

// placed lists the places where the nth file of a task may be, one for each anchor. The second look, which has answers,
// asks for the same.
func (t *task) placed(m *model, n int) []string {
	if t.places == nil {
		if m.places == nil {
			m.places = make([]string, 0, m.done*len(m.anchors))
		}
		from := len(m.places)
		for _, path := range t.allFiles() {
			for _, anchor := range m.anchors {
				m.places = append(m.places, anchor+path)
			}
		}
		t.places = m.places[from:len(m.places):len(m.places)]
	}
	return t.places[n*len(m.anchors):][:len(m.anchors)]
}

// around is the directory of a path, ending in a slash.
func around(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// known is what is known of a directory, nil if nothing is.
func (s *search) known(path string) *dir {
	for i := range s.dirs {
		if d := &s.dirs[i]; d.path == path {
			return d
		}
	}
	return nil
}

// astray reports whether the first directories of all files are known to be missing.
func (s *search) astray(files []string) bool {
	for _, path := range files {
		if d := s.known(around(path)); d == nil || d.top != sdk.Absent {
			return false
		}
	}
	return true
}

// find looks for a file at its places. Once it is there, nothing else is asked: only the second look has answers.
func (s *search) find(path string, places []string) find {
	f := find{sdk.Absent, sdk.Absent, sdk.Absent, sdk.Absent}
	around, first := around(path), path[:strings.IndexByte(path, '/')+1]
	d := s.known(around)
	if d != nil {
		f.dir, f.top = d.is, d.top
	}
	for i, at := range places {
		if around == "" && i == len(places)-1 { // the feature holds no code
			break
		}
		if f.now = paths.Either(f.now, s.Presence(at)); s.Base.State != sdk.BaseNone {
			f.then = paths.Either(f.then, s.Base.Presence(at))
		}
		if f.now == sdk.Present {
			return find{now: f.now, then: f.then, dir: sdk.Present, top: sdk.Present}
		}
		if d == nil && around != "" {
			n := len(at) - len(path)
			f.dir, f.top = paths.Either(f.dir, s.Presence(at[:n+len(around)])),
				paths.Either(f.top, s.Presence(at[:n+len(first)]))
		}
	}
	if d == nil && around != "" {
		s.dirs = append(s.dirs, dir{around, f.dir, f.top})
	}
	return f
}
