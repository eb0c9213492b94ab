package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// isPutOff reports whether an open task, or its section, says that it was deferred. A struck-out task was abandoned
// instead.
func (t *task) isPutOff() bool {
	return t.state == off && t.Dropped && !t.Ticked && !strings.Contains(t.Raw, "~~")
}

// reopen marks tasks as open that were deferred to a later phase or step of the same feature, as in "(deferred to Phase
// 9)", because they are still part of its work. It skips a task that tasks.md lists again, because the work is done
// there.
func (m *model) reopen() {
	for i := range m.list {
		t := &m.list[i]
		if !t.isPutOff() {
			continue
		}
		kind, n := deferredTo(lower(t.Title))
		named := n != "" && m.heading(kind, n)
		for k := range m.list {
			o := &m.list[k]
			if k != i && o.ID == t.ID {
				named = false
				break
			}
			named = named || n != "" && !o.isPutOff() && names(o.Title, kind, n)
		}
		if named {
			t.state = open
		}
	}
}

// heading reports whether a heading of tasks.md names a phase or step.
func (m *model) heading(kind, n string) bool {
	for _, h := range m.heads {
		if names(h.text, kind, n) {
			return true
		}
	}
	return false
}

// deferredTo returns the phase or step that a title in lower case defers its task to: "deferred to step 12b".
func deferredTo(title string) (kind, n string) {
	for _, kind := range []string{"phase ", "step "} {
		for _, to := range []string{"deferred to ", "postponed to ", "deferred until ", "postponed until ",
			"moved to "} {
			if _, rest, ok := strings.Cut(title, to+kind); ok {
				end := 0
				for end < len(rest) && digit(rest[end]) {
					end++
				}
				return kind, rest[:end]
			}
		}
	}
	return "", ""
}

// names reports whether a text names a phase or step, such as "Step 12" or "step 12b".
func names(text, kind, n string) bool {
	for text = lower(text); ; {
		_, rest, ok := strings.Cut(text, kind+n)
		if !ok || rest == "" || !words.IsWord(rest[0]) || letter(rest[0]) {
			return ok
		}
		text = rest
	}
}
