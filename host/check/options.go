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
	At   func(pointer string, key bool) string // names the place of what is at an RFC 6901 pointer, or of its key, for an error
}

// checkOptions holds the options of every plugin against its schema, in a worker: the
// schema is the plugin's, the options are the repository's. What was right once is remembered.
func (s *Session) checkOptions(ctx context.Context) error {
	for _, p := range s.result.Plugins {
		o, ok := s.Options.PluginOptions[p.Name]
		if !ok {
			continue
		}
		text, err := json.Marshal([]string{"options", s.Options.Version, p.SHA256(), o.JSON})
		if err != nil {
			return err
		}
		key := sha256.Sum256(text)
		if s.verdicts != nil {
			if _, ok := s.verdicts.Get(key); ok {
				continue
			}
		}
		f, err := s.askOptions(ctx, p, o.JSON)
		if err != nil {
			s.fail(p.Name, "", fault.From(err, fault.Protocol))
			continue
		}
		if f.Message != "" {
			return o.wrong(p.Name, f)
		}
		if s.verdicts != nil {
			slot := sha256.Sum256([]byte("options of " + p.Name))
			s.verdicts.Put(key, [8]byte(slot[:8]), []byte("{}"))
		}
	}
	return nil
}

// wrong is the error for options that the schema refuses, with what a wrong name could have been. That of a value is
// named with all others already.
func (o *PluginOptions) wrong(plugin string, f *exchange.OptionsFault) error {
	place, hint := "options of "+plugin, ""
	if o.At != nil {
		place = o.At(f.Pointer, f.Key)
	}
	if f.Key {
		hint = "; " + suggest.OneOf(f.Found, f.Among)
	} else if near := suggest.Nearest(f.Found, f.Among); f.Found != "" && near != "" {
		hint = "; did you mean " + near + "?"
	}
	return fault.Usagef("%s: %s%s; `stategate plugin inspect %s` shows the schema", place, f.Message, hint, plugin)
}

// askOptions needs no code of the plugin: the worker loads none.
func (s *Session) askOptions(ctx context.Context, p *plugin.Plugin, options string) (*exchange.OptionsFault, error) {
	payload, err := exchange.OptionsPayload(p.ManifestText, options)
	if err != nil {
		return nil, err
	}
	answer, failed := s.pool.Do(ctx, worker.Job{Payload: payload})
	if failed != nil {
		return nil, failed
	}
	return exchange.Decode[exchange.OptionsFault](answer.Payload)
}
