package wasmfile_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/plugins/build/pack"
	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/guests"
)

func TestManifest(t *testing.T) {
	packed := guests.Well("the manifest", "{}")
	bare := guests.Canned{Report: guests.Report("{}")}.Bytes()
	twice := guests.NewModule().Custom(wire.Section, []byte("a")).Custom(wire.Section, []byte("b")).Bytes()
	for _, c := range []struct {
		name  string
		wasm  []byte
		limit int64
		want  string
		kind  fault.Kind
		says  string
	}{
		{"packed", packed, 100, "the manifest", "", ""},
		{"none", bare, 100, "", fault.ABI, "stategate plugin pack"},
		{"twice", twice, 100, "", fault.ABI, "2 custom sections"},
		{"too large", packed, 5, "", fault.Limit, "has 12 bytes, at most 5"},
		{"no module", []byte("MZ"), 100, "", fault.Compile, "does not begin with the WebAssembly version 1 header"},
	} {
		got, err := wasmfile.Manifest(c.wasm, c.limit)
		if string(got) != c.want {
			t.Errorf("%s: manifest %q, want %q", c.name, got, c.want)
		}
		expect(t, c.name, err, c.kind, c.says)
	}
}

func expect(t *testing.T, name string, err error, kind fault.Kind, says string) {
	t.Helper()
	var f *fault.Failure
	switch {
	case kind == "" && err == nil:
	case kind == "" || !errors.As(err, &f) || f.Kind != kind || !strings.Contains(f.Message, says):
		t.Errorf("%s: %v, want %q with %q", name, err, kind, says)
	}
}

// TestWithManifest: packing is reversible and idempotent. What was written is read, writing it again changes nothing,
// and another manifest replaces it.
func TestWithManifest(t *testing.T) {
	first := must(t)(pack.Finish(guests.Canned{Report: guests.Report("{}")}.Bytes(), []byte("first"), nil))
	if !bytes.HasPrefix(first, guests.Canned{Report: guests.Report("{}")}.Bytes()) {
		t.Error("packing changed what stood before")
	}
	again := must(t)(pack.Finish(first, []byte("first"), nil))
	if !bytes.Equal(first, again) {
		t.Error("packing the same twice changes the file")
	}
	second := must(t)(pack.Finish(first, []byte("second"), nil))
	if got := must(t)(wasmfile.Manifest(second, 100)); string(got) != "second" {
		t.Errorf("manifest %q, want the second", got)
	}
	if len(second) != len(first)+1 {
		t.Errorf("%d bytes, want %d", len(second), len(first)+1)
	}
}

