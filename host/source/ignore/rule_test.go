package ignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/testdata/gittest"
)

// asked returns git's answer for each path: the location and text of the rule, or "" if there is none.
func asked(t *testing.T, top string, paths []string) []string {
	t.Helper()
	cmd := exec.Command("git", "-C", top, "check-ignore", "--no-index", "--stdin", "-z", "-n", "-v")
	cmd.Env = gittest.Environ()
	cmd.Stdin = strings.NewReader("./" + strings.Join(paths, "\x00./") + "\x00")
	out, _ := cmd.Output() // it fails if nothing is ignored
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields) != 4*len(paths) {
		t.Fatalf("git answers %d fields for %d paths", len(fields), len(paths))
	}
	list := make([]string, len(paths))
	for i := range list {
		if f := fields[4*i:]; f[2] != "" {
			list[i] = f[0] + ":" + f[1] + ": " + f[2]
		}
	}
	return list
}

// agree compares the rules of a working tree with git's own answers.
func agree(t *testing.T, top string, paths []string, more string) {
	t.Helper()
	got, err := of(t, t.Context(), top).Covered(paths)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range asked(t, top, paths) {
		is := ""
		if got[i].Pattern != "" {
			is = got[i].String()
		}
		if is != want {
			t.Errorf("%q: got %q, git says %q\n%s", paths[i], is, want, more)
		}
	}
}

// TestRulesMatchGit covers what gitignore(5) says, and what only git's code says.
func TestRulesMatchGit(t *testing.T) {
	names := []string{"a", "b", "A", "ab", "abc", "a.log", ".log", "a b", "a ", "#a", "!a", "[", "]", "[a]", "a]", "-",
		"^", "\\", "a\\", "*", "é", "É", "\xff", "0", "_", "{a,b}", "x:y", "a\nb"}
	paths := []string{}
	for _, n := range names {
		paths = append(paths, n, "a/"+n, "d/"+n, "d/e/"+n, "d/e/f/"+n, n+"/x", n+"/a/b")
	}
	files, all := map[string]string{}, []string{}
	for i, pattern := range []string{
		"a", "/a", "a/", "/a/", "!a", `\!a`, `\#a`, "#a", "a ", `a\ `, `a\  `, "  a", "a\t", "a\r", "", "/", "//", "!",
		"!/", "*", "/*", "*/", "**", "**/", "/**", "/**/", "**/a", "a/**", "a/**/b", "d/**/b",
		"d/**/e/b", "**a", "a**", "a**b", "d/**b", "d**/b", "d/*", "d/*/b", "*/b", "*/*/b", "**/e/*", "?", "??", "?b",
		"/?", "d?a", "d[!x]a", "[a]", "[!a]", "[^a]", "[a-c]", "[c-a]",
		"[-a]", "[a-]", "[a", "[", "[]", "[!]", `[\]]`, `[\a]`, `[a-\c]`, `[\`, `[a\`, "[[:nope:]]", "[[:word:]]",
		"[[::]]",
		`\a`, `a\`, `\\`, `\*`, `\[`, `*\]`, "*.log", "*.l*", "*g", "a*", "*b*", "{a,b}", "é", "?\xa9", "??\xa9", "[é]",
		"\xff", "[\x80-\xff]", "A", "[A-Z]", "x:y", "d/e/", "d/e", "/d/e/f", "e/f", "./a", "../a", "d//e", "d/./e",
	} {
		dir := fmt.Sprintf("%03d/", i)
		files[dir+fileName] = pattern + "\n"
		for _, p := range paths {
			all = append(all, dir+p)
		}
	}
	top := gittest.Repository(t, files)
	for _, fold := range []string{"false", "true"} {
		gittest.Run(t, top, "config", "core.ignorecase", fold)
		agree(t, top, all, "ignorecase is "+fold)
	}
}

// TestUnsupportedPatternsIgnoreNothing: patterns that the glob library does not support ignore nothing.
func TestUnsupportedPatternsIgnoreNothing(t *testing.T) {
	top := gittest.Repository(t,
		map[string]string{fileName: "[]]\n[]a]\n[!]]\n[[:alpha:]]\n[![:alpha:]]\n[[:alpha:]-z]\n[:alpha:]\n"})
	got, err := of(t, t.Context(), top).Covered([]string{"]", "a", "b", "0", ":", ":]", "a]"})
	if err != nil || slices.ContainsFunc(got, Rule.Ignores) {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestRulesOfManyFiles uses random rules in files on several levels, next to random directories.
func TestRulesOfManyFiles(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, seed))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	random := func(depth int) string {
		names := make([]string, 1+r.IntN(depth))
		for i := range names {
			names[i] = pick("a", "b", "c", "ab", "a.x", "b.x")
		}
		return strings.Join(names, "/")
	}
	for range 12 {
		top := gittest.Repository(t, nil)
		var shown []string
		for _, name := range []string{".gitignore", "a/.gitignore", "a/b/.gitignore", "b/.gitignore",
			".git/info/exclude", "user"} {
			text := pick("", "", "\ufeff")
			for range r.IntN(5) {
				text += pick("", "", "!", "/") + pick("", "", "**/", "*/", "a/") + pick("a", "b", "c", "*.x", "a*", "?",
					"[ab]", "*", "**") + pick("", "", "/", "/b", "/*", "/**", " ") + pick("\n", "\n", "\r\n")
			}
			text = strings.TrimSuffix(text, pick("", "\n"))
			gittest.Write(t, top, map[string]string{name: text})
			shown = append(shown, fmt.Sprintf("%s: %q", name, text))
		}
		gittest.Run(t, top, "config", "core.excludesFile", filepath.Join(top, "user"))
		var paths []string
		for range 200 {
			p := random(4)
			if r.IntN(2) == 0 {
				_ = os.MkdirAll(filepath.Join(top, p), 0o755)
			}
			paths = append(paths, p)
		}
		agree(t, top, paths, strings.Join(shown, "\n"))
		if t.Failed() {
			return
		}
	}
}
