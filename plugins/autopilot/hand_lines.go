package autopilot

import "strings"

// readTasks reads "Task 3: …", "Tasks 4-5", "4 to 5" and "4 and 5". It returns 0 for other forms, such as a list of
// numbers that are not consecutive. Task 3.1 is a step of task 3 unless 3 is the phase.
func readTasks(text string, phase int) (from, to int) {
	named := after(after(text, "Tasks "), "Task ")
	id, rest, ok := readTask(named)
	if !ok || id.n == 0 {
		return 0, 0
	} else if id.phase > 0 && phase > 0 && id.phase != phase && named[0] != '0' {
		return id.phase, id.phase
	}
	link, last, beyond := readLink(rest)
	if one := after(text, "Task ") != text && strings.HasPrefix(rest, " "); last < id.n || one && link == "-" {
		link, last, beyond = "", id.n, rest // "Task 3 - 4 endpoints"
	}
	switch more, _, _ := readLink(beyond); {
	case link != "" && more != "", link == ",", link == "and" && last != id.n+1, last-id.n > 5000,
		named == text && beyond != "" && beyond[0] != ':' && beyond[0] != '.':
		return 0, 0
	}
	return id.n, last
}

// readLink reads the word or sign that joins two task numbers, and the second number. It returns "" if s does not
// start with both.
func readLink(s string) (link string, n int, rest string) {
	trimmed := strings.TrimLeft(s, " ")
	for _, l := range [...][2]string{{"-", "-"}, {"–", "-"}, {"—", "-"}, {"to ", "to"}, {"through ", "to"},
		{"and ", "and"}, {"& ", "and"}, {",", ","}} {
		second := after(trimmed, l[0])
		if len(second) == len(trimmed) {
			continue
		}
		if l[1] == "," {
			second = after(second, "and ")
		}
		if id, more, ok := readTask(second); ok {
			return l[1], id.n, more
		}
	}
	return "", 0, s
}
