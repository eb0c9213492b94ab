package snapshot

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// The limits of a summary.
const (
	maxHeadings = 500
	maxTail     = 20
	maxLine     = 300 // bytes of a line in a summary
)

type probe struct {
	name    string
	literal string
	line    *regexp.Regexp
}

type probeSet []probe

func compileProbes(specs []wire.DocumentSpec) ([]probeSet, error) {
	sets := make([]probeSet, len(specs))
	for i, spec := range specs {
		for _, p := range spec.Probes {
			compiled := probe{name: p.Name, literal: p.Literal}
			if p.Line != "" {
				line, err := regexp.Compile(p.Line)
				if err != nil {
					return nil, fmt.Errorf("compile probe %s of documents %s: %w", p.Name, spec.Glob, err)
				}
				compiled.line = line
			}
			sets[i] = append(sets[i], compiled)
		}
	}
	return sets, nil
}

func (p *probe) matches(line string) bool {
	if p.line != nil {
		return p.line.MatchString(line)
	}
	return strings.Contains(line, p.literal)
}

// summarize creates a summary. Summarized and counted documents have probes; only summarized documents have
// headings and a tail.
func summarize(text string, spec *wire.DocumentSpec, probes probeSet, need wire.Need) wire.DocumentSummary {
	s := wire.DocumentSummary{Lines: countLines(text), Words: countWords(text)}
	if need == wire.Content {
		return s
	}
	s.Probes = count(text, probes)
	if need == wire.Counted {
		return s
	}
	s.Tail = tail(text)
	if spec.Format == wire.Markdown {
		s.Headings = headings(text)
	}
	return s
}

func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

func countWords(text string) (n int) {
	for range strings.FieldsSeq(text) {
		n++
	}
	return n
}

// tail returns the last nonblank lines, oldest first.
func tail(text string) []string {
	var last []string
	for end := len(text); end > 0 && len(last) < maxTail; {
		start := strings.LastIndexByte(text[:end], '\n') + 1
		if line := strings.TrimSpace(text[start:end]); line != "" {
			last = append(last, short(line))
		}
		end = start - 1
	}
	slices.Reverse(last)
	return last
}

// short returns at most maxLine bytes of a line as valid UTF-8.
func short(line string) string {
	if len(line) > maxLine {
		line = line[:maxLine]
	}
	return strings.ToValidUTF8(line, "\ufffd")
}

// headings returns the ATX headings outside fenced code. It reads lines without parsing Markdown, because a summary
// must be cheap for documents of any size.
func headings(text string) []wire.HeadingLine {
	var list []wire.HeadingLine
	number, fence := 0, ""
	for line := range strings.Lines(text) {
		number++
		if len(list) == maxHeadings {
			break
		}
		line = strings.TrimRight(line, "\r\n")
		if fence = inFence(fence, line); fence != "" {
			continue
		}
		if level, title, ok := heading(line); ok {
			list = append(list, wire.HeadingLine{Level: level, Line: number, Text: short(title)})
		}
	}
	return list
}

// inFence returns the fence that is open after a line, or "".
func inFence(open, line string) string {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return open
	}
	for _, mark := range []string{"```", "~~~"} {
		if !strings.HasPrefix(trimmed, mark) {
			continue
		}
		run := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, mark[:1]))]
		switch {
		case open == "":
			return run
		case strings.HasPrefix(run, open) && strings.TrimSpace(trimmed[len(run):]) == "":
			return ""
		}
	}
	return open
}

func heading(line string) (level int, title string, ok bool) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return 0, "", false
	}
	rest := strings.TrimLeft(trimmed, "#")
	level = len(trimmed) - len(rest)
	if level < 1 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, "", false
	}
	title = strings.TrimSpace(rest)
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return level, title, true
}

func count(text string, probes probeSet) []wire.ProbeCount {
	if len(probes) == 0 {
		return nil
	}
	counts := make([]wire.ProbeCount, len(probes))
	for i := range probes {
		counts[i].Name = probes[i].name
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		for i := range probes {
			if probes[i].matches(line) {
				counts[i].Count++
				counts[i].LastLine, counts[i].LastText = number, short(line)
			}
		}
	}
	return counts
}
