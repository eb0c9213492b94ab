// Package brief writes the brief of a run: what blocks it, what to read first, what to do next, what
// is done and what remains. No line is written twice, what is next is not among what is done, and only documents that
// exist are to be read.
package brief

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// A Brief is a Resume that is being written.
type Brief struct {
	*sdk.Resume
	of      *sdk.Detection
	pass    *sdk.Pass
	written map[string]bool
}

// Of begins the brief of a detection. Its first line is the first error of the run, or one that says that it blocks the
// run; but first a document that holds an unresolved merge.
func Of(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) *Brief {
	b := &Brief{Resume: &d.Resume, of: d, pass: p, written: make(map[string]bool, 32)}
	what := ""
	for _, doc := range p.Docs.All() {
		if what == "" && doc.Conflicted() {
			what = "the unresolved merge in " + doc.Path
		}
	}
	for i := 0; i < len(findings) && what == ""; i++ {
		if f := &findings[i]; f.Severity == sdk.Error && concerns(f, d) {
			what = f.Rule + ": " + f.Message
		}
	}
	if what != "" {
		b.Settle(what)
	}
	return b
}

// concerns reports whether a finding is about a run, or blocks it. One that names no run is about its subject.
func concerns(f *sdk.Diagnostic, d *sdk.Detection) bool {
	if d.Subject == "" {
		return true
	}
	name := d.Name()
	return f.Run == name || slices.Contains(f.Blocks, name) || f.Run == (sdk.RunName{}) && f.Subject == d.Subject
}

// Settle sets what comes before everything else, unless something is set.
func (b *Brief) Settle(what string) {
	if b.First == "" {
		b.First = "settle " + what
		b.written[b.First] = true
	}
}

// add writes lines to a list that the brief does not have yet. Inlined into every call it and write would make a guest
// 20 kB larger.
//
//go:noinline
func (b *Brief) add(list *[]string, lines []string) {
	for _, line := range lines {
		b.write(list, line)
	}
}

//go:noinline
func (b *Brief) write(list *[]string, line string) {
	if line != "" && !b.written[line] {
		b.written[line] = true
		*list = append(*list, line)
	}
}

// Read adds documents to be read first, in order, as far as they exist.
func (b *Brief) Read(paths ...string) {
	for _, path := range paths {
		if b.pass.Docs.Get(path) != nil {
			b.write(&b.ReadFirst, path)
		}
	}
}

// Verify adds what is to be checked before work begins.
func (b *Brief) Verify(lines ...string) { b.add(&b.Checks, lines) }

// Warn adds the first warnings about the run to what is to be checked before work begins, and how many more there are:
// what a check knows, the brief knows. What the run lost since the base comes first. It leaves out the rules whose
// findings the next action, or another line, answers.
func (b *Brief) Warn(findings []sdk.Diagnostic, answered ...string) {
	const most = 3
	n := 0
	for _, lost := range [2]bool{true, false} {
		for i := range findings {
			f := &findings[i]
			if f.Severity != sdk.Warning || b.compares(f.Rule) != lost || !concerns(f, b.of) ||
				slices.Contains(answered, f.Rule) {
				continue
			}
			if n++; n <= most {
				b.Verify(f.Message)
			}
		}
	}
	if n > most {
		b.Verify("there " + say.Are(n-most) + " " + say.Count(n-most, "more warning") + ": stategate check")
	}
}

// compares reports whether a rule compares with the base.
func (b *Brief) compares(rule string) bool {
	w := b.pass.Workflow
	return w != nil && slices.ContainsFunc(w.Rules, func(r *sdk.Rule) bool { return r.Name == rule && r.NeedsBase })
}

// Know adds decisions and facts.
func (b *Brief) Know(lines ...string) { b.add(&b.Context, lines) }

// Done adds finished work that must not be repeated, except what the next action names: some work is left on it.
func (b *Brief) Done(lines ...string) {
	b.add(&b.Skip, lines)
	b.doNext()
}

// doNext takes what the next action names out of what must not be repeated.
func (b *Brief) doNext() {
	b.Skip = slices.DeleteFunc(b.Skip, func(done string) bool { return Repeats(b.Next, done) })
}

// Repeats reports whether a next action names what must not be repeated. A single word, such as the name of a phase,
// may be in both by chance.
func Repeats(next, done string) bool {
	return strings.ContainsAny(done, " .0123456789") && words.Names(next, done)
}

// Left adds what remains after the next action.
func (b *Brief) Left(lines ...string) { b.add(&b.Remaining, lines) }

// Do sets the next action, in one sentence that names the command or the file. Of one that is too long the whole is
// among the facts.
func (b *Brief) Do(next string) { b.DoWith("", next, "") }

// DoWith sets a next action that contains a text of the documents, such as the title of a task. The text is cut to what
// the rest leaves room for.
func (b *Brief) DoWith(before, text, after string) {
	whole := before + text + after
	next := before + say.Cut(text, wire.MaxNext-utf8.RuneCountInString(before+after)) + after
	next = say.Cut(next, wire.MaxNext)
	delete(b.written, b.Next)
	b.Next = next
	b.written[next] = true
	b.doNext()
	b.Know(whole)
}

// Rest adds to what is done, and to what remains, all parts of a run but the one that is next.
func (b *Brief) Rest(next int, parts []Part) {
	done := 0
	for _, p := range parts {
		if p.Done {
			done++
		}
	}
	b.Skip, b.Remaining = slices.Grow(b.Skip, done), slices.Grow(b.Remaining, len(parts)-done)
	for i, p := range parts {
		switch {
		case p.Done:
			b.write(&b.Skip, say.Clip(p.Title)+" (done)")
		case i != next:
			b.write(&b.Remaining, say.Clip(p.Title))
		}
	}
}

// A Part is one part of a run for [Brief.Rest].
type Part struct {
	Title string
	Done  bool
}
