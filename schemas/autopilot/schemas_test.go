package autopilot_test

import (
	"os"
	"testing"

	"github.com/stategate/stategate/schemas/autopilot"
)

func TestEveryTextIsThatOfItsFile(t *testing.T) {
	for name, text := range map[string]string{
		"thresholds": autopilot.Thresholds, "acknowledgments": autopilot.Acknowledgments,
		"triggers": autopilot.Triggers, "options": autopilot.Options,
	} {
		file, err := os.ReadFile(name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		if string(file) != text {
			t.Errorf("the text of %s.schema.json differs from the constant in schemas.go; copy the text of the file",
				name)
		}
	}
}
