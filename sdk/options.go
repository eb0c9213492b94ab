package sdk

import (
	"github.com/stategate/stategate/sdk/jsondoc"
)

// Options holds the values that a project's configuration sets for this plugin. The host has validated them against
// Workflow.Options.
type Options struct {
	text  string
	audit *audit // nil except in tests
}

// Text returns the options as a JSON object, or "" if none are set.
func (o Options) Text() string { return o.text }

// Has reports whether the option is set.
func (o Options) Has(name string) bool { return o.value(name).Exists() }

// Bool returns a boolean option, or fallback if the option is absent or has another type.
func (o Options) Bool(name string, fallback bool) bool {
	if v, ok := o.value(name).Bool(); ok {
		return v
	}
	return fallback
}

// Int returns an integer option, or fallback if the option is absent or has another type.
func (o Options) Int(name string, fallback int64) int64 {
	if v, ok := o.value(name).Int(); ok {
		return v
	}
	return fallback
}

// String returns a string option, or fallback if the option is absent or has another type.
func (o Options) String(name, fallback string) string {
	if v, ok := o.value(name).Text(); ok {
		return v
	}
	return fallback
}

func (o Options) value(name string) jsondoc.Value {
	o.audit.note("#/" + jsondoc.EscapeToken(name))
	doc, err := jsondoc.Parse(o.text)
	if err != nil {
		return jsondoc.Value{}
	}
	return doc.Root().Get(name)
}
