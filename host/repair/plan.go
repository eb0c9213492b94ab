package repair

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/source/statefiles"
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
func (r *Repair) Plan(ctx context.Context, res *result.Result, ids []string) (*result.Plan, error) {
	picked, err := pick(res, ids)
	if err != nil {
		return nil, err
	}
	plan := &result.Plan{}
	for i := range res.Instances {
		if len(picked[i]) == 0 {
			continue
		}
		planned, err := r.plan(ctx, &res.Instances[i], picked[i])
		if err != nil {
			return nil, err
		}
		plan.Instances = append(plan.Instances, *planned)
	}
	return plan, nil
}

// pick finds the remedies of ids, by index of their instance, in the order of ids.
func pick(res *result.Result, ids []string) (map[int][]result.Choice, error) {
	picked := map[int][]result.Choice{}
	for at, id := range ids {
		if slices.Contains(ids[:at], id) {
			continue
		}
		found := 0
		for i := range res.Instances {
			for _, c := range choices(&res.Instances[i]) {
				if c.ID == id {
					picked[i] = append(picked[i], c)
					found++
				}
			}
		}
		switch {
		case found == 0:
			return nil, fault.Usagef("no remedy has the id %q; `stategate recover` lists the remedies", id)
		case found > 1:
			return nil, fault.Usagef("%d remedies have the id %q; `stategate recover` lists them", found, id)
		}
	}
	return picked, byHand(picked)
}

func byHand(picked map[int][]result.Choice) error {
	for _, list := range picked {
		for _, c := range list {
			if c.Safety == wire.Manual {
				return fault.Usagef("remedy %s (%s) is done by hand: %s", c.ID, c.Title, strings.Join(c.Steps, "; "))
			}
		}
	}
	return nil
}

// choices lists all remedies of an instance, those of findings first.
func choices(i *result.Instance) []result.Choice {
	var list []result.Choice
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		for _, remedy := range d.Remedies {
			list = append(list, result.Choice{Remedy: remedy, Rule: d.Rule, Finding: d.Found})
		}
	}
	for _, remedy := range i.Recoveries {
		list = append(list, result.Choice{Remedy: remedy})
	}
	return list
}

// plan plans for one instance.
func (r *Repair) plan(ctx context.Context, i *result.Instance, list []result.Choice) (*result.Planned, error) {
	party := r.look.Parties[i.Plugin]
	if party == nil {
		return nil, fault.Newf(fault.ABI, "the plugin %s is not available: name it with --plugin", i.Plugin)
	}
	view, err := r.look.Read(ctx, party, i.Root)
	if err != nil {
		return nil, fault.From(err, fault.IO)
	}
	now := view.Now
	if now.Unstable {
		return nil, newChanged([]string{i.Root})
	}
	if err := r.agree(ctx, i, now); err != nil {
		return nil, err
	}
	files, err := r.files(ctx, now, list)
	if err != nil {
		return nil, fault.From(err, fault.IO)
	}
	env := edit.Env{Now: r.look.Options.Now, Root: i.Root, CheckRoot: r.checkRoot(party, i.Root)}
	if env.Base, err = r.base(ctx, view.Past, list); err != nil {
		return nil, fault.From(err, fault.Source)
	}
	p := &result.Planned{Plugin: i.Plugin, Root: i.Root, To: i.Root, Before: i, Digest: now.Digest}
	return p, merge(p, files, r.spare(p, now, list), env)
}

// spare skips remedies that change what may be run: a program must not come from a plugin. What was read as
// JSON or Markdown is no program, whatever its mode; some file systems mark every file.
func (r *Repair) spare(p *result.Planned, now *statefiles.Instance, list []result.Choice) []result.Choice {
	specs := r.look.Parties[p.Plugin].Manifest.Documents
	program := func(e wire.Edit) bool {
		name := e.Range.Path
		at := slices.IndexFunc(now.Files, func(f snapshot.File) bool { return f.Path == name })
		if at >= 0 && specs[now.Files[at].Spec].Format != wire.Text {
			return false
		}
		return e.Op != wire.MoveRoot && r.look.Worktree.Executable(slashpath.Join(p.Root, name))
	}
	var kept []result.Choice
	for _, c := range list {
		if at := slices.IndexFunc(c.Edits, program); at >= 0 {
			p.Skipped = append(p.Skipped, result.Skipped{Choice: c, Why: c.Edits[at].Range.Path + " is executable: no remedy changes it; do it by hand"})
			continue
		}
		kept = append(kept, c)
	}
	return kept
}

