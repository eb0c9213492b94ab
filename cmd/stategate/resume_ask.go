package main

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/stategate/stategate/host/print"
)

// asked lets a person choose, where there is one: at a terminal that both shows the
// question and takes the answer. The question goes to stderr, so that the brief alone
// is on stdout. Who leaves without an answer gets the list.
func (a *app) asked(ctx context.Context, x *print.Resumption, f *resumeFlags) error {
	if len(x.Choices) < 2 || len(x.Failures) > 0 || f.format == formatJSON || a.env.dumb || !isTerminal(a.stdin) || !isTerminal(a.stderr) {
		return nil
	}
	q := newQuestion(print.Lists(x.Choices))
	p := tea.NewProgram(q, a.teaOptions(a.stderr)...)
	defer context.AfterFunc(ctx, p.Quit)()
	end, err := p.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return brokenf("ask which run to continue: %v; name it instead: %s", err, x.Choices[0].Resume)
	}
	if at := end.(question).answer; at >= 0 {
		chosen(x, x.Choices[at])
		return nil
	}
	return &problem{code: exitClosed, message: "no run was chosen; `stategate resume PATH` names one"}
}

// A question asks for one of several items by arrow keys or number.
type question struct {
	items  []string
	at     int
	typed  string // digits of a number so far
	answer int    // -1 until there is one
	done   bool
	width  int
	height int
}

func newQuestion(items []string) question {
	return question{items: items, answer: -1, width: 80, height: 24}
}

func (q question) Init() tea.Cmd { return nil }

func (q question) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		q.width, q.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return q.press(msg.String())
	}
	return q, nil
}

// press is one switch over the keys.
func (q question) press(key string) (tea.Model, tea.Cmd) {
	switch key {
	case "ctrl+c", "esc", "q", "ctrl+d":
		q.done = true
		return q, tea.Quit
	case "enter":
		q.answer, q.done = q.at, true
		return q, tea.Quit
	case "up", "k", "ctrl+p", "shift+tab":
		q.at = (q.at + len(q.items) - 1) % len(q.items)
	case "down", "j", "ctrl+n", "tab":
		q.at = (q.at + 1) % len(q.items)
	case "home":
		q.at = 0
	case "end":
		q.at = len(q.items) - 1
	default:
		return q.digit(key), nil
	}
	q.typed = ""
	return q, nil
}

// digit moves to the item whose number is typed; enter chooses it.
func (q question) digit(key string) question {
	if len(key) != 1 || key[0] < '0' || key[0] > '9' {
		return q
	}
	for _, typed := range []string{q.typed + key, key} {
		if n, err := strconv.Atoi(typed); err == nil && n >= 1 && n <= len(q.items) {
			q.typed, q.at = typed, n-1
			return q
		}
	}
	q.typed = ""
	return q
}

func (q question) View() tea.View {
	if q.done {
		return tea.NewView("")
	}
	text := fit(fmt.Sprintf("%d runs are in progress. Continue which?", len(q.items)), q.width) + "\n"
	first, last := window(len(q.items), q.at, q.height-3)
	for i := first; i < last; i++ {
		mark := "  "
		if i == q.at {
			mark = "> "
		}
		line := fit(fmt.Sprintf("%s%*d  %s", mark, len(strconv.Itoa(len(q.items))), i+1, q.items[i]), q.width)
		if i == q.at {
			line = styles.bold.Render(line)
		}
		text += line + "\n"
	}
	return tea.NewView(text + styles.faint.Render(fit("arrows or a number, then enter; esc leaves", q.width)))
}

// window gives the half-open range of items that are shown so that one of them is
// in sight.
func window(n, at, height int) (first, last int) {
	height = max(height, 1)
	if n <= height {
		return 0, n
	}
	first = min(max(at-height/2, 0), n-height)
	return first, first + height
}
