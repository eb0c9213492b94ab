package vet

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A remedy that a plugin calls safe is safe only if the host can prove that no text is lost, because `check --fix`
// does not ask the user. Text may disappear if the base has it, because git keeps the base, or if another document that
// the remedy writes has it. A value such as a status, a number or a tick may change in place.

const (
	maxValue   = 80  // bytes of a value that may be replaced in place
	maxInPlace = 100 // edits that are checked one by one
)

// A keeper knows which text remains after a remedy.
type keeper struct {
	in    *snapshot.Input
	edits []wire.Edit
	after map[string]snapshot.File
	lines map[string]bool // of the base and of all text that the edits write, trimmed
}

// needsReview returns the reason why edits are not safe, or "". Edits are not safe if they replace, move or remove
// unread content, write a program, or lose text.
func (t *trial) needsReview(edits []wire.Edit, o *outcome) string {
	switch {
	case blind(&t.in, edits):
		return "it replaces, moves or removes content that was not read"
	case slices.ContainsFunc(edits, writesProgram):
		return "it writes a program"
	}
	k := &keeper{in: &t.in, edits: edits, after: map[string]snapshot.File{}}
	for _, f := range o.files {
		k.after[f.Path] = f
	}
	if i := slices.IndexFunc(t.in.Files, k.loses); i >= 0 {
		return "it loses text of " + t.in.Files[i].Path + " that neither the base nor another document has"
	}
	return ""
}

// loses reports whether a document has text that is missing afterward.
func (k *keeper) loses(was snapshot.File) bool {
	is, stays := k.after[was.Path]
	moved := func(e wire.Edit) bool {
		return (e.Op == wire.Move || e.Op == wire.Aside) && (e.Range.Path == was.Path ||
			strings.HasSuffix(e.Range.Path, "/") && strings.HasPrefix(was.Path, e.Range.Path))
	}
	switch {
	case was.Data == nil || stays && bytes.Equal(is.Data, was.Data) || slices.ContainsFunc(k.edits, moved):
		return false
	case slices.ContainsFunc(k.in.Base.Files, func(f snapshot.File) bool { return bytes.Equal(f.Data, was.Data) }):
		return false
	case stays:
		return k.losesInPlace(&was, string(is.Data))
	}
	return k.losesLines(string(was.Data), "")
}

// losesInPlace checks each edit of a document separately, so that the compared spans stay small even if the edits are
// far apart.
func (k *keeper) losesInPlace(was *snapshot.File, after string) bool {
	own := slices.DeleteFunc(slices.Clone(k.edits), func(e wire.Edit) bool { return e.Range.Path != was.Path })
	if len(own) > maxInPlace {
		return true
	}
	for _, e := range own {
		made, err := edit.Apply(edit.Files{was.Path: {Data: was.Data}}, []wire.Edit{e}, edit.Env{Now: k.in.Now})
		if err != nil { // it depends on another edit
			return k.losesSpan(string(was.Data), after)
		}
		if k.losesSpan(string(was.Data), string(made.Files[was.Path].Data)) {
			return true
		}
	}
	return false
}

// losesSpan reports whether text is lost between two texts that differ in one span.
func (k *keeper) losesSpan(before, after string) bool {
	start, end, newEnd := differing(before, after)
	if !strings.ContainsFunc(before[start:end], isWordRune) {
		return false
	}
	lineStart := strings.LastIndexByte(before[:start], '\n') + 1
	lineEnd, newLineEnd := endOfLine(before, end), endOfLine(after, newEnd)
	return k.losesLines(before[lineStart:lineEnd], after[lineStart:newLineEnd])
}

// losesLines reports whether a line is lost. A line is lost if it is kept nowhere and no line of the replacement has
// the same item. Items must stay in order.
func (k *keeper) losesLines(before, after string) bool {
	instead := strings.Split(after, "\n")
	for line := range strings.SplitSeq(before, "\n") {
		if !strings.ContainsFunc(line, isWordRune) || k.known(line) {
			continue
		}
		at := slices.IndexFunc(instead, func(now string) bool { return sameItem(line, now) })
		if at < 0 {
			return true
		}
		instead = instead[at+1:]
	}
	return false
}

