package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"strings"

	"github.com/stategate/stategate/host/source/tree"
)

// maxCensus is the number of entries beyond which a directory is moved without
// knowing later whether something in it changed.
const maxCensus = 100_000

// census returns every moved directory a sum over what it lists, so that undoing
// notices later work in it, and refuses one that holds a repository.
func (p *planner) census() error {
	for i := range p.record.Steps {
		s := &p.record.Steps[i]
		if s.Do != move || !s.Was.Dir {
			continue
		}
		before := planner{tree: p.tree, record: &Record{Steps: p.record.Steps[:i]}}
		_, origin, made, err := before.find(s.From)
		if err != nil {
			return err
		}
		if made {
			continue
		}
		if s.Was.Sum, err = censusOf(p.tree, origin, p.record.touched(s)); err != nil {
			return err
		}
	}
	return nil
}

// touched returns the paths in a moved directory that the steps themselves change.
func (r *Record) touched(moved *step) map[string]bool {
	own := map[string]bool{}
	for i := range r.Steps {
		for _, name := range []string{r.Steps[i].Path, r.Steps[i].From} {
			for _, dir := range []string{moved.From, moved.Path} {
				if rel, ok := strings.CutPrefix(name, dir+"/"); ok {
					own[rel] = true
				}
			}
		}
	}
	return own
}

// censusOf sums names, kinds, modes and bytes; of what is beyond a limit or
// may not be read, sizes and times for bytes. It is "" of a directory with too many entries.
func censusOf(disk Disk, dir string, own map[string]bool) (string, error) {
	c := &count{disk: disk, sum: sha256.New(), own: own}
	err := c.add(dir, "")
	if err != nil || c.entries > maxCensus {
		return "", err
	}
	return hex.EncodeToString(c.sum.Sum(nil)), nil
}

type count struct {
	disk    Disk
	sum     hash.Hash
	own     map[string]bool
	entries int
	read    int64 // bytes
}

func (c *count) add(dir, rel string) error {
	names, err := c.disk.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.entry(dir, strings.TrimPrefix(rel+"/"+name, "/"), name); err != nil {
			return err
		}
	}
	return nil
}

func (c *count) entry(dir, rel, name string) error {
	if name == tree.GitName {
		return repository(c.disk, dir)
	}
	if c.entries++; c.entries > maxCensus || tree.Temporary(name) || c.own[rel] {
		return nil
	}
	info, err := c.disk.Lstat(join(dir, name))
	if err != nil {
		return err
	}
	fmt.Fprintf(c.sum, "%q %d %o", rel, info.Kind, info.Mode)
	if info.Kind == Regular {
		if err := c.file(join(dir, name), info); err != nil {
			return err
		}
	}
	fmt.Fprintln(c.sum)
	if info.Kind == Directory {
		return c.add(join(dir, name), rel)
	}
	return nil
}

func (c *count) file(name string, info Info) error {
	if info.Size <= maxFile && c.read+info.Size <= maxAll {
		data, _, err := c.disk.Read(name, maxFile)
		if err == nil {
			c.read += int64(len(data))
			fmt.Fprint(c.sum, " ", sumOf(data))
		}
		if err == nil || !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	fmt.Fprintf(c.sum, " %d %d", info.Size, info.ModTime.UnixNano())
	return nil
}
