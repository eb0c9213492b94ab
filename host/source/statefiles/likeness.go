package statefiles

import (
	"context"
	"hash/fnv"
	"path"
	"strings"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// A Likeness is how much of a past state directory another one holds, in documents that are not empty.
type Likeness struct {
	Exact  int // the same bytes under the same name
	Shared int // the same name
	Total  int // documents of the past
}

// Likeness compares an instance with a past one that lay elsewhere. Nothing need be loaded.
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

// Moved reports whether the likeness is that of one instance which has moved between two roots: most of it is the same,
// or its name is and much of it. Two runs of one workflow that were begun from the same templates are not alike.
func (l Likeness) Moved(from, to string) bool {
	if path.Base(from) == path.Base(to) {
		return l.Exact > 0 || l.Shared > 0 && 2*l.Shared >= l.Total
	}
	return l.Exact > 0 && 2*l.Exact >= l.Total
}

// A Sketch is what the documents of an instance say, whatever their line endings, indentation and blank lines are.
type Sketch map[string]text // by path; documents without a word are left out

// text counts the lines of a document, without the white space around them, by hash.
type text struct {
	lines  map[uint64]line
	length int // of all lines, in bytes
}

type line struct{ count, length int }

// Sketch loads the documents and sketches them.
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

// holds reports whether a text has nearly all lines of an earlier one.
func (t text) holds(old text) bool {
	common := 0
	for h, l := range old.lines {
		common += min(l.count, t.lines[h].count) * l.length
	}
	return 10*common >= 9*old.length
}

// Near counts the documents that still hold nearly all that they held in a past one, and reports whether these are
// enough to call it one state directory that has moved: most of what either of the two has, and a third of what there
// was. What two runs take from one template is less.
func (s Sketch) Near(past Sketch) (near int, moved bool) {
	for path, was := range past {
		if now, ok := s[path]; ok && now.holds(was) {
			near++
		}
	}
	return near, near > 0 && 3*near >= 2*min(len(s), len(past)) && 3*near >= len(past)
}
