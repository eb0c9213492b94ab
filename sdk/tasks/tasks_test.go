//go:build !wasip1

package tasks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
)

func outline(t *testing.T, text string) *markdown.Outline {
	t.Helper()
	o, err := snapshot.Outline(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// numberOf accepts ids such as 2.1, and a single number only before a period.
func numberOf(text string) (id, last, title string) {
	n := refLen(text)
	id, rest := text[:n], text[n:]
	if after, ok := strings.CutPrefix(rest, "."); ok {
		return id, "", strings.TrimSpace(after)
	}
	if !strings.Contains(id, ".") {
		return "", "", text
	}
	return id, "", strings.TrimSpace(rest)
}

func refLen(text string) (n int) {
	for n < len(text) && (isDigit(text[n]) || text[n] == '.' && n > 0 && n+1 < len(text) && isDigit(text[n+1])) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func numbers() tasks.Form {
	return tasks.Form{ID: numberOf, Ref: func(text string) (string, int) { return text[:refLen(text)], refLen(text) }}
}

// shown formats tasks, one per line: id, title and properties.
func shown(list []*tasks.Task) string {
	var b strings.Builder
	for _, t := range list {
		b.WriteString("[" + t.Mark + "] " + t.Name())
		for _, f := range []struct {
			is   bool
			name string
		}{{t.Ticked, "ticked"}, {t.Open(), "open"}, {t.Optional, "optional"}, {t.Dropped, "dropped"},
			{t.Cancelled, "cancelled"}, {t.Repeated, "repeated"}, {t.HasParts(), "has parts"}} {
			if f.is {
				b.WriteString(", " + f.name)
			}
		}
		if t.Parent != nil {
			b.WriteString(", in " + t.Parent.Name())
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestReadTellsWhatBoxesMean(t *testing.T) {
	dotted, counts, x := numbers(), numbers(), numbers()
	dotted.Dotted, dotted.Star = true, true
	counts.Counts = true
	x.Mixed = true
	for _, test := range []struct {
		name, text, want string
		form             tasks.Form
	}{
		{"all bullets are boxes", "- [ ] 1. A\n* [x] 2. B\n+ [X] 3. C\n\n1. [ ] 4. D\n",
			"[] 1, open\n[x] 2, ticked\n[X] 3, ticked\n[] 4, open\n", numbers()},
		{"a blank beside the mark is no part of it", "- [ x] 1. A\n- [] 2. B\n", "[x] 1, ticked\n[] 2, open\n",
			numbers()},
		{"a check mark ticks, a dash and a tilde leave open", "- [✓] 1. A\n- [-] 2. B\n- [~] 3. C\n- [>] 4. D\n",
			"[✓] 1, ticked\n[-] 2, open\n[~] 3, open\n[>] 4\n", numbers()},
		{"a link and a word are no boxes", "- [x](a.md)\n- [docs] 1. A\n- [x]: a\n- [ ]\n", "", numbers()},
		{"quotes, comments and code hold no boxes",
			"> - [ ] 1. A\n\n<!--\n- [ ] 2. B\n-->\n\n````\n```\n- [ ] 3. C\n```\n````\n\n- [ ] 4. D\n", "[] 4, open\n",
			numbers()},
		{"a struck-out task is dropped, also if only the text after its id is struck out",
			"- [ ] ~~1. A~~\n- [ ] 2. ~~B~~\n- [x] 3. ~~C~~: no need\n- [ ] 4. A ~~b~~ c\n",
			"[] 1, open, dropped, cancelled\n[] 2, open, dropped, cancelled\n" +
				"[x] 3, ticked, dropped, cancelled\n[] 4, open\n",
			numbers()},
		{"a ticked task that says why it was given up stays ticked", "- [x] 1. A (deferred)\n- [ ] 2. B (deferred)\n",
			"[x] 1, ticked\n[] 2, open, dropped, cancelled\n", numbers()},
		{"a note below gives up an open task", "- [ ] 1. A\n  - Skipped: no database\n- [ ] 2. B\n  - Skipped rows\n",
			"[] 1, open, dropped, cancelled\n[] 2, open\n", numbers()},
		{"a heading defers the open tasks in its section",
			"# A\n\n- [ ] 1. A\n\n## B (deferred to v2)\n\n- [ ] 2. B\n- [x] 3. C\n\n### C\n\n- [ ] 4. D\n\n" +
				"## Deferred loading\n\n- [ ] 5. E\n\n## Out of scope\n\n- [ ] 6. F\n",
			"[] 1, open\n[] 2, open, dropped, cancelled\n[x] 3, ticked\n[] 4, open, dropped, cancelled\n" +
				"[] 5, open\n[] 6, open, dropped, cancelled\n", numbers()},
		{"a heading leaves the open tasks in its section to the future",
			"## A\n\n- [ ] 1. A\n\n## Future Enhancements\n\n- [ ] 2. B\n- [x] 3. C\n\n## Phase 3: D (post-MVP)\n\n" +
				"- [ ] 4. D\n\n## Future wake-ups\n\n- [ ] 5. E\n\n## Phase 4: E (optional)\n\n- [ ] 6. F\n",
			"[] 1, open\n[] 2, open, dropped, cancelled\n[x] 3, ticked\n[] 4, open, dropped, cancelled\n" +
				"[] 5, open\n[] 6, open\n", numbers()},
		{"and makes them optional where a task may be",
			"## A (optional)\n\n- [ ] 1. A\n- [x] 2. B\n\n## Optional tasks\n\n- [ ] 3. C\n\n" +
				"## Optional fields\n\n- [ ] 4. D\n",
			"[] 1, open, optional, cancelled\n[x] 2, ticked, optional, cancelled\n[] 3, open, optional, cancelled\n" +
				"[] 4, open\n", dotted},
		{"an id may follow labels", "- [ ] (P) 1. A\n- [x] [US1] 2. B\n- [ ] ⚡ 🔴 3. C\n- [ ] (P) it works\n" +
			"- [ ] (see 5) 4. D\n- [ ] (P) ~~6. E~~\n",
			"[] 1, open\n[x] 2, ticked\n[] 3, open\n[] 6, open, dropped, cancelled\n", numbers()},
		{"a slash is in progress", "- [/] 1. A\n", "[/] 1, open\n", numbers()},
		{"the parts of a dropped task are cancelled, unless they are ticked",
			"- [ ] 1. A (dropped)\n  - [ ] 1.1 B\n  - [x] 1.2 C\n",
			"[] 1, open, dropped, cancelled, has parts\n[] 1.1, open, cancelled, in 1\n[x] 1.2, ticked, in 1\n",
			numbers()},
		{"a star makes a task optional", "- [ ]* 1. A\n- [ ] 2. B (optional)\n- [ ] 3. Optional fields\n",
			"[] 1, open, optional, cancelled\n[] 2, open, optional, cancelled\n[] 3, open\n", dotted},
		{"a dot nests, indented or not", "- [x] 2. A\n- [ ] 2.1 B\n- [ ] 3. C\n- [ ] 3.1.1 D\n",
			"[x] 2, ticked, has parts\n[] 2.1, open, in 2\n[] 3, open, has parts\n[] 3.1.1, open, in 3\n", dotted},
		{"a section restarts its ids", "# A\n\n- [ ] 1. A\n- [ ] 1. B\n\n# B\n\n- [ ] 1. C\n",
			"[] 1, open\n[] 1, open, repeated\n[] 1, open\n", numbers()},
		{"boxes without an id beside others are criteria", "- [ ] 1. A\n- [ ] it works\n", "[] 1, open\n", numbers()},
		{"and tasks where lists are mixed", "- [ ] 1. A\n- [ ] it works\n", "[] 1, open\n[] it works, open\n", x},
		{"a tool that counts boxes cancels none",
			"- [ ] ~~1. A~~\n- [ ] 2. B (optional)\n- [✓] 3. C\n- [] 4. D\n- [ x] 5. E\n",
			"[] 1, open\n[] 2, open\n", counts},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := shown(tasks.Read(outline(t, test.text), &test.form)); got != test.want {
				t.Errorf("%s\ngot\n%swant\n%s", test.text, got, test.want)
			}
			if got := shown(tasks.Read(markdown.Blocks(test.text), &test.form)); got != test.want {
				t.Errorf("without an outline: %s\ngot\n%swant\n%s", test.text, got, test.want)
			}
		})
	}
}

func TestOpenPartsAreThoseAtTheLowestLevel(t *testing.T) {
	f := numbers()
	list := tasks.Read(outline(t,
		"- [x] 1. A\n  - [x] 1.1 B\n    - [ ] 1.1.1 C\n  - [ ] 1.2 D\n  - [ ] 1.3 E (deferred)\n"), &f)
	if got := shown(list[0].OpenParts()); got != "[] 1.1.1, open, in 1.1\n[] 1.2, open, in 1\n" {
		t.Error(got)
	}
	if list[0].Remains() || !list[2].Remains() || list[4].Remains() {
		t.Error("a task remains if it is open, required and no sum")
	}
}

func TestSetChangesTheMarkAlone(t *testing.T) {
	f := numbers()
	text := "- [ x] 1. A\n- [] 2. B\n"
	list := tasks.Read(outline(t, text), &f)
	for i, want := range []string{"- [ ] 1. A\n- [] 2. B\n", "- [ x] 1. A\n- [ ] 2. B\n"} {
		edit := list[i].Set("tasks.md", " ")[0]
		if got := text[:edit.Range.Start] + edit.New + text[edit.Range.End:]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if (&tasks.Task{}).Set("tasks.md", "x") != nil {
		t.Error("a task without a box was set")
	}
}

func TestNeedsReadsLinesAndBrackets(t *testing.T) {
	f, more := numbers(), numbers()
	more.Prose, more.NeedWords = true, tasks.NeedWords("after")
	for _, test := range []struct {
		form      tasks.Form
		text, ids string
	}{
		{f, "- [ ] 4. A\n  - _Depends: 1.1, 1.2_\n", "1.1 1.2"},
		{f, "- [ ] 4. A\n  - Depends on: 1 and 2\n", "1 2"},
		{f, "- [ ] 4. A\n  - **Dependencies**：1、2\n", "1 2"},
		{f, "- [ ] 4. A (depends on 1-3)\n", "1 2 3"},
		{f, "- [ ] 4. A (blocked by 1 (the API), 2)\n", "1 2"},
		{f, "- [ ] 4. A\n  - Depends on: 1.1 – 1.3, 2\n", "1.1 1.2 1.3 2"},
		{f, "- [ ] 4. A depends on 1\n", ""},
		{f, "- [ ] 4. A (depends on 3 attempts)\n", ""},
		{f, "- [ ] 4. A\n  - Depends: none\n", ""},
		{f, "- [ ] 4. A\n  - It depends: 3 of them are enough\n", ""},
		{f, "- [ ] 4. Independent: 3\n", ""},
		{more, "- [ ] 4. A depends on 1 and 2\n", "1 2"},
		{more, "- [ ] 4. A (after 3)\n", "3"},
		{more, "- [ ] 4. A after 3\n", ""},
		{more, "- [ ] 4. A (after 3 attempts)\n", ""},
		{more, "- [ ] 4. A\n  - B depends on 3\n", ""},
	} {
		list := tasks.Read(outline(t, test.text), &test.form)
		if got := strings.Join(test.form.Needs(list[0], test.text), " "); got != test.ids {
			t.Errorf("%q needs %q, want %q", test.text, got, test.ids)
		}
	}
}

func TestBrokenBoxesAreFoundByIDAndText(t *testing.T) {
	f := numbers()
	was := tasks.Read(outline(t, "- [x] 1. A\n- [x] 2. B\n- [ ] 3. C\n"), &f)
	for _, test := range []struct{ line, mark string }{
		{"- [x 2. B", "[x"}, {"- [ 2. B", "["}, {"- x] 2. B", "x]"}, {"-[x] 2. B", "-[x]"}, {"- ( ) 2. B", "( )"},
		{"- ☐ 2. B", "☐"}, {"- [done] 2. B", "[done]"}, {"[ ] 2. B", "[ ]"}, {"- 2. B", ""},
		{"- [\u200b] 2. B", "[\u200b]"}, {"- [\u00ad] 2. B", "[\u00ad]"}, {"- [\u2060] 2. B", "[\u2060]"},
		{"- [\ufeff] 2. B", "[\ufeff]"}, {"- [\u2800] 2. B", "[\u2800]"}, {"- [\u200bx] 2. B", "[\u200bx]"},
		{"- [ \u200b\u200b] 2. B", "[ \u200b\u200b]"}, {"- \u200b[ ] 2. B", "\u200b[ ]"},
		{"\u200b- [ ] 2. B", "\u200b[ ]"}, {"-\u00a0[ ] 2. B", "-\u00a0[ ]"},
	} {
		text := "- [x] 1. A\n" + test.line + "\n- [ ] 3. C\n"
		list := tasks.Broken(text, &f, tasks.Read(outline(t, text), &f), was)
		if len(list) != 1 || list[0].Was != was[1] || list[0].Mark != test.mark || list[0].Line != 2 {
			t.Errorf("%q: %+v", test.line, list)
		}
	}
	for _, line := range []string{"- [ ] 2. B", "- [x] 2. B", "- [\u00a0] 2. B", "- [ ] \u200b2. B", "- ~~[ ] 2. B~~",
		"- some details", "```\n- [ 2. B\n```", "<!--\n- [ 2. B\n-->", "- [link](a.md) text"} {
		text := "- [x] 1. A\n" + line + "\n- [ ] 3. C\n"
		if list := tasks.Broken(text, &f, tasks.Read(outline(t, text), &f), was); len(list) > 0 {
			t.Errorf("%q: %+v", line, list)
		}
	}
}

func TestAdoptFindsIDsByWords(t *testing.T) {
	f := tasks.Form{ID: numberOf, Mixed: true}
	base := tasks.Read(outline(t, "- [x] 1. Parse\n- [ ] 2. Write\n"), &f)
	list := tasks.Read(outline(t, "- [x] 1. Parse\n- [ ] Write\n- [ ] Test\n"), &f)
	adopted := tasks.Adopt(list, base, func(*tasks.Task) bool { return true })
	if len(adopted) != 1 || list[1].ID != "2" || list[2].ID != "" {
		t.Error(shown(list))
	}
}

// TestMayBeOpen checks that a document is skipped only if none of its boxes can be open.
func TestMayBeOpen(t *testing.T) {
	for text, want := range map[string]bool{
		"- [x] a\n- [ ] b\n": true, "1.\t[-] a\n": true, "  * [] a\n": true, "- [⏭] a\n": true, "- [\u200b] a\n": true,
		"- [x] a\n- [X] b\n": false, "names: string[]\nlist = []\n": false, "see [this](a.md) [1]\n": false, "": false,
	} {
		if got := tasks.MayBeOpen(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if o := markdown.Blocks(text); !want && slices.ContainsFunc(tasks.Read(o, &tasks.Form{}),
			func(t *tasks.Task) bool { return !t.Ticked }) {
			t.Errorf("%q has an open box", text)
		}
	}
}

func TestHeadingsAreTasks(t *testing.T) {
	form := numbers()
	o := outline(t, "# Plan\n\n## Base\n\n### ✅ 1.1 Parse\n\n### 1.2 Write ✔\n\n### [x] 1.3 Move\n\n### 1.4 Count\n\n"+
		"- [x] rows\n\n### 1.5 Show\n\n- [x] rows\n- [ ] names\n\n### 1.6 Ship (deferred to v2)\n\n### Notes\n")
	var got []string
	for _, task := range tasks.Headings(o, &form, tasks.Boxes(o, &form)) {
		got = append(got, task.ID+" "+task.Mark+map[bool]string{true: "-"}[task.Cancelled])
	}
	if want := []string{"1.1 x", "1.2 x", "1.3 x", "1.4 x", "1.5 ", "1.6 -"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
