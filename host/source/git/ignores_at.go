package git

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// ignoreFile is the name of the files that hold ignore rules.
const ignoreFile = ".gitignore"

// maxIgnoreFile is the greatest ".gitignore" that is read of a commit, in bytes.
const maxIgnoreFile = 1 << 20

// A pastRules holds the ignore files of a commit, as far as they are above a path that was asked about, in a directory
// that stands for its work tree: git reads ignore files from nowhere else.
type pastRules struct {
	listing *Listing
	objects *Objects
	parent  string // where the directory is made; "" for the system's own place
	dir     string // "" until it is made
	placed  map[string]bool
}

// IgnoresOf returns a reader of the ignore rules as the files of a commit have them, whatever is in the work tree; the
// user's own rules hold as well. Only Covered may be asked. It writes copies of those files to a new directory in temp, the
// system's own place if that is "" or missing, which Close removes. The objects stay the caller's to close.
func (r *Repo) IgnoresOf(ctx context.Context, l *Listing, objects *Objects, temp string) *Ignores {
	if info, err := os.Stat(temp); err != nil || !info.IsDir() {
		temp = ""
	}
	g := r.Ignores(ctx)
	g.past = &pastRules{listing: l, objects: objects, parent: temp, placed: map[string]bool{}}
	return g
}

// place writes the ignore files of all directories above the paths, before git is asked about them: it keeps what it
// has read of the directories that it is in.
func (g *Ignores) place(paths []string) error {
	p := g.past
	if p == nil {
		return nil
	}
	if p.dir == "" {
		dir, err := os.MkdirTemp(p.parent, "ignores-*")
		if err != nil {
			return fault.Newf(fault.IO, "write the ignore rules of a commit: %v", err)
		}
		top := *g.repo
		top.Top, top.environ = dir, append(slices.Clone(g.repo.environ), "GIT_DIR="+g.repo.Dir, "GIT_WORK_TREE="+dir)
		p.dir, g.repo = dir, &top
	}
	for _, name := range paths {
		for dir := path.Dir(name); !p.placed[dir]; dir = path.Dir(dir) {
			if err := p.copy(dir); err != nil {
				return err
			}
			p.placed[dir] = true
		}
	}
	return nil
}

// read returns the text of an ignore file, nil if git does not read it: git follows no link in its place.
func (p *pastRules) read(f File) ([]byte, error) {
	if !strings.HasPrefix(f.Mode, "100") {
		return nil, nil
	}
	o, err := p.objects.Read(f.ID, maxIgnoreFile)
	switch {
	case errors.Is(err, ErrMissing):
		return nil, fault.Newf(fault.Source, "read %s: its bytes are not in this clone: fetch them", f.Path)
	case err == nil && o.Data == nil:
		return nil, fault.Newf(fault.Limit, "read %s: it has %d bytes, expected %d at most", f.Path, o.Size, maxIgnoreFile)
	}
	return o.Data, err
}

// Rules returns every rule of the ignore files that the commit holds and of the repository's own, info/exclude. It is for
// finding out what is meant to be ignored; which of them count where is for Covered to say.
func (g *Ignores) Rules() (list []Rule, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.past == nil {
		return nil, nil
	}
	for _, f := range g.past.listing.Files {
		if path.Base(f.Path) != ignoreFile {
			continue
		}
		text, err := g.past.read(f)
		if err != nil {
			return nil, err
		}
		list = append(list, rulesOf(f.Path, text)...)
	}
	return append(list, g.repo.exclude()...), nil
}

// exclude returns the rules of info/exclude. It is the user's own, so that nothing hangs on its being there.
func (r *Repo) exclude() []Rule {
	dir := r.Dir
	if common, err := os.ReadFile(filepath.Join(dir, "commondir")); err == nil { // of a linked worktree
		dir = absolute(r.Dir, strings.TrimRight(string(common), "\r\n"))
	}
	name := filepath.Join(dir, "info", "exclude")
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, _ := readStart(name, maxIgnoreFile)
	return rulesOf(name, text)
}

func rulesOf(source string, text []byte) (list []Rule) {
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if line = strings.TrimRight(line, "\r\n\t "); line != "" && line[0] != '#' {
			list = append(list, Rule{source, strconv.Itoa(n), line})
		}
	}
	return list
}

// copy writes the ignore file of one directory, if it has one.
func (p *pastRules) copy(dir string) error {
	name := path.Join(dir, ignoreFile)
	f, _ := p.listing.Find(name)
	text, err := p.read(f)
	if text == nil || err != nil {
		return err
	}
	root, err := os.OpenRoot(p.dir)
	if err == nil {
		defer root.Close()
		err = root.MkdirAll(filepath.FromSlash(dir), 0o700)
	}
	if err == nil {
		err = root.WriteFile(filepath.FromSlash(name), text, 0o600)
	}
	if err != nil {
		return fault.Newf(fault.IO, "write the ignore rules of a commit: %v", err)
	}
	return nil
}

func (p *pastRules) remove() {
	if p != nil && p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}
