package speckit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/paths"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// stems begin the words of a task that need not leave a file behind, or leave it under another name; short are such words.
var (
	short = []string{"not", "via", "or", "now"}
	stems = words.ListOf(
		"delet", "remov", "renam", "move", "drop", "deprecat", "migrat", "replac", "merg", "split", "skip", "defer", "cancel", "obsolet", "supersed", "instead", "longer", "needed",
		"applicable", "required", "verif", "confirm", "ensur", "temporar", "scratch", "extract", "consolidat", "inlin", "prun", "purg", "revert", "clean", "archived", "convert", "retir",
		"combin", "relocat", "discard", "reus", "existing", "already", "covered", "either", "eliminat", "fold", "optional", "actual",
	)
)

// exempt reports whether a task says that a file may be missing.
func exempt(text string) bool {
	for text = lower(text); text != ""; {
		end := 0
		for end < len(text) && text[end] > ' ' {
			end++
		}
		token := text[:end]
		text = text[min(end+1, len(text)):]
		if token == "n/a" {
			return true
		}
		if strings.IndexByte(token, '/') >= 0 { // a path
			continue
		}
		for start, i := 0, 0; i <= len(token); i++ {
			if i < len(token) && (letter(token[i]) || token[i] >= 0x80) {
				continue
			}
			if word := token[start:i]; word != "" && (stems.Begin(word) || len(word) <= 3 && slices.Contains(short, word)) {
				return true
			}
			start = i + 1
		}
	}
	return false
}

// exempt reports whether the task says that a file may be missing.
func (t *task) exempt() bool {
	if t.excused == nil {
		is := exempt(t.text)
		t.excused = &is
	}
	return *t.excused
}

// files lists the paths that a task names: those with a directory and an extension.
func (t *task) files() []string {
	if !t.filesRead {
		t.named, t.filesRead = t.readFiles(), true
	}
	return t.named
}

func (t *task) readFiles() []string {
	var list []string
	text := behindBox(t.raw)
	for {
		i := strings.IndexByte(text, '/')
		if i < 0 {
			return list
		}
		from, to := strings.LastIndexFunc(text[:i], separates), strings.IndexFunc(text[i:], separates)
		if from >= 0 {
			_, n := utf8.DecodeRuneInString(text[from:])
			from += n
		}
		if to += i; to < i {
			to = len(text)
		}
		if path := pathOf(text[max(from, 0):to]); path != "" && !slices.Contains(list, path) {
			list = append(list, path)
		}
		text = text[to:]
	}
}

func separates(r rune) bool {
	switch r {
	case '`', '"', '\'', '(', ')', ',', ';', '|', '→', '←', '+':
		return true
	}
	return r <= ' '
}

// pathOf is the path that a word is, "" if it is none.
func pathOf(token string) string {
	if strings.IndexByte(token, '/') < 0 {
		return ""
	}
	token = strings.TrimRight(strings.Trim(token, "*~"), ".:!?")
	if i := strings.IndexAny(token, ":#"); i > 0 { // a line, a test or a heading of the file
		token = token[:i]
	}
	token = strings.TrimPrefix(token, "./")
	if strings.ContainsAny(token, "*{}<>[]$@?=&%!\\^") || strings.Contains(token, "..") || strings.Contains(token, "//") || !strings.Contains(token, "/") {
		return ""
	}
	parts := strings.Split(token, "/")
	ext := extension(parts[len(parts)-1])
	if ext == "" {
		return ""
	}
	for _, part := range parts[:len(parts)-1] {
		if e := extension(part); part == "" || e != "" && (e == ext || len(e) <= 3) { // "a.ts/b.ts" are two files, "example.com/x.html" is an address
			return ""
		}
	}
	if strings.Contains(lower(token), "xxx") || strings.Contains(token, "NNN") || strings.Contains(token, "YYYY") || strings.HasPrefix(token, "path/to/") || parts[0] == "~" {
		return ""
	}
	return token
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

// anchors are the directories that paths of tasks are relative to: the top of the workspace, the directory that holds specs, and the
// feature itself.
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
	dir  string // of the last file: those of one directory mostly follow each other
	last find
}

func (s *search) find(path string) find {
	f := find{sdk.Absent, sdk.Absent, sdk.Absent, sdk.Absent}
	dir, top := path[:strings.LastIndexByte(path, '/')+1], path[:strings.IndexByte(path, '/')+1]
	near := dir == s.dir
	if near {
		f.dir, f.top = s.last.dir, s.last.top
	}
	for _, at := range s.Model.(*model).anchors {
		at += path
		if f.now = paths.Either(f.now, s.Presence(at)); s.Base.State != sdk.BaseNone {
			f.then = paths.Either(f.then, s.Base.Presence(at))
		}
		if !near {
			n := len(at) - len(path)
			f.dir, f.top = paths.Either(f.dir, s.Presence(at[:n+len(dir)])), paths.Either(f.top, s.Presence(at[:n+len(top)]))
		}
	}
	s.dir, s.last = dir, f
	return f
}

