package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/sys/unix"

	"github.com/stategate/stategate/host/print"
)

// pictureNow is the time shown in the pictures.
const pictureNow = "2026-03-12T16:00:00Z"

// TestPictures: the pictures in the docs show the program's output, for light and for dark pages.
func TestPictures(t *testing.T) {
	needBuiltIns(t)
	repo := filepath.Join(t.TempDir(), "shop")
	terminal := func(command string) {
		shown := onScreenOf(t, repo, command, "--now="+pictureNow)
		for _, theme := range themes {
			isPicture(t, command+"-"+theme.name, screen("stategate "+command, shown, theme))
		}
	}
	pictured(t, repo)
	review(t, repo, "2026-03-11-fix-token-refresh", "Jonas Weber", "2026-03-12T14:55:00Z")
	terminal("check")
	review(t, repo, "2026-03-10-feat-rate-limit", "Jonas Weber", "2026-03-12T15:10:00Z")
	terminal("status")
	page := stategateIn(t, repo, "status", "--format=html", "--now="+pictureNow)
	for _, theme := range themes {
		isPicture(t, "page-"+theme.name, framed(t, page, theme))
	}
}

// isPicture compares a picture in the docs with its expected content.
func isPicture(t *testing.T, name, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	isFresh(t, filepath.Join(docs, "pictures", name+".svg"), svg)
}

// commitAll commits everything, with an author and a time.
func commitAll(t *testing.T, repo, author, date string) {
	t.Helper()
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", "Continue"}} {
		c := exec.Command("git", args...)
		c.Dir, c.Env = repo, append(quietGit(), "GIT_AUTHOR_NAME="+author, "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME="+author, "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE="+date,
			"GIT_COMMITTER_DATE="+date)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
}

// review commits a session of testdata/trees/closed.
func review(t *testing.T, repo, session, author, date string) {
	t.Helper()
	dir := filepath.Join(".ocr", "sessions", session)
	from := os.DirFS(filepath.Join(repository, "testdata", "trees", "closed", dir))
	if err := os.CopyFS(filepath.Join(repo, dir), from); err != nil {
		t.Fatal(err)
	}
	commitAll(t, repo, author, date)
}

// pictured creates the repository that the pictures show, from testdata/pictures.txtar.
func pictured(t *testing.T, repo string) {
	t.Helper()
	if out, err := exec.Command("git", "init", "-q", "-b", "main", repo).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	files, err := txtar.ParseFile(filepath.Join(repository, "testdata", "pictures.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{".taskmaster/", "2026-03-09T10:02:00Z"}, {".kiro/", "2026-03-11T17:41:00Z"},
		{"openspec/", "2026-03-12T14:20:00Z"}} {
		for _, f := range files.Files {
			name := filepath.Join(repo, filepath.FromSlash(f.Name))
			if !strings.HasPrefix(f.Name, c[0]) {
				continue
			}
			err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644))
			if err != nil {
				t.Fatal(err)
			}
		}
		commitAll(t, repo, "Mira Okafor", c[1])
	}
}

// quietGit returns an environment in which git ignores this machine's configuration.
func quietGit() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null"}
}

func pictureCommand(t *testing.T, repo string, args ...string) *exec.Cmd {
	t.Helper()
	file, err := exec.LookPath("stategate")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(file, args...)
	c.Dir, c.Env = repo, append(quietGit(), "TERM=xterm", "XDG_CACHE_HOME="+sharedCache)
	return c
}

