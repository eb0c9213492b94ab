// Package brief writes the brief of a run: what blocks it, what to read first, what to do next, what is done and
// what remains. It repeats no line, does not list the next step as done, and lists only existing documents to read.
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

// A Brief builds a Resume.
type Brief struct {
	*sdk.Resume
	of      *sdk.Detection
	pass    *sdk.Pass
	written map[string]bool
}

// Of begins the brief of a detection. Its first line is an unresolved merge conflict in a document, if there is
// one. Otherwise it is the first error that belongs to the run or blocks it.
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

// concerns reports whether a finding belongs to a run or blocks it. A finding without a run is matched by its
// subject.
func concerns(f *sdk.Diagnostic, d *sdk.Detection) bool {
	if d.Subject == "" {
		return true
	}
	name := d.Name()
	return f.Run == name || slices.Contains(f.Blocks, name) || f.Run == (sdk.RunName{}) && f.Subject == d.Subject
}

// Settle sets what to resolve first, unless it is already set.
func (b *Brief) Settle(what string) {
	if b.First == "" {
		b.First = "settle " + what
		b.written[b.First] = true
	}
}

// add appends lines that the brief does not contain yet. Inlining add and write would add 20 kB to a guest.
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

// Read adds the documents to read first, in order. It skips documents that do not exist.
func (b *Brief) Read(paths ...string) {
	for _, path := range paths {
		if b.pass.Docs.Get(path) != nil {
			b.write(&b.ReadFirst, path)
		}
	}
}

// Verify adds lines that tell the reader what to verify before starting work.
func (b *Brief) Verify(lines ...string) { b.add(&b.Checks, lines) }

// Warn adds the run's first warnings to the lines to verify, and the number of further warnings, so that the brief
// shows what a check reports. It skips the rules in answered, whose findings the next action resolves.
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

// Done adds finished work that must not be repeated. It skips work that the next action names, because part of it
// remains.
func (b *Brief) Done(lines ...string) {
	b.add(&b.Skip, lines)
	b.doNext()
}

// doNext removes work that the next action names from the finished work.
func (b *Brief) doNext() {
	b.Skip = slices.DeleteFunc(b.Skip, func(done string) bool { return Repeats(b.Next, done) })
}

// Repeats reports whether a next action names finished work. It ignores single words, such as a phase's name,
// because the next action and finished work may share them by chance.
func Repeats(next, done string) bool {
	return strings.ContainsAny(done, " .0123456789") && words.Names(next, done)
}

// Left adds work that remains after the next action.
func (b *Brief) Left(lines ...string) { b.add(&b.Remaining, lines) }

// Do sets the next action: one sentence that names the command or the file. If it is too long, the brief shortens
// it and adds it in full to the facts.
func (b *Brief) Do(next string) { b.DoWith("", next, "") }

// DoWith sets a next action that contains text from the documents, such as a task title. It shortens that text so
// that the action fits, and adds it in full to the facts.
func (b *Brief) DoWith(before, text, after string) {
	next := before + say.Cut(text, wire.MaxNext-utf8.RuneCountInString(before+after)) + after
	next = say.Cut(next, wire.MaxNext)
	delete(b.written, b.Next)
	b.Next = next
	b.written[next] = true
	b.doNext()
	if next != before+text+after {
		b.Know("in full: " + before + text)
	}
}

// Rest adds every part of a run, except the next one, to the finished or the remaining work.
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
		case p.Done && p.Doubt != "":
			b.write(&b.Skip, say.Clip(p.Title)+" (done, but check: "+p.Doubt+")")
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
	Doubt string // why a done part may not be done: "none of its 3 tasks is ticked"
}
