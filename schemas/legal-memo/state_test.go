package legalmemo_test

import (
	"maps"
	"os"
	"testing"

	legalmemo "github.com/stategate/stategate/schemas/legal-memo"
)

func TestTextsAreThoseOfTheirFiles(t *testing.T) {
	texts := map[string]string{"options": legalmemo.Options}
	maps.Copy(texts, legalmemo.All)
	for name, text := range texts {
		file, err := os.ReadFile(name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		if string(file) != text {
			t.Errorf("the text of %s in state.go differs from its file; copy the file", name)
		}
	}
}
