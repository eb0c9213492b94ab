package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestProgress: the line appears only after a delay, is rarely updated, and is completely erased.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	never := time.NewTimer(time.Hour)
	p := &progress{w: &out, start: time.Now(), waits: never}
	p.report(1, 3000)
	if p.end(); out.Len() > 0 {
		t.Errorf("before %v it writes %q", patience, out.String())
	}
	if p.wait(); out.Len() > 0 {
		t.Errorf("after its end it writes %q", out.String())
	}
	p = &progress{w: &out, start: time.Now().Add(-patience), waits: never}
	if p.wait(); out.String() != "\rchecking…" {
		t.Errorf("before anything is counted it writes %q", out.String())
	}
	out.Reset()
	p.report(968, 3000)
	p.report(969, 3000)
	const line = "checking 968/3000 state directories"
	if got, want := out.String(), "\r"+line; got != want {
		t.Errorf("it writes %q, expected %q", got, want)
	}
	out.Reset()
	p.end()
	if got, want := out.String(), "\r"+strings.Repeat(" ", len(line+"^C"))+"\r"; got != want {
		t.Errorf("it erases with %q, expected %q", got, want)
	}
}

// TestProgressNeedsTerminal: without a terminal, no progress is shown.
func TestProgressNeedsTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, w := range []io.Writer{io.Discard, null} {
		p := newProgress(&app{stderr: w})
		if p.end(); p != nil {
			t.Errorf("%T: it counts", w)
		}
	}
}
