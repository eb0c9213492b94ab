package schemas

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

var update = flag.Bool("update", false, "copy the definitions that resume.schema.json shares with output.schema.json")

// Every schema is self-contained and needs no other file.
func TestEverySchemaStandsAlone(t *testing.T) {
	for name, text := range map[string]string{"output": Output, "recover": Recover, "resume": Resume, "config": Config,
		"baseline": Baseline} {
		c := jsonschema.NewCompiler()
		c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("it refers to %s", url) }
		url := "https://github.com/stategate/stategate/schemas/" + name + ".schema.json"
		if err := c.AddResource(url, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Compile(url); err != nil {
			t.Errorf("%s.schema.json: %v", name, err)
		}
	}
}

// The resume schema copies the definitions that it shares with the output schema.
func TestResumeHasTheDefinitionsOfTheOutput(t *testing.T) {
	theirs, ours := definitions(Output), definitions(Resume)
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		if _, ok := theirs[name]; ok && ours[name] != theirs[name] {
			if !*update {
				t.Errorf("resume.schema.json: $defs/%s differs from that of output.schema.json; copy it with go "+
					"test ./schemas -update", name)
				continue
			}
			text := strings.Replace(read(t, "resume.schema.json"), ours[name], theirs[name], 1)
			if err := os.WriteFile("resume.schema.json", []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// definitions returns the text of each definition by name.
func definitions(schema string) map[string]string {
	_, text, _ := strings.Cut(schema, `  "$defs": {`)
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`(?ms)^    "(\w+)": (\{.*?^    \})`).FindAllStringSubmatch(text, -1) {
		all[m[1]] = m[2]
	}
	return all
}
