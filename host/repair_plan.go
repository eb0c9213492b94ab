package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/glob"
	"github.com/stategate/stategate/sdk/edit"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Plan works out what applying the remedies and recoveries of these ids would
// do. It reads their instances again, changes nothing, and starts no plugin.
//
// A *UsageError says that an id names nothing, or a remedy that is done by hand;
// a *ChangedError that documents are not what the result was made of; a
// *failure.Failure that they cannot be read. Remedies that conflict with ones
// before them, or cannot be made, are in Planned.Skipped.
func (r *Repair) Plan(ctx context.Context, result *Result, ids []string) (*Plan, error) {
	picked, err := pick(result, ids)
	if err != nil {
		return nil, err
	}
	plan := &Plan{}
	for i := range result.Instances {
		if len(picked[i]) == 0 {
			continue
		}
		planned, err := r.plan(ctx, &result.Instances[i], picked[i])
		if err != nil {
			return nil, err
		}
		plan.Instances = append(plan.Instances, *planned)
	}
	return plan, nil
}

// pick finds the remedies of ids, by index of their instance, in the order of ids.
func pick(result *Result, ids []string) (map[int][]Choice, error) {
	picked := map[int][]Choice{}
	for at, id := range ids {
		if slices.Contains(ids[:at], id) {
			continue
		}
		found := 0
		for i := range result.Instances {
			for _, c := range choices(&result.Instances[i]) {
				if c.ID == id {
					picked[i] = append(picked[i], c)
					found++
				}
			}
		}
		if found != 1 {
			return nil, usagef("%d remedies have the id %q; `stategate recover` lists them", found, id)
		}
	}
	return picked, byHand(picked)
}

func byHand(picked map[int][]Choice) error {
	for _, list := range picked {
		for _, c := range list {
			if c.Safety == wire.Manual {
				return usagef("remedy %s (%s) is done by hand: %s", c.ID, c.Title, strings.Join(c.Steps, "; "))
			}
		}
	}
	return nil
}

// choices lists all remedies of an instance, those of findings first.
func choices(i *Instance) []Choice {
	var list []Choice
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		for _, remedy := range d.Remedies {
			list = append(list, Choice{Remedy: remedy, Rule: d.Rule, finding: d.found})
		}
	}
	for _, remedy := range i.Recoveries {
		list = append(list, Choice{Remedy: remedy})
	}
	return list
}

// plan plans for one instance.
func (r *Repair) plan(ctx context.Context, i *Instance, list []Choice) (*Planned, error) {
	party := r.look.parties[i.Plugin]
	if party == nil {
		return nil, failure.Newf(failure.ABI, "the plugin %s is not at hand: name it with --plugin", i.Plugin)
	}
	view, err := r.look.read(ctx, party, i.Root)
	if err != nil {
		return nil, failure.From(err, failure.IO)
	}
	now := view.now
	if now.Unstable {
		return nil, newChanged([]string{i.Root})
	}
	if err := r.agree(ctx, i, now); err != nil {
		return nil, err
	}
	files, err := r.files(ctx, now, list)
	if err != nil {
		return nil, failure.From(err, failure.IO)
	}
	env := edit.Env{Now: r.look.options.Now, Root: i.Root, CheckRoot: r.checkRoot(party, i.Root)}
	if env.Base, err = r.base(ctx, view.past, list); err != nil {
		return nil, failure.From(err, failure.Source)
	}
	p := &Planned{Plugin: i.Plugin, Root: i.Root, To: i.Root, before: i, digest: now.Digest}
	return p, merge(p, files, list, env)
}

// merge makes the edits in memory.
func merge(p *Planned, files edit.Files, list []Choice, env edit.Env) error {
	edits := make([][]wire.Edit, len(list))
	for i := range list {
		edits[i] = list[i].Edits
	}
	made, skipped, err := edit.Merge(files, edits, env)
	if err != nil {
		return failure.From(err, failure.Protocol)
	}
	why := map[int]error{}
	for _, s := range skipped {
		why[s.Index] = s.Err
	}
	for i, c := range list {
		if err, ok := why[i]; ok {
			p.Skipped = append(p.Skipped, Skipped{Choice: c, Why: err.Error(), conflict: conflicts(err)})
			continue
		}
		p.Chosen = append(p.Chosen, c)
	}
	p.To = made.Root
	adopt(p, files, made.Changes)
	return nil
}

func conflicts(err error) bool {
	var c *edit.Conflict
	return errors.As(err, &c)
}

