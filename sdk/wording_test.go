package sdk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A phrase is a wording that the texts should avoid. CONTRIBUTING.md has the glossary.
type phrase struct {
	pattern *regexp.Regexp
	better  string
	left    int // matches that remain; this number may only fall
	found   int
}

// phrases reads testdata/wording.txt. Each line holds the allowed number of matches, the pattern and the
// replacement.
func phrases(t *testing.T) (list []*phrase) {
	t.Helper()
	text, err := os.ReadFile("testdata/wording.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		count, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		pattern, better, ok := strings.Cut(rest, " => ")
		left, err := strconv.Atoi(count)
		if err != nil || !ok {
			t.Fatalf("testdata/wording.txt: found %q, expected COUNT PATTERN => BETTER", line)
		}
		list = append(list, &phrase{regexp.MustCompile("(?i)" + strings.TrimSpace(pattern)), better, left, 0})
	}
	return list
}

// TestWords keeps odd wording out of everything that people read: help, docs, templates, schemas, comments and
// strings in code. `go test ./sdk -run TestWords -v` lists the remaining matches. Lines with words:ok are exempt.
func TestWords(t *testing.T) {
	list := phrases(t)
	check := func(file string, line int, text string) {
		folded, lines := fold(text)
		for _, p := range list {
			for _, at := range p.pattern.FindAllStringIndex(folded, -1) {
				n := line + lines[at[0]]
				if strings.Contains(strings.Split(text, "\n")[lines[at[0]]], "words:ok") {
					continue
				}
				p.found++
				if testing.Verbose() {
					t.Logf("%s:%d: …%s…: write %s", strings.TrimPrefix(file, "../"), n,
						strings.ToValidUTF8(folded[max(0, at[0]-30):min(len(folded), at[1]+30)], ""), p.better)
				}
			}
		}
	}
	for _, file := range readable(t) {
		if !strings.HasSuffix(file, ".go") {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			check(file, 1, string(text))
			continue
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range tree.Comments {
			var text strings.Builder
			for _, c := range group.List {
				text.WriteString(strings.Trim(c.Text, "/*") + "\n")
			}
			check(file, files.Position(group.Pos()).Line, text.String())
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, literal := stringOf(e)
			if literal {
				check(file, files.Position(e.Pos()).Line, text)
			}
			return !literal
		})
	}
	for _, p := range list {
		if p.found > p.left {
			t.Errorf("%d texts match %s, but only %d are allowed; write %s (-v lists them)", p.found, p.pattern, p.left,
				p.better)
		} else if p.found < p.left {
			t.Logf("testdata/wording.txt: %s may be lowered to %d", p.pattern, p.found)
		}
	}
}

// stringOf returns a string literal, or string literals joined by +, with "…" for any other operand between them.
func stringOf(e ast.Expr) (text string, literal bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		left, ok := stringOf(e.X)
		right, also := stringOf(e.Y)
		if e.Op == token.ADD && (ok || also) {
			return left + right, true
		}
	}
	return "…", false
}

// fold replaces each run of blanks and line breaks with one blank, and returns the line of each byte, counted from
// 0.
func fold(text string) (string, []int) {
	var b strings.Builder
	var lines []int
	line, blank := 0, true
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n':
			if !blank {
				b.WriteByte(' ')
				lines = append(lines, line)
			}
			blank = true
			if c == '\n' {
				line++
			}
		default:
			b.WriteByte(c)
			lines = append(lines, line)
			blank = false
		}
	}
	return b.String(), lines
}

// readable lists the files that people read, except the changelog and generated pages, whose texts come from
// elsewhere.
func readable(t *testing.T) (files []string) {
	t.Helper()
	for _, file := range allGoFiles(t, "../host", "../cmd", "../sdk", "../schemas", "../plugins", "../.ci") {
		name := filepath.Base(file)
		if !strings.Contains(file, "/testdata/") && !strings.HasSuffix(name, ".gen.go") && name != "words.go" {
			files = append(files, file)
		}
	}
	for _, glob := range []string{
		"../README.md", "../.github/*.md", "../.github/docs/*.md", "../.github/docs/authors/*.md", "../host/*.md",
		"../sdk/*.md", "../plugins/*/*.md", "../cmd/stategate/help.txt", "../host/result/rules.txt",
		"../cmd/stategate/internal/setup/templates/*", "../cmd/stategate/internal/agent/*.md", "../schemas/*.json",
		"../schemas/*/*.json", "../Makefile", "../.ci/run", "../.ci/languages", "../.ci/release-tag",
		"../.github/*.yml", "../.github/*/*.yml", "../.github/action/*.sh", "../.gitlab/templates/*",
		"../.github/docs/for/*.md",
	} {
		found, err := filepath.Glob(glob)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v: no file matches", glob, err)
		}
		for _, file := range found {
			if name := filepath.Base(file); name != "CHANGELOG.md" && name != "commands.md" {
				files = append(files, file)
			}
		}
	}
	return files
}
