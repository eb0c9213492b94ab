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

// PluginOptions are a project's settings for one plugin.
type PluginOptions struct {
	JSON string // an object that the plugin's schema describes
	// At returns the location of the value at an RFC 6901 pointer, or of its key, for an error message.
	At func(pointer string, key bool) string
}

// checkOptions validates each plugin's options against the plugin's schema. It does so in a worker, because the
// schema comes from the plugin and the options come from the repository. Valid options are cached.
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

// wrong returns the error for options that the schema rejects. It suggests a similar name for an unknown key. For
// an invalid value, the message already lists the valid values.
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

// askOptions asks a worker to validate options. The worker loads none of the plugin's code, because it needs none.
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
