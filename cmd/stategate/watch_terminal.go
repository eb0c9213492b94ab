package main

import (
	"io"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// styles are those of everything that takes over the terminal. Where there is no
// colour the renderer leaves it away.
var styles = struct{ bold, faint, red, green, yellow lipgloss.Style }{
	bold:   lipgloss.NewStyle().Bold(true),
	faint:  lipgloss.NewStyle().Faint(true),
	red:    lipgloss.NewStyle().Foreground(lipgloss.Red),
	green:  lipgloss.NewStyle().Foreground(lipgloss.Green),
	yellow: lipgloss.NewStyle().Foreground(lipgloss.Yellow),
}

// teaOptions run a program at the terminal. Signals stay where all verbs have them:
// in the context, which ends the program in good order.
func (a *app) teaOptions(out io.Writer) []tea.ProgramOption {
	o := []tea.ProgramOption{tea.WithInput(a.stdin), tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithEnvironment(a.env.all)}
	if a.env.plain {
		o = append(o, tea.WithColorProfile(colorprofile.ASCII))
	}
	return o
}

// fit cuts a line, which may hold colours, to the width of the terminal.
func fit(line string, width int) string { return ansi.Truncate(line, width, "…") }
