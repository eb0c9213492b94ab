package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

// TestContract compares the interface that sdk/COMPATIBILITY.md promises to keep with testdata/contract.txt, which
// has a line for each flag, exit code, rule, JSON property and ABI feature. The page must mention every difference,
// so that no name is added or removed silently. The next release writes a new list (-update).
func TestContract(t *testing.T) {
	needBuiltIns(t)
	var now []string
	now = append(now, abiContract()...)
	now = append(now, commandContract(t)...)
	now = append(now, ruleContract(t)...)
	now = append(now, schemaContract(t)...)
	file := filepath.Join(repository, "testdata", "contract.txt")
	const head = "# What sdk/COMPATIBILITY.md promises to keep. TestContract in cmd/stategate compares it, " +
		"and writes it (-update).\n"
	text, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	listed := strings.Split(strings.TrimSpace(strings.TrimPrefix(string(text), head)), "\n")
	_, said, ok := strings.Cut(readPage(t, "sdk/COMPATIBILITY.md"), "\n## Changes since 0.1.0\n")
	if !ok {
		t.Fatal("sdk/COMPATIBILITY.md has no section Changes since 0.1.0")
	}
	said, _, _ = strings.Cut(said, "\n## ")
	// Before the first release, there are no users to inform.
	released := !strings.Contains(readPage(t, ".github/CHANGELOG.md"), "\n## 0.1.0 (unreleased)\n")
	unsaid := differences(listed, now, said)
	if *update && (len(unsaid) == 0 || !released) {
		if err := os.WriteFile(file, []byte(head+strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(unsaid) > 0 {
		t.Errorf("the contract changed; say so in sdk/COMPATIBILITY.md, under Changes since 0.1.0, with the name "+
			"before the colon in backquotes; then go test ./cmd/stategate -run '^TestContract$' -update (until 0.1.0 "+
			"is released, -update alone will do):\n%s", strings.Join(unsaid, "\n"))
	}
}

// differences lists the lines that only one of two contracts has, unless a text mentions them in backquotes.
func differences(was, is []string, said string) (list []string) {
	for _, side := range []struct {
		mark       string
		has, lacks []string
	}{{"- ", was, is}, {"+ ", is, was}} {
		there := map[string]bool{}
		for _, line := range side.lacks {
			there[line] = true
		}
		for _, line := range side.has {
			name, _, _ := strings.Cut(line, ": ")
			if !there[line] && !strings.Contains(said, "`"+name+"`") {
				list = append(list, side.mark+line)
			}
		}
	}
	return list
}

// TestContractDifferences: a removed rule and a flag with another type are reported, unless the page mentions them.
func TestContractDifferences(t *testing.T) {
	was := []string{"gsd/plan-lost: rule", "check --base: stringArray", "check --all: bool"}
	is := []string{"check --base: string", "check --all: bool"}
	got := differences(was, is, "* `check --base` takes one revision.")
	if want := []string{"- gsd/plan-lost: rule"}; !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
	if got := differences(was, is, ""); len(got) != 3 {
		t.Errorf("got %q, expected the rule, and the flag as it was and is", got)
	}
}

func abiContract() (list []string) {
	list = append(list, fmt.Sprintf("ABI: %d", wire.ABI))
	for _, f := range wire.Features {
		list = append(list, "feature "+f+": a manifest may require it")
	}
	return list
}

// commandContract lists commands with their exit codes, and flags with the type of their values.
func commandContract(t *testing.T) (list []string) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			return
		}
		text, _ := helpOf(c)
		_, codes, _ := strings.Cut(strings.Join(strings.Fields(text), " "), "Exit codes: ")
		codes, _, _ = strings.Cut(codes, ". ")
		line := c.CommandPath() + ": exits with"
		for code := range strings.SplitSeq(codes, "; ") {
			line += " " + regexp.MustCompile(`^\d*`).FindString(code)
		}
		if strings.HasSuffix(line, " ") { // the exit codes of stategate apply to all commands
			line = c.CommandPath() + ": a command"
		}
		list = append(list, line)
		for _, f := range visible(c.Flags(), true) {
			short := ""
			if f.Shorthand != "" {
				short = ", -" + f.Shorthand
			}
			name := strings.TrimPrefix(c.CommandPath(), programName+" ") + " --" + f.Name
			list = append(list, name+": "+f.Value.Type()+short)
		}
		for _, sub := range subcommands(c) {
			walk(sub)
		}
	}
	walk(rootCommand(&app{stdout: io.Discard, stderr: io.Discard}))
	for _, f := range checkFormats {
		list = append(list, "check --format "+f.Name+": a format")
	}
	return list
}

func ruleContract(t *testing.T) (list []string) {
	t.Helper()
	builtIns := builtInPlugins(&app{})
	for _, r := range result.Rules() {
		list = append(list, "*/"+r.Name+": rule")
	}
	for _, p := range builtIns.list {
		for _, r := range p.Manifest.Rules {
			list = append(list, p.Name+"/"+r.Name+": rule")
		}
	}
	return list
}

// schemaContract lists the properties in the schemas for input and output, with their types and allowed words. It omits
// declarations, which are experimental.
func schemaContract(t *testing.T) (list []string) {
	t.Helper()
	all := map[string]string{"manifest": schemas.Manifest, "request": schemas.Request, "report": schemas.Report}
	maps.Copy(all, schemaTexts)
	delete(all, "declaration")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var s map[string]any
		if err := json.Unmarshal([]byte(all[name]), &s); err != nil {
			t.Fatal(err)
		}
		before := len(list)
		schemaMembers(name, s, &list)
		if len(list) == before {
			t.Errorf("the schema %s has no members", name)
		}
	}
	slices.Sort(list[:])
	return slices.Compact(list)
}

func schemaMembers(at string, s map[string]any, list *[]string) {
	required, _ := s["required"].([]any)
	for _, key := range slices.Sorted(maps.Keys(s)) {
		switch value := s[key].(type) {
		case map[string]any:
			switch key {
			case "properties", "$defs":
				for _, name := range slices.Sorted(maps.Keys(value)) {
					member, _ := value[name].(map[string]any)
					where := at + "." + name
					if key == "$defs" {
						where = strings.SplitN(at, ".", 2)[0] + "#" + name
					} else {
						line := where + ": " + schemaType(member)
						if slices.Contains(required, any(name)) {
							line += ", required"
						}
						*list = append(*list, line)
					}
					schemaMembers(where, member, list)
				}
			case "items", "additionalProperties":
				schemaMembers(at+"[]", value, list)
			}
		case []any:
			if key == "oneOf" || key == "anyOf" || key == "allOf" {
				for _, one := range value {
					if member, ok := one.(map[string]any); ok {
						schemaMembers(at, member, list)
					}
				}
			}
		}
	}
}

// schemaType returns a property's type as one word: its type, allowed words or definition.
func schemaType(s map[string]any) string {
	for _, key := range []string{"const", "enum", "$ref", "type"} {
		switch value := s[key].(type) {
		case nil:
		case []any:
			words := make([]string, len(value))
			for i, v := range value {
				words[i] = fmt.Sprint(v)
			}
			return strings.Join(words, "|")
		default:
			return strings.TrimPrefix(fmt.Sprint(value), "#/$defs/")
		}
	}
	return "any"
}
