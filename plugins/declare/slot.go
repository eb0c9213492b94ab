package declare

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// Mark begins the slot of a guest. The host searches the guest for these bytes.
const Mark = "stategate declaration slot:"

// SlotSize is the maximum size of a declaration in bytes, as JSON.
const SlotSize = 16 << 10

// blank is the initial content of the slot: the mark and room for a declaration. JSON ignores the spaces.
const blank = Mark + room3 + room3 + room3 + room3

const (
	room1 = "                                                                "
	room2 = room1 + room1 + room1 + room1 + room1 + room1 + room1 + room1
	room3 = room2 + room2 + room2 + room2 + room2 + room2 + room2 + room2
)

// slot is a variable, so that the compiler does not treat its content as constant.
var slot = blank

// Slot returns the declaration that the host wrote into this guest, or "" if there is none.
func Slot() string { return strings.TrimSpace(slot[len(Mark):]) }

// Fill writes a declaration into a guest. It returns false if the guest has no slot or the text does not fit.
func Fill(guest []byte, json string) bool {
	at := bytes.Index(guest, []byte(Mark))
	if at < 0 || len(json) > SlotSize || len(guest) < at+len(Mark)+SlotSize {
		return false
	}
	copy(guest[at+len(Mark):], json)
	return true
}

// Served returns the workflow that this guest runs.
func Served() *sdk.Workflow {
	d, err := Load(cmp.Or(Slot(), none))
	if err != nil {
		panic(err.Error())
	}
	return d.Workflow()
}

// none is the declaration of a guest into which no declaration was written.
const none = `{"declare": 1, "workflow": "undeclared", "doc": "A guest without a declaration.",
	"roots": [{"dir": "undeclared", "has": ["undeclared.json"]}], "documents": {"file": {"file": "undeclared.json"}},
	"rules": {"undeclared": {"doc": "No declaration was written into this guest.", "when": true, "say": "none"}}}`
