package worker

import (
	"context"
	"testing"

	"github.com/stategate/stategate/host/fault"
)

// TestPhases covers the rules by which a plugin moves from one phase to the next.
func TestPhases(t *testing.T) {
	failure := func(k fault.Kind) *fault.Failure { return fault.Newf(k, "it failed") }
	interpretMany := func(s *pluginState) {
		for range mostInterpreted {
			s.hasInterpreted(nil)
		}
	}
	for _, c := range []struct {
		name  string
		begin phase
		do    func(s *pluginState)
		want  phase
	}{
		{"a small job", interpreted, func(s *pluginState) { s.interprets(100); s.hasInterpreted(nil) }, interpreted},
		{"many jobs", interpreted, interpretMany, compiling},
		{"a large job", interpreted, func(s *pluginState) { s.interprets(largestInterpreted + 1) }, compiling},
		{"a job that fails", interpreted, func(s *pluginState) { s.hasInterpreted(failure(fault.Trap)) }, compiling},
		{"a job on a bad disk", interpreted, func(s *pluginState) { s.hasInterpreted(failure(fault.IO)) }, interpreted},
		{"loaded", compiling, func(s *pluginState) { s.hasLoaded(nil) }, compiled},
		{"loaded twice", compiling, func(s *pluginState) { s.hasLoaded(nil); s.hasLoaded(nil) }, compiled},
		{"not loaded", compiling, func(s *pluginState) { s.hasLoaded(failure(fault.Timeout)) }, refused},
		{"not loaded, by the disk", compiling, func(s *pluginState) { s.hasLoaded(failure(fault.IO)) }, compiling},
		{"a later worker fails", compiled, func(s *pluginState) { s.hasLoaded(failure(fault.Memory)) }, compiled},
		{"a job fails", compiled, func(s *pluginState) { s.hasExamined(failure(fault.Timeout)) }, compiled},
	} {
		s := newPluginState()
		s.move(c.begin)
		if c.do(s); s.phase != c.want {
			t.Errorf("%s: phase %d, want %d", c.name, s.phase, c.want)
		}
		if f := s.refusal(); (f != nil) != (c.want == refused) {
			t.Errorf("%s: refusal %v", c.name, f)
		}
		var settled bool
		select {
		case <-s.settled:
			settled = true
		default:
		}
		if want := c.want == compiled || c.want == refused; settled != want {
			t.Errorf("%s: settled %t, want %t", c.name, settled, want)
		}
	}
	s := newPluginState()
	s.move(compiled)
	for range maxLost {
		s.hasExamined(failure(fault.Timeout))
	}
	if s.refusal() == nil {
		t.Errorf("it is tried after %d lost workers", maxLost)
	}
}

// TestTurn: until the plugin is settled, only one job runs at a time. Afterwards all do.
func TestTurn(t *testing.T) {
	s := newPluginState()
	s.move(compiling)
	leave, f := s.enter(t.Context())
	if f != nil {
		t.Fatal(f)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, f := s.enter(ended); f == nil || f.Kind != fault.Cancelled {
		t.Errorf("a second job continues: %v", f)
	}
	entered := make(chan *fault.Failure)
	go func() {
		_, f := s.enter(t.Context())
		entered <- f
	}()
	s.hasLoaded(nil)
	if f := <-entered; f != nil {
		t.Errorf("a job waits although the plugin is settled: %v", f)
	}
	leave()
	leave()
}