// known reports whether the base or a document that the edits write contains a line.
func (k *keeper) known(line string) bool {
	if k.lines == nil {
		k.lines = map[string]bool{}
		add := func(data []byte) {
			for l := range strings.SplitSeq(string(data), "\n") {
				k.lines[strings.TrimSpace(l)] = true
			}
		}
		for _, f := range k.in.Base.Files {
			add(f.Data)
		}
		for _, f := range k.after {
			same := func(was snapshot.File) bool { return was.Path == f.Path && bytes.Equal(was.Data, f.Data) }
			if !slices.ContainsFunc(k.in.Files, same) {
				add(f.Data)
			}
		}
	}
	return k.lines[strings.TrimSpace(line)]
}

// sameItem reports whether a line changed in only one value: the rest of the line stays, and another value takes
// its place. A single character, such as the mark in a checkbox, may change to anything.
func sameItem(before, after string) bool {
	start, end, newEnd := differing(before, after)
	inWord := func(at int) bool {
		return at > 0 && at < len(before) && isWordByte(before[at-1]) && isWordByte(before[at])
	}
	for inWord(start) {
		start--
	}
	for inWord(end) {
		end, newEnd = end+1, newEnd+1
	}
	value, now := before[start:end], after[start:newEnd]
	return len(value) <= maxValue && strings.ContainsFunc(before[:start]+before[end:], isWordRune) &&
		(len(value) <= 1 || strings.ContainsFunc(now, isWordRune))
}

// differing returns the half-open byte range in which two texts differ; both begin at start.
func differing(before, after string) (start, end, newEnd int) {
	end, newEnd = len(before), len(after)
	for start < min(end, newEnd) && before[start] == after[start] {
		start++
	}
	for end > start && newEnd > start && before[end-1] == after[newEnd-1] {
		end, newEnd = end-1, newEnd-1
	}
	return start, end, newEnd
}

func endOfLine(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isWordByte reports whether a byte may be inside a value: a word, a path, a version, a time.
func isWordByte(c byte) bool {
	return c >= utf8.RuneSelf || isWordRune(rune(c)) || strings.IndexByte("_.-/:", c) >= 0
}

// dataFiles are the extensions of files that tools do not run. obeyed are the names of files that tools obey
// nevertheless. A plugin may keep state in any other file, or in an obeyed one, only if a person confirms each change.
var (
	dataFiles = []string{"", ".md", ".markdown", ".txt", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".csv", ".log"}
	obeyed    = []string{"agents.md", "claude.md", "gemini.md", "skill.md", "copilot-instructions.md", "package.json",
		"composer.json", "deno.json", "tsconfig.json", "makefile", "gnumakefile", "dockerfile", "containerfile",
		"justfile", "rakefile", "gemfile", "procfile", "vagrantfile", "jenkinsfile", "action.yml", "action.yaml",
		"compose.yml", "compose.yaml", "docker-compose.yml", "docker-compose.yaml", "lefthook.yml", "taskfile.yml",
		"requirements.txt", "cmakelists.txt"}
)

func writesProgram(e wire.Edit) bool {
	program := func(name string) bool {
		name = strings.ToLower(path.Base(name))
		ext := path.Ext(name)
		if ext == name { // for example, .config
			ext = ""
		}
		return slices.Contains(obeyed, name) || !slices.Contains(dataFiles, ext)
	}
	switch e.Op {
	case wire.MoveRoot, wire.Remove, wire.Aside:
		return false
	case wire.Move: // if the old name only gets an addition, nothing runs the file
		return !strings.HasSuffix(e.To, "/") && !strings.HasPrefix(e.To, e.Range.Path+".") && program(e.To)
	}
	return !strings.HasSuffix(e.Range.Path, "/") && program(e.Range.Path)
}
