package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/edit"
)

// An Intent is what a caller wants changed.
type Intent struct {
	Group   string
	Time    time.Time
	About   About
	Roots   []string          // where paths may lie: the instance, and where it goes
	Changes []edit.Change     // paths are slash-separated below the anchor, those of directories end in a slash
	Expect  map[string]string // hex SHA-256 of files as the caller knows them, by path; others are taken as they are
}

// The most bytes that one transaction takes back, and of one file.
const (
	maxFile = 64 << 20
	maxAll  = 256 << 20
)

// planner turns changes into steps. It changes nothing.
type planner struct {
	tree    Disk
	record  *Record
	kept    int64    // bytes of backups
	temps   int      // temporary names given out
	changed []string // what is not as expected
}

// newID names a transaction or a group of them.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// plan returns the record of an intent.
func plan(disk Disk, in Intent) (*Record, error) {
	p := &planner{tree: disk, record: &Record{
		Format: format, ID: newID(), Group: in.Group, Time: in.Time, Roots: in.Roots, About: in.About,
	}}
	for name, sum := range in.Expect {
		if err := p.expect(name, sum); err != nil {
			return nil, err
		}
	}
	if err := p.unchanged(); err != nil {
		return nil, err
	}
	for _, c := range in.Changes {
		if err := p.change(c); err != nil {
			return nil, err
		}
	}
	return p.finish()
}

func (p *planner) finish() (*Record, error) {
	if err := p.unchanged(); err != nil {
		return nil, err
	}
	if err := p.census(); err != nil {
		return nil, err
	}
	p.temporaries()
	return p.record, p.record.check()
}

func (p *planner) expect(name, sum string) error {
	if err := checkName(name); err != nil {
		return err
	}
	data, _, err := p.tree.Read(name, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotRegular), errors.Is(err, errLink), err == nil && sumOf(data) != sum:
		p.changed = append(p.changed, name)
		return nil
	}
	return err
}

func (p *planner) unchanged() error {
	if len(p.changed) > 0 {
		return &ChangedError{p.changed}
	}
	return nil
}

func (p *planner) change(c edit.Change) error {
	name, dir := strings.CutSuffix(c.Path, "/")
	from := strings.TrimSuffix(c.From, "/")
	switch {
	case c.Kind == edit.Delete && dir:
		return p.rmdir(name)
	case c.Kind == edit.Delete:
		return p.remove(name)
	case c.Kind == edit.Rename:
		return p.move(from, name)
	case c.Kind == edit.Write && !dir:
		return p.put(name, c.Data, Attributes{})
	}
	return fmt.Errorf("internal error: unknown kind of change for %q", c.Path)
}

// find returns what lies at a path after the steps so far, and where it lies now.
// made is true of what a step makes.
func (p *planner) find(name string) (info Info, origin string, made bool, err error) {
	if err := checkName(name); err != nil {
		return info, "", false, err
	}
	for i := len(p.record.Steps) - 1; i >= 0; i-- {
		s := &p.record.Steps[i]
		switch {
		case s.Do == move && (name == s.Path || strings.HasPrefix(name, s.Path+"/")):
			name = s.From + name[len(s.Path):]
		case s.Do == move && (name == s.From || strings.HasPrefix(name, s.From+"/")):
			return info, "", false, fs.ErrNotExist
		case s.Do == mkdir && name == s.Path:
			return Info{Kind: Directory, Attributes: Attributes{Mode: 0o700}}, name, true, nil
		case (s.Do == remove || s.Do == rmdir || s.Do == mkdir) && within(name, []string{s.Path}):
			return info, "", false, fs.ErrNotExist
		case s.Do == put && name == s.Path:
			return Info{Kind: Regular, Attributes: Attributes{Mode: 0o600}}, name, true, nil
		}
	}
	if err := guard(p.tree, name); err != nil {
		return info, "", false, err
	}
	info, err = p.tree.Lstat(name)
	return info, name, false, err
}

// holder refuses a directory in which nothing may be changed, and makes the
// missing ones.
func (p *planner) holder(name string) error {
	dir := path.Dir(name)
	if dir == "." {
		return p.writable(".", dir)
	}
	info, origin, made, err := p.find(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := p.holder(dir); err != nil {
			return err
		}
		p.add(step{Do: mkdir, Path: dir})
		return nil
	case err != nil:
		return err
	case info.Kind != Directory:
		return fmt.Errorf("%s is a %s, expected a directory", dir, info.Kind)
	case made:
		return nil
	}
	if err := repository(p.tree, origin); err != nil {
		return err
	}
	return p.writable(origin, dir)
}

// writable refuses what is marked read-only. The system would refuse most of it
// later, and let root, or a rename, do the rest.
func (p *planner) writable(origin, name string) error {
	info, err := p.tree.Lstat(origin)
	if err != nil {
		return err
	}
	if info.Mode&0o222 == 0 {
		return fmt.Errorf("%s is read-only (mode %04o): make it writable (chmod u+w), then run this again", name, info.Mode.Perm())
	}
	return nil
}

