package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// maxNamed is how many missing documents are named: one brings the run back, and then its own rules name the rest.
const maxNamed = 5

// A former is a run as an earlier revision has it, examined as a run of its own.
type former struct {
	root     string
	commit   string          // object id of the revision; "" for the state when the gate was last open
	files    []snapshot.File // its documents
	declined bool            // the plugin says that it is no run
	known    bool            // its state could be determined
	ended    string          // finished or abandoned, if that is its state
	open     *wire.Detection // one that is neither finished nor abandoned; nil if there is none
}

// former examines what an earlier revision has at a root.
func (l *Session) former(ctx context.Context, pool *worker.Pool, p *Party, then tree.Tree, root string) former {
	f := former{root: root}
	if c, ok := then.(*tree.Commit); ok {
		f.commit = c.ID
	}
	c := statefiles.Collector{Tree: then, Limits: l.collector.Limits}
	was, err := c.Read(ctx, p.specs, root)
	if err != nil {
		return f
	}
	f.files = was.Files
	reply, err := l.alone(ctx, pool, p, was)
	if err != nil || reply.Failure != "" {
		return f
	}
	f.declined, f.known = reply.Declined != "", len(reply.Detections) > 0
	if f.known {
		f.ended = reply.Detections[0].State.String()
	}
	for i := range reply.Detections {
		if d := &reply.Detections[i]; f.open == nil && (d.State == wire.Active || d.State == wire.Blocked) {
			f.open = d
		}
	}
	return f
}

// alone has what a revision holds examined as a run of its own, without anything to compare with.
func (l *Session) alone(ctx context.Context, pool *worker.Pool, p *Party, was *statefiles.Instance) (*exchange.Reply, error) {
	hidden, err := l.ignoredGlobs(p, was.Root)
	if err != nil {
		return nil, err
	}
	v := &view{Party: p, Now: was, Past: &statefiles.Past{State: wire.BaseNone}, source: wire.Commit, unseen: hidden}
	return l.verdict(ctx, pool, v, &examination{})
}

// since says where the run was, and in which phase.
func (f *former) since() string {
	text := fmt.Sprintf("this run exists in commit %.12s", f.commit)
	if f.commit == "" {
		text = "this run was here when the gate was last open"
	}
	switch {
	case f.open != nil:
		return text + ", unfinished" + phaseOf(f.open)
	case f.known:
		return text + ", " + f.ended
	}
	return text + ", in a state that could not be determined"
}

func phaseOf(d *wire.Detection) string {
	name := cmp.Or(d.Observed, d.Claimed)
	if name == "" {
		return ""
	}
	if d.Subject != "" {
		name += " of " + d.Subject
	}
	return " (phase " + name + ")"
}

// severity of losing the run: a finished one may go, an unfinished one hardly does so on purpose. What is left of an
// unfinished run that nothing recognises any more is damage.
func (f *former) severity(left bool) wire.Severity {
	switch {
	case f.open != nil && left:
		return wire.Error
	case f.known && f.open == nil && !left:
		return wire.Info
	}
	return wire.Warning
}

// removed makes the finding that a run is gone.
func removed(plugin, root string, f *former, left bool, what string) *result.Instance {
	d := hostFinding(plugin, wire.RuleRunRemoved, f.severity(left), root, f.since()+", and "+what)
	return &result.Instance{Plugin: plugin, Root: root, Diagnostics: []result.Diagnostic{d}, Touched: true}
}

// lostRun reports a run that every base has, or that was seen when the gate was last open, and that is not found any
// more. What the plugin declines was no run.
func (l *Session) lostRun(ctx context.Context, pool *worker.Pool, was discover.Instance) examination {
	out := examination{plugin: was.Plugin, root: was.Root}
	p := l.Parties[was.Plugin]
	var then tree.Tree
	if l.unseen[was] {
		then = l.last.Of(was.Plugin)
	} else {
		then = l.bases[0]
		for _, base := range l.bases[1:] {
			if past, err := statefiles.Base(ctx, base, p.specs, &statefiles.Instance{}, was.Root, l.collector.Limits); err == nil && past.State != wire.BaseAt {
				return out
			}
		}
	}
	f := l.former(ctx, pool, p, then, was.Root)
	if f.declined {
		return out
	}
	what, left := l.fate(ctx, p, was, &f)
	out.Instance = removed(was.Plugin, was.Root, &f, left, what)
	return out
}

