package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/exchange"
)

// openVerdicts opens the verdicts of earlier looks. Where there is no place for
// them, everything is checked anew; the worker says why when it finds no place for
// compiled plugins either.
func (l *Session) openVerdicts() {
	if l.Options.CacheDir == "" || l.Options.Version == "" {
		return
	}
	sum, open := sha256.Sum256([]byte(l.Anchor.Path)), cache.OpenVerdicts
	if l.Options.ReadOnly {
		open = cache.OpenVerdictsReadOnly
	}
	if v, err := open(l.Options.CacheDir, hex.EncodeToString(sum[:16])); err == nil {
		l.verdicts = v
	}
}

// verdictKey is a digest of all that a verdict depends on but the clock: the
// host, the plugin, the limits and everything that the plugin comes to know.
func (l *Session) verdictKey(v *view) (key [32]byte, ok bool) {
	if l.verdicts == nil {
		return key, false
	}
	text, err := json.Marshal([]any{
		l.Options.Version, v.SHA256(), l.Options.Limits, v.Now.Root, l.nameOf(v.Now.Root), v.source, l.Options.PluginOptions[v.Name].JSON,
		v.Now.Unseen, v.unseen, v.Now.Digest, v.Past.State, v.Past.Root, v.Past.Digest,
	})
	return sha256.Sum256(text), err == nil
}

// known returns the kept verdict of an unchanged instance, nil if there is none.
func (l *Session) known(p *Party, root string, key [32]byte) *exchange.Reply {
	text, ok := l.verdicts.Get(key)
	if !ok {
		return nil
	}
	reply, err := admitted(p, root, text, l.Options.Limits)
	if err != nil || !reply.ValidAt(l.Options.Now) {
		return nil
	}
	return reply
}

// keep keeps a complete verdict.
func (l *Session) keep(p *Party, root string, key [32]byte, text []byte) {
	slot := sha256.Sum256([]byte(p.Name + "\x00" + root))
	l.verdicts.Put(key, [8]byte(slot[:8]), text)
}

// closeVerdicts writes the new verdicts. If it cannot, the next run looks again,
// which is no failure.
func (l *Session) closeVerdicts() {
	if l.verdicts != nil {
		_ = l.verdicts.Close()
	}
}
