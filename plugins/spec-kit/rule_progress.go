package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A count is the number of finished tasks that a line claims.
type count struct{ done, all int }

// counts returns the counts in a line, such as "32/32 tasks complete", "32 of 32 tasks done" and "all 32 tasks are
// complete".
func counts(line string) []count {
	line = lower(line)
	var list []count
	for i := 0; i < len(line); i++ {
		if !digit(line[i]) || i > 0 && (words.IsWord(line[i-1]) || strings.IndexByte(".-/", line[i-1]) >= 0) {
			continue
		}
		n, rest := leading(line[i:])
		before := line[:i]
		c := count{n, n}
		if after, ok := cutAny(rest, "/", " / ", " of "); ok {
			if c.all, rest = leading(after); c.all < 0 {
				continue
			}
		} else if !strings.HasSuffix(before, "all ") {
			continue
		}
		rest, ok := cutAny(strings.TrimLeft(rest, " *"), "tasks", "task")
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " *:)")
		for _, link := range []string{"are ", "is ", "have been ", "✅ "} {
			rest = strings.TrimPrefix(rest, link)
		}
		if _, ok := cutAny(rest, "complete", "done", "finished", "implemented", "ticked", "✅"); ok && c.done <= c.all {
			list = append(list, c)
		}
	}
	if list != nil && intended.Index(line) >= 0 {
		return nil
	}
	return list
}

// intended matches words that make a line a goal or condition rather than a claim.
var intended = words.ListOf("when ", "once ", "after ", "until ", "before ", "if ", "should ", "must ", "target",
	"goal", "expected", "estimate", "will ")

// hasNumber reports whether raw contains a number outside words such as T001.
func hasNumber(raw string) bool {
	for i := range len(raw) {
		if digit(raw[i]) && (i == 0 || raw[i-1] == '_' || !words.IsWord(raw[i-1])) {
			return true
		}
	}
	return false
}

// leading splits off the number that a string begins with, or returns -1 if there is none.
func leading(text string) (n int, rest string) {
	end := 0
	for end < len(text) && digit(text[end]) {
		end++
	}
	return words.Number(text[:end]), text[end:]
}

func cutAny(text string, prefixes ...string) (string, bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(text, p); ok {
			return rest, true
		}
	}
	return text, false
}

// progresses lists the keys of fields that count finished tasks.
var progresses = []string{"progress", "completed", "done", "tasks completed", "tasks done", "进度", "進捗", "fortschritt",
	"progresso", "progreso",
	"已完成"}

var anyTask = words.ListOf("ask", "ASK")

func progressRefuted(r *check.Report, m *model) {
	o := m.tasks.Outline()
	seen := map[string]bool{}
	tell := func(part markdown.Part, within markdown.Section, list []count, whole bool) {
		for _, c := range list {
			opened, all := m.within(within.Start(), within.End())
			where := "its section has "
			fits := c.all == m.total() || c.all == m.total()+m.off
			full := whole && c.done == c.all // then a wrong total does not excuse open tasks
			if fits || whole {
				opened, all, where = m.openIDs(), m.total(), "tasks.md has "
			}
			if fits {
				all = c.all
			}
			key, ticked := say.Int(c.done)+"/"+say.Int(c.all), all-len(opened)
			behind := whole && ticked > c.done
			if !behind && (c.all != all && !full || c.done <= ticked || len(opened) == 0) || seen[key] {
				continue
			}
			seen[key] = true
			text := say.Quote(say.Clip(part.Text())) + " claims that " + say.Int(c.done) + " of " +
				say.Count(c.all, "task") + " " + say.Are(c.done) + " done, but " + where + say.Int(ticked) + " ticked"
			if !behind {
				text += "; open: " + say.List(opened)
			}
			f := r.At(sdk.AtLine(tasksPath, part.Line()), text).Keyed(key).
				Advise("Tick the tasks or correct the count", "Tick finished tasks, or correct the count.")
			if behind {
				f.As(sdk.Info)
			}
		}
	}
	heads := m.heads
	named := func(part markdown.Part, key, text string) {
		n, rest := leading(text)
		after, ok := cutAny(rest, "/", " / ", " of ")
		all, of := leading(after)
		if of = strings.TrimLeft(of, " *"); !ok || n < 0 || all < n || !slices.Contains(progresses, lower(key)) ||
			of != "" && letter(of[0]) && !strings.HasPrefix(of, "task") && !status.IsComplete(words.First(of)) {
			return // "5/5 stories"
		}
		within, whole := o.Document(), true
		for _, h := range heads {
			if h.Start() < part.Start() {
				within, whole = h.Section(), h.Level() == 1
			}
		}
		tell(part, within, []count{{n, all}}, whole)
	}
	for _, f := range o.Document().Fields() {
		named(f.Part, f.Key(), f.Text())
	}
	for _, kind := range []markdown.Kind{markdown.KindHeading, markdown.KindParagraph, markdown.KindCell} {
		at := 0
		for _, part := range o.Document().Parts(kind) {
			if raw := part.Raw(); anyTask.Index(raw) < 0 || !hasNumber(raw) {
				continue
			}
			list := counts(part.Text())
			if list == nil {
				continue
			}
			for at < len(heads) && heads[at].Start() <= part.Start() {
				at++
			}
			if at > 0 {
				tell(part, heads[at-1].Section(), list, false)
			} else {
				tell(part, o.Document(), list, false)
			}
		}
	}
	for _, item := range o.Document().Items() {
		if raw := item.Own().Raw(); hasNumber(raw) {
			key, text, _ := strings.Cut(strings.Replace(item.Own().Text(), "：", ":", 1), ":")
			named(item.Own(), key, strings.TrimLeft(text, " "))
		}
	}
}
