package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// maxNamed is how many missing documents are named: one restores the run, and then its own rules name the rest.
const maxNamed = 5

// A formerRun is a run as an earlier state has it, examined as a run of its own.
type formerRun struct {
	root     string
	commit   string          // object id of the revision
	files    []snapshot.File // its documents
	declined bool            // the plugin says that it is not a run
	known    bool            // its state could be determined
	open     *wire.Detection // one that is not finished, best one that goes on; nil if there is none
}

func (s *Session) former(ctx context.Context, p *ActivePlugin, was *statefiles.Past) *formerRun {
	f := &formerRun{root: was.Root, files: was.Files, commit: was.Tree.ID}
	reply, err := s.alone(ctx, p, &was.Instance)
	if err != nil || reply.Failure != "" {
		return f
	}
	f.declined, f.known = reply.Declined != "", len(reply.Detections) > 0
	for _, in := range [][]wire.State{{wire.Active, wire.Blocked}, {wire.Abandoned}} {
		at := slices.IndexFunc(reply.Detections, func(d wire.Detection) bool { return slices.Contains(in, d.State) })
		if at >= 0 && f.open == nil {
			f.open = &reply.Detections[at]
		}
	}
	return f
}

// alone has what a revision has examined as a run of its own, without anything to compare with.
func (s *Session) alone(ctx context.Context, p *ActivePlugin, was *statefiles.Instance) (*exchange.Reply, error) {
	ignored, err := s.ignoredGlobs(p, was.Root)
	if err != nil {
		return nil, err
	}
	return s.verdict(ctx, &comparison{ActivePlugin: p, Now: was, Past: &statefiles.Past{State: wire.BaseNone},
		source: wire.Commit, former: true, ignored: ignored})
}

// since says where the run was, and how far it had come.
func (f *formerRun) since() string {
	text := fmt.Sprintf("this run exists in commit %.12s", f.commit)
	switch {
	case f.open != nil:
		how := "not finished"
		if f.open.State == wire.Abandoned { // some workflows call a run so that was not touched for long
			how = "abandoned"
		}
		text += ", " + how
		if phase := cmp.Or(f.open.Observed, f.open.Claimed); phase != "" {
			text += " (" + cmp.Or(f.open.Subject, "it") + " had come to phase " + phase + ")"
		}
		return text
	case f.known:
		return text + ", finished"
	}
	return text + ", in a state that could not be determined"
}

// removed is the finding that a run is lost. A finished one may go, an unfinished one hardly does so on purpose. If
// something is left of a run that goes on, and nothing recognises it any more, it is damaged.
func (f *formerRun) removed(plugin, root string, damaged bool, what string) *result.Instance {
	severity := wire.Warning
	switch {
	case f.open != nil && f.open.State != wire.Abandoned && damaged:
		severity = wire.Error
	case f.known && f.open == nil && !damaged:
		severity = wire.Info
	}
	i := withFinding(plugin, wire.RuleRunRemoved, severity, root, f.since()+", and "+what)
	i.Touched = true
	return &i
}

// lostRun reports a run that every base has and that is not found any more, or that a merge drops of one side. What the
// plugin declines was not a run.
func (s *Session) lostRun(ctx context.Context, i discover.Instance, was *statefiles.Past) examination {
	out := examination{Instance: i}
	p := s.Plugins[i.Plugin]
	merged := ""
	for _, b := range s.bases {
		if past, err := s.read(ctx, b, p, nil, i.Root); err == nil && past.State != wire.BaseAt {
			if merged = s.droppedRun(ctx, b, p, was); merged == "" {
				return out
			}
		}
	}
	if f := s.former(ctx, p, was); !f.declined {
		what, damaged := s.fate(ctx, p, f)
		out.Result = f.removed(i.Plugin, i.Root, damaged && merged == "", what+merged)
	}
	return out
}

// fate says what became of a run that is not found any more, how it is restored, and whether it is damaged: something
// of it is left that nothing recognises.
func (s *Session) fate(ctx context.Context, p *ActivePlugin, f *formerRun) (what string, damaged bool) {
	now, err := s.collector.Read(ctx, p.specs, f.root)
	if err != nil {
		now = &statefiles.Instance{}
	}
	missing, left := f.missing(now)
	// To restore the run beside a name that differs in case would make two of one.
	miscased := slices.IndexFunc(s.found.Near, func(n discover.Near) bool {
		return n.Plugin == p.Name && !n.Taken && slashpath.Holds(n.Expected, f.root)
	})
	repository := slices.IndexFunc(s.found.Nested,
		func(n discover.Nested) bool { return slashpath.Holds(n.Path, f.root) })
	switch {
	case miscased >= 0:
		n := s.found.Near[miscased]
		return "it is gone; " + n.Path + " is there in place of " + n.Expected + ": rename it, and check again",
			left > 0
	case repository >= 0:
		return s.swallowed(f, s.found.Nested[repository].Path, len(missing) > 0), left > 0
	case left == 0:
		return "it is gone; if that was not intended, restore it: " + s.restoreRun(f, "."), false
	case len(missing) > 0:
		list := p.markersOf(missing)
		some := list[:min(len(list), maxNamed)]
		return fmt.Sprintf("it is no longer recognised without %s (remaining documents: %d); restore it: %s",
			enumerated(list, maxNamed), left, s.restoreRun(f, some...)), true
	case now.Ignored():
		return s.ignoredNow(f.root), false
	}
	return fmt.Sprintf("it is no longer found, although documents of it remain (%d): check whether git ignores its "+
		"directory, or the configuration excludes it", left), true
}

// missing returns the documents that a run had and that are not there now, and counts the others.
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

// markersOf picks the documents that make a directory a state directory, or else all.
func (p *ActivePlugin) markersOf(documents []string) (list []string) {
	for _, root := range p.Manifest.Roots {
		set, err := glob.Compile(root.Markers)
		if err != nil {
			continue // the walk has refused it
		}
		for _, d := range documents {
			if set.Matches(d) && !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
	}
	if len(list) == 0 {
		return documents
	}
	return list
}

// addLost adds that a run which every base has is no longer one, or no longer in git.
func (s *Session) addLost(ctx context.Context, o *examination, list []*comparison) {
	c := list[0]
	if o.Declined == "" && (o.Result == nil || !c.Now.Ignored()) ||
		slices.ContainsFunc(list, func(c *comparison) bool { return c.Past.State != wire.BaseAt }) {
		return
	}
	f := s.former(ctx, c.ActivePlugin, c.Past)
	switch {
	case f.declined:
	case o.Declined != "": // damage must not hide a run
		what := fmt.Sprintf("it is no longer recognised (%s), although its documents are left; see what changed, "+
			"and restore it: %s",
			o.Declined, s.shell().Git("diff", f.commit[:12], f.root))
		o.Result = f.removed(c.Name, o.Root, true, what)
	default:
		i := f.removed(c.Name, o.Root, false, s.ignoredNow(o.Root))
		o.Result.Diagnostics, o.Result.Touched = append(o.Result.Diagnostics, i.Diagnostics...), true
	}
}

func enumerated(list []string, most int) string {
	text := strings.Join(list[:min(len(list), most)], ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