func must(t *testing.T) func([]byte, error) []byte {
	return func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func TestCheck(t *testing.T) {
	i64 := []byte{guests.I64}
	export := func(name string, results []byte) []byte {
		m := guests.NewModule()
		var code []byte
		if len(results) == 1 {
			code = guests.Const32(0)
		}
		return m.Export(name, m.Func(nil, results, 0, code)).Bytes()
	}
	importing := func(module, name string, params, results []byte) []byte {
		m := guests.NewModule()
		m.Import(module, name, params, results)
		f := m.Func(nil, nil, 0)
		return m.Export("stategate_abi_1", f).Export("describe", f).Export("examine", f).Bytes()
	}
	answering := func(results []byte) []byte {
		m := guests.NewModule()
		f := m.Func(nil, nil, 0)
		return m.Export("stategate_abi_1", f).Export("describe", f).Export("examine", f).Export("answer",
			m.Func(nil, results, 0, guests.Const32(0))).Bytes()
	}
	section := func(kind byte, content ...byte) []byte { return wasm.AppendSection([]byte(wasm.Header), kind, content) }
	named := func(kind byte, content ...byte) []byte {
		return wasm.AppendSection(guests.Well("m", "r"), 0,
			wasm.AppendSection(wasm.AppendName(nil, "name"), kind, content))
	}
	for _, c := range []struct {
		name string
		wasm []byte
		kind fault.Kind
		says string
	}{
		{"well", guests.Well("m", "r"), "", ""},
		{"no exports", guests.NewModule().Bytes(), fault.ABI, "not a stategate plugin"},
		{"older ABI", export("stategate_abi_0", nil), fault.ABI, "upgrade the plugin"},
		{"newer ABI", export("stategate_abi_2", nil), fault.ABI, "upgrade stategate"},
		{"ABI without a number", export("stategate_abi_x", nil), fault.ABI, "not a stategate plugin"},
		{"no describe", export("stategate_abi_1", nil), fault.ABI, `does not export the function "describe"`},
		{"answer with a result of its own", answering([]byte{0x7e}), fault.ABI,
			`its export "answer" must take no parameters`},
		{"answer", answering([]byte{0x7f}), "", ""},
		{"kernel memory", importing(wasmfile.Kernel, "alloc", i64, i64), "", ""},
		{"kernel function that traps", importing(wasmfile.Kernel, "var_get", i64, i64), "", ""},
		{"the same with another signature", importing(wasmfile.Kernel, "var_get", i64, nil), fault.ABI,
			"a signature that differs"},
		{"unknown kernel function", importing(wasmfile.Kernel, "file_read", i64, i64), fault.ABI, `"file_read"`},
		{"WASI", importing(wasmfile.WASI, "fd_write", i64, i64), "", ""},
		{"another module", importing("env", "memory_grow", nil, nil), fault.ABI, `"env"`},
		{"our own module", importing("stategate:guard", "proc_exit", nil, nil), fault.ABI, `"stategate:guard"`},
		{"component", []byte("\x00asm\x0d\x00\x01\x00"), fault.Compile, "component"},
		{"section twice", append(export("a", nil), 1, 1, 0), fault.Compile, "repeated or out of order"},
		{"unknown section", append(export("a", nil), 13, 1, 0), fault.Compile, "an unknown kind"},
		{"sections without end", append(guests.NewModule().Bytes(), bytes.Repeat([]byte{0, 1, 0}, 1001)...),
			fault.Compile, "more than 1000 sections"},
		{"types without end", []byte(wasm.Header + "\x01\x02\x91\x4e"), fault.Limit, "10001 types, at most 10000"},
		{"tables without end", section(4, 0xff, 0xff, 0x03), fault.Limit, "65535 tables, at most 100"},
		{"a table of all memory", section(4, 1, 0x70, 0, 0xff, 0xff, 0xff, 0x3f), fault.Compile,
			"section 4 cannot be read"},
		{"globals without end", section(6, 0xff, 0xff, 0xff, 0x7f), fault.Limit, "globals, at most 100000"},
		{"elements without end", section(9, 0xff, 0xff, 0xff, 0x7f), fault.Limit, "element segments, at most 100000"},
		{"an element without end", section(9, 1, 1, 0, 0xff, 0xff, 0xff, 0x7f), fault.Compile,
			"section 9 cannot be read"},
		{"an element of unknown kind", section(9, 1, 9, 0, 0), fault.Compile, "section 9 cannot be read"},
		{"elements of every kind", section(9, 8, 0, 0x41, 0, 0x0b, 0, 1, 0, 0, 2, 0, 0x41, 0, 0x0b, 0, 0, 3, 0, 0,
			4, 0x41, 0, 0x0b, 1, 0xd2, 0, 0x0b, 5, 0x70, 0, 6, 0, 0x41, 0, 0x0b, 0x70, 0, 7, 0x70, 0), fault.ABI,
			"not a stategate plugin"},
		{"data without end", section(11, 0xff, 0xff, 0xff, 0x7f), fault.Limit, "data segments, at most 100000"},
		{"a datum without end", section(11, 1, 1, 0xff, 0xff, 0xff, 0x7f), fault.Compile, "section 11 cannot be read"},
		{"data of every kind", section(11, 3, 0, 0x41, 0, 0x0b, 1, 'a', 1, 0, 2, 0, 0x23, 0, 0x0b, 0), fault.ABI,
			"not a stategate plugin"},
		{"names of the module", named(0, 1, 'm'), "", ""},
		{"names of functions", named(1, 1, 0, 1, 'f'), "", ""},
		{"names of locals", named(2, 1, 0, 1, 0, 1, 'l'), "", ""},
		{"names of another kind", named(9, 0xff), "", ""},
		{"names without end", named(1, 0xff, 0xff, 0xff, 0x7f), fault.Compile, "names cannot be read"},
		{"locals without end", named(2, 1, 0, 0xff, 0xff, 0xff, 0x7f), fault.Compile, "names cannot be read"},
		{"a name without end", named(0, 0xff, 0xff, 0xff, 0x7f), fault.Compile, "names cannot be read"},
		{"names past the section", append(guests.Well("m", "r"), 0, 7, 4, 'n', 'a', 'm', 'e', 1, 9), fault.Compile,
			"names cannot be read"},
		{"section past the end", append(export("a", nil), 0, 9, 1), fault.Compile, "past the end"},
	} {
		_, err := wasmfile.Check(c.wasm, limits.Default())
		expect(t, c.name, err, c.kind, c.says)
	}
}

func TestCheckCode(t *testing.T) {
	body := func(locals int, code ...[]byte) []byte {
		m := guests.NewModule()
		f := m.Func(nil, nil, locals, code...)
		return m.Export("stategate_abi_1", f).Export("describe", f).Export("examine", f).Bytes()
	}
	deep := func(n int) []byte {
		return append(bytes.Repeat([]byte{0x02, 0x40}, n), bytes.Repeat(guests.End, n)...)
	}
	small := limits.Default().Lower(limits.Limits{Locals: 10, Nesting: 10, Body: 100})
	for _, c := range []struct {
		name string
		wasm []byte
		kind fault.Kind
		says string
	}{
		{"nothing", body(0), "", ""},
		{"at the limits", body(10, deep(10)), "", ""},
		{"one local more", body(11), fault.Limit, "11 locals, at most 10"},
		{"one block more", body(0, deep(11)), fault.Limit, "11 nested blocks, at most 10"},
		{"long", body(0, bytes.Repeat([]byte{1}, 99)), fault.Limit, "101 bytes of code, at most 100"},
		{"tail call", body(0, []byte{0x12, 0}), fault.Compile, "0x12"},
		{"atomic", body(0, []byte{0xfe, 0}), fault.Compile, "0xfe"},
		{"relaxed vector", body(0, []byte{0xfd, 0x80, 2}), fault.Compile, "0xfd0100"},
		{"code after the end", body(0, guests.End, []byte{1}), fault.Compile, "cannot be read"},
		{"cut short", body(0, []byte{0x41}), fault.Compile, "cannot be read"},
	} {
		f, err := wasmfile.Check(c.wasm, small)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		expect(t, c.name, f.CheckCode(small), c.kind, c.says)
	}
}

func TestRedirect(t *testing.T) {
	f, err := wasmfile.Check(guests.Well("m", "r"), limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	moved, err := wasmfile.Read(f.Redirect(func(i wasmfile.Import) string {
		if i.Name == "output_set" {
			return "elsewhere"
		}
		return ""
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, was := range f.Imports {
		want := was.Module
		if was.Name == "output_set" {
			want = "elsewhere"
		}
		if got := moved.Imports[i]; got.Module != want || got.Name != was.Name ||
			!bytes.Equal(got.Type.Params, was.Type.Params) {
			t.Errorf("import %d is %v, was %v", i, got, was)
		}
	}
	if err := moved.CheckCode(limits.Default()); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// FuzzRead: no file, however hostile, makes the reader panic or take more than linear time. Packing keeps a readable
// file readable, and redirecting imports to the same module does not change what is read.
func FuzzRead(f *testing.F) {
	f.Add(guests.Well("manifest", "{}"))
	for _, s := range guests.All() {
		if len(s.Wasm) < 4<<10 {
			f.Add(s.Wasm)
		}
	}
	f.Fuzz(func(t *testing.T, wasm []byte) {
		start := time.Now()
		file, err := wasmfile.Read(wasm)
		if err == nil {
			_ = file.CheckCode(limits.Default())
			law(t, file, wasm)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%d bytes took %s", len(wasm), took)
		}
	})
}

func law(t *testing.T, file *wasmfile.File, wasm []byte) {
	same, err := wasmfile.Read(file.Redirect(func(i wasmfile.Import) string { return i.Module }))
	if err != nil || len(same.Imports) != len(file.Imports) || len(same.Exports) != len(file.Exports) ||
		same.Functions != file.Functions {
		t.Errorf("redirected: %v, %+v, was %+v", err, same, file)
	}
	packed, err := pack.Finish(wasm, []byte("m"), nil)
	if err != nil {
		t.Fatalf("pack: %v", err)
	}
	if got, err := wasmfile.Manifest(packed, 1); err != nil || string(got) != "m" {
		t.Errorf("packed manifest %q, %v", got, err)
	}
	if _, err := wasmfile.Read(packed); err != nil {
		t.Errorf("packed: %v", err)
	}
}
