package check

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// maxNamed limits how many missing documents are named. Restoring one brings back the run, and then its own rules
// name the rest.
const maxNamed = 5

// losses explains what happened to runs that a base has and the source lacks.
type losses struct {
	*reader
	examiner *examiner
	merges   *merges
	restorer restorer
}

// A formerRun is an earlier state of a run, examined on its own.
type formerRun struct {
	root     string
	commit   string          // its commit's object id
	files    []snapshot.File // its documents
	declined bool            // the plugin does not recognize it as a run
	known    bool            // its state could be determined
	open     *wire.Detection // an unfinished detection, preferably an active one; nil if there is none
}

// former examines an earlier state of a run. It fails if that state cannot be read.
func (l *losses) former(ctx context.Context, p *ActivePlugin, was *statefiles.Past) (*formerRun, error) {
	f := &formerRun{root: was.Root, files: was.Files, commit: was.Tree.ID}
	reply, err := l.examiner.alone(ctx, p, was)
	if err != nil || reply.Failure != "" {
		return f, err
	}
	f.known = len(reply.Detections) > 0
	// a directory without a run, such as one that contains only a pointer or a constitution, may be deleted
	isError := func(d finding.Finding) bool { return d.Severity == wire.Error }
	noRun := !f.known && len(p.Manifest.Lifecycles) > 0 && !slices.ContainsFunc(reply.Findings, isError)
	f.declined = reply.Declined != "" || noRun
	for _, in := range [][]wire.State{{wire.Active, wire.Blocked}, {wire.Abandoned}} {
		at := slices.IndexFunc(reply.Detections, func(d wire.Detection) bool { return slices.Contains(in, d.State) })
		if at >= 0 && f.open == nil {
			f.open = &reply.Detections[at]
		}
	}
	return f, nil
}

// since names the commit that has the run, and the run's phase in it.
func (f *formerRun) since() string {
	text := fmt.Sprintf("this run exists in commit %.12s", f.commit)
	switch {
	case f.open != nil:
		how := "not finished"
		if f.open.State == wire.Abandoned {
			how = "abandoned"
		}
		text += ", " + how
		if phase := cmp.Or(f.open.Observed, f.open.Claimed); phase != "" {
			text += " (" + strings.TrimPrefix(f.open.Subject+", phase "+phase, ", ") + ")"
		}
		return text
	case f.known:
		return text + ", finished"
	}
	return text + ", in a state that could not be determined"
}

// removed returns the finding that a run is lost. Deleting a finished run is fine. An unfinished run is rarely
// deleted on purpose. State that the plugin marks as kept must never be deleted. An active run is damaged if some
// of its documents remain but nothing recognizes them.
func (f *formerRun) removed(plugin *ActivePlugin, root string, damaged bool, what string) *result.Instance {
	severity := wire.Warning
	finished, abandoned := f.known && f.open == nil, f.open != nil && f.open.State == wire.Abandoned
	switch keep := plugin.Manifest.Keep; {
	case keep == wire.KeepAll || keep == wire.KeepUnfinished && !finished && !abandoned:
		severity = wire.Error
	case f.open != nil && !abandoned && damaged:
		severity = wire.Error
	case finished && !damaged:
		severity = wire.Info
	}
	i := withFinding(plugin.Name, wire.RuleRunRemoved, severity, root, f.since()+", but "+what)
	i.Touched = true
	return &i
}

// lostRun reports a run that every base has and that is no longer found, or that a merge drops from one side. It
// ignores an instance that the plugin declines, because that was not a run.
func (l *losses) lostRun(ctx context.Context, found *discover.Found, i discover.Instance,
	was *statefiles.Past) Outcome {
	out := Outcome{Instance: i}
	p := l.plugins[i.Plugin]
	merged := ""
	for _, b := range l.bases.list {
		if past, err := b.Past(ctx, p.specs, nil, i.Root); err == nil && past.State != wire.BaseAt {
			if merged, err = l.merges.droppedRun(ctx, b, p, was); err != nil {
				return out.failed(err, fault.Source)
			}
			if merged == "" {
				return out
			}
		}
	}
	f, err := l.former(ctx, p, was)
	if err != nil {
		return out.failed(err, fault.Source)
	}
	if !f.declined {
		now, err := l.source.Read(ctx, p.specs, f.root)
		if err != nil {
			now = &statefiles.Instance{}
		}
		what, lost, damaged := l.restorer.fate(found, p, f, now, func() (to, from string) { return l.renamed(was) })
		out.Result = f.removed(p, i.Root, damaged && merged == "", what+merged)
		l.restorer.offer(out.Result, f, lost)
		if d := l.hiddenRun(found, i); d != nil {
			out.Result.Diagnostics = append(out.Result.Diagnostics, *d)
		}
	}
	return out
}

