package ocr_test

import (
	"os"
	"testing"

	"github.com/stategate/stategate/schemas/ocr"
)

func TestStateIsTheTextOfItsFile(t *testing.T) {
	text, err := os.ReadFile("state.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != ocr.State {
		t.Error("State in state.go differs from state.schema.json; copy the text of the file")
	}
}
