package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/guests"
)

// repository is the top of the source tree.
var repository = func() string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// logged matches commands that GitHub, Azure or TeamCity obey anywhere in a line.
var logged = regexp.MustCompile(`##[[A-Za-z]`)

// commanding returns the part of a text that a terminal or a CI log would obey, or "" if there is none.
func commanding(text string) string {
	for i, r := range text {
		if r != '\n' && unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control,
			unicode.Other_Default_Ignorable_Code_Point) {
			return fmt.Sprintf("the character %U: %q", r, text[max(0, i-40):min(len(text), i+40)])
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || logged.MatchString(line) {
			return fmt.Sprintf("the command %q", line)
		}
	}
	return ""
}

// validate checks JSON output against its schema.
func validate(ts *testscript.TestScript, text string) {
	ts.Check(validOutput([]byte(text)))
}

func validOutput(text []byte) error { return validAs(schemas.Output, text) }

func validAs(schemaText string, text []byte) error {
	c := jsonschema.NewCompiler()
	if err := c.AddResource("output.schema.json", strings.NewReader(schemaText)); err != nil {
		return err
	}
	schema, err := c.Compile("output.schema.json")
	if err != nil {
		return err
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("decode the output: %w", err)
	}
	return schema.Validate(v)
}

// layDownSin writes a hostile plugin: sin NAME FILE.
func layDownSin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sin NAME FILE")
	}
	sin, ok := guests.All()[args[0]]
	if !ok {
		ts.Fatalf("no sin is called %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), sin.Wasm, 0o644))
}

// layDownPackable writes a plugin without an embedded manifest that reports nothing: packable FILE NAME [VERSION GLOB].
// With the name not-json, the manifest is invalid.
func layDownPackable(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 4 {
		ts.Fatalf("usage: packable FILE NAME [MEMBERS | VERSION GLOB]")
	}
	manifest, report := guests.Manifest(args[1]), "{}"
	if len(args) == 3 { // a JSON object, whose properties replace those of the manifest; report is the answer
		members := map[string]json.RawMessage{}
		ts.Check(json.Unmarshal([]byte(manifest), &members))
		ts.Check(json.Unmarshal([]byte(args[2]), &members))
		if text := members["report"]; text != nil {
			report = string(text)
			delete(members, "report")
		}
		text, err := json.Marshal(members)
		ts.Check(err)
		manifest = string(text)
	}
	if len(args) == 4 {
		m, err := wire.DecodeManifest([]byte(manifest))
		ts.Check(err)
		m.Version, m.Documents[0].Glob = args[2], args[3]
		manifest = string(wire.EncodeManifest(m))
	}
	if args[1] == "not-json" {
		manifest = "name: not-json"
	}
	wasm := withoutSection(ts, guests.Well(manifest, report))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), wasm, 0o644))
}

// withoutSection removes the manifest section, which is the last one.
func withoutSection(ts *testscript.TestScript, wasm []byte) []byte {
	at := bytes.LastIndex(wasm, []byte("\x12"+wire.Section))
	if at < 0 {
		ts.Fatalf("the guest has no manifest section")
	}
	for at--; wasm[at] != 0; at-- { // the section's id; no byte of its size is 0
	}
	return wasm[:at]
}

// makeInput creates input that a txtar archive cannot contain: make KIND FILE [ARG].
func makeInput(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: make KIND FILE [ARG]")
	}
	path := ts.MkAbs(unquoted(ts, args[1]))
	switch args[0] {
	case "bytes": // a Go string literal without its quotes
		ts.Check(os.WriteFile(path, []byte(unquoted(ts, args[2])), 0o644))
	case "fifo":
		ts.Check(mkfifo(path))
	case "socket":
		makeSocket(ts, path)
	case "dir":
		ts.Check(os.MkdirAll(path, 0o755))
	case "device":
		ts.Check(mkzero(path))
	case "bom":
		ts.Check(os.WriteFile(path, []byte("\ufeff"+ts.ReadFile(args[1])), 0o644))
	case "padded": // a plugin so large that its first check interprets it
		section := append([]byte("\x07padding"), make([]byte, 1<<20)...)
		header := binary.AppendUvarint([]byte{0}, uint64(len(section)))
		ts.Check(os.WriteFile(path, slices.Concat([]byte(ts.ReadFile(args[1])), header, section), 0o644))
	case "crlf":
		ts.Check(os.WriteFile(path, []byte(strings.ReplaceAll(ts.ReadFile(args[1]), "\n", "\r\n")), 0o644))
	default:
		text, ok := generated[args[0]]
		if !ok {
			ts.Fatalf("no input is called %q", args[0])
		}
		ts.Check(os.WriteFile(path, []byte(text()), 0o644))
	}
}

// makeSocket first creates the socket elsewhere, because a socket's name has at most 107 bytes.
func makeSocket(ts *testscript.TestScript, path string) {
	dir, err := os.MkdirTemp("", "s")
	ts.Check(err)
	ts.Defer(func() { os.RemoveAll(dir) })
	short := filepath.Join(dir, "s")
	l, err := net.Listen("unix", short)
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Check(os.Rename(short, path))
}

func unquoted(ts *testscript.TestScript, s string) string {
	var out string
	if err := json.Unmarshal([]byte(`"`+s+`"`), &out); err == nil && !strings.Contains(s, `\x`) {
		return out
	}
	return hexEscaped(s)
}

// hexEscaped reads \xNN, which JSON does not have.
func hexEscaped(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, `\x`)
		b.WriteString(before)
		if !found || len(after) < 2 {
			return b.String()
		}
		var c byte
		fmt.Sscanf(after[:2], "%02x", &c)
		b.WriteByte(c)
		s = after[2:]
	}
}

// generated lists inputs that are too large to write down.
var generated = map[string]func() string{
	"deep-json": func() string {
		return `{"current_phase":"reviews","extra":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"
	},
	"huge-number": func() string { return `{"current_phase":"reviews","current_round":1e10000000}` },
	"oversized-json": func() string {
		return `{"current_phase":"reviews","extra":"` + strings.Repeat("x", 5<<20) +
			`"}`
	},
	"utf-16": func() string {
		var b strings.Builder
		b.WriteString("\xff\xfe")
		for _, c := range `{"current_phase":"reviews"}` {
			b.WriteString(string([]byte{byte(c), 0}))
		}
		return b.String()
	},
	"ragged-table": func() string {
		var b strings.Builder
		b.WriteString("# Context\n\n|" + strings.Repeat("a|", 400) + "\n|" + strings.Repeat("-|", 400) + "\n")
		for b.Len() < 97<<10 {
			b.WriteString("|x\n")
		}
		return b.String()
	},
	"dashes":    func() string { return strings.Repeat("- ", 50_000) + "\n" },
	"links":     func() string { return strings.Repeat("[a](", 25_000) + "\n" },
	"emphasis":  func() string { return strings.Repeat("*a _b ", 20_000) + "\n" },
	"quotes":    func() string { return strings.Repeat("> ", 50_000) + "x\n" },
	"backticks": func() string { return strings.Repeat("`", 1000) + strings.Repeat("a``b```c````d ", 10_000) + "\n" },
}