// maxSearched limits the files below a lost run's directory that are compared with its documents.
const maxSearched = 1000

// renamed searches a lost run's directory for a file with the content of one of the run's documents. It returns the
// paths of the file and of the document, or "" if there is no such file.
func (l *losses) renamed(was *statefiles.Past) (to, from string) {
	now, err := l.source.Tree()
	if err != nil || was.Root == "." {
		return "", ""
	}
	ids := map[string]string{} // a document, by object id
	for _, f := range was.Files {
		e, err := was.Tree.Stat(slashpath.Join(was.Root, f.Path))
		if err == nil && e.Kind == snapshot.Regular && e.ID != git.ObjectID("blob", nil, len(e.ID)) {
			ids[e.ID] = f.Path
		}
	}
	dirs := []string{was.Root}
	for left := maxSearched; len(dirs) > 0 && left > 0; {
		dir := dirs[0]
		dirs = dirs[1:]
		list, err := now.List(dir, left)
		if err != nil {
			continue
		}
		left -= len(list.Entries)
		for _, e := range list.Entries {
			switch at := slashpath.Join(dir, e.Name); {
			case e.Kind == snapshot.Directory && e.Detail == "" && e.Name != tree.GitName:
				dirs = append(dirs, at)
			case e.Kind == snapshot.Regular:
				id := e.ID
				if c, err := now.Read(at, e, maxDeciding); id == "" && err == nil {
					id = git.ObjectID("blob", c.Data, len(was.Tree.ID))
				}
				if from := ids[id]; from != "" {
					return at, from
				}
			}
		}
	}
	return "", ""
}

// hiddenRun returns the finding that a lost run, or a directory above it, was replaced by an entry that stategate does
// not enter. It returns nil if one of the plugin's roots names that path, because that is reported elsewhere.
func (l *losses) hiddenRun(found *discover.Found, i discover.Instance) *result.Diagnostic {
	named := func(at string) bool {
		link := func(k discover.Link) bool { return k.Plugin == i.Plugin && k.Path == at }
		nested := func(n discover.Nested) bool { return n.Path == at && slices.Contains(n.Plugins, i.Plugin) }
		return slices.ContainsFunc(found.Links, link) || slices.ContainsFunc(found.Nested, nested)
	}
	now, err := l.source.Tree()
	if err != nil {
		return nil
	}
	at := ""
	for part := range strings.SplitSeq(i.Root, "/") {
		at = path.Join(at, part)
		what := ""
		e, err := now.Stat(at)
		nested := slices.IndexFunc(found.Nested, func(n discover.Nested) bool { return n.Path == at })
		switch {
		case err != nil:
			return nil // it was deleted
		case e.Kind == snapshot.Symlink:
			target, _ := now.Readlink(at)
			what = fmt.Sprintf(linkTo, target)
		case nested >= 0:
			what = repositoryAt(found.Nested[nested])
		}
		if what != "" && !named(at) {
			d := hostFinding(i.Plugin, wire.RuleNotAFile, wire.Error, at, "a directory is expected here, found "+what)
			return &d
		}
	}
	return nil
}

