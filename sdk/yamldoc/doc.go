//go:build !wasip1

// Package yamldoc reads a YAML document as the JSON value that it means, with the place of each value, and edits single
// values where they stand. Hosts and test kits link it; a guest is given the JSON.
//
// # What it means
//
// The scalars are those of YAML 1.2's core schema: null, true and false, integers, floating-point numbers and
// strings. Values without a form in JSON are strings of their characters: moments and dates, binary data, values with
// a custom tag, .inf and .nan, and integers written with a leading zero or with underscores, which readers of YAML
// disagree about. Keys are strings, aliases and merge keys (<<) what they stand for.
//
// # What it refuses
//
// A key that occurs twice in a mapping, a key that is a list or mapping, more than one document, nesting deeper than
// jsondoc.DefaultDepth, an alias inside of what it stands for, and aliases that expand to many times the text.
package yamldoc
