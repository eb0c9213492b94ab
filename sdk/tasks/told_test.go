package tasks_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/tasks"
)

// TestTold checks that the line of a task whose box is unreadable now does not count as a reason for its loss. A
// sentence, another task, a struck-out task and a line with an index such as list[x] do.
func TestTold(t *testing.T) {
	for _, line := range []string{
		"> - [ ] Sign out", `- \[ ] Sign out`, `- \[ \] Sign out`, "- [ ](x) Sign out", "- `[ ]` Sign out",
		"- **[ ]** Sign out", "| [ ] | Sign out |", "### [ ] Sign out", "- &#91; ] Sign out", "- &#91; &#93; Sign out",
		"- ［ ］ Sign out", "<script>- [ ] Sign out</script>", "<![CDATA[\n- [ ] Sign out\n]]>",
		"<?x\n- [ ] Sign out\n?>", "<!X\n- [ ] Sign out\n>", "<!--\n- [ ] Sign out\n-->", "    - [x] Sign out",
	} {
		if strings.Contains(tasks.Told("# Plan\n\n"+line+"\n", nil), "Sign out") {
			t.Errorf("%q counts as a reason", line)
		}
	}
	above := []*tasks.Task{{Raw: "[x] Users\n  | [ ] | Sign out |"}}
	if strings.Contains(tasks.Told("- [x] Users\n  | [ ] | Sign out |\n", above), "Sign out") {
		t.Error("the text under another box counts as a reason")
	}
	for _, line := range []string{
		"Sign out is a part of task 2.", "- ~~[ ] Sign out~~", "> ~~- [ ] Sign out~~", "Use list[x] for Sign out.",
		"- Sign out: see [the issue](https://example.org/1)",
	} {
		if !strings.Contains(tasks.Told("# Plan\n\n"+line+"\n", nil), "Sign out") {
			t.Errorf("%q does not count as a reason", line)
		}
	}
	if other := []*tasks.Task{{Raw: "[ ] Sign in and Sign out"}}; !strings.Contains(
		tasks.Told("- [ ] Sign in and Sign out\n", other), "Sign out") {
		t.Error("another task does not count as a reason")
	}
}
