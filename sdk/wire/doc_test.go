package wire_test

import (
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// TestDocumentedRequest checks the bytes of the request in doc.go: they are decoded to the documented request and
// encoded to the same bytes.
func TestDocumentedRequest(t *testing.T) {
	shown := documentedBytes(t)
	r, err := wire.DecodeRequest(shown)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Documents) != 1 || r.Documents[0].Text != "# Hi\n" || r.Root != ".notes/a" {
		t.Fatalf("read %+v", r)
	}
	o, err := markdown.Decode(r.Documents[0].Text, r.Documents[0].Outline)
	if err != nil {
		t.Fatal(err)
	}
	want := markdown.Node{Kind: markdown.KindHeading, Data: 1, Parent: -1, Line: 1, Start: 0, End: 4}
	if len(o.Nodes) != 1 || o.Nodes[0] != want {
		t.Errorf("the outline is %+v, want %+v", o.Nodes, want)
	}
	if again := wire.EncodeRequest(r); string(again) != string(shown) {
		t.Errorf("written again it is\n%s", hex.Dump(again))
	}
}

func documentedBytes(t *testing.T) []byte {
	t.Helper()
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, line := range regexp.MustCompile(`(?m)^//\t[0-9a-f]{4}  ((?:[0-9a-f]{2} ){1,16}) `).FindAllStringSubmatch(
		string(page), -1) {
		data, err := hex.DecodeString(strings.ReplaceAll(line[1], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}

// TestDocumentedKinds checks that doc.go lists all kinds, by number.
func TestDocumentedKinds(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^//\t ?([0-9]{1,2}) ([a-z]+(?: [a-z]+)?)(?:  |$)`).FindAllStringSubmatch(
		string(page), -1)
	if got, want := len(names), int(markdown.KindList); got != want {
		t.Errorf("the page lists %d kinds, want %d", got, want)
	}
	for _, k := range []struct {
		kind markdown.Kind
		name string
	}{{markdown.KindHeading, "heading"}, {markdown.KindCell, "cell"}, {markdown.KindTask, "task"},
		{markdown.KindCode, "code"}, {markdown.KindFrontMatter, "front matter"},
		{markdown.KindBox, "box"}, {markdown.KindList, "list"}} {
		if n := int(k.kind); n > len(names) || names[n-1][2] != k.name {
			t.Errorf("kind %d is not listed as %q", n, k.name)
		}
	}
}
