package shell

import (
	"os/exec"
	"runtime"
	"testing"
)

// words are directory names that a repository may have.
var words = []string{
	"", "a", "a b", "it's", "$(id)", "`id`", "a;id", "a\nb", "~", "a~", "-x", "*", "#", "a#", "!x", "a\\", `"`,
	"’; id #", "‘", "‚", "‛", "a,b", "@x", "%PATH%", "x^y", "{a,b}", "=a",
	"nl\nx", "\x1b[31mred", "bi\u202edi", "100%\n$(id)'`id`\"\\", "not\xffutf8", "\u2800", "\n", "a\n", "-\x01", "é",
}

// TestWord: a POSIX shell reads back what was quoted. It also executes nothing that was quoted for PowerShell.
func TestWord(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no POSIX shell")
	}
	for _, w := range words {
		out, err := exec.Command(sh, "-c", "printf %s "+Word(w)).Output()
		if err != nil || string(out) != w {
			t.Errorf("%q is read as %q, %v", w, out, err)
		}
		if out, err := exec.Command(sh, "-c", "set -- "+powerShell(w)+"; printf $#").Output(); err != nil ||
			string(out) != "1" {
			t.Errorf("%q for PowerShell is %s words, %v", w, out, err)
		}
	}
}

// TestWordIsVisible: a word can be typed as it is printed, because it has no character that is shown as an escape.
func TestWordIsVisible(t *testing.T) {
	for in, want := range map[string]string{
		":/specs/nl\nx": `"$(printf ':/specs/nl\012x')"`, "bi\u202edi": `"$(printf 'bi\342\200\256di')"`,
		"bad\xff 50%": `"$(printf 'bad\377 50%%')"`, "größe": "'größe'",
	} {
		if got := Word(in); runtime.GOOS != "windows" && got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestPowerShell(t *testing.T) {
	for in, want := range map[string]string{
		"a/b-c.d": "a/b-c.d", "": "''", "a b": "'a b'", "it's": "'it''s'", "x’; calc; ‘": "'x’’; calc; ‘‘'",
		"‚‛": "'‚‚‛‛'", "@x": "'@x'", "a,b": "'a,b'", "$(calc)": "'$(calc)'",
	} {
		if got := powerShell(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
