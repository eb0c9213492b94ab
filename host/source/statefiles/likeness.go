package statefiles

import (
	"context"
	"hash/fnv"
	"path"
	"strings"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// A Likeness counts how many of a past state directory's non-empty documents another one contains.
type Likeness struct {
	Exact  int // same name and same bytes
	Shared int // same name
	Total  int // documents of the past state directory
}

// Likeness compares an instance with a past one at another path. Neither needs to be loaded.
func (p *Past) Likeness(now *Instance) (l Likeness) {
	same := now.same()
	names := make(map[string]bool, len(now.Files))
	for _, f := range now.Files {
		names[f.Path] = f.Kind == snapshot.Regular
	}
	for k, f := range p.Files {
		id := p.ids[k]
		if id == "" || id == git.ObjectID("blob", nil, len(id)) {
			continue
		}
		l.Total++
		if names[f.Path] {
			l.Shared++
		}
		if same(f.Path, id) != nil {
			l.Exact++
		}
	}
	return l
}

// Moved reports whether the likeness indicates that one instance has moved between two roots: at least half of its
// documents are identical. If the directory's name is the same, it is enough that one document is identical, or
// that half of the document names are. Two runs that were started from the same templates are not alike in this
// sense.
func (l Likeness) Moved(from, to string) bool {
	if path.Base(from) == path.Base(to) {
		return l.Exact > 0 || l.Shared > 0 && 2*l.Shared >= l.Total
	}
	return l.Exact > 0 && 2*l.Exact >= l.Total
}

// A Sketch is the content of an instance's documents without regard to line endings, indentation and blank lines.
type Sketch map[string]text // by path; empty documents are omitted

// text counts a document's lines, trimmed, by hash.
type text struct {
	lines  map[uint64]line
	length int // of all lines, in bytes
}

type line struct{ count, length int }

// Sketch loads the documents and returns their sketch.
func (i *Instance) Sketch(ctx context.Context) (Sketch, error) {
	if err := i.Load(ctx, nil); err != nil {
		return nil, err
	}
	s := Sketch{}
	for _, f := range i.Files {
		if f.Kind != snapshot.Regular {
			continue
		}
		if t := textOf(string(f.Data)); t.length > 0 {
			s[f.Path] = t
		}
	}
	return s, nil
}

func textOf(data string) text {
	t := text{lines: map[uint64]line{}}
	for l := range strings.Lines(data) {
		l = strings.TrimSpace(l)
		h := fnv.New64a()
		_, _ = h.Write([]byte(l))
		t.lines[h.Sum64()] = line{t.lines[h.Sum64()].count + 1, len(l)}
		t.length += len(l)
	}
	return t
}

// holds reports whether a text contains nearly all lines of an earlier one.
func (t text) holds(old text) bool {
	common := 0
	for h, l := range old.lines {
		common += min(l.count, t.lines[h].count) * l.length
	}
	return 10*common >= 9*old.length
}

// Near counts the documents that contain nearly all of a past document's content. It reports whether they are enough
// to conclude that a state directory has moved: at least two thirds of the smaller directory's documents, and a third
// of the past ones. Two runs from the same template have less in common.
func (s Sketch) Near(past Sketch) (near int, moved bool) {
	for path, was := range past {
		if now, ok := s[path]; ok && now.holds(was) {
			near++
		}
	}
	return near, near > 0 && 3*near >= 2*min(len(s), len(past)) && 3*near >= len(past)
}
