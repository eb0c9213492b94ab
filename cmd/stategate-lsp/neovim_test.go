package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/cmd/internal/gate/gatetest"
)

// TestNeovim edits a document with a real editor.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("Neovim is not installed (apt-get install neovim)")
	}
	dir, report := gatetest.Sample(t, "closed"), filepath.Join(t.TempDir(), "report.json")
	before, err := os.ReadFile(filepath.Join(dir, broken))
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(nvim, "--headless", "--clean", "-c", "luafile testdata/edit.lua")
	told := []string{gatetest.Built["stategate-lsp"], gatetest.Built["stategate"], dir, broken, report}
	home := t.TempDir()
	c.Env = append(os.Environ(), "STATEGATE_LSP_EDIT="+strings.Join(told, "\n"), "XDG_STATE_HOME="+home,
		"XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("nvim: %v: %s", err, out)
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		Opened, Cured               bool
		Edited                      []int
		Action, Line, Hover, Failed string
	}
	if err := json.Unmarshal(data, &said); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	if !said.Opened || !slices.Equal(said.Edited, []int{6, 19, 6, 21, 1}) || said.Action != "Set current_round to 1" ||
		said.Line != `  "current_round": 1,` || !said.Cured ||
		!strings.Contains(said.Hover, "ocr/round-beyond-files (error)") {
		t.Errorf("in Neovim: %s", data)
	}
	if after, err := os.ReadFile(filepath.Join(dir, broken)); err != nil || string(after) != string(before) {
		t.Errorf("the file was saved: %s, %v", after, err)
	}
}
