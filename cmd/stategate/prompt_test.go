package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestPromptAgree(t *testing.T) {
	for typed, want := range map[string]bool{"y\n": true, "YES\n": true, "n\n": false, "\n": false, "": false,
		"yep\n": false} {
		got, err := askOn(strings.NewReader(typed), io.Discard).agree(t.Context(), "Apply?")
		if err != nil || got != want {
			t.Errorf("%q: it is %v, %v; expected %v", typed, got, err, want)
		}
	}
}

// TestPromptInterrupted: an interrupt ends an unanswered question.
func TestPromptInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	p := askOn(r, io.Discard)
	stop()
	if _, err := p.agree(ctx, "Apply?"); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v, expected that it was canceled", err)
	}
}

// TestPromptAfterTheEnd: after the end of the input, later questions also get no answer.
func TestPromptAfterTheEnd(t *testing.T) {
	p := askOn(strings.NewReader("y\n"), io.Discard)
	for _, want := range []bool{true, false, false} {
		if got, err := p.agree(t.Context(), "Apply?"); err != nil || got != want {
			t.Fatalf("it is %v, %v; expected %v", got, err, want)
		}
	}
}
