package snapshot

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

func (a *admission) remedy(r *wire.Remedy) error {
	if err := a.texts(r.EachText); err != nil {
		return err
	}
	if r.Title == "" {
		return fmt.Errorf("the title is empty")
	}
	if r.Safety == wire.Manual && (len(r.Edits) > 0 || len(r.Steps) == 0) {
		return fmt.Errorf("a manual remedy has steps and no edits; make it with Advise, or give it another safety")
	}
	if r.Safety != wire.Manual && len(r.Edits) == 0 {
		return fmt.Errorf("a remedy that is %s must have edits; use Advise for steps that a person follows",
			r.Safety)
	}
	for _, name := range r.Fixes {
		if !a.declared(name) {
			return fmt.Errorf("it fixes %q, which is not declared", name)
		}
	}
	if err := Bounded(r.Edits); err != nil {
		return err
	}
	for i := range r.Edits {
		if err := a.edit(&r.Edits[i]); err != nil {
			return fmt.Errorf("edit %d (%s): %w", i, r.Edits[i].Op, err)
		}
	}
	return nil
}

func (a *admission) declared(rule string) bool {
	return slices.Contains(wire.HostRules, rule) || a.rule(rule) != nil
}

var asideWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`) })

// The limits on the edits of one remedy. The cost of an edit grows with the depth of its pointer.
const (
	maxEdits   = 1000
	maxPointer = 4 << 10 // bytes
	maxDepth   = 512     // names in a pointer
)

// Bounded returns an error if a remedy's edits exceed their limits.
func Bounded(edits []wire.Edit) error {
	if n := len(edits); n > maxEdits {
		return fmt.Errorf("it has %d edits, the limit is %d", n, maxEdits)
	}
	for i := range edits {
		if p := edits[i].Range.Pointer; len(p) > maxPointer || strings.Count(p, "/") > maxDepth {
			return fmt.Errorf("the pointer of edit %d has %d bytes and %d names, the limits are %d and %d", i, len(p),
				strings.Count(p, "/"), maxPointer, maxDepth)
		}
	}
	return nil
}

func (a *admission) edit(e *wire.Edit) error {
	switch e.Op {
	case wire.MoveRoot:
		return a.moveRoot(e.To)
	case wire.Aside:
		if !asideWord().MatchString(e.To) {
			return fmt.Errorf("%q is not a lower-case word", e.To)
		}
	case wire.Set, wire.Unset:
		if e.Range.Pointer == "" {
			return fmt.Errorf("it has no pointer, which names the value in %q; Create writes a whole document",
				e.Range.Path)
		}
	case wire.Replace:
		doc := a.document(e.Range.Path)
		if doc == nil || doc.Need != wire.Content {
			return fmt.Errorf("the text of %q is not available", e.Range.Path)
		}
		if doc.Format == wire.YAML && e.Range.Pointer == "" {
			return fmt.Errorf("%q is YAML, whose bytes the plugin does not know; use a pointer", e.Range.Path)
		}
		if err := bytePlace(doc, e.Range); err != nil {
			return err
		}
	case wire.Move:
		if err := a.target(e.To); err != nil {
			return err
		}
	case wire.Create:
		return a.target(e.Range.Path)
	}
	return CleanPath(e.Range.Path)
}

func (a *admission) moveRoot(to string) error {
	if err := CleanPath(to); err != nil {
		return err
	}
	if !IsRoot(a.m, to) {
		return fmt.Errorf("%q does not match any root of the workflow", to)
	}
	return nil
}

// IsRoot reports whether a root of the manifest matches a directory.
func IsRoot(m *wire.Manifest, dir string) bool {
	matches := func(g string) bool { return glob.Match("**/"+g, dir) }
	return slices.ContainsFunc(m.Roots, func(r wire.Root) bool {
		return matches(r.Dir) &&
			!slices.ContainsFunc(r.Except, matches)
	})
}

// target checks a name that an edit creates: it must be portable, and differ from other names in more than case or
// Unicode form.
func (a *admission) target(name string) error {
	if err := edit.CheckName(name); err != nil {
		return err
	}
	if want, there := a.taken(name); there != "" {
		return fmt.Errorf("%q differs from %q, which exists, in case or Unicode form only", want, there)
	}
	return nil
}

// taken returns the part of a name that differs from an existing name only in case or Unicode form, and that
// existing name. Both are "" if there is none.
func (a *admission) taken(name string) (want, there string) {
	if a.targets == nil {
		a.targets = map[string]string{}
		for i := range a.request.Documents {
			for p := strings.TrimSuffix(a.request.Documents[i].Path, "/"); p != "."; p = path.Dir(p) {
				a.targets[edit.Fold(p)] = p
			}
		}
	}
	for p := path.Clean(strings.TrimSuffix(name, "/")); p != "." && p != "/" && p != ".."; p = path.Dir(p) {
		if there, ok := a.targets[edit.Fold(p)]; ok && there != p {
			return p, there
		}
	}
	return "", ""
}
