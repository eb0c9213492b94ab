package worker

import (
	"context"
	"strings"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/sandbox"
)

// The first look with a plugin that is not compiled yet is interpreted: compiling a Go guest takes two seconds of processor time,
// reading it for the interpreter 0.2, and a job 0.03. The second look, and whoever has many jobs, compiles. What fails when it is
// interpreted is done again by compiled code, so that the answer is the same either way.
const (
	mostSlowly = 16              // jobs of a plugin that are interpreted, one after the other
	slowTime   = 2 * time.Second // of the processor, for each, and for loading
	worthIt    = 512 << 10       // bytes of a plugin from which compiling is slow
)

// interprets reports whether the next worker is to interpret the plugin. The job that asks has the plugin's turn.
func (p *Pool) interprets(s *state, plugin Plugin) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !s.slow && s.slowly == 0 && !p.config.Compile && len(plugin.Wasm) >= worthIt {
		s.slow = p.config.CacheDir == ""
		if c, err := p.cache(); err == nil && !s.slow {
			s.slow = c.First(sandbox.Key(plugin.SHA256))
		}
	}
	return s.slow
}

// count counts a job that is interpreted.
func (p *Pool) count(plugin string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.plugins[plugin]
	s.slowly++
	s.slow = s.slowly < mostSlowly
}

// compileNow reports whether what failed when it was interpreted is to be done by compiled code.
func (p *Pool) compileNow(s *state, f *fault.Failure) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.Kind == fault.Cancelled || f.Kind == fault.IO {
		return false
	}
	s.slow, s.slowly, s.loads = false, mostSlowly, false
	return true
}

// Compile sees to it that the plugin is in the cache.
func (p *Pool) Compile(ctx context.Context, plugin Plugin) *fault.Failure {
	entry, f := p.entry(ctx, plugin)
	p.mu.Lock()
	defer p.mu.Unlock()
	if entry == nil && f == nil {
		f = fault.Newf(fault.IO, "it cannot be kept: %s", strings.Join(p.warnings, "; "))
	}
	return f
}
