package author

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestWatchEndsWhatDoesNotEnd(t *testing.T) {
	never := make(chan struct{})
	endless := func(func()) error { <-never; return nil }
	err := watch(context.Background(), time.Millisecond, "bomb.wasm", endless)
	if err == nil || !strings.Contains(err.Error(), "bomb.wasm: ") {
		t.Errorf("a step without end: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := watch(ctx, time.Hour, "bomb.wasm", endless); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	said := errors.New("said")
	steps := func(reset func()) error {
		for range 5 {
			time.Sleep(40 * time.Millisecond)
			reset()
		}
		return said
	}
	if err := watch(context.Background(), 150*time.Millisecond, "x.wasm", steps); !errors.Is(err, said) {
		t.Errorf("work of several steps that ends: %v", err)
	}
}
