package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/stategate/stategate/host/cache"
	"github.com/stategate/stategate/host/examine"
)

// openVerdicts opens the verdicts of earlier looks. Where there is no place for
// them, everything is looked at anew; the worker says why when it finds no place for
// compiled plugins either.
func (l *look) openVerdicts() {
	if l.options.CacheDir == "" || l.options.Version == "" {
		return
	}
	sum, open := sha256.Sum256([]byte(l.anchor.Path)), cache.OpenVerdicts
	if l.options.ReadOnly {
		open = cache.OpenVerdictsReadOnly
	}
	if v, err := open(l.options.CacheDir, hex.EncodeToString(sum[:16])); err == nil {
		l.verdicts = v
	}
}

// verdictKey is a digest of all that a verdict depends on but the clock: the
// host, the plugin, the limits and everything that the plugin comes to know.
func (l *look) verdictKey(v *view) (key [32]byte, ok bool) {
	if l.verdicts == nil {
		return key, false
	}
	text, err := json.Marshal([]any{
		l.options.Version, v.SHA256(), l.options.Limits, v.now.Root, l.nameOf(v.now.Root), v.source, l.options.PluginOptions[v.Name].JSON,
		v.now.Unseen, v.unseen, v.now.Digest, v.past.State, v.past.Root, v.past.Digest,
	})
	return sha256.Sum256(text), err == nil
}

// known returns the kept verdict of an unchanged instance, nil if there is none.
func (l *look) known(p *party, key [32]byte) *examine.Reply {
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

// keep keeps a complete verdict.
func (l *look) keep(p *party, root string, key [32]byte, reply *examine.Reply, said []byte) {
	slot := sha256.Sum256([]byte(p.Name + "\x00" + root))
	l.verdicts.Put(cache.Verdict{Key: key, Slot: [8]byte(slot[:8]), From: reply.ValidFrom, To: reply.ValidUntil, Said: said})
}

// closeVerdicts writes the new verdicts. If it cannot, the next run looks again,
// which is no failure.
func (l *look) closeVerdicts() {
	if l.verdicts != nil {
		_ = l.verdicts.Close()
	}
}