// fate says what became of a run that is not found any more, how it is brought back, and whether it is damage: something
// of it is left that nothing recognises.
func (l *Session) fate(ctx context.Context, p *Party, was discover.Instance, f *former) (what string, damage bool) {
	now, err := l.collector.Read(ctx, p.specs, f.root)
	if err != nil {
		now = &statefiles.Instance{}
	}
	missing, left := f.missing(now)
	repository := l.repositoryOf(f.root)
	n, miscased := l.miscasedAs(was)
	switch {
	case miscased:
		return "it is gone; " + n.Path + " is there in place of " + n.Expected + ": rename it, and check again", left > 0
	case repository != "":
		return l.swallowed(f, repository, len(missing) > 0), left > 0
	case left == 0:
		return "it is gone; if that was not intended, restore it: " + l.bringBack(f, []string{"."}), false
	case len(missing) > 0:
		list := markers(p.Manifest, missing)
		some, more := list[:min(len(list), maxNamed)], ""
		if n := len(list) - len(some); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		return fmt.Sprintf("it is no longer recognised without %s%s (documents left: %d); restore it: %s",
			strings.Join(some, ", "), more, left, l.bringBack(f, some)), true
	case now.Ignored():
		return l.ignoredNow(f.root), false
	}
	return fmt.Sprintf("it is no longer found, although its documents are left (%d): check whether git ignores its directory, or the configuration excludes it", left), true
}

// miscasedAs returns what has the place of a run under a name that differs in case: to bring the run back beside it would
// make two of one.
func (l *Session) miscasedAs(was discover.Instance) (discover.Near, bool) {
	for _, n := range l.near {
		if n.Plugin == was.Plugin && !n.Taken && slashpath.Holds(n.Expected, was.Root) {
			return n, true
		}
	}
	return discover.Near{}, false
}

// missing returns the documents that a run had and that are not there now, and counts the others.
func (f *former) missing(now *statefiles.Instance) (missing []string, left int) {
	here := map[string]bool{}
	for _, file := range now.Files {
		here[file.Path] = true
	}
	for _, file := range f.files {
		switch {
		case file.Kind == snapshot.Directory:
		case here[file.Path]:
			left++
		default:
			missing = append(missing, file.Path)
		}
	}
	return missing, left
}

// markers picks the documents that make a directory a root, or else all.
func markers(m *wire.Manifest, missing []string) []string {
	var list []string
	for _, root := range m.Roots {
		set, err := glob.Compile(root.Markers)
		if err != nil {
			continue // the walk has refused it
		}
		for _, path := range missing {
			if set.Matches(path) && !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	if len(list) == 0 {
		return missing
	}
	return list
}

// lost adds to an outcome that the run is no longer one, or no longer in git.
func (l *Session) lost(ctx context.Context, pool *worker.Pool, o *examination, views []*view) {
	p := views[0].Party
	if o.Declined != "" {
		o.Instance = l.unrecognised(ctx, pool, p, views, o.Declined)
		return
	}
	if i := l.untracked(ctx, pool, p, views); i != nil && o.Instance != nil {
		o.Instance.Diagnostics, o.Instance.Touched = append(o.Instance.Diagnostics, i.Diagnostics...), true
	}
}

// unrecognised reports a run that a base has, and that the plugin declines as it is now: damage must not hide a run.
func (l *Session) unrecognised(ctx context.Context, pool *worker.Pool, p *Party, views []*view, why string) *result.Instance {
	f, ok := l.formerOf(ctx, pool, p, views)
	if !ok || f.declined {
		return nil
	}
	what := fmt.Sprintf("it is no longer recognised (%s), although its documents are left", why)
	if f.commit != "" {
		what += "; see what changed, and restore it: " + l.command("diff", f.commit[:12], []string{f.root})
	}
	return removed(p.Name, views[0].Now.Root, &f, true, what)
}

// untracked reports a run that every base has, and that the next commit will not have, because git ignores it now.
func (l *Session) untracked(ctx context.Context, pool *worker.Pool, p *Party, views []*view) *result.Instance {
	if !views[0].Now.Ignored() {
		return nil
	}
	f, ok := l.formerOf(ctx, pool, p, views)
	if !ok || f.declined || f.commit == "" {
		return nil
	}
	return removed(p.Name, views[0].Now.Root, &f, false, l.ignoredNow(views[0].Now.Root))
}

// formerOf examines what the first base has of an instance, if every base has it.
func (l *Session) formerOf(ctx context.Context, pool *worker.Pool, p *Party, views []*view) (f former, ok bool) {
	for _, v := range views {
		if v.Past.State != wire.BaseAt {
			return f, false
		}
	}
	past := views[0].Past
	return l.former(ctx, pool, p, past.Tree, past.Root), true
}
