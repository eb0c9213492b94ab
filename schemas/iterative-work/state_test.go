package iterativework_test

import (
	"os"
	"testing"

	iterativework "github.com/stategate/stategate/schemas/iterative-work"
)

func TestStateIsTheTextOfItsFile(t *testing.T) {
	text, err := os.ReadFile("state.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != iterativework.State {
		t.Error("State in state.go differs from state.schema.json; copy the text of the file")
	}
}
