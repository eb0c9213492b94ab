package edit

import (
	"sort"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// A cargo is the content that a Move or Aside takes along. The names of its files are relative to the source; "" is the
// source itself.
type cargo struct {
	edit  wire.Edit
	files Files
}

// leave removes the entries that Move, Aside and Remove name.
func (p *plan) leave() error {
	for _, e := range p.edits {
		if kindOf(e.Op) != leaving {
			continue
		}
		if err := p.check(e); err != nil {
			return err
		}
		taken := p.take(e.Range.Path)
		if e.Op == wire.Remove {
			p.result.Changes = append(p.result.Changes, Change{Kind: Delete, Path: e.Range.Path})
			continue
		}
		p.cargos = append(p.cargos, cargo{e, taken})
	}
	return nil
}

func (p *plan) check(e wire.Edit) error {
	from := e.Range.Path
	_, there := p.was[from]
	switch {
	case !there || from == "":
		return &Error{e, "there is no such document or directory"}
	case e.Op == wire.Move && isDir(from) != isDir(e.To):
		return &Error{e, "both names must end in a slash, for a directory, or neither"}
	case e.Op == wire.Move && e.To == from:
		return &Error{e, "the source and the target are the same"}
	case e.Op == wire.Move && below(e.To, from) && isDir(from):
		return &Error{e, "a directory cannot move into itself"}
	case e.Op == wire.Aside && !IsWord(e.To):
		return &Error{e, "expected a word of lowercase letters, digits and hyphens, found " + strconv.Quote(e.To)}
	case e.Op == wire.Remove && isDir(from) && p.holds(from):
		return &Error{e, "the directory is not empty"}
	}
	return nil
}

func isDir(name string) bool { return strings.HasSuffix(name, "/") }

// IsWord reports whether Aside may insert a text between the stem and the extension of a name.
func IsWord(s string) bool {
	letter := func(r rune) bool { return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' }
	return s != "" && len(s) <= 32 && s[0] != '-' && strings.TrimFunc(s, letter) == ""
}

func (p *plan) holds(dir string) bool {
	for name := range p.was {
		if below(name, dir) {
			return true
		}
	}
	return false
}

// take removes a document, or a directory with everything below it, from p.now and returns it.
func (p *plan) take(from string) Files {
	taken := Files{"": p.now[from]}
	delete(p.now, from)
	if !isDir(from) {
		return taken
	}
	for name, file := range p.now {
		if below(name, from) {
			taken[name[len(from):]] = file
			delete(p.now, name)
		}
	}
	return taken
}

// arrive adds entries to p.now: first those that move, then those that Create and Restore make, and finally those that
// are set aside under unused names.
func (p *plan) arrive() error {
	p.names, p.wereNames = namesOf(p.now), namesOf(p.was)
	// A directory comes before entries that move into it.
	sort.SliceStable(p.cargos, func(i, j int) bool { return p.cargos[i].edit.To < p.cargos[j].edit.To })
	for _, c := range p.cargos {
		if c.edit.Op == wire.Move {
			if err := p.unload(c, c.edit.To); err != nil {
				return err
			}
		}
	}
	for _, numbered := range [2]bool{false, true} {
		if err := p.makeAll(numbered); err != nil {
			return err
		}
	}
	for _, c := range p.cargos {
		if c.edit.Op != wire.Aside {
			continue
		}
		name := func(n int) string { return AsideName(c.edit.Range.Path, c.edit.To, n) }
		to, err := p.firstFree(c.edit, name)
		if err != nil {
			return err
		}
		if err := p.unload(c, to); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) makeAll(numbered bool) error {
	for _, e := range p.edits {
		if kindOf(e.Op) != making || strings.Contains(e.Range.Path, "{n}") != numbered {
			continue
		}
		if err := p.makeOne(e); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) makeOne(e wire.Edit) error {
	file, err := p.made(e)
	if err != nil {
		return err
	}
	name := e.Range.Path
	if e.Op == wire.Create && strings.Contains(name, "{n}") {
		number := func(n int) string { return strings.Replace(e.Range.Path, "{n}", strconv.Itoa(n), 1) }
		if name, err = p.firstFree(e, number); err != nil {
			return err
		}
	}
	if isDir(name) {
		return &Error{e, "found the name of a directory, expected the name of a document"}
	}
	return p.put(e, name, file)
}

func (p *plan) made(e wire.Edit) (File, error) {
	if e.Op == wire.Create {
		return File{Data: []byte(p.timedText(e.New))}, nil
	}
	file, ok := p.env.Base[e.Range.Path]
	if !ok {
		return File{}, &Error{e, "the base has no such document"}
	}
	if file.Unread {
		return File{}, &Error{e, "the base's content is not available"}
	}
	return file, nil
}

// firstFree returns the first name, numbered from 1, that is in use neither before nor after the edits.
func (p *plan) firstFree(e wire.Edit, name func(n int) string) (string, error) {
	for n := 1; n <= 10_000; n++ {
		to := name(n)
		_, now := p.names[Fold(strings.TrimSuffix(to, "/"))]
		_, before := p.wereNames[Fold(strings.TrimSuffix(to, "/"))]
		if !now && !before {
			return to, nil
		}
	}
	return "", &Error{e, "10,000 names are taken"}
}

// unload places moved content at its new path, which must be free.
func (p *plan) unload(c cargo, to string) error {
	if there, ok := p.names[Fold(strings.TrimSuffix(to, "/"))]; ok {
		return &Error{c.edit, strconv.Quote(there) + " exists"}
	}
	for _, rel := range c.files.sorted() {
		if err := p.put(c.edit, to+rel, c.files[rel]); err != nil {
			return err
		}
	}
	p.moves = append(p.moves, Change{Kind: Rename, From: c.edit.Range.Path, Path: to})
	return nil
}

// put adds an entry and the directories above it.
func (p *plan) put(e wire.Edit, name string, file File) error {
	if err := CheckName(name); err != nil {
		return &Error{e, err.Error()}
	}
	for at := name; at != ""; at = parent(at) {
		there, ok := p.names[Fold(strings.TrimSuffix(at, "/"))]
		switch {
		case ok && there == at:
		case ok && strings.TrimSuffix(there, "/") == strings.TrimSuffix(at, "/"):
			return &Error{e, strconv.Quote(there) + " exists, and cannot be a document and a directory"}
		case ok:
			return &Error{e, strconv.Quote(at) + " differs from " + strconv.Quote(there) +
				", which exists, in case or Unicode form only"}
		}
	}
	p.now[name] = file
	for at := name; at != ""; at = parent(at) {
		p.names[Fold(strings.TrimSuffix(at, "/"))] = at
		if _, ok := p.now[at]; !ok {
			p.now[at] = File{}
		}
	}
	return nil
}

// names maps the folded form of each name to the name; a directory's name ends in a slash.
type names map[string]string

func namesOf(files Files) names {
	list := make(names, len(files))
	for name := range files {
		list[Fold(strings.TrimSuffix(name, "/"))] = name
	}
	return list
}

func (p *plan) moveRoot() error {
	for _, e := range p.edits {
		if e.Op != wire.MoveRoot {
			continue
		}
		if err := CheckName(e.To); err != nil {
			return &Error{e, err.Error()}
		}
		if p.env.CheckRoot == nil {
			return &Error{e, "the instance may not move"}
		}
		if err := p.env.CheckRoot(e.To); err != nil {
			return &Error{e, err.Error()}
		}
		p.result.Root = strings.TrimSuffix(e.To, "/")
	}
	return nil
}
