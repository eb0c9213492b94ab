package git

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/slashpath"
)

// maxRestarts bounds how often a "check-ignore" that dies over a path is started again.
const maxRestarts = 100

// survived is a number of names that every git is known to answer for; see shortened.
const survived = 20

// Ignores asks git which paths it ignores, through one "check-ignore" that is started when first needed. What git
// tracks is not ignored, whatever the rules say. It is safe for concurrent use. Close it.
//
// Check-ignore is asked about the rules alone: to find out what is tracked it reads the whole index for each
// path, which takes seconds where there are 100,000 files. The index is listed once instead, if there is a rule for a path.
type Ignores struct {
	repo     *Repo
	ctx      context.Context
	mu       sync.Mutex
	git      *coprocess
	restarts int
	beyond   []string   // directories behind a link or in a submodule: git dies over what is in them
	deepest  int        // names in the longest path that may be asked about; 0 while none has been too long
	tracked  *Listing   // nil until it is needed
	broken   error      // git cannot be asked
	past     *pastRules // nil if the rules are those of the work tree
}

// Ignores returns a reader of the repository's ignore rules. Its process ends with ctx.
func (r *Repo) Ignores(ctx context.Context) *Ignores { return &Ignores{repo: r, ctx: ctx} }

// Tracked sets what git tracks, for a caller that has listed it already. Call it before Ask.
func (g *Ignores) Tracked(l *Listing) { g.tracked = l }

// Broken returns the error that Ask returns from now on, nil if there is none.
func (g *Ignores) Broken() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.broken
}

// Ask returns for each path, slash-separated below the top, whether git ignores it. A path that git does not answer for, as
// one inside a submodule, is not ignored. An error is final.
func (g *Ignores) Ask(paths []string) ([]bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.broken != nil {
		return nil, g.broken
	}
	rules, err := g.rules(paths)
	answers := make([]bool, len(rules))
	for i, r := range rules {
		if answers[i] = r.Ignores(); err == nil && answers[i] {
			if err = g.list(); err == nil {
				answers[i] = !g.tracked.Holds(paths[i])
			}
		}
	}
	if g.broken = err; err != nil {
		return nil, err
	}
	return answers, nil
}

// A Rule is the line of an ignore file that decides about a path. The zero Rule is none.
type Rule struct {
	Source  string // the file, below the top if it is a .gitignore
	Line    string
	Pattern string
}

// Ignores reports whether the rule makes git ignore the path. A pattern that begins with "!" takes it back in.
func (r Rule) Ignores() bool { return r.Pattern != "" && !strings.HasPrefix(r.Pattern, "!") }

// Names returns the pattern as a path below the top, of which wildcards may be parts; "" if it takes paths back in.
func (r Rule) Names() string {
	if !r.Ignores() {
		return ""
	}
	dir := "."
	if path.Base(r.Source) == ignoreFile && !path.IsAbs(r.Source) {
		dir = path.Dir(r.Source)
	}
	return path.Join(dir, r.Pattern)
}

// String returns the place and the text of the rule.
func (r Rule) String() string { return r.Source + ":" + r.Line + ": " + r.Pattern }

// Covered returns for each path the rule about it, tracked or not: what is written there tomorrow is ignored.
func (g *Ignores) Covered(paths []string) ([]Rule, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.place(paths); err != nil {
		return nil, err
	}
	return g.rules(paths)
}

func (g *Ignores) list() (err error) {
	if g.tracked == nil {
		g.tracked, err = g.repo.Index(g.ctx)
	}
	return err
}

func (g *Ignores) rules(paths []string) ([]Rule, error) {
	answers := make([]Rule, 0, len(paths))
	for len(answers) < len(paths) {
		rest := paths[len(answers):]
		if g.outside(rest[0]) {
			answers = append(answers, Rule{})
			continue
		}
		if i := slices.IndexFunc(rest, g.outside); i > 0 {
			rest = rest[:i]
		}
		if err := g.begin(); err != nil {
			return nil, err
		}
		err := g.ask(rest, &answers)
		if err == nil {
			continue
		}
		f := g.git.died(err)
		g.git = nil
		if g.restarts++; g.restarts > maxRestarts || g.ctx.Err() != nil {
			return nil, f
		}
		// check-ignore flushes after each answer, so the first path without one is what it died over.
		culprit := paths[len(answers)]
		switch {
		case aboutOnePath(f.Stderr):
			g.beyond = append(g.beyond, path.Dir(culprit))
			answers = append(answers, Rule{})
		case f.Stderr == "" && g.deepest == 0 && strings.Count(culprit, "/") >= survived:
			g.deepest = survived
		default:
			return nil, f
		}
	}
	return answers, nil
}

// outside reports whether git is known to die over a path.
func (g *Ignores) outside(path string) bool {
	return slices.ContainsFunc(g.beyond, func(dir string) bool { return slashpath.Holds(dir, path) && dir != path })
}

// shortened returns a path that may be asked about. Git 2.39 crashes where 24 directories are above one; from then on such a
// path is asked about by its highest ancestors, which decides if one of them is ignored.
func (g *Ignores) shortened(path string) string {
	if names := strings.Split(path, "/"); g.deepest > 0 && len(names) > g.deepest {
		return strings.Join(names[:g.deepest], "/")
	}
	return path
}

// Close ends the process.
func (g *Ignores) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.git != nil {
		g.git.close()
		g.git = nil
	}
	g.past.remove()
}

func (g *Ignores) begin() (err error) {
	if g.git == nil {
		g.git, err = g.repo.start(g.ctx, "check-ignore", "--no-index", "--stdin", "-z", "-n", "-v")
	}
	return err
}

func (g *Ignores) ask(paths []string, answers *[]Rule) error {
	var question bytes.Buffer
	for _, p := range paths {
		question.WriteString("./") // so that no name reads as pathspec magic
		question.WriteString(g.shortened(p))
		question.WriteByte(0)
	}
	return g.git.ask(question.Bytes(), func(out *bufio.Reader) error {
		for _, p := range paths {
			rule, err := answer(out, g.shortened(p))
			if err != nil {
				return err
			}
			*answers = append(*answers, rule)
		}
		return nil
	})
}

// answer reads source, line number, pattern and path.
func answer(out *bufio.Reader, path string) (Rule, error) {
	var fields [4]string
	for i := range fields {
		f, err := out.ReadString(0)
		if err != nil {
			return Rule{}, err
		}
		fields[i] = f[:len(f)-1]
	}
	if fields[3] != "./"+path {
		return Rule{}, fmt.Errorf("check-ignore answered for %.80q, want %.80q", fields[3], path)
	}
	return Rule{fields[0], fields[1], fields[2]}, nil
}

func aboutOnePath(stderr string) bool {
	return strings.Contains(stderr, "is in submodule") || strings.Contains(stderr, "is beyond a symbolic link")
}
