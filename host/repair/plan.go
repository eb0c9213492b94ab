package repair

import (
	"cmp"
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
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Plan computes the effect of applying remedies and recovery options of one result. It reads their instances again,
// changes nothing, and runs no plugin.
//
// It returns a *fault.UsageError if a remedy must be applied by hand, a *ChangedError if documents differ from those
// that the result is based on, and a *fault.Failure if they cannot be read. Instances are in the result's order.
// Remedies that conflict with earlier ones or cannot be applied are in Repaired.Skipped.
func (r *Repair) Plan(ctx context.Context, offers []result.Offer) (*result.Outcome, error) {
	plan := &result.Outcome{}
	for len(offers) > 0 {
		var list, rest []result.Offer
		for _, f := range offers {
			switch {
			case f.Safety == wire.Manual:
				return nil, fault.Usagef("remedy %s (%s) must be applied by hand: %s", f.ID, f.Title,
					strings.Join(f.Steps, "; "))
			case f.Instance == offers[0].Instance:
				list = append(list, f)
			default:
				rest = append(rest, f)
			}
		}
		planned, err := r.plan(ctx, list)
		if err != nil {
			return nil, err
		}
		plan.Instances, offers = append(plan.Instances, *planned), rest
	}
	slices.SortStableFunc(plan.Instances, func(a, b result.Repaired) int {
		return cmp.Or(discover.ComparePaths(a.Root, b.Root), strings.Compare(a.Plugin, b.Plugin))
	})
	return plan, nil
}

func (r *Repair) plan(ctx context.Context, list []result.Offer) (*result.Repaired, error) {
	i := list[0].Instance
	plugin := r.work.Plugins[i.Plugin]
	if plugin == nil {
		return nil, fault.Newf(fault.ABI, "the plugin %s is not available; specify it with --plugin", i.Plugin)
	}
	read, err := r.work.Read(ctx, discover.Instance{Plugin: i.Plugin, Root: i.Root})
	if err != nil {
		return nil, fault.From(err, fault.IO)
	}
	now := read.Now
	if now.Unstable {
		return nil, newChanged(i.Root)
	}
	if err := r.asChecked(ctx, i, now); err != nil {
		return nil, err
	}
	files, err := filesFor(ctx, r.work.Disk, now, list)
	if err != nil {
		return nil, fault.From(err, fault.IO)
	}
	env := edit.Env{Now: r.work.Options.Now, Root: i.Root, CheckRoot: rootCheck(r.work, plugin, i.Root)}
	if env.Base, err = base(read.Pasts(), list); err != nil {
		return nil, fault.From(err, fault.Source)
	}
	p := &result.Repaired{Plugin: i.Plugin, Root: i.Root, To: i.Root, Before: i, Digest: now.Digest}
	return p, merge(p, files, sparing(r.work, p, now, list), env)
}

// sparing skips remedies that change an executable file, because a plugin must not write programs. A document that
// was read as JSON or Markdown is not a program, whatever its mode, because some file systems mark every file as
// executable.
func sparing(work *check.Checker, p *result.Repaired, now *statefiles.Instance,
	list []result.Offer) []result.Offer {
	specs := work.Plugins[p.Plugin].Manifest.Documents
	program := func(e wire.Edit) bool {
		name := e.Range.Path
		at := slices.IndexFunc(now.Files, func(f snapshot.File) bool { return f.Path == name })
		if at >= 0 && specs[now.Files[at].Spec].Format != wire.Text {
			return false
		}
		return e.Op != wire.MoveRoot && work.Disk.Executable(slashpath.Join(p.Root, name))
	}
	var kept []result.Offer
	for _, c := range list {
		if at := slices.IndexFunc(c.Edits, program); at >= 0 {
			p.Skipped = append(p.Skipped, result.Skipped{Offer: c,
				Why: c.Edits[at].Range.Path + " is executable: no remedy changes it; do it by hand"})
			continue
		}
		kept = append(kept, c)
	}
	return kept
}

// asChecked rejects an instance that differs from the one in the result, or that differs between the index and the
// working tree.
func (r *Repair) asChecked(ctx context.Context, i *result.Instance, now *statefiles.Instance) error {
	checked := now
	if r.staged != nil {
		staged, err := r.staged.Read(ctx, discover.Instance{Plugin: i.Plugin, Root: i.Root})
		if err != nil {
			return fault.From(err, fault.Source)
		}
		checked = staged.Now
	}
	if i.Digest != "" && checked.Digest != i.Digest { // a lost run has none
		return newChanged(i.Root)
	}
	if differ := check.Differing(i.Root, checked.Files, now.Files); len(differ) > 0 {
		return &ChangedError{strings.Join(differ, ", ") +
			": the working tree differs from the index, so nothing was done; stage it, or fix it without --staged"}
	}
	return nil
}

func merge(p *result.Repaired, files edit.Files, list []result.Offer, env edit.Env) error {
	edits := make([][]wire.Edit, len(list))
	for i := range list {
		edits[i] = list[i].Edits
	}
	made, skipped, err := edit.Merge(files, edits, env)
	if err != nil {
		return fault.From(err, fault.Protocol)
	}
	for i, c := range list {
		if len(skipped) > 0 && skipped[0].Index == i {
			err, conflict := skipped[0].Err, (*edit.Conflict)(nil)
			p.Skipped = append(p.Skipped, result.Skipped{Offer: c, Why: err.Error(),
				Conflict: errors.As(err, &conflict)})
			skipped = skipped[1:]
			continue
		}
		p.Chosen, p.Titles = append(p.Chosen, c), append(p.Titles, c.Title)
	}
	p.To = made.Root
	adopt(p, files, made.Changes)
	return nil
}

// adopt copies the changes into p, with paths relative to the workspace.
func adopt(p *result.Repaired, files edit.Files, changes []edit.Change) {
	p.Expect = map[string]string{}
	from := func(name, root string) string {
		if name == "" {
			return ""
		}
		return slashpath.Join(root, name)
	}
	for _, c := range changes {
		for _, name := range []string{c.Path, c.From} {
			if f, ok := files[name]; ok && !f.Unread && !strings.HasSuffix(name, "/") {
				sum := sha256.Sum256(f.Data)
				p.Expect[slashpath.Join(p.Root, name)] = hex.EncodeToString(sum[:])
			}
		}
		c.Path, c.From = slashpath.Join(p.Root, c.Path), from(c.From, p.Root)
		p.Changes = append(p.Changes, c)
	}
	for _, f := range netChanges(files, changes) {
		f.From, f.To = from(f.From, p.Root), from(f.To, p.To)
		p.Files = append(p.Files, f)
	}
	if p.To != p.Root {
		p.Changes = append(p.Changes, edit.Change{Kind: edit.Rename, From: p.Root + "/", Path: p.To + "/"})
		p.Files = append(p.Files, result.FileChange{From: p.Root + "/", To: p.To + "/"})
	}
	slices.SortStableFunc(p.Files, func(a, b result.FileChange) int {
		return strings.Compare(cmp.Or(a.From, a.To), cmp.Or(b.From, b.To))
	})
}

// netChanges returns the combined effect of all changes on each document. Writes come last.
func netChanges(files edit.Files, changes []edit.Change) []result.FileChange {
	var list []result.FileChange
	for _, c := range changes {
		one := result.FileChange{From: c.Path}
		switch c.Kind {
		case edit.Write:
			if at := slices.IndexFunc(list, func(f result.FileChange) bool { return f.To == c.Path }); at >= 0 {
				list[at].After, list[at].Unread = c.Data, false // it moves as well
				continue
			}
			one = result.FileChange{From: origin(c.Path, list), To: c.Path, After: c.Data}
		case edit.Rename:
			one = result.FileChange{From: c.From, To: c.Path, After: files[c.From].Data}
		}
		if was, ok := files[one.From]; !ok && c.Kind == edit.Write {
			one.From = "" // it is new
		} else if !strings.HasSuffix(one.From, "/") {
			one.Before, one.Unread = was.Data, was.Unread
		}
		list = append(list, one)
	}
	return list
}

// origin returns the path that an entry had before the changes, or "" if the entry was moved away or removed.
func origin(name string, changes []result.FileChange) string {
	for _, c := range slices.Backward(changes) {
		switch dir := strings.HasSuffix(c.From, "/"); {
		case dir && c.To != "" && strings.HasPrefix(name, c.To):
			name = c.From + name[len(c.To):]
		case c.From == name && c.To != name, dir && strings.HasPrefix(name, c.From):
			return ""
		}
	}
	return name
}

// rootCheck returns a function that rejects a target that cannot be a root of the workflow, or that exists.
func rootCheck(work *check.Checker, p *check.ActivePlugin, was string) func(string) error {
	return func(to string) error {
		to = strings.TrimSuffix(to, "/")
		switch {
		case !snapshot.IsRoot(p.Manifest, to):
			return errors.New("no root of the workflow matches this path")
		case slashpath.Holds(was, to):
			return errors.New("the run already exists")
		}
		if _, err := work.Disk.Stat(to); !errors.Is(err, fs.ErrNotExist) {
			return errors.New("another entry has its path")
		}
		return nil
	}
}
