package declare

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// Mark begins the slot of a guest: the host finds it by these bytes.
const Mark = "stategate declaration slot:"

// SlotSize is how many bytes a declaration may have as JSON.
const SlotSize = 16 << 10

// blank is what the linker puts into the guest: the mark and room for a declaration. Spaces are no part of JSON.
const blank = Mark + room3 + room3 + room3 + room3

const (
	room1 = "                                                                "
	room2 = room1 + room1 + room1 + room1 + room1 + room1 + room1 + room1
	room3 = room2 + room2 + room2 + room2 + room2 + room2 + room2 + room2
)

// slot is a variable, so that the compiler does not know what it holds.
var slot = blank

// Slot returns the declaration that the host wrote into this guest, or "" if it wrote none.
func Slot() string { return strings.TrimSpace(slot[len(Mark):]) }

// Fill writes a declaration into a guest. It reports false if the guest has no slot or the text does not fit.
func Fill(guest []byte, json string) bool {
	at := bytes.Index(guest, []byte(Mark))
	if at < 0 || len(json) > SlotSize || len(guest) < at+len(Mark)+SlotSize {
		return false
	}
	copy(guest[at+len(Mark):], json)
	return true
}

// Served is the workflow that this guest runs.
func Served() *sdk.Workflow {
	d, err := Load(cmp.Or(Slot(), none))
	if err != nil {
		panic(err.Error())
	}
	return d.Workflow()
}

// none is what a guest runs into which no declaration was written.
const none = `{"declare": 1, "workflow": "undeclared", "doc": "A guest without a declaration.",
	"roots": [{"dir": "undeclared", "has": ["undeclared.json"]}], "documents": {"file": {"file": "undeclared.json"}},
	"rules": {"undeclared": {"doc": "No declaration was written into this guest.", "when": true, "say": "none"}}}`
