package main

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/wire"
)

// A board is the view of status --watch. Update and View are pure.
type board struct {
	looked
	looking       string // how far a look that takes long has come
	top           int    // the first line of the body that is shown
	width, height int
}

func newBoard(first looked) board { return board{looked: first, width: 80, height: 24} }

func (b board) Init() tea.Cmd { return nil }

// Update is one switch over the messages.
func (b board) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		b.width, b.height = msg.Width, msg.Height
	case looking:
		b.tell(msg)
	case looked:
		b.take(msg)
	case tea.KeyPressMsg:
		if cmd := b.press(msg.String()); cmd != nil {
			return b, cmd
		}
	}
	b.top = max(min(b.top, len(b.body())-b.room()), 0)
	return b, nil
}

// tell shows how far a look has come, unless it is over.
func (b *board) tell(msg looking) {
	switch {
	case msg.look <= b.look:
	case msg.total == 0:
		b.looking = "looking"
	default:
		b.looking = fmt.Sprintf("looking %d/%d", msg.done, msg.total)
	}
}

// take shows what a look saw. When nothing could be looked at, what was seen before
// stays, with the reason.
func (b *board) take(saw looked) {
	b.looking = ""
	if saw.err != "" {
		saw.rows, saw.unseen, saw.anchor = b.rows, b.unseen, b.anchor
	}
	b.looked = saw
}

// press is one switch over the keys.
func (b *board) press(key string) tea.Cmd {
	switch key {
	case "q", "ctrl+c", "esc":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	case "up", "k":
		b.top--
	case "down", "j":
		b.top++
	case "pgup", "b":
		b.top -= b.room()
	case "pgdown", "space", "f":
		b.top += b.room()
	case "home", "g":
		b.top = 0
	case "end", "G":
		b.top = len(b.body())
	}
	return nil
}

// room is how many lines of the body are shown.
func (b board) room() int { return max(b.height-1-len(b.foot()), 1) }

func (b board) View() tea.View {
	body := b.body()
	end := min(b.top+b.room(), len(body))
	lines := append([]string{b.head()}, body[min(b.top, end):end]...)
	for len(lines) < b.height-len(b.foot()) {
		lines = append(lines, "")
	}
	lines = append(lines, b.foot()...)
	for i := range lines {
		lines[i] = fit(lines[i], b.width)
	}
	v := tea.NewView(strings.Join(lines[max(len(lines)-b.height, 0):], "\n"))
	v.AltScreen = true
	v.WindowTitle = "stategate status"
	return v
}

func (b board) head() string {
	var n [4]int
	errors, last := 0, ""
	for _, r := range b.rows {
		if r.Who != "" {
			n[min(int(r.State), 3)]++
		}
		if at := r.Root + "\x00" + r.Plugin; at != last {
			errors, last = errors+r.Errors, at
		}
	}
	parts := []string{styles.bold.Render("stategate") + " " + b.anchor}
	for s, k := range n {
		if k > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", k, wire.State(s)))
		}
	}
	if errors > 0 {
		parts = append(parts, styles.red.Render(plural(errors, "error")))
	}
	if len(b.unseen) > 0 {
		parts = append(parts, styles.red.Render(plural(len(b.unseen), "failure")))
	}
	return strings.Join(parts, "  ")
}

// foot tells what keeps the view from being whole, how to leave and when was looked.
func (b board) foot() []string {
	var lines []string
	if b.err != "" {
		lines = append(lines, styles.red.Render("could not look: "+b.err))
	}
	if b.polling != "" {
		lines = append(lines, styles.yellow.Render("looks every 2 s, for nothing is watched: "+b.polling))
	}
	text := "q quits  looked at " + b.at.Format("15:04:05")
	if b.looking != "" {
		text = "q quits  " + b.looking
	}
	if n := len(b.body()); n > b.height-2-len(lines) {
		text += fmt.Sprintf("  line %d of %d, arrows scroll", b.top+1, n)
	}
	return append(lines, styles.faint.Render(text))
}

// body are the lines that scroll.
func (b board) body() []string {
	var lines []string
	last := ""
	for _, r := range b.rows {
		if at := r.Root + "\x00" + r.Plugin; at != last {
			if last != "" {
				lines = append(lines, "")
			}
			lines, last = append(lines, instanceLine(r, b.width)), at
		}
		lines = append(lines, runLines(r, b.width)...)
	}
	if len(b.rows) == 0 && b.err == "" && len(b.unseen) == 0 {
		lines = append(lines, "No run is here yet.")
	}
	for _, f := range b.unseen {
		lines = append(lines, styles.red.Render("failure")+": "+f)
	}
	return lines
}

// instanceLine cuts the root, not what is wrong with it, on a narrow terminal.
func instanceLine(r print.Row, width int) string {
	text := "  " + styles.faint.Render(r.Plugin)
	if r.Errors > 0 {
		text += "  " + styles.red.Render(plural(r.Errors, "error"))
	}
	if r.Warnings > 0 {
		text += "  " + styles.yellow.Render(plural(r.Warnings, "warning"))
	}
	return styles.bold.Render(fit(r.Root, max(width-lipgloss.Width(text), 8))) + text
}

// runLines are a line for a run, and more if it goes on. On a narrow terminal the
// bar has a line of its own.
func runLines(r print.Row, width int) []string {
	if r.Who == "" {
		return nil
	}
	mark := "  "
	if r.Picked {
		mark = "* "
	}
	who := mark + r.Who + "  " + r.Phase
	lines := []string{who + "  " + bar(r) + stateStyle(r.State).Render(r.State.String())}
	if lipgloss.Width(lines[0]) > width {
		lines = []string{who, "    " + bar(r) + stateStyle(r.State).Render(r.State.String())}
	}
	if r.First != "" {
		lines = append(lines, "    "+styles.bold.Render("first:")+" "+r.First)
	}
	if r.Next != "" {
		lines = append(lines, "    "+styles.bold.Render("next:")+" "+r.Next)
	}
	return lines
}

const boardBar = 10

func bar(r print.Row) string {
	if r.Total <= 0 {
		return ""
	}
	full := max(0, min(boardBar, r.Done*boardBar/r.Total))
	return stateStyle(r.State).Render(strings.Repeat("█", full)) + styles.faint.Render(strings.Repeat("░", boardBar-full)) +
		fmt.Sprintf(" %d/%d %s  ", r.Done, r.Total, r.Unit)
}

func stateStyle(s wire.State) lipgloss.Style {
	switch s {
	case wire.Active:
		return styles.yellow
	case wire.Blocked:
		return styles.red
	case wire.Finished:
		return styles.green
	}
	return styles.faint
}

func plural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
