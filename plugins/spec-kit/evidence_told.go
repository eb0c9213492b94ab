package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/evidence"
	"github.com/stategate/stategate/sdk/words"
)

// stems begin the words of a task that need not leave a file behind, or leave it under another name; short are such
// words.
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

// exempt reports whether a text says that a file may be missing: a word of it, not of a path in it, begins with a stem,
// is a short one, or denies something.
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

// atRuntime reports whether all files of a task are what a program reads or writes, and not what the task makes.
func atRuntime(files []evidence.File) bool {
	return !slices.ContainsFunc(files, func(f evidence.File) bool { return f.Use != evidence.Written })
}

// generated are the directories of what programs make; git mostly ignores them.
var generated = []string{"out", "output", "outputs", "dist", "build", "target", "coverage", "tmp", "temp", "log",
	"logs", "result", "results", "artifacts", "node_modules"}

// taken tells whether another ticked task takes the files of a task away again.
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