// fate says what happened to a run that is no longer found and how to restore it. renamed finds a document under
// another name. lost lists the documents to restore, if that restores the run. damaged reports whether some of its
// documents remain but nothing recognizes them.
func (r restorer) fate(found *discover.Found, p *ActivePlugin, f *formerRun,
	now *statefiles.Instance, renamed func() (to, from string)) (what string, lost []string, damaged bool) {
	missing, left := f.missing(now)
	// If the names differ only in case, restoring the run next to the other directory would create two
	// directories that some systems cannot distinguish.
	miscased := slices.IndexFunc(found.Near, func(n discover.Near) bool {
		return n.Plugin == p.Name && !n.Taken && slashpath.Holds(n.Expected, f.root)
	})
	repository := slices.IndexFunc(found.Nested,
		func(n discover.Nested) bool { return slashpath.Holds(n.Path, f.root) })
	switch {
	case miscased >= 0:
		n := found.Near[miscased]
		return "it is missing; " + n.Path + " exists in place of " + n.Expected + ": rename it, and check again",
			nil, left > 0
	case repository >= 0:
		return r.inRepository(f, found.Nested[repository].Path, len(missing) > 0), nil, left > 0
	case left == 0:
		if to, from := renamed(); to != "" {
			return fmt.Sprintf("it is no longer recognized: %s has the content of %s; rename it, or restore the run: "+
				"%s", to, from, r.run(f, ".")), nil, true
		}
		return "it is missing; if that was not intended, restore it: " + r.run(f, "."), missing, false
	case len(missing) > 0:
		list := p.markersAmong(missing)
		some := list[:min(len(list), maxNamed)]
		what := fmt.Sprintf("it is no longer recognized without %s (remaining documents: %d); restore it: %s",
			enumerated(list, maxNamed), left, r.run(f, some...))
		if others := len(missing) - len(some); others > 0 {
			what += fmt.Sprintf(", and check again, because %d more of its documents are missing", others)
		}
		return what, list, true
	case now.Ignored():
		return r.ignored(f), nil, false
	}
	return fmt.Sprintf("it is no longer found, although some of its documents remain (%d): check whether git "+
		"ignores its directory, or the configuration excludes it", left), nil, true
}

// missing returns a run's documents that no longer exist, and counts those that do.
func (f *formerRun) missing(now *statefiles.Instance) (missing []string, left int) {
	for _, file := range f.files {
		switch {
		case file.Kind == snapshot.Directory:
		case slices.ContainsFunc(now.Files, func(n snapshot.File) bool { return n.Path == file.Path }):
			left++
		default:
			missing = append(missing, file.Path)
		}
	}
	return missing, left
}

// reportNoLonger reports a run that every base has but that is no longer recognized, or no longer
// in git.
func (l *losses) reportNoLonger(ctx context.Context, o *Outcome, run *Run) {
	if o.Declined == "" && (o.Result == nil || !run.Now.Ignored()) ||
		slices.ContainsFunc(run.pairs, func(p *pair) bool { return p.Past.State != wire.BaseAt }) {
		return
	}
	f, err := l.former(ctx, run.Plugin, run.Past())
	switch {
	case err != nil:
		o.failed(err, fault.Source)
	case f.declined:
	case o.Declined != "" && len(o.answers.paths(wire.Present)) > 0: // a file elsewhere makes it part of another run
	case o.Declined != "": // damage must not hide a run
		what := fmt.Sprintf("it is no longer recognized (%s), although its documents remain; see what changed, "+
			"and restore it: %s", o.Declined, l.restorer.Git("diff", f.commit[:12], f.root))
		o.Result = f.removed(run.Plugin, o.Root, true, what)
	default:
		i := f.removed(run.Plugin, o.Root, false, l.restorer.ignored(f))
		o.Result.Diagnostics, o.Result.Touched = append(o.Result.Diagnostics, i.Diagnostics...), true
	}
}

// ignored explains that the next commit will not contain a run, and how to change that.
func (r restorer) ignored(f *formerRun) string {
	paths := f.all()
	for i := range paths {
		paths[i] = slashpath.Join(f.root, paths[i])
	}
	return "git ignores it now, so the next commit will not contain it; if that was not intended, " +
		r.readd(paths...)
}

// inRepository explains that a run is in a separate repository now, and how to restore it.
func (r restorer) inRepository(f *formerRun, repository string, missing bool) string {
	what := repository + " is a separate git repository now, which is not entered; if that was not intended, " +
		"remove its .git"
	switch {
	case !missing:
		return what
	case r.source == wire.Index && r.onDisk(f, []string{"."}): // the index still has a submodule there
		return what + ", then restore it: " + r.Restore(f.commit, true, false, f.root)
	}
	return what + ", then restore it: " + r.run(f, ".")
}
