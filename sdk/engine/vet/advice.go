package vet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/wire"
)

const (
	maxSteps = 20  // edits that advice describes
	maxNew   = 200 // bytes of a text that advice quotes

	currentTime = "the current time"
)

// advice turns a remedy into manual steps, which also explain why stategate does not apply it.
func (t *trial) advice(r *wire.Remedy, why string) wire.Remedy {
	steps := []string{strings.ToUpper(why[:1]) + why[1:] +
		". If the change is right, make it by hand, then check again:"}
	for i := range r.Edits[:min(len(r.Edits), maxSteps)] {
		steps = append(steps, t.described(&r.Edits[i]))
	}
	if more := len(r.Edits) - maxSteps; more > 0 {
		steps = append(steps, fmt.Sprintf("and %d changes more", more))
	}
	return wire.Remedy{Title: r.Title, Subject: r.Subject, Steps: append(steps, r.Steps...)}
}

// described returns the step for an edit.
func (t *trial) described(e *wire.Edit) string {
	switch {
	case e.Op == wire.Set && len(e.New) <= maxNew:
		if e.New == strconv.Quote(wire.Now) {
			return edit.Describe(*e) + " to the current time"
		}
		return edit.Describe(*e) + " to " + wire.Expand(e.New, currentTime)
	case e.Op != wire.Replace || e.Range.Pointer != "":
		return edit.Describe(*e)
	}
	at := slices.IndexFunc(t.request.Documents, func(d wire.Document) bool { return d.Path == e.Range.Path })
	if at < 0 {
		return edit.Describe(*e)
	}
	text := t.request.Documents[at].Text
	start, end, err := edit.Span(text, e.Range)
	if err != nil {
		return edit.Describe(*e)
	}
	line := 1 + strings.Count(text[:start], "\n")
	where := fmt.Sprintf("%s, line %d: ", e.Range.Path, line)
	if end-start > maxNew || len(e.New) > maxNew {
		last := line + strings.Count(strings.TrimRight(text[start:end], "\n"), "\n")
		if last == line {
			return fmt.Sprintf("do so in %s, line %d", e.Range.Path, line)
		}
		return fmt.Sprintf("do so in %s, lines %d to %d", e.Range.Path, line, last)
	}
	from, to := strings.LastIndexByte(text[:start], '\n')+1, len(text)
	if n := strings.IndexByte(text[end:], '\n'); n >= 0 {
		to = end + n
	}
	if to-from > maxNew {
		from, to = start, end
	}
	return where + "replace " + strconv.Quote(text[from:to]) + " by " +
		strconv.Quote(text[from:start]+wire.Expand(e.New, currentTime)+text[end:to])
}
