package git

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/testdata/gittest"
)

// TestBare: a bare repository is found if git's hooks name it, or if no repository is around it. Inside a working
// tree, it is found only if it is named.
func TestBare(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"x": "1"})
	alone := filepath.Join(Resolved(t.TempDir()), "alone.git")
	inside := filepath.Join(top, "served", "inside.git")
	for _, dir := range []string{alone, inside} {
		gittest.Run(t, top, "clone", "-q", "--bare", top, dir)
	}
	for _, c := range []struct {
		name, dir, gitDir, workTree string
		top                         string
		bare, told                  bool
	}{
		{"alone", alone, "", "", alone, true, false},
		{"below it", filepath.Join(alone, "hooks"), "", "", alone, true, false},
		{"in its hook", alone, ".", "", alone, true, true},
		{"in a working tree", inside, "", "", top, false, true},
		{"in a working tree, in its hook", inside, ".", "", inside, true, true},
		{"another one's hook", inside, alone, "", top, false, false},
		{"as the git directory of a working tree", inside, ".", top, top, false, false},
		{"the git directory of a working tree", filepath.Join(top, ".git"), ".", "", top, false, true},
	} {
		s := Settings{Environ: append(gittest.Environ(), "GIT_OBJECT_DIRECTORY=objects/incoming",
			"GIT_QUARANTINE_PATH=objects/incoming"), Dir: c.dir}
		if c.gitDir != "" {
			s.Environ = append(s.Environ, "GIT_DIR="+c.gitDir)
		}
		if c.workTree != "" {
			s.Environ = append(s.Environ, "GIT_WORK_TREE="+c.workTree)
		}
		r, err := Lookup(c.dir, s)
		if err != nil || r == nil {
			t.Errorf("%s: %+v, %v", c.name, r, err)
			continue
		}
		environ := "\n" + strings.Join(r.environ, "\n") + "\n"
		told := strings.Contains(environ, "\nGIT_OBJECT_DIRECTORY="+filepath.Join(c.dir, "objects/incoming")+"\n")
		if r.Top != c.top || r.Bare != c.bare || told != c.told {
			t.Errorf("%s: top %s, bare %v, told of the quarantine %v; want %s, %v, %v", c.name, r.Top, r.Bare, told,
				c.top, c.bare, c.told)
		}
	}
	if r := Find(filepath.Dir(alone), Settings{Environ: gittest.Environ(), Dir: alone}); r != nil {
		t.Errorf("beside it: %+v", r)
	}
}