// lacks reports whether all files that a task names are missing, now and in the base, although the top directory of one is there.
// Where a directory of the files is there, too, the path is surely meant from there.
func (t *task) lacks(s *search, files []string) (all, sure bool) {
	all, top := true, false
	for _, path := range files {
		f := s.find(path)
		top = f.top == sdk.Present || top
		all = f.now == sdk.Absent && (s.Base.State == sdk.BaseNone || f.then == sdk.Absent) && all
		sure = f.dir == sdk.Present || sure
	}
	return all && top, sure
}

// creating are the words that a task begins with which makes a file, and does not only change what is there.
var creating = []string{"create", "write", "generate", "scaffold", "criar", "crie", "crear", "créer", "erstelle", "创建", "新建", "建立", "作成", "создать"}

// creates reports whether a task says that it makes the files that it names, tests aside: those end up in another file more often than not.
func (t *task) creates(files []string) bool {
	for _, path := range files {
		if path = lower(path); strings.Contains(path, "test") || strings.Contains(path, "spec.") || strings.Contains(path, "spec/") || strings.Contains(path, "e2e") {
			return false
		}
	}
	for _, word := range creating {
		if rest, ok := strings.CutPrefix(t.words(), word); ok && (rest == "" || rest[0] <= ' ' || rest[0] >= 0x80) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(t.words(), "add ")
	first, _, _ := strings.Cut(strings.TrimLeft(rest, "`"), " ")
	return ok && pathOf(strings.Trim(first, "`,")) != ""
}

// made reports whether a file of a task that was ticked since the base, and says that it creates it, is there: then the work was done, and
// what is missing has most likely another name.
func (m *model) made(s *search) (is bool) {
	for i := range m.list {
		if t := &m.list[i]; t.state == done && m.fresh(s.Pass, t) {
			if files := t.files(); t.creates(files) {
				for _, path := range files {
					is = s.find(path).now != sdk.Absent || is
				}
			}
		}
	}
	return is
}

func withoutEvidence(r *check.Report, m *model) {
	var old []string
	s := &search{Pass: r.Pass}
	line, made := 0, m.made(s)
	for i := range m.list {
		t := &m.list[i]
		if t.state != done || t.last != "" || !strings.Contains(t.raw, "/") {
			continue
		}
		files := t.files()
		if len(files) == 0 || t.exempt() {
			continue
		}
		fresh, other := m.fresh(r.Pass, t), sdk.Absent
		if fresh {
			other = paths.Renamed(r.Pass, m.anchors, files)
		}
		missing, sure := t.lacks(s, files)
		if !missing || other != sdk.Absent {
			continue
		}
		if !fresh {
			if old = append(old, t.id); line == 0 {
				line = t.line
			}
			continue
		}
		f := r.At(sdk.AtLine(tasksPath, t.line), t.id+" is ticked, but there is no "+say.Or(files...)+": "+say.Quote(t.text)).Keyed(t.id)
		if made || !sure || m.base == nil || !t.creates(files) {
			f.As(sdk.Warning)
		}
		if edit, ok := t.box.Uncheck(); ok {
			f.Offer(sdk.Review, "Untick "+t.id, sdk.Edits(tasksPath, edit)...)
		}
		f.Advise("Write the file", "Write "+say.Or(files...)+", or correct the path in tasks.md if the file has another name.")
	}
	if len(old) > 0 {
		r.At(sdk.AtLine(tasksPath, line), "the files that "+say.Count(len(old), "ticked task")+" "+verb(len(old), "names", "name")+" do not exist: "+say.List(old)).Keyed("old").As(sdk.Info).
			Advise("Correct the paths", "Write the files, or correct the paths where they have another name.")
	}
}

// fresh reports whether a task was ticked since the base, or came ticked into a feature that is new.
func (m *model) fresh(p *sdk.Pass, t *task) bool {
	if m.base == nil {
		return p.Base.State == sdk.BaseNew
	}
	if m.base.form != boxes {
		return false
	}
	for i := range m.base.list {
		if was := &m.base.list[i]; was.id == t.id && was.state == done || alike(was, t) && was.state == done {
			return false
		}
	}
	return true
}
