//go:build !wasip1

// Package yamldoc converts a YAML document to the equivalent JSON value, with the location of each value, and edits
// individual values in place. Hosts and test kits link it; guests receive the JSON.
//
// # Conversion
//
// Scalars follow YAML 1.2's core schema: null, booleans, integers, floating-point numbers and strings. Values that
// JSON cannot represent become strings with the same characters: times and dates, binary data, values with a custom
// tag, .inf and .nan. Integers with a leading zero or underscores also become strings, because YAML readers
// disagree about them. Keys become strings; aliases and merge keys (<<) are expanded.
//
// # Errors
//
// Parse refuses a duplicate key in a mapping, a key that is a list or mapping, more than one document, nesting
// deeper than jsondoc.DefaultDepth, an alias inside the value that it refers to, and aliases that expand to many
// times the size of the text.
package yamldoc
