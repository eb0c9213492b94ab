package host

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"github.com/stategate/stategate/host/cache"
	"github.com/stategate/stategate/host/examine"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/host/worker"
)

// PluginOptions are what a project sets for one plugin.
type PluginOptions struct {
	JSON string                                // an object, as the plugin's own schema has it
	At   func(pointer string, key bool) string // names the place of what lies at an RFC 6901 pointer, or of its key, for an error
}

// checkOptions holds the options of every plugin against its schema, in a worker: the
// schema is the plugin's, the options are the repository's. What was right once is remembered.
func (l *look) checkOptions(ctx context.Context, pool *worker.Pool) error {
	for _, p := range l.result.Plugins {
		o, ok := l.options.PluginOptions[p.Name]
		if !ok {
			continue
		}
		key, err := l.optionsKey(p, o.JSON)
		if err != nil {
			return err
		}
		if l.verdicts != nil {
			if _, ok := l.verdicts.Get(key, l.options.Now); ok {
				continue
			}
		}
		fault, err := l.askOptions(ctx, pool, p, o.JSON)
		if err != nil {
			l.fail(p.Name, "", failure.From(err, failure.Protocol))
			continue
		}
		if fault.Message != "" {
			return usagef("%s: %s%s; `stategate plugin inspect %s` shows the schema", o.place(p.Name, fault), fault.Message, meantName(fault), p.Name)
		}
		if l.verdicts != nil {
			slot := sha256.Sum256([]byte("options of " + p.Name))
			l.verdicts.Put(cache.Verdict{Key: key, Slot: [8]byte(slot[:8]), Said: []byte("{}")})
		}
	}
	return nil
}

func (o *PluginOptions) place(plugin string, f *examine.OptionsFault) string {
	if o.At == nil {
		return "options of " + plugin
	}
	return o.At(f.Pointer, f.Key)
}

// meantName says what a wrong name could have been. That of a value is named with all others already.
func meantName(f *examine.OptionsFault) string {
	switch {
	case f.Key:
		return "; " + suggest.OneOf(f.Found, f.Among)
	case f.Found != "" && suggest.Nearest(f.Found, f.Among) != "":
		return "; did you mean " + suggest.Nearest(f.Found, f.Among) + "?"
	}
	return ""
}

func (l *look) optionsKey(p *Plugin, options string) ([32]byte, error) {
	text, err := json.Marshal([]string{"options", l.options.Version, p.SHA256(), options})
	return sha256.Sum256(text), err
}

// askOptions needs no code of the plugin: the worker loads none.
func (l *look) askOptions(ctx context.Context, pool *worker.Pool, p *Plugin, options string) (*examine.OptionsFault, error) {
	payload, err := examine.OptionsPayload(p.ManifestText, options)
	if err != nil {
		return nil, err
	}
	answer, failed := pool.Do(ctx, worker.Job{Plugin: &worker.Plugin{Name: p.Name}, Payload: [][]byte{payload}})
	if failed != nil {
		return nil, failed
	}
	return examine.DecodeOptionsFault(answer.Payload)
}
