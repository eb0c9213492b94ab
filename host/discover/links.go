package discover

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/glob"
)

func (w *walk) leads(link, target string, entered map[string]glob.State) (_ Leads, dest string) {
	dest, ok := w.destination(link, target)
	if !ok {
		return Outside, ""
	}
	if _, ok := entered[dest]; ok {
		return Walked, dest
	}
	info, err := w.tree.Lstat(dest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.missing(dest), dest
	case err != nil:
		return Outside, dest
	case info.Mode()&fs.ModeSymlink != 0 || info.IsDir():
		return Unwalked, dest
	}
	return NoDirectory, dest
}

// hides reports whether a root matches behind a link what it does not match where the link leads: the walk was there,
// and yet has seen no instance.
func (w *walk) hides(root int, link glob.State, dest string, there glob.State) bool {
	here, below := w.dirs.Beyond(root, link, there)
	if below || !here {
		return below
	}
	s := w.scan(node{path: dest, state: link})
	return !s.read || slices.Contains(s.marked, root)
}

// missing tells a path with nothing at its end from one that another link is on the way of.
func (w *walk) missing(dest string) Leads {
	for dest = parent(dest); dest != "."; dest = parent(dest) {
		if info, err := w.tree.Lstat(dest); err == nil {
			if info.Mode()&fs.ModeSymlink != 0 {
				return Unwalked
			}
			break
		}
	}
	return NoDirectory
}

// destination reads the text of a link as a path below the anchor.
func (w *walk) destination(link, target string) (string, bool) {
	target = filepath.ToSlash(target)
	if filepath.IsAbs(target) || strings.HasPrefix(target, "/") {
		rel, err := filepath.Rel(w.tree.Name(), filepath.FromSlash(target))
		if err != nil {
			return "", false
		}
		target = filepath.ToSlash(rel)
	} else {
		target = path.Join(parent(link), target)
	}
	if target == ".." || strings.HasPrefix(target, "../") {
		return "", false
	}
	return path.Clean(target), true
}
