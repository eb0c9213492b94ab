package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

type actionStep struct {
	ID, If, Shell, Run string
	Uses               string
	Env                map[string]string
}

func readAction(t *testing.T) (steps []actionStep) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, ".github", "action", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Description, Default string }
		Runs   struct {
			Using string
			Steps []actionStep
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	for name, input := range action.Inputs {
		if input.Description == "" || !strings.Contains(string(text), "${{ inputs."+name+" }}") {
			t.Errorf("the input %s is not described or not used", name)
		}
	}
	if action.Runs.Using != "composite" {
		t.Errorf("it is %q, expected composite", action.Runs.Using)
	}
	return action.Runs.Steps
}

// TestActionInjection: no script contains an expression, because the runner pastes its value into the script as code.
func TestActionInjection(t *testing.T) {
	for _, s := range readAction(t) {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("the script of step %s contains an expression; pass it the value in env:\n%s", s.ID, s.Run)
		}
		if (s.Run == "") == (s.Uses == "") || s.Run != "" && s.Shell != "bash" {
			t.Errorf("step %s runs %q with the shell %q and uses %q", s.ID, s.Run, s.Shell, s.Uses)
		}
	}
}

// TestActionArguments runs the check script with a stategate that prints its arguments.
func TestActionArguments(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	script := filepath.Join(repository, ".github", "action", "check.sh")
	dir, scratch := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stategate"), []byte("#!/bin/sh\nprintf '<%s>' \"$@\"\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	verdict := regexp.MustCompile(`<--report><json=` + regexp.QuoteMeta(scratch) + `/[^>]+>`)
	for _, c := range []struct{ args, format, policy, want string }{
		{"", "github", "", "<check><--rev><HEAD><--base=auto><--format=github>"},
		{" \n", "text", "abc", "<check><--rev><HEAD><--base=auto><--format=text><--policy-from=abc>"},
		{`--fail-on warning "a b"`, "text", "",
			"<check><--rev><HEAD><--base=auto><--format=text><--fail-on><warning><a b>"},
		{"--report sarif=x.sarif\n--plugin ocr\n", "text", "",
			"<check><--rev><HEAD><--base=auto><--format=text><--report><sarif=x.sarif><--plugin><ocr>"},
		{"$(touch pwned) `touch pwned`; touch pwned", "$(touch pwned)", `";touch pwned`,
			"<check><--rev><HEAD><--base=auto><--format=$(touch pwned)><--policy-from=\";touch " +
				"pwned><$(touch><pwned)><`touch><pwned`;><touch><pwned>"},
		{"* %s -n \\\\", "text", "", `<check><--rev><HEAD><--base=auto><--format=text><*><%s><-n><\>`},
		{`"open`, "text", "", "error"},
	} {
		cmd := exec.Command(bash, script)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "TMPDIR=" + scratch, "ARGS=" + c.args,
			"FORMAT=" + c.format, "POLICY_FROM=" + c.policy}
		out, err := cmd.Output()
		if got := verdict.ReplaceAllString(string(out), ""); got != c.want &&
			!(c.want == "error" && err != nil && got == "") {
			t.Errorf("%q calls %s, expected %s: %v", c.args, got, c.want, err)
		}
		left, _ := os.ReadDir(dir)
		if stays, _ := os.ReadDir(scratch); len(left) != 1 || len(stays) > 0 {
			t.Fatalf("%q ran something, or leaves a file: %v, %v", c.args, left, stays)
		}
	}
}

// TestActionOutputs: a line break in an input cannot inject an output, and nothing is checked.
func TestActionOutputs(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	for _, name := range []string{"SARIF", "WORKING_DIRECTORY"} {
		outputs := filepath.Join(t.TempDir(), "outputs")
		cmd := exec.Command(bash, filepath.Join(repository, ".github", "action", "check.sh"))
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "FORMAT=text", "GITHUB_OUTPUT=" + outputs,
			name + "=x\ngate=open"}
		said, err := cmd.CombinedOutput()
		if got, _ := os.ReadFile(outputs); err == nil || string(got) != "exit-code=2\ngate=unknown\n" ||
			!strings.Contains(string(said), "one line each") {
			t.Errorf("%s: %v: %s: %q", name, err, said, got)
		}
	}
}

// TestActionSummary: a summary that could not be completely written is not an open gate, and does not hide a closed
// one.
func TestActionSummary(t *testing.T) {
	needShell(t)
	dir := t.TempDir()
	script := "#!/bin/sh\n[ $1 != status ] || exit $STATUS\n[ $1 = check ] || exit 0\n" +
		"for a; do case $a in json=*) echo {} >\"${a#json=}\" ;; esac; done\nexit $CHECK\n"
	if err := os.WriteFile(filepath.Join(dir, programName), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ check, status, want string }{
		{"0", "0", "exit-code=0\ngate=open\n"}, {"0", "3", "exit-code=3\ngate=incomplete\n"},
		{"1", "3", "exit-code=1\ngate=closed\n"},
	} {
		outputs := filepath.Join(t.TempDir(), "outputs")
		cmd := exec.Command("bash", filepath.Join(repository, ".github", "action", "check.sh"))
		cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "FORMAT=text", "GITHUB_OUTPUT=" + outputs,
			"SUMMARY=true", "GITHUB_STEP_SUMMARY=" + outputs + ".md", "CHECK=" + c.check, "STATUS=" + c.status}
		said, _ := cmd.CombinedOutput()
		if got, _ := os.ReadFile(outputs); string(got) != c.want {
			t.Errorf("check %s, status %s: %q, expected %q: %s", c.check, c.status, got, c.want, said)
		}
	}
}

// TestActionVerdict: the gate is open only if stategate reported so. A program that exits with 0 without a report has
// not checked anything.
func TestActionVerdict(t *testing.T) {
	needShell(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := errors.Join(os.Symlink(self, filepath.Join(dir, programName)),
		os.Mkdir(filepath.Join(dir, "repo"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"init --quiet",
		"-c user.name=x -c user.email=x@localhost commit --quiet --allow-empty -m x"} {
		if out, err := exec.Command("git", append([]string{"-C", filepath.Join(dir, "repo")},
			strings.Fields(args)...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "repo", "bad.wasm"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"":                    "exit-code=0\ngate=open\n",
		"--quiet":             "exit-code=0\ngate=open\n",
		"--plugin=./bad.wasm": "exit-code=3\ngate=incomplete\n",
		"--help":              "exit-code=2\ngate=unknown\n",
		"--quiet -h":          "exit-code=2\ngate=unknown\n",
		"--format=help":       "exit-code=2\ngate=unknown\n",
	} {
		outputs := filepath.Join(t.TempDir(), "outputs")
		cmd := exec.Command("bash", filepath.Join(repository, ".github", "action", "check.sh"))
		cmd.Dir = filepath.Join(dir, "repo")
		cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir, "FORMAT=text", "BASE=none",
			"ARGS=" + args, "GITHUB_OUTPUT=" + outputs}
		said, _ := cmd.CombinedOutput()
		if got, _ := os.ReadFile(outputs); string(got) != want {
			t.Errorf("%q: the outputs are %q, expected %q: %s", args, got, want, said)
		}
	}
}
