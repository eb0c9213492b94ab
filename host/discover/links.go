package discover

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

func (w *walk) leads(link, target string, entered map[string]bool) Leads {
	dest, ok := w.destination(link, target)
	if !ok {
		return Outside
	}
	if entered[dest] {
		return Walked
	}
	info, err := w.tree.Lstat(dest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.missing(dest)
	case err != nil:
		return Outside
	case info.Mode()&fs.ModeSymlink != 0 || info.IsDir():
		return Unwalked
	}
	return NoDirectory
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
