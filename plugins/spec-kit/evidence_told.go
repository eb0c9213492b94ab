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
	anyExcuse = words.ListOf(append(stems, short...)...).AnyCase()
	anyShort  = words.ListOf(short...).AnyCase()
	anyStem   = words.ListOf(stems...).AnyCase()

	denials = words.ListOf("n/a", "n't", "n’t").AnyCase()
)

// exempt reports whether a text says that a file may be missing: a word of it, not of a path in it, begins with a stem,
// or is a short one.
func exempt(text string) bool {
	for at := anyExcuse.IndexWord(text, 0, &inWord); at >= 0; at = anyExcuse.IndexWord(text, at+1, &inWord) {
		if (anyShort.Has(wordAt(text[at:])) || anyStem.Begin(text[at:])) && !inPath(text, at) {
			return true
		}
	}
	return denials.Index(text) >= 0 && slices.ContainsFunc(strings.Fields(lower(text)), func(token string) bool {
		bare := strings.Trim(token, "()[]{}:;,.*_-")
		return bare == "n/a" || strings.HasSuffix(bare, "n't") || strings.HasSuffix(bare, "n’t")
	})
}

// wordAt is the word that a text begins with.
func wordAt(text string) string {
	end := 0
	for end < len(text) && inWord[text[end]] {
		end++
	}
	return text[:end]
}

// inWord are the bytes of words: letters, and any beyond ASCII.
var inWord = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= 0x80 || letter(byte(c))
	}
	return is
}()

// inPath reports whether there is a slash in what stands between the blanks around a place.
func inPath(text string, at int) bool {
	for i := at; i < len(text) && text[i] > ' '; i++ {
		if text[i] == '/' {
			return true
		}
	}
	for i := at; i > 0 && text[i-1] > ' '; i-- {
		if text[i-1] == '/' {
			return true
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