// merge makes the edits in memory.
func merge(p *result.Planned, files edit.Files, list []result.Choice, env edit.Env) error {
	edits := make([][]wire.Edit, len(list))
	for i := range list {
		edits[i] = list[i].Edits
	}
	made, skipped, err := edit.Merge(files, edits, env)
	if err != nil {
		return fault.From(err, fault.Protocol)
	}
	why := map[int]error{}
	for _, s := range skipped {
		why[s.Index] = s.Err
	}
	for i, c := range list {
		if err, ok := why[i]; ok {
			p.Skipped = append(p.Skipped, result.Skipped{Choice: c, Why: err.Error(), Conflict: conflicts(err)})
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
func adopt(p *result.Planned, files edit.Files, changes []edit.Change) {
	p.Expect = map[string]string{}
	for _, c := range changes {
		for _, name := range []string{c.Path, c.From} {
			if f, ok := files[name]; ok && !f.Unread && name != "" && !strings.HasSuffix(name, "/") {
				sum := sha256.Sum256(f.Data)
				p.Expect[slashpath.Join(p.Root, name)] = hex.EncodeToString(sum[:])
			}
		}
		c.Path = slashpath.Join(p.Root, c.Path)
		if c.From != "" {
			c.From = slashpath.Join(p.Root, c.From)
		}
		p.Changes = append(p.Changes, c)
	}
	p.Files = netChanges(files, changes)
	for i := range p.Files {
		belowAnchor(&p.Files[i], p.Root, p.To)
	}
	if p.To != p.Root {
		p.Changes = append(p.Changes, edit.Change{Kind: edit.Rename, From: p.Root + "/", Path: p.To + "/"})
		p.Files = append(p.Files, result.FileChange{From: p.Root + "/", To: p.To + "/"})
	}
	slices.SortStableFunc(p.Files, func(a, b result.FileChange) int { return strings.Compare(pathOf(&a), pathOf(&b)) })
}

func pathOf(c *result.FileChange) string {
	if c.From == "" {
		return c.To
	}
	return c.From
}

// belowAnchor makes paths below the root paths below the anchor.
func belowAnchor(c *result.FileChange, root, to string) {
	if c.From != "" {
		c.From = slashpath.Join(root, c.From)
	}
	if c.To != "" {
		c.To = slashpath.Join(to, c.To)
	}
}

// netChanges returns what happens to each document, all changes taken together.
func netChanges(files edit.Files, changes []edit.Change) []result.FileChange {
	var list []result.FileChange
	for _, c := range changes {
		if c.Kind == edit.Write {
			continue
		}
		one := result.FileChange{From: c.Path}
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
func written(list []result.FileChange, files edit.Files, c edit.Change) []result.FileChange {
	for i := range list {
		if list[i].To == c.Path {
			list[i].After, list[i].Unread = c.Data, false
			return list
		}
	}
	one := result.FileChange{To: c.Path, After: c.Data}
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
func (r *Repair) checkRoot(p *check.Party, was string) func(string) error {
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
		if !set.Accepts(st) {
			return errors.New("no root of the workflow can be there")
		}
		if to == was || strings.HasPrefix(to, was+"/") {
			return errors.New("the run is there already")
		}
		if _, err := r.look.Worktree.Mode(to); !errors.Is(err, fs.ErrNotExist) {
			return errors.New("something is there already")
		}
		return nil
	}
}

func rootDirs(p *check.Party) []string {
	var dirs []string
	for _, root := range p.Manifest.Roots {
		dirs = append(dirs, root.Dir)
	}
	return dirs
}

// dataOf returns the bytes of the documents that were read.
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
func (r *Repair) sameDocuments(ctx context.Context, p *result.Planned) (*statefiles.Instance, error) {
	view, err := r.look.Read(ctx, r.look.Parties[p.Plugin], p.Root)
	if err != nil {
		return nil, fault.From(err, fault.IO)
	}
	now := view.Now
	if now.Digest != p.Digest || now.Unstable {
		return nil, newChanged([]string{p.Root})
	}
	return now, nil
}