// adopt takes over the changes, with paths from the anchor.
func adopt(p *Planned, files edit.Files, changes []edit.Change) {
	p.expect = map[string]string{}
	for _, c := range changes {
		for _, name := range []string{c.Path, c.From} {
			if f, ok := files[name]; ok && !f.Unread && name != "" && !strings.HasSuffix(name, "/") {
				sum := sha256.Sum256(f.Data)
				p.expect[join(p.Root, name)] = hex.EncodeToString(sum[:])
			}
		}
		c.Path = join(p.Root, c.Path)
		if c.From != "" {
			c.From = join(p.Root, c.From)
		}
		p.changes = append(p.changes, c)
	}
	p.Files = netChanges(files, changes)
	for i := range p.Files {
		belowAnchor(&p.Files[i], p.Root, p.To)
	}
	if p.To != p.Root {
		p.changes = append(p.changes, edit.Change{Kind: edit.Rename, From: p.Root + "/", Path: p.To + "/"})
		p.Files = append(p.Files, FileChange{From: p.Root + "/", To: p.To + "/"})
	}
	slices.SortStableFunc(p.Files, func(a, b FileChange) int { return strings.Compare(pathOf(&a), pathOf(&b)) })
}

func pathOf(c *FileChange) string {
	if c.From == "" {
		return c.To
	}
	return c.From
}

// belowAnchor makes paths below the root paths below the anchor.
func belowAnchor(c *FileChange, root, to string) {
	if c.From != "" {
		c.From = join(root, c.From)
	}
	if c.To != "" {
		c.To = join(to, c.To)
	}
}

// netChanges gives what happens to each document, all changes taken together.
func netChanges(files edit.Files, changes []edit.Change) []FileChange {
	var list []FileChange
	for _, c := range changes {
		if c.Kind == edit.Write {
			continue
		}
		one := FileChange{From: c.Path}
		if c.Kind == edit.Rename {
			one.From, one.To = c.From, c.Path
		}
		if !strings.HasSuffix(one.From, "/") {
			f := files[one.From]
			one.Before, one.Unread = f.Data, f.Unread
			if one.To != "" {
				one.After = f.Data
			}
		}
		list = append(list, one)
	}
	for _, c := range changes {
		if c.Kind == edit.Write {
			list = written(list, files, c)
		}
	}
	return list
}

// written adds what a write does, to the move of the same document if there is one.
func written(list []FileChange, files edit.Files, c edit.Change) []FileChange {
	for i := range list {
		if list[i].To == c.Path {
			list[i].After, list[i].Unread = c.Data, false
			return list
		}
	}
	one := FileChange{To: c.Path, After: c.Data}
	origin := c.Path
	for _, moved := range slices.Backward(list) {
		if strings.HasSuffix(moved.To, "/") && strings.HasPrefix(origin, moved.To) {
			origin = moved.From + origin[len(moved.To):]
		} else if moved.From == origin || strings.HasSuffix(moved.From, "/") && strings.HasPrefix(origin, moved.From) {
			return append(list, one)
		}
	}
	if f, ok := files[origin]; ok {
		one.From, one.Before, one.Unread = origin, f.Data, f.Unread
	}
	return append(list, one)
}

// checkRoot refuses a place where the workflow has no root, or that is taken.
func (r *Repair) checkRoot(p *party, was string) func(string) error {
	return func(to string) error {
		to = strings.TrimSuffix(to, "/")
		set, err := glob.Floating(rootDirs(p))
		if err != nil {
			return err
		}
		st := set.Start()
		for name := range strings.SplitSeq(to, "/") {
			st = set.Step(st, name)
		}
		if _, ok := set.Accepts(st); !ok {
			return errors.New("no root of the workflow can be there")
		}
		if to == was || strings.HasPrefix(to, was+"/") {
			return errors.New("the instance is there already")
		}
		if _, err := r.look.worktree.Mode(to); !errors.Is(err, fs.ErrNotExist) {
			return errors.New("something is there already")
		}
		return nil
	}
}

func rootDirs(p *party) []string {
	var dirs []string
	for _, root := range p.Manifest.Roots {
		dirs = append(dirs, root.Dir)
	}
	return dirs
}

// dataOf gives the bytes of the documents that were read.
func dataOf(files []snapshot.File) edit.Files {
	list := edit.Files{}
	for _, f := range files {
		if f.Kind == snapshot.Regular && f.Data != nil {
			list[f.Path] = edit.File{Data: f.Data}
		}
	}
	return list
}

// sameDocuments reads an instance again and refuses it if it changed.
func (r *Repair) sameDocuments(ctx context.Context, p *Planned) (*collect.Instance, error) {
	view, err := r.look.read(ctx, r.look.parties[p.Plugin], p.Root)
	if err != nil {
		return nil, failure.From(err, failure.IO)
	}
	now := view.now
	if now.Digest != p.digest || now.Unstable {
		return nil, newChanged([]string{p.Root})
	}
	return now, nil
}
