package discover

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/glob"
)

func (w *walk) leads(link, target string, entered map[string]glob.State) (_ Leads, dest string) {
	dest, ok := w.destination(link, target)
	if !ok {
		return Outside, ""
	}
	if _, ok := entered[dest]; ok {
		return Walked, dest
	}
	mode, err := w.tree.Mode(dest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.missing(dest), dest
	case err != nil:
		return Outside, dest
	case mode&fs.ModeSymlink != 0 || mode.IsDir():
		return Unwalked, dest
	}
	return NoDirectory, dest
}

// hides reports whether a root matches behind a link what it does not match where the link leads: the walk was there,
// and yet has seen no instance.
func (w *walk) hides(root int, link node, dest string, there glob.State) bool {
	here, below := w.dirs.Beyond(root, link.state, there)
	if below || !here {
		return below
	}
	s := w.scan(node{path: dest, state: link.state, fold: link.fold})
	return !s.read || slices.Contains(s.marked, root)
}

// missing tells a path with nothing at its end from one that another link is on the way of.
func (w *walk) missing(dest string) Leads {
	for dest = parent(dest); dest != "."; dest = parent(dest) {
		if mode, err := w.tree.Mode(dest); err == nil {
			if mode&fs.ModeSymlink != 0 {
				return Unwalked
			}
			break
		}
	}
	return NoDirectory
}

// destination reads the text of a link as a path below the anchor. What lies above another link is not what the names
// say, so that ".." after one leads it is unknown where; after what is no directory it leads nowhere.
func (w *walk) destination(link, target string) (string, bool) {
	at, target := parent(link), filepath.ToSlash(target)
	if filepath.IsAbs(target) || strings.HasPrefix(target, "/") {
		below, ok := strings.CutPrefix(target+"/", strings.TrimSuffix(filepath.ToSlash(w.tree.Name()), "/")+"/")
		if !ok {
			return "", false
		}
		at, target = ".", below
	}
	for name := range strings.SplitSeq(target, "/") {
		switch {
		case name == "" || name == ".":
		case name != "..":
			at = join(at, name)
		case at == ".":
			return "", false
		default:
			mode, err := w.tree.Mode(at)
			if err == nil && mode&fs.ModeSymlink != 0 {
				return "", false
			}
			if err != nil || !mode.IsDir() {
				return at, true
			}
			at = parent(at)
		}
	}
	return at, true
}
