package edit

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/wire"
)

// A plan is the state of one call of Apply.
type plan struct {
	env       Env
	edits     []wire.Edit
	was       Files // the files before
	now       Files // the files afterward
	cargos    []cargo
	names     names // of now
	wereNames names // of was
	result    Result
	moves     []Change // Rename
}

// A kind classifies operations by their effect on the path.
type kind uint8

const (
	inside  kind = iota // changes the text
	leaving             // removes an existing entry
	making              // creates the entry
	moving              // moves the root
)

func kindOf(op wire.Op) kind {
	switch op {
	case wire.Replace, wire.Set, wire.Unset, wire.Unmark:
		return inside
	case wire.Move, wire.Aside, wire.Remove:
		return leaving
	case wire.Create, wire.Restore:
		return making
	}
	return moving
}

// encoding returns an error for new text that is not UTF-8, which a report cannot contain.
func (p *plan) encoding() error {
	for _, e := range p.edits {
		if !utf8.ValidString(e.New) {
			return &Error{e, "its text is not UTF-8"}
		}
	}
	return nil
}

// conflicts returns an error for incompatible edits of one path. texts checks edits within one text; arrive checks
// collisions of new names.
func (p *plan) conflicts() error {
	byPath := map[string][]wire.Edit{}
	for _, e := range p.edits {
		key := e.Range.Path
		if e.Op == wire.MoveRoot {
			key = "/"
		}
		for _, other := range byPath[key] {
			if why := clash(other, e); why != "" {
				return &Conflict{other, e, why}
			}
		}
		byPath[key] = append(byPath[key], e)
	}
	return p.nesting()
}

func clash(a, b wire.Edit) string {
	if kindOf(a.Op) > kindOf(b.Op) {
		a, b = b, a
	}
	switch ka, kb := kindOf(a.Op), kindOf(b.Op); {
	case ka == inside && kb == leaving && b.Op != wire.Move:
		return "one edits the document that the other removes"
	case ka == inside && kb == making:
		return "both write the document"
	case ka == leaving && kb == leaving:
		return "both remove it"
	case ka == leaving && kb == making && a.Op == wire.Remove:
		return "one removes what the other creates"
	case ka == making && kb == making && !strings.Contains(a.Range.Path, "{n}"):
		return "both write the document"
	case ka == moving && kb == moving:
		return "the instance has one root"
	}
	return ""
}

// nesting returns an error for an edit that removes or creates something below a directory that another edit
// removes.
func (p *plan) nesting() error {
	for _, dir := range p.edits {
		if kindOf(dir.Op) != leaving || !strings.HasSuffix(dir.Range.Path, "/") {
			continue
		}
		for _, e := range p.edits {
			if e == dir || kindOf(e.Op) == moving {
				continue
			}
			if below(e.To, dir.Range.Path) && e.Op == wire.Move {
				return &Conflict{dir, e, "one moves into the directory that the other removes"}
			}
			if below(e.Range.Path, dir.Range.Path) && kindOf(e.Op) != inside {
				return &Conflict{dir, e, "the directory above it is removed"}
			}
		}
	}
	return nil
}

func below(name, dir string) bool { return name != dir && strings.HasPrefix(name, dir) }
