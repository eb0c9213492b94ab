package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/check"
)

// editorFlags are for programs that check while a person edits; stategate-lsp is one.
type editorFlags struct {
	unsaved  string
	progress bool
}

func (e *editorFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&e.unsaved, "unsaved", "", "check files as the JSON object in `FILE` (- is standard input) has "+
		"them, text by path, rather than as they are on disk")
	f.BoolVar(&e.progress, "progress", false, "write DONE/TOTAL to stderr, a line for each state directory")
	_ = f.MarkHidden("unsaved")
	_ = f.MarkHidden("progress")
}

// set reads what an editor has not saved, and has progress reported.
func (e *editorFlags) set(a *app, o *check.Options) error {
	if e.progress {
		o.Progress = func(done, total int) { fmt.Fprintf(a.stderr, "%d/%d\n", done, total) }
	}
	if e.unsaved == "" {
		return nil
	}
	in := a.stdin
	if e.unsaved != "-" {
		f, err := os.Open(e.unsaved)
		if err != nil {
			return usagef("--unsaved: %v", err)
		}
		defer f.Close()
		in = f
	}
	const most = 256 << 20 // bytes
	var texts map[string]string
	d := json.NewDecoder(io.LimitReader(in, most))
	err := d.Decode(&texts)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is more behind it")
		}
	}
	if err != nil {
		return usagef("--unsaved %s is not a JSON object of texts by path: %v", e.unsaved, err)
	}
	o.Unsaved = map[string]string{}
	for path, text := range texts {
		o.Unsaved[a.absolute(path)] = text
	}
	return nil
}

// refuse refuses to change a file of which the editor has another text.
func (e *editorFlags) refuse(changes bool, by string) error {
	if e.unsaved != "" && changes {
		return usagef("%s changes files on disk, and --unsaved has other texts of them: save them first", by)
	}
	return nil
}
