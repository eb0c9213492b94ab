package author

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestWatchdogEndsWhatDoesNotEnd(t *testing.T) {
	never := make(chan struct{})
	o := newWatchdog(time.Millisecond)
	err := o.watch(context.Background(), "bomb.wasm", func() error { <-never; return nil })
	if err == nil || !strings.Contains(err.Error(), "bomb.wasm: ") {
		t.Errorf("a step without end: %v", err)
	}
	o.limit = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := o.watch(ctx, "bomb.wasm", func() error { <-never; return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	said := errors.New("said")
	if err := o.watch(context.Background(), "x.wasm", func() error { o.reset(); o.reset(); return said }); !errors.Is(err, said) {
		t.Errorf("work that ends: %v", err)
	}
}
