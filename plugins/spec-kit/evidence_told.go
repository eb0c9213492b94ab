package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/words"
)

// stems lists beginnings of words for work that need not leave a file, or may leave it under another name, such as
// "delet" and "renam". short lists whole words with that meaning.
var (
	short = []string{"not", "via", "or", "now"}
	stems = []string{
		"delet", "remov", "renam", "move", "drop", "deprecat", "migrat", "replac", "merg", "split", "skip", "defer",
		"cancel", "obsolet", "supersed", "instead", "longer", "needed",
		"applicable", "required", "verif", "confirm", "ensur", "temporar", "scratch", "extract", "consolidat", "inlin",
		"prun", "purg", "revert", "clean", "archived", "convert", "retir",
		"combin", "relocat", "discard", "reus", "existing", "already", "covered", "either", "eliminat", "fold",
		"optional", "actual",
	}
	anyShort = words.ListOf(short...)
	anyStem  = words.ListOf(stems...)
)

// exempt reports whether text says that a file may be missing: a word outside a path begins with a stem, is in short,
// or is a negation.
func exempt(text string) bool {
	for token := range strings.FieldsSeq(lower(text)) {
		bare := strings.Trim(token, "()[]{}:;,.*_-")
		if bare == "n/a" || strings.HasSuffix(bare, "n't") || strings.HasSuffix(bare, "n’t") {
			return true
		}
		if strings.IndexByte(token, '/') >= 0 {
			continue
		}
		for word := range strings.FieldsFuncSeq(token, func(c rune) bool { return c < 0x80 && !letter(byte(c)) }) {
			if anyShort.Has(word) || anyStem.Begin(word) {
				return true
			}
		}
	}
	return false
}

// exempt reports whether the task says that a file may be missing.
func (t *task) exempt() bool {
	if !t.excuses {
		t.excused, t.excuses = exempt(t.Title), true
	}
	return t.excused
}

// atRuntime reports whether a program writes all of the files, so that the task does not create them.
func atRuntime(files []evidence.File) bool {
	return !slices.ContainsFunc(files, func(f evidence.File) bool { return f.Use != evidence.Written })
}

// generated lists directories for program output, which git usually ignores.
var generated = []string{"out", "output", "outputs", "dist", "build", "target", "coverage", "tmp", "temp", "log",
	"logs", "result", "results", "artifacts", "node_modules"}

// taken reports whether another ticked task removes or touches the task's files.
func (m *model) taken(t *task, files []evidence.File) (is evidence.Taking) {
	for i := range m.list {
		if o := &m.list[i]; o.state == done && o.Start != t.Start {
			for _, f := range files {
				if is = max(is, evidence.Takes(behindBox(o.Raw), f.Path)); is == evidence.TakenAway {
					return is
				}
			}
		}
	}
	return is
}
