package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestOverseerEndsWhatDoesNotEnd(t *testing.T) {
	never := make(chan struct{})
	o := &overseer{limit: time.Millisecond, moved: make(chan struct{}, 1)}
	err := o.with(context.Background(), "bomb.wasm", func() error { <-never; return nil })
	if p := problemOf(err); p.code != exitBroken {
		t.Errorf("a step without end: %v", err)
	}
	o.limit = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := o.with(ctx, "bomb.wasm", func() error { <-never; return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	said := errors.New("said")
	if err := o.with(context.Background(), "x.wasm", func() error { o.step(); o.step(); return said }); !errors.Is(err, said) {
		t.Errorf("work that ends: %v", err)
	}
}
