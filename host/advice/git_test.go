package advice

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stategate/stategate/testdata/gittest"
)

// TestGitFindsThePath runs printed git commands below the top of a repository. After ":/", git reads many characters as
// magic, such as the underscore of BMAD's _bmad-output.
func TestGitFindsThePath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a POSIX shell")
	}
	dir, files := t.TempDir(), map[string]string{"_bmad-output/sprint-status.yaml": "", ".kiro/a": "", "sub/a": ""}
	for c := '!'; c < 0x7f; c++ {
		if c != '/' && c != '.' {
			files[string(c)+"x/a"] = ""
		}
	}
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, files)
	gittest.Run(t, dir, "add", "-A")
	s := In(filepath.Join(dir, "sub"), dir)
	for name := range files {
		line := s.Git("ls-files", "--error-unmatch", name)
		c := exec.Command("sh", "-c", line)
		c.Dir, c.Env = filepath.Join(dir, "sub"), gittest.Environ()
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", line, err, out)
		}
	}
}
