package check

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/suggest"
)

// PluginOptions are what a project sets for one plugin.
type PluginOptions struct {
	JSON string                                // an object, as the plugin's own schema has it
	At   func(pointer string, key bool) string // names the place of what lies at an RFC 6901 pointer, or of its key, for an error
}

// checkOptions holds the options of every plugin against its schema, in a worker: the
// schema is the plugin's, the options are the repository's. What was right once is remembered.
func (l *Session) checkOptions(ctx context.Context, pool *worker.Pool) error {
	for _, p := range l.result.Plugins {
		o, ok := l.Options.PluginOptions[p.Name]
		if !ok {
			continue
		}
		key, err := l.optionsKey(p, o.JSON)
		if err != nil {
			return err
		}
		if l.verdicts != nil {
			if _, ok := l.verdicts.Get(key); ok {
				continue
			}
		}
		ft, err := l.askOptions(ctx, pool, p, o.JSON)
		if err != nil {
			l.fail(p.Name, "", fault.From(err, fault.Protocol))
			continue
		}
		if ft.Message != "" {
			return fault.Usagef("%s: %s%s; `stategate plugin inspect %s` shows the schema", o.place(p.Name, ft), ft.Message, meantName(ft), p.Name)
		}
		if l.verdicts != nil {
			slot := sha256.Sum256([]byte("options of " + p.Name))
			l.verdicts.Put(key, [8]byte(slot[:8]), []byte("{}"))
		}
	}
	return nil
}

func (o *PluginOptions) place(plugin string, f *exchange.OptionsFault) string {
	if o.At == nil {
		return "options of " + plugin
	}
	return o.At(f.Pointer, f.Key)
}

// meantName says what a wrong name could have been. That of a value is named with all others already.
func meantName(f *exchange.OptionsFault) string {
	switch {
	case f.Key:
		return "; " + suggest.OneOf(f.Found, f.Among)
	case f.Found != "" && suggest.Nearest(f.Found, f.Among) != "":
		return "; did you mean " + suggest.Nearest(f.Found, f.Among) + "?"
	}
	return ""
}

func (l *Session) optionsKey(p *plugin.Plugin, options string) ([32]byte, error) {
	text, err := json.Marshal([]string{"options", l.Options.Version, p.SHA256(), options})
	return sha256.Sum256(text), err
}

// askOptions needs no code of the plugin: the worker loads none.
func (l *Session) askOptions(ctx context.Context, pool *worker.Pool, p *plugin.Plugin, options string) (*exchange.OptionsFault, error) {
	payload, err := exchange.OptionsPayload(p.ManifestText, options)
	if err != nil {
		return nil, err
	}
	answer, failed := pool.Do(ctx, worker.Job{Payload: payload})
	if failed != nil {
		return nil, failed
	}
	return exchange.DecodeOptionsFault(answer.Payload)
}
