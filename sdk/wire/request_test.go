package wire

import (
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// example is the request in doc.go.
func example() *Request {
	doc := Document{Path: "a.md", Format: Markdown, Need: Content, Size: 5, Text: "# Hi\n",
		Outline: make([]byte, nodeSize)}
	old := doc
	old.Same = true
	return &Request{
		Root: "x", Documents: []Document{doc, {Path: "b.png", Need: Listed, Size: 70}},
		Base: Base{State: BaseAt, Root: "x", Documents: []Document{old}},
	}
}

func TestBytesOfARequest(t *testing.T) {
	header := `{"root":"x","documents":[{"path":"a.md","format":"markdown","need":"content","size":5,"text":[0,5],` +
		`"outline":[8,20]},` +
		`{"path":"b.png","size":70}],"base":{"state":"at","root":"x","documents":[{"same":true,"path":"a.md"}]}}`
	pad := strings.Repeat(" ", (4-len(header)%4)%4)
	length := len(header) + len(pad)
	want := string([]byte{byte(length), byte(length >> 8), 0, 0}) + header + pad + "# Hi\n\x00\x00\x00" +
		strings.Repeat("\x00", 20)
	if got := string(EncodeRequest(example())); got != want {
		t.Errorf("encoded\n%q, expected\n%q", got, want)
	}
}

func TestUnchangedBaseDocumentsComeBackWhole(t *testing.T) {
	got, err := DecodeRequest(EncodeRequest(example()))
	if err != nil {
		t.Fatal(err)
	}
	now, then := got.Documents[0], got.Base.Documents[0]
	if !then.Same || now.Same {
		t.Errorf("Same is %v then and %v now, expected it in the base only", then.Same, now.Same)
	}
	if then.Text != now.Text || then.Size != 5 || then.Format != Markdown || len(then.Outline) != nodeSize {
		t.Errorf("the base has %+v, expected what the present has", then)
	}
}

func TestTextsAreNotCopiedAndOutlinesAreAligned(t *testing.T) {
	r := example()
	r.Documents = append(r.Documents, Document{Path: "c.txt", Text: "behind"})
	data := EncodeRequest(r)
	got, err := DecodeRequest(data)
	if err != nil {
		t.Fatal(err)
	}
	d := got.Documents[0]
	if at := strings.Index(string(data), "# Hi"); unsafe.StringData(d.Text) != &data[at] {
		t.Error("the text was copied")
	}
	for i := range data {
		if &data[i] == &d.Outline[0] && i%alignment != 0 {
			t.Errorf("the outline is at byte %d, expected a multiple of %d", i, alignment)
		}
	}
	if cap(d.Outline) != len(d.Outline) {
		t.Error("appending to the outline would write after it")
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, header, want string }{
		{"text past the end", `{"documents":[{"path":"a","text":[1,8]}]}`,
			`documents[0].text: found 8 bytes at 1, expected them inside an attachment of 8`},
		{"an offset past the end", `{"documents":[{"path":"a","text":[9,0]}]}`,
			`documents[0].text: found 0 bytes at 9, expected them inside an attachment of 8`},
		{"a length that overflows", `{"documents":[{"path":"a","text":[1,9223372036854775807]}]}`,
			`documents[0].text: found 9223372036854775807 bytes at 1, expected them inside an attachment of 8`},
		{"a negative offset", `{"documents":[{"path":"a","text":[-1,1]}]}`,
			`documents[0].text[0]: found -1, expected at least 0`},
		{"one number", `{"documents":[{"path":"a","text":[1]}]}`,
			`documents[0].text: found 1 numbers, expected an offset and a length`},
		{"three numbers", `{"documents":[{"path":"a","text":[1,1,1]}]}`,
			`documents[0].text[2]: found a third number, expected an offset and a length`},
		{"the text itself", `{"documents":[{"path":"a","text":"# Hi"}]}`,
			`documents[0].text: found a string, expected an array`},
		{"an outline at an odd place", `{"documents":[{"path":"a","outline":[2,0]}]}`,
			`documents[0].outline: found the offset 2, expected a multiple of 4`},
		{"part of a node", `{"documents":[{"path":"a","outline":[0,8]}]}`,
			`documents[0].outline: found 8 bytes, expected whole nodes of 20`},
		{"the same as nothing", `{"documents":[{"path":"b"}],"base":{"documents":[{"path":"a","same":true}]}}`,
			`base.documents[0].same: found "a", expected the path of a present document`},
		{"documents out of order", `{"documents":[{"path":"b"},{"path":"a"}]}`,
			`documents[1].path: found "a" after "b", expected each path once, sorted`},
		{"a document twice", `{"base":{"documents":[{"path":"a"},{"path":"a"}]}}`,
			`base.documents[1].path: found "a" after "a", expected each path once, sorted`},
		{"no header", ``, `found the end, expected an object`},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := append([]byte{byte(len(c.header)), 0, 0, 0}, c.header+"attached"...)
			_, err := DecodeRequest(data)
			if want := "decode request: " + c.want; err == nil || err.Error() != want {
				t.Errorf("got error\n%v, expected\n%s", err, want)
			}
		})
	}
}

func TestRequestsThatAreCutOff(t *testing.T) {
	data := EncodeRequest(example())
	for n := range data {
		if _, err := DecodeRequest(data[:n]); err == nil {
			t.Errorf("accepted the first %d of %d bytes", n, len(data))
		}
	}
}

// TestAnswers checks the example in doc.go, and answers that do not match the questions of the last report.
func TestAnswers(t *testing.T) {
	ask := []string{"a", "b"}
	now, then := []Answer{{"a", Present}, {"b", Unseen}}, []Answer{{"a", Absent}, {"b", Unseen}}
	data := EncodeAnswers(now, then)
	if want := `{"now":["present","unseen"],"base":["absent","unseen"]}`; string(data) != want {
		t.Errorf("encoded %s, expected %s", data, want)
	}
	if gotNow, gotThen, err := DecodeAnswers(data, ask); err != nil || !slices.Equal(gotNow, now) ||
		!slices.Equal(gotThen, then) {
		t.Errorf("decoded %v and %v, %v; expected %v and %v", gotNow, gotThen, err, now, then)
	}
	for text, want := range map[string]string{
		`{"now":["present"],"base":["absent","unseen"]}`: "decode answers: found 1 now and 2 base, expected " +
			"2 of each",
		`{"now":["present","there"],"base":["absent","unseen"]}`: `decode answers: now[1]: found "there", expected ` +
			`"unseen", "absent", "present" or "unchanged"`,
		`{"now":["present","absent"]}`: "decode answers: found 2 now and 0 base, expected " +
			"2 of each",
	} {
		if _, _, err := DecodeAnswers([]byte(text), ask); err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", text, err, want)
		}
	}
}

// TestAppendRequest checks that the encoding does not depend on the bytes before it or on a reused buffer.
func TestAppendRequest(t *testing.T) {
	node := make([]byte, nodeSize)
	r := &Request{Root: ".toy", Documents: []Document{
		{Path: "a.md", Format: Markdown, Text: "odd", Outline: node},
		{Path: "b.md", Format: Markdown, Text: "é", Outline: node},
	}}
	want := EncodeRequest(r)
	for n := range 9 {
		prefix := strings.Repeat("x", n)
		dirty := append([]byte(prefix), strings.Repeat("\xee", 2*len(want))...)
		if got := AppendRequest(dirty[:n], r); string(got) != prefix+string(want) {
			t.Errorf("behind %d bytes: got %q, want %q", n, got[n:], want)
		}
	}
}
