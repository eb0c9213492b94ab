package check

import (
	"context"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/words"
)

// PluginOptions are what a project sets for one plugin.
type PluginOptions struct {
	JSON string // an object, as the plugin's own schema has it
	// names the place of what is at an RFC 6901 pointer, or of its key, for an error
	At func(pointer string, key bool) string
}

// checkOptions holds the options of every plugin against its schema, in a worker: the schema is the plugin's, the
// options are the repository's. Valid options are remembered.
func (e *examiner) checkOptions(ctx context.Context, r *result.Result) error {
	for _, p := range e.plugins.sorted() {
		o, ok := e.options[p.Name]
		if !ok {
			continue
		}
		key := e.plugins[p.Name].key()
		if e.verdicts.OptionsValid(key) {
			continue
		}
		f, err := e.askOptions(ctx, p, o.JSON)
		if err != nil {
			r.Failures = append(r.Failures, failure(p.Name, "", fault.From(err, fault.Protocol)))
			continue
		}
		if f.Message != "" {
			return o.wrong(p.Name, f)
		}
		e.verdicts.KeepOptionsValid(key)
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
	} else if near := words.Nearest(f.Found, f.Among); f.Found != "" && near != "" {
		hint = "; did you mean " + near + "?"
	}
	return fault.Usagef("%s: %s%s; `stategate plugin inspect %s` shows the schema", place, f.Message, hint, plugin)
}

// askOptions needs no code of the plugin: the worker loads none.
func (e *examiner) askOptions(ctx context.Context, p *plugin.Plugin, options string) (*exchange.OptionsFault, error) {
	payload, err := exchange.OptionsPayload(p.ManifestText, options)
	if err != nil {
		return nil, err
	}
	answer, failed := e.pool.Do(ctx, worker.Job{Payload: payload})
	if failed != nil {
		return nil, failed
	}
	return exchange.DecodeOptionsFault(answer.Payload)
}
