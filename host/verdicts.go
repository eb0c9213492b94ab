package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/stategate/stategate/host/cache"
	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/examine"
)

// openVerdicts opens the verdicts of earlier looks. Where there is no place for
// them, everything is looked at anew; the worker says why when it finds no place for
// compiled plugins either.
func (l *look) openVerdicts() {
	if l.options.CacheDir == "" || l.options.Version == "" {
		return
	}
	if v, err := cache.OpenVerdicts(l.options.CacheDir); err == nil {
		l.verdicts = v
	}
}

// verdictKey is a digest of all that a verdict depends on but the clock: the
// host, the plugin, the limits and everything that the plugin comes to know.
func (l *look) verdictKey(p *party, job *examine.Job) string {
	if l.verdicts == nil {
		return ""
	}
	in := job.Input
	text, err := json.Marshal([]any{
		l.options.Version, p.SHA256(), l.options.Limits, in.Root, in.Name, in.Source, in.Options, in.Unseen,
		collect.Digest(in.Files), in.Base.State, in.Base.Root, collect.Digest(in.Base.Files),
	})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// known returns the kept verdict of an unchanged instance, nil if there is none.
func (l *look) known(p *party, key string) *examine.Reply {
	if key == "" {
		return nil
	}
	said, ok := l.verdicts.Get(key, l.options.Now)
	if !ok {
		return nil
	}
	reply, err := admitted(p, said, l.options.Limits)
	if err != nil {
		return nil
	}
	return reply
}

// keep keeps a complete verdict. Without a cache the next run looks again, which
// is no failure.
func (l *look) keep(key string, reply *examine.Reply, said []byte) {
	if key != "" && l.verdicts.Put(key, reply.ValidFrom, reply.ValidUntil, said) == nil {
		l.kept.Add(1)
	}
}

// evictAfter is how many new verdicts make a look worth listing them all.
const evictAfter = 64

func (l *look) evict() {
	if l.kept.Load() >= evictAfter {
		l.verdicts.Evict(cache.VerdictsSize)
	}
}
