package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A schema holds the parts of a JSON Schema that the pages show.
type schema struct {
	Description       string
	Type              any
	Ref               string `json:"$ref"`
	Enum              []any
	Const             any
	Items             *schema
	Properties        orderedSchemas
	Required          []string
	OneOf, AnyOf      []schema
	AdditionalMembers any            `json:"additionalProperties"`
	Defs              orderedSchemas `json:"$defs"`
}

// orderedSchemas holds properties in the order of the file.
type orderedSchemas struct {
	names []string
	of    map[string]*schema
}

func (o *orderedSchemas) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &o.of); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		o.names = append(o.names, name.(string))
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return err
		}
	}
	return nil
}

func writeSchema(t *testing.T, b *strings.Builder, text, heading string) {
	t.Helper()
	var root schema
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	writeMembers(b, &root)
	for _, name := range root.Defs.names {
		if def := root.Defs.of[name]; len(def.Properties.names) > 0 || def.Description != "" {
			fmt.Fprintf(b, "\n%s %s\n\n", heading, name)
			writeMembers(b, def)
		}
	}
}

func writeMembers(b *strings.Builder, s *schema) {
	if s.Description != "" {
		b.WriteString(inline(s.Description) + "\n")
	}
	if len(s.Properties.names) == 0 {
		return
	}
	if s.Description != "" {
		b.WriteString("\n")
	}
	b.WriteString("| member | is | |\n|---|---|---|\n")
	for _, name := range s.Properties.names {
		p, must := s.Properties.of[name], ""
		if slices.Contains(s.Required, name) {
			must = ", required"
		}
		fmt.Fprintf(b, "| `%s` | %s%s | %s |\n", name, p.kind(), must,
			strings.ReplaceAll(inline(p.Description), "|", `\|`))
	}
}

// kind describes a property's type, such as "list of Plugin".
func (s *schema) kind() string {
	switch {
	case s == nil:
		return "anything"
	case s.Ref != "":
		return s.Ref[strings.LastIndex(s.Ref, "/")+1:]
	case s.Const != nil:
		return fmt.Sprintf("`%v`", s.Const)
	case len(s.Enum) > 0:
		var list []string
		for _, v := range s.Enum {
			list = append(list, fmt.Sprintf("`%v`", v))
		}
		return strings.Join(list, ", ")
	case s.Items != nil:
		return "list of " + s.Items.kind()
	case len(s.OneOf)+len(s.AnyOf) > 0:
		var list []string
		for _, v := range append(s.OneOf, s.AnyOf...) {
			list = append(list, v.kind())
		}
		return strings.Join(list, " or ")
	}
	if list, ok := s.Type.([]any); ok {
		return strings.Trim(fmt.Sprint(list), "[]")
	}
	return cmp.Or(fmt.Sprint(s.Type), "anything")
}
