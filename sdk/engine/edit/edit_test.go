package edit_test

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

func files(pairs ...string) edit.Files {
	f := edit.Files{}
	for i := 0; i < len(pairs); i += 2 {
		f[pairs[i]] = edit.File{Data: []byte(pairs[i+1])}
	}
	return f
}

func env() edit.Env {
	return edit.Env{
		Now: time.Date(2026, 3, 10, 13, 0, 0, 987, time.FixedZone("", 3600)), Root: "runs/a",
		Base: files("state.json", "\xef\xbb\xbf{\r\n}"),
		CheckRoot: func(to string) error {
			if !strings.HasPrefix(to, "runs/") {
				return errors.New("no run can be there")
			}
			return nil
		},
	}
}

// show lists documents, and directories without documents, one per line.
func show(f edit.Files) string {
	var lines []string
	for name, file := range f {
		switch {
		case file.Unread:
			lines = append(lines, name+" unread")
		case !strings.HasSuffix(name, "/"):
			lines = append(lines, fmt.Sprintf("%s %q", name, file.Data))
		case !parentOfSome(f, name):
			lines = append(lines, name)
		}
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

func parentOfSome(f edit.Files, dir string) bool {
	for name := range f {
		if name != dir && strings.HasPrefix(name, dir) {
			return true
		}
	}
	return false
}

func TestApply(t *testing.T) {
	nested := files("r/1/a.md", "A", "r/1/b.md", "B", "r/2/", "", "s", "S")
	unread := edit.Files{"r/x.bin": {Unread: true}}
	tests := []struct {
		name  string
		files edit.Files
		edits []wire.Edit
		want  string
	}{
		{"replace bytes", files("a", "héllo"), []wire.Edit{sdk.Replace(sdk.AtBytes("a", 1, 3), "e")}, `a "hello"`},
		{"replace a line", files("a", "1\n2\n3\n"), []wire.Edit{sdk.Replace(sdk.AtLine("a", 2), "x\ny")},
			`a "1\nx\ny\n3\n"`},
		{"replace keeps CRLF and mark", files("a", "\xef\xbb\xbf1\r\n2\r\n"),
			[]wire.Edit{sdk.Replace(sdk.AtLine("a", 2), "x\ny")}, `a "\ufeff1\r\nx\r\ny\r\n"`},
		{"insert before a line feed of CRLF", files("a", "1\r\n2\r\n"),
			[]wire.Edit{sdk.Replace(sdk.AtBytes("a", 2, 2), "x")}, `a "1x\r\n2\r\n"`},
		{"new text loses CRLF", files("a", "1\n2\n"), []wire.Edit{sdk.Replace(sdk.AtLine("a", 1), "x\r\ny")},
			`a "x\ny\n2\n"`},
		{"replacements hold the old places", files("a", "abcdef"),
			[]wire.Edit{sdk.Replace(sdk.AtBytes("a", 4, 5), "EEE"), sdk.Replace(sdk.AtBytes("a", 1, 2), "")},
			`a "acdEEEf"`},
		{"insert beside a replacement", files("a", "abc"),
			[]wire.Edit{sdk.Replace(sdk.AtBytes("a", 1, 2), "B"), sdk.Replace(sdk.AtBytes("a", 1, 1), "_"),
				sdk.Replace(sdk.AtBytes("a", 2, 2), "+")}, `a "a_B+c"`},
		{"insert at the top", files("a", "abc"), []wire.Edit{sdk.Replace(sdk.AtBytes("a", 0, 0), "x")}, `a "xabc"`},
		{"identical edits count once", files("a", "abc"),
			[]wire.Edit{sdk.Replace(sdk.AtBytes("a", 1, 1), "x"), sdk.Replace(sdk.AtBytes("a", 1, 1), "x")},
			`a "axbc"`},
		{"fill an empty document", files("a", ""), []wire.Edit{sdk.Replace(sdk.At("a"), "x")}, `a "x"`},
		{"now", files("a", "{}"), []wire.Edit{sdk.Set("a", "/t", `"${now}"`)}, `a "{\"t\":\"2026-03-10T12:00:00Z\"}"`},
		{"a text that looks like the time", files("a", "b\n"), sdk.Edits("a", markdown.Edit{End: 1,
			New: "write ${now} and $${now}"}), `a "write ${now} and $${now}\n"`},
		{"set, unset and replace", files("a", `{"a": 1, "b": 2, "c": 3}`),
			[]wire.Edit{sdk.Set("a", "/d", "4"), sdk.Unset("a", "/a"), sdk.Replace(sdk.AtPointer("a", "/b"), "22")},
			`a "{\"b\": 22, \"c\": 3, \"d\": 4}"`},
		{"set keeps mark and CRLF", files("a", "\xef\xbb\xbf{\r\n  \"a\": 1\r\n}\r\n"),
			[]wire.Edit{sdk.Set("a", "/b", "2")}, `a "\ufeff{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n"`},
		{"missing parents are shared", files("a", `{"x": 1}`),
			[]wire.Edit{sdk.Set("a", "/m/b", "1"), sdk.Set("a", "/m/a", "2")},
			`a "{\"x\": 1, \"m\": {\"b\": 1, \"a\": 2}}"`},
		{"indexes are the old ones", files("a", `[0, 1, 2, 3]`),
			[]wire.Edit{sdk.Unset("a", "/0"), sdk.Unset("a", "/2"), sdk.Set("a", "/3", "33"), sdk.Set("a", "/-", "4")},
			`a "[1, 33, 3, 4]"`},
		{"inside an element that shifts", files("a", `[{"k": 0}, {"k": 1}]`),
			[]wire.Edit{sdk.Unset("a", "/0"), sdk.Set("a", "/1/k", "9")}, `a "[{\"k\": 9}]"`},
		{"insert before and change", files("a", `[{"k": 0}, {"k": 1}]`),
			[]wire.Edit{sdk.Set("a", "/1", "7"), sdk.Set("a", "/1/k", "9"), sdk.Set("a", "/0", "6")},
			`a "[6, {\"k\": 0}, 7, {\"k\": 9}]"`},
		{"indexes above nine", files("a", `[0,1,2,3,4,5,6,7,8,9,10,11]`),
			[]wire.Edit{sdk.Unset("a", "/2"), sdk.Unset("a", "/10")}, `a "[0,1,3,4,5,6,7,8,9,11]"`},
		{"create", files("a", "1"), []wire.Edit{sdk.Create("d/b", "x\r\n${now}")},
			"a \"1\"\nd/b \"x\\r\\n2026-03-10T12:00:00Z\""},
		{"create over", files("a", "1"), []wire.Edit{sdk.Create("a", "2")}, `a "2"`},
		{"create numbered", files("n-1.md", "", "N-2.md", ""),
			[]wire.Edit{sdk.Create("n-{n}.md", "x"), sdk.Create("n-{n}.md", "y")},
			"N-2.md \"\"\nn-1.md \"\"\nn-3.md \"x\"\nn-4.md \"y\""},
		{"restore", files("state.json", "x"), []wire.Edit{sdk.Restore("state.json")}, `state.json "\ufeff{\r\n}"`},
		{"aside and create", files("state.json", "x", "state.old.json", "y"),
			[]wire.Edit{sdk.Create("state.json", "{}"), sdk.Aside("state.json", "old")},
			"state.json \"{}\"\nstate.old-2.json \"x\"\nstate.old.json \"y\""},
		{"aside without an extension", files(".env", "x", "r/1/a", ""),
			[]wire.Edit{sdk.Aside(".env", "old"), sdk.Aside("r/1/", "old")}, ".env.old \"x\"\nr/1.old/a \"\""},
		{"move a directory", nested, []wire.Edit{sdk.Move("r/1/", "q/1/"),
			sdk.Replace(sdk.AtBytes("r/1/a.md", 1, 1), "+")}, "q/1/a.md \"A+\"\nq/1/b.md \"B\"\nr/2/\ns \"S\""},
		{"move in a row", files("a", "A", "b", "B"), []wire.Edit{sdk.Move("a", "b"), sdk.Move("b", "c")},
			"b \"A\"\nc \"B\""},
		{"move into what moves", files("0", "0", "a/x", "X"), []wire.Edit{sdk.Move("0", "b/0"), sdk.Move("a/", "b/")},
			"b/0 \"0\"\nb/x \"X\""},
		{"rename by case only", files("A.md", "A"), []wire.Edit{sdk.Move("A.md", "a.md")}, `a.md "A"`},
		{"move what is unread", unread, []wire.Edit{sdk.Move("r/x.bin", "x.bin")}, "r/\nx.bin unread"},
		{"remove leaves the directory", nested, []wire.Edit{sdk.Remove("r/1/a.md"), sdk.Remove("r/1/b.md"),
			sdk.Remove("r/2/")}, "r/1/\ns \"S\""},
		{"unmark", files("a", "\xef\xbb\xbf{}"), []wire.Edit{sdk.Unmark("a"), sdk.Set("a", "/x", "1")},
			`a "{\"x\":1}"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := show(test.files)
			result, err := edit.Apply(test.files, test.edits, env())
			if err != nil {
				t.Fatal(err)
			}
			if got := show(result.Files); got != test.want {
				t.Errorf("documents\n%s\nwant\n%s", got, test.want)
			}
			if got := show(test.files); got != before {
				t.Errorf("Apply changed its input to\n%s", got)
			}
			checkChanges(t, test.files, result)
		})
	}
}

// checkChanges makes the changes in order, as strictly as a disk would, and expects the documents of the result.
func checkChanges(t *testing.T, was edit.Files, r *edit.Result) {
	t.Helper()
	disk := edit.Files{}
	put := func(name string, f edit.File) {
		disk[name] = f
		for i := range name {
			if name[i] == '/' {
				disk[name[:i+1]] = edit.File{}
			}
		}
	}
	for name, f := range was {
		put(name, f)
	}
	for _, c := range r.Changes {
		if _, ok := disk[c.Path]; ok && c.Kind == edit.Rename {
			t.Errorf("rename %s to %s, which exists", c.From, c.Path)
		}
		switch c.Kind {
		case edit.Delete:
			delete(disk, c.Path)
		case edit.Write:
			put(c.Path, edit.File{Data: c.Data})
		case edit.Rename:
			for name, f := range disk {
				if name == c.From || strings.HasSuffix(c.From, "/") && strings.HasPrefix(name, c.From) {
					delete(disk, name)
					put(c.Path+strings.TrimPrefix(name, c.From), f)
				}
			}
		}
	}
	if !disk.Same(r.Files) {
		t.Errorf("the changes lead to\n%s\nand the result says\n%s", show(disk), show(r.Files))
	}
}

func TestApplyRefuses(t *testing.T) {
	doc := files("a", "héllo\n", "j", `{"a": {"b": 1}, "l": [1, 2]}`, "d/x", "X", "Big", "", "u", "\xff")
	doc["n"] = edit.File{Unread: true}
	tests := []struct {
		name  string
		edits []wire.Edit
		want  string
	}{
		{"overlap", []wire.Edit{sdk.Replace(sdk.AtBytes("a", 3, 5), "x"), sdk.Replace(sdk.AtBytes("a", 4, 6), "y")},
			`replace a[3:5] conflicts with replace a[4:6]: both change the same place`},
		{"two inserts", []wire.Edit{sdk.Replace(sdk.AtBytes("a", 3, 3), "x"), sdk.Replace(sdk.AtBytes("a", 3, 3), "y")},
			`replace a[3:3] conflicts with replace a[3:3]: both change the same place`},
		{"set and unset", []wire.Edit{sdk.Set("j", "/a", "1"), sdk.Unset("j", "/a")},
			`set j#/a conflicts with unset j#/a: both change the same value`},
		{"below", []wire.Edit{sdk.Set("j", "/a/b", "2"), sdk.Unset("j", "/a")},
			`unset j#/a conflicts with set j#/a/b: one changes a value inside one that the other replaces or removes`},
		{"create and remove", []wire.Edit{sdk.Create("a", "x"), sdk.Remove("a")},
			`create a conflicts with remove a: one removes what the other creates`},
		{"create and set", []wire.Edit{sdk.Create("j", "x"), sdk.Set("j", "/a", "1")},
			`create j conflicts with set j#/a: both write the document`},
		{"create twice", []wire.Edit{sdk.Create("z", "x"), sdk.Create("z", "y")},
			`create z conflicts with create z: both write the document`},
		{"set aside and edited", []wire.Edit{sdk.Aside("j", "old"), sdk.Set("j", "/a", "1")},
			`aside j as "old" conflicts with set j#/a: one edits the document that the other removes`},
		{"aside and move", []wire.Edit{sdk.Aside("j", "old"), sdk.Move("j", "k")},
			`aside j as "old" conflicts with move j to "k": both remove it`},
		{"swap", []wire.Edit{sdk.Move("a", "j"), sdk.Move("j", "a")},
			`move a to "j" conflicts with move j to "a": each needs a name that the other still has; apply them ` +
				`one after the other`},
		{"in a directory that goes", []wire.Edit{sdk.Move("d/", "e/"), sdk.Create("d/y", "")},
			`move d/ to "e/" conflicts with create d/y: the directory above it is removed`},
		{"no range", []wire.Edit{sdk.Replace(sdk.At("a"), "x")},
			`replace a: it has no range; use Create to write the whole document, or specify a line or bytes`},
		{"split character", []wire.Edit{sdk.Replace(sdk.AtBytes("a", 2, 3), "x")},
			`replace a[2:3]: byte 2 is inside a character`},
		{"past the end", []wire.Edit{sdk.Replace(sdk.AtBytes("a", 2, 99), "x")},
			`replace a[2:99]: bytes 2 to 99 are not in the text, which has 7`},
		{"no such line", []wire.Edit{sdk.Replace(sdk.AtLine("a", 9), "x")},
			`replace a:9: line 9 is not in the text, which has 1`},
		{"no document", []wire.Edit{sdk.Set("zz", "/a", "1")}, `set zz#/a: there is no such document`},
		{"unread", []wire.Edit{sdk.Set("n", "/a", "1")}, `set n#/a: the document's content is not available`},
		{"not UTF-8", []wire.Edit{sdk.Set("u", "/a", "1")}, `set u#/a: the document is not UTF-8`},
		{"no mark", []wire.Edit{sdk.Unmark("a")}, `unmark a: the document has no byte-order mark`},
		{"mixed", []wire.Edit{sdk.Set("j", "/a", "1"), sdk.Replace(sdk.AtLine("j", 1), "1")},
			`replace j:1: a document that is edited with set or unset allows no other replacement than that of a ` +
				`value by its pointer`},
		{"absolute", []wire.Edit{sdk.Create("/etc/x", "")},
			`create /etc/x: the name "/etc/x" is absolute; names are relative to the root`},
		{"above", []wire.Edit{sdk.Create("d/../../x", "")}, `create d/../../x: the name "d/../../x" has the part ".."`},
		{"device", []wire.Edit{sdk.Move("a", "d/nul.txt")},
			`move a to "d/nul.txt": the name "d/nul.txt" has the part "nul.txt", which Windows reserves`},
		{"drive", []wire.Edit{sdk.Create("c:x", "")},
			`create c:x: the name "c:x" has one of <>:"|?*\, which Windows refuses`},
		{"git", []wire.Edit{sdk.Create(".G\u200cIT/hooks/x", "")},
			"create .G\\u200cIT/hooks/x: the name \".G\\u200cIT/hooks/x\" leads into git's own folder"},
		{"case", []wire.Edit{sdk.Create("big", "")},
			`create big: "big" differs from "Big", which exists, in case or Unicode form only`},
		{"case above", []wire.Edit{sdk.Create("D/y", "")},
			`create D/y: "D/" differs from "d/", which exists, in case or Unicode form only`},
		{"two of one fold", []wire.Edit{sdk.Create("x\u00e9", ""), sdk.Create("xe\u0301", "")},
			"create xe\u0301: \"xe\u0301\" differs from \"xé\", which exists, in case or Unicode form only"},
		{"below a document", []wire.Edit{sdk.Create("a/y", "")},
			`create a/y: "a" exists, and cannot be a document and a directory`},
		{"taken", []wire.Edit{sdk.Move("a", "j")}, `move a to "j": "j" exists`},
		{"full directory", []wire.Edit{sdk.Remove("d/")}, `remove d/: the directory is not empty`},
		{"no base", []wire.Edit{sdk.Restore("a")}, `restore a: the base has no such document`},
		{"no place for the root", []wire.Edit{sdk.MoveRoot("etc")}, `move-root to "etc": no run can be there`},
		{"aside as a path", []wire.Edit{sdk.Aside("a", "../x")},
			`aside a as "../x": expected a word of lowercase letters, digits and hyphens, found "../x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := edit.Apply(doc, test.edits, env())
			if err == nil || err.Error() != test.want {
				t.Errorf("error\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

func TestMerge(t *testing.T) {
	remedies := [][]wire.Edit{
		{sdk.Set("j", "/a", "1"), sdk.Set("j", "/t", `"${now}"`)},
		{sdk.Set("j", "/a", "2"), sdk.Set("j", "/b", "2")},
		{sdk.Set("j", "/c", "3"), sdk.Set("j", "/t", `"${now}"`)},
	}
	result, skipped, err := edit.Merge(files("j", "{}"), remedies, env())
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"a":1,"t":"2026-03-10T12:00:00Z","c":3}`; string(result.Files["j"].Data) != want {
		t.Errorf("merged to %s, want %s", result.Files["j"].Data, want)
	}
	var conflict *edit.Conflict
	if len(skipped) != 1 || skipped[0].Index != 1 || !errors.As(skipped[0].Err, &conflict) {
		t.Errorf("skipped %v, want the second for its conflict", skipped)
	}
}

func TestMoveRoot(t *testing.T) {
	result, err := edit.Apply(files("a", ""), []wire.Edit{sdk.MoveRoot("runs/b/"), sdk.Create("a", "x")}, env())
	if err != nil || result.Root != "runs/b" || string(result.Files["a"].Data) != "x" {
		t.Errorf("root %q, a %q, error %v", result.Root, result.Files["a"].Data, err)
	}
}

// FuzzReplace compares replaceAll with applying the replacements one by one, the last one first.
func FuzzReplace(f *testing.F) {
	f.Add("one\r\ntwo\r\n", 1, 2, 5, 7, "x\ny")
	f.Fuzz(func(t *testing.T, text string, a, b, c, d int, with string) {
		edits := []wire.Edit{sdk.Replace(sdk.AtBytes("a", a, b), with), sdk.Replace(sdk.AtBytes("a", c, d), with+".")}
		both, err := edit.Apply(files("a", text), edits, env())
		if err != nil || strings.HasPrefix(text, "\xef\xbb\xbf") {
			return
		}
		if a > c || a == c && b > d {
			edits[0], edits[1] = edits[1], edits[0]
		}
		late, err := edit.Apply(files("a", text), edits[1:], env())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "\r\n") || strings.Contains(with, "\n") {
			return
		}
		early, err := edit.Apply(late.Files, edits[:1], env())
		if err != nil || !bytes.Equal(early.Files["a"].Data, both.Files["a"].Data) {
			t.Errorf("together %q, one by one %q, error %v", both.Files["a"].Data, early.Files["a"].Data, err)
		}
	})
}

// TestWorkIsBounded checks that the number of changed values is limited, because a plugin determines that number and
// the host applies edits without a deadline.
func TestWorkIsBounded(t *testing.T) {
	large := files("state.json", `{"a":"`+strings.Repeat("x", 3<<20)+`"}`)
	set := func(i int) wire.Edit {
		return wire.Edit{Op: wire.Set, Range: wire.Range{Path: "state.json", Pointer: fmt.Sprintf("/b%d", i)}, New: "1"}
	}
	var all []wire.Edit
	var remedies [][]wire.Edit
	for i := range 900 {
		all, remedies = append(all, set(i)), append(remedies, []wire.Edit{set(i)})
	}
	began := time.Now()
	if _, err := edit.Apply(large, all, env()); err == nil || !strings.Contains(err.Error(), "limit is 256 MiB") {
		t.Errorf("got %v, want a refusal", err)
	}
	if _, err := edit.Apply(large, all[:2], env()); err != nil {
		t.Error(err)
	}
	r, skipped, err := edit.Merge(large, remedies, env())
	if err != nil || len(skipped) == 0 || len(skipped) == len(remedies) ||
		!strings.Contains(string(r.Files["state.json"].Data), "b0") {
		t.Errorf("%d of %d are skipped, %v", len(skipped), len(remedies), err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// The parent process of the workers applies edits itself. To keep an untrusted remedy from occupying it, the bytes are
// counted before they are read.
func TestWorkIsCountedBeforeItIsDone(t *testing.T) {
	large := files("a.json", `{"pad":"`+strings.Repeat("x", 4<<20)+`"}`)
	var edits []wire.Edit
	for i := range 64 {
		edits = append(edits, wire.Edit{Op: wire.Set,
			Range: wire.Range{Path: "a.json", Pointer: fmt.Sprintf("/k%d", i)}, New: "1"})
	}
	if _, err := edit.Apply(large, edits, env()); err == nil ||
		!strings.Contains(err.Error(), "64 edits read 256 MiB of documents, the limit is 256 MiB; make them in "+
			"several steps") {
		t.Errorf("got %v, expected a refusal that says how much would be read", err)
	}
}