func stategateIn(t *testing.T, repo string, args ...string) string {
	t.Helper()
	out, err := pictureCommand(t, repo, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// pictureColumns is the width of the terminal in a picture.
const pictureColumns = 100

// onScreenOf returns what a terminal shows during a call.
func onScreenOf(t *testing.T, repo string, args ...string) string {
	t.Helper()
	master, slave := pseudoTerminal(t)
	if err := unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ,
		&unix.Winsize{Row: 50, Col: pictureColumns}); err != nil {
		t.Fatal(err)
	}
	c := pictureCommand(t, repo, args...)
	c.Stdout = slave
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	shown, err := io.ReadAll(master)
	if err != nil && !errors.Is(err, syscall.EIO) { // a closed terminal returns EIO
		t.Fatal(err)
	}
	_ = c.Wait() // the exit code of a closed gate is 1
	return strings.ReplaceAll(string(shown), "\r\n", "\n")
}

// A theme holds the colors of a picture.
type theme struct {
	name, scheme string // scheme is the value of prefers-color-scheme
	colors       string // CSS for the classes
}

var themes = []theme{
	{"light", "not all", ".w{fill:#fff;stroke:#d0d7de}text{fill:#1f2328}.b{font-weight:600}.f{fill:#59636e}" +
		".r{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#9a6700}.c{fill:#0969da}"},
	{"dark", "all", ".w{fill:#0d1117;stroke:#3d444d}text{fill:#e6edf3}.b{font-weight:600}.f{fill:#9198a1}" +
		".r{fill:#ff7b72}.g{fill:#56d364}.y{fill:#e3b341}.c{fill:#79c0ff}"},
}

// escapes maps the escape sequences that stategate writes to classes.
var escapes = map[string]string{"1": "b", "2": "f", "31": "r", "32": "g", "33": "y", "36": "c", "0": ""}

var escapeSequence = regexp.MustCompile("\x1b\\[(\\d+)m")

// screen draws a terminal in which a command was run. It sets the width of each run of characters, because fonts
// differ.
func screen(typed, shown string, th theme) string {
	const column, line, margin = 8.4, 20, 20
	lines := strings.Split("$ \x1b[1m"+typed+"\x1b[0m\n"+strings.TrimRight(shown, "\n"), "\n")
	width, height := pictureColumns*column+2*margin, len(lines)*line+2*margin-4
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img">
<title>%s</title>
<style>%stext{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}</style>
<rect class="w" x=".5" y=".5" width="%.0f" height="%d" rx="8"/>
`, width, height, width, height, html.EscapeString(typed), th.colors, width-1, height-1)
	for n, text := range lines {
		class, at := "", 0
		put := func(s string) {
			blank := len(s) - len(strings.TrimLeft(s, " "))
			if s = s[blank:]; s != "" {
				fmt.Fprintf(&b, `<text x="%.1f" y="%d" textLength="%.1f"`, margin+float64(at+blank)*column,
					margin+12+n*line, float64(print.Columns(s))*column)
				if class != "" {
					fmt.Fprintf(&b, ` class=%q`, class)
				}
				fmt.Fprintf(&b, ">%s</text>\n", html.EscapeString(s))
			}
			at += blank + print.Columns(s)
		}
		for text != "" {
			next := escapeSequence.FindStringSubmatchIndex(text)
			if next == nil {
				put(text)
				break
			}
			put(text[:next[0]])
			class, text = escapes[text[next[2]:next[3]]], text[next[1]:]
		}
	}
	return b.String() + "</svg>\n"
}

// framed draws the page of runs like a browser. In a browser, a script shows the filters; here they are always visible.
func framed(t *testing.T, page string, th theme) string {
	t.Helper()
	_, style, _ := strings.Cut(page, "<style>")
	style, rest, _ := strings.Cut(style, "</style>")
	_, body, _ := strings.Cut(rest, "<body>")
	body, _, found := strings.Cut(body, "<footer>")
	_, sprite, _ := strings.Cut(rest, `<svg class="sprite"`)
	sprite, _, ends := strings.Cut(sprite, "</svg>")
	if !found || !ends {
		t.Fatal("the page has no footer")
	}
	body = strings.NewReplacer("<svg ", `<svg xmlns="http://www.w3.org/2000/svg" `, ` hidden="">`+"\n<label",
		">\n<label").Replace(body + `<svg class="sprite"` + sprite + "</svg>")
	style = strings.ReplaceAll(style, "@media screen and (prefers-color-scheme: dark)", "@media "+th.scheme)
	const width, height = 1200, 830
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
<title>stategate status --format html</title>
<foreignObject width="%d" height="%d">
<html xmlns="http://www.w3.org/1999/xhtml"><head><style>%s</style></head>
<body>%s</body></html>
</foreignObject>
</svg>
`, width, height, width, height, width, height, style, body)
}