func (p *planner) add(s step) { p.record.Steps = append(p.record.Steps, s) }

// file reads the file at a path for its backup, nil if there is none.
func (p *planner) file(name string) (*state, []byte, error) {
	info, origin, made, err := p.find(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case info.Kind != Regular:
		return nil, nil, fmt.Errorf("%s is a %s, expected a file; it is neither followed nor changed", name, info.Kind)
	case made:
		return nil, nil, fmt.Errorf("%s is written twice", name)
	}
	if err := p.writable(origin, name); err != nil {
		return nil, nil, err
	}
	data, info, err := p.tree.Read(origin, maxFile)
	if err != nil {
		return nil, nil, err
	}
	if p.kept += int64(len(data)); p.kept > maxAll {
		return nil, nil, fmt.Errorf("%s: the old bytes of all files are more than %d, which is %w", name, maxAll, errTooLarge)
	}
	return fileState(data, info.Attributes), data, nil
}

// put makes a file, or replaces its bytes and keeps its mode and owner.
func (p *planner) put(name string, data []byte, as Attributes) error {
	was, old, err := p.file(name)
	if err != nil {
		return err
	}
	if err := p.holder(name); err != nil {
		return err
	}
	if was != nil && !as.Exact {
		as = was.attributes()
	}
	p.add(step{Do: put, Path: name, Was: was, Is: fileState(data, as), data: data, old: old})
	return nil
}

func (p *planner) remove(name string) error {
	was, old, err := p.file(name)
	if err == nil && was == nil {
		err = &ChangedError{[]string{name}}
	}
	if err == nil {
		err = p.holder(name)
	}
	if err != nil {
		return err
	}
	p.add(step{Do: remove, Path: name, Was: was, old: old})
	return nil
}

func (p *planner) rmdir(name string) error {
	info, _, _, err := p.find(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Kind != Directory {
		return &ChangedError{[]string{name}}
	}
	if err == nil {
		err = p.holder(name)
	}
	if err != nil {
		return err
	}
	p.add(step{Do: rmdir, Path: name, Was: &state{Dir: true, Mode: info.Mode, Exact: info.Exact, Owner: info.Owner}})
	return nil
}

// move renames what is a file or a directory, to a name that is free.
func (p *planner) move(from, to string) error {
	info, origin, made, err := p.find(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &ChangedError{[]string{from}}
	case err != nil:
		return err
	case info.Kind == Special || info.Kind == Symlink:
		return fmt.Errorf("%s is a %s, expected a file or directory; it is not moved", from, info.Kind)
	}
	if err := p.free(from, to, info); err != nil {
		return err
	}
	if err := p.holder(from); err != nil {
		return err
	}
	if err := p.holder(to); err != nil {
		return err
	}
	was := &state{Dir: info.Kind == Directory, Mode: info.Mode, Exact: info.Exact, Owner: info.Owner}
	if !was.Dir && !made {
		data, _, err := p.tree.Read(origin, maxFile)
		if err != nil {
			return err
		}
		was.Sum = sumOf(data)
	}
	p.add(step{Do: move, From: from, Path: to, Was: was})
	return nil
}

// free refuses a name that is taken, but for that of the same file in another
// spelling, as file systems that ignore case have it.
func (p *planner) free(from, to string, info Info) error {
	there, _, made, err := p.find(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !made && edit.Fold(from) == edit.Fold(to) && info.Same != nil && info.Same(there):
		return nil
	}
	return &ChangedError{[]string{to}}
}

// temporaries returns every step its temporary names, in a directory that no step
// takes away.
func (p *planner) temporaries() {
	backups := 0
	for i := range p.record.Steps {
		s := &p.record.Steps[i]
		if s.Do != put && s.Do != remove {
			continue
		}
		dir := p.steady(path.Dir(s.Path))
		s.New = p.temporary(dir)
		if s.Was != nil {
			s.Old = p.temporary(dir)
			s.Backup = strconv.Itoa(backups)
			backups++
		}
	}
}

func (p *planner) temporary(dir string) string {
	p.temps++
	return join(dir, tree.TemporaryName(p.record.ID, p.temps))
}

// steady climbs to a directory that is there and stays.
func (p *planner) steady(dir string) string {
	for dir != "." && !p.stays(dir) {
		dir = path.Dir(dir)
	}
	return dir
}

func (p *planner) stays(dir string) bool {
	for i := range p.record.Steps {
		s := &p.record.Steps[i]
		gone := s.Path
		if s.Do == move {
			gone = s.From
		}
		if (s.Do == move || s.Do == rmdir || s.Do == mkdir) && within(dir, []string{gone}) {
			return false
		}
		if s.Do == move && within(dir, []string{s.Path}) {
			return false
		}
	}
	info, err := p.tree.Lstat(dir)
	return err == nil && info.Kind == Directory
}
