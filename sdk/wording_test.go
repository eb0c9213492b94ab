package sdk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// idioms are phrases that no message contains, each with what to write instead.
// CONTRIBUTING.md has the glossary.
var idioms = map[string]string{
	"is none":                   "is not a valid …",
	"is no valid":               "is not a valid …",
	"that is no ":               "that is not a …",
	"is no glob":                "is not a valid glob",
	"there is: ":                "available: …",
	"leave one of the two out":  "use only one of the two",
	"leave one of them out":     "use only one of the two",
	"taken back":                "rolled back",
	"brought back":              "restored",
	"bring it back":             "restore it",
	"nobody":                    "the passive",
	"somebody":                  "another user, another program",
	"everybody":                 "every clone, all users",
	"speaks of":                 "mentions",
	"looked at":                 "checked",
	"looks at":                  "checks, reads",
	"look again":                "check again",
	"is heeded":                 "is used",
	"lies in":                   "is in",
	"lies below":                "is below",
	"lies outside":              "is outside",
	"in place of the document ": "the document is …",
	"ways back":                 "recovery options",
	"if this is not meant":      "if that was not intended",
	" lies ":                    "is",
	"is told":                   "is reported",
	"are told":                  "are reported",
	"is none of":                "is not one of",
	"none any more":             "no longer",
}

// texts are files that users read as they are, beside the string literals of the code.
var texts = []string{
	"../cmd/stategate/help.txt", "../README.md", "../.github/docs/*.md", "../.github/SECURITY.md",
	"../cmd/stategate/internal/setup/templates/*", "../schemas/*.json", "../schemas/*/*.json",
}

// TestWords keeps private idiom out of what users read: help, templates, schemas, and the string literals of the code.
func TestWords(t *testing.T) {
	for _, glob := range texts {
		names, err := filepath.Glob(glob)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v: there is no such file", glob, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for phrase, better := range idioms {
				if words := strings.Join(strings.Fields(string(text)), " "); strings.Contains(words, phrase) {
					at := strings.Index(words, phrase)
					t.Errorf("%s contains %q: write %q: …%s", name, phrase, better,
						words[max(0, at-40):min(len(words), at+40)])
				}
			}
		}
	}
	files := token.NewFileSet()
	for _, name := range goFiles(t, "../host", "../cmd", "../sdk", "../schemas", "../plugins") {
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			for phrase, better := range idioms {
				if strings.Contains(strings.ReplaceAll(text, "\n", " "), phrase) {
					t.Errorf("%s: the text %.80q contains %q: write %q", files.Position(literal.Pos()), text, phrase,
						better)
				}
			}
			return true
		})
	}
}
