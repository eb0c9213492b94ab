package sdk_test

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is the maximum width of a line of code; a tab counts as four columns.
const maxColumns = 120

// unbreakable matches lines that cannot be wrapped: long raw strings and struct tags, tables in doc comments, and
// literals without a blank, such as word lists.
var unbreakable = regexp.MustCompile("^[^`]*(`[^`]*`[^`]*)*`[^`]{50}|^\\s*//\t|\"[^\" ]{60}")

// TestLinesFitInColumns keeps lines short enough for side-by-side diffs.
func TestLinesFitInColumns(t *testing.T) {
	dirs := []string{"../cmd", "../host", "../plugins", "../schemas", "../sdk", "../testdata", "../.ci"}
	for _, file := range allGoFiles(t, dirs...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text[:min(len(text), 200)], []byte("DO NOT EDIT")) {
			continue
		}
		raw := rawLines(text)
		for i, line := range strings.Split(string(text), "\n") {
			columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
			if columns > maxColumns && !raw[i+1] && !unbreakable.MatchString(line) {
				t.Errorf("%s:%d: the line has %d columns, at most %d are allowed", file[3:], i+1, columns, maxColumns)
			}
		}
	}
}

// rawLines returns the line numbers in Go source that begin inside a raw string.
func rawLines(source []byte) map[int]bool {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	lines := map[int]bool{}
	for pos, kind, text := s.Scan(); kind != token.EOF; pos, kind, text = s.Scan() {
		if kind == token.STRING {
			for n := range strings.Count(text, "\n") {
				lines[file.Line(pos)+n+1] = true
			}
		}
	}
	return lines
}
