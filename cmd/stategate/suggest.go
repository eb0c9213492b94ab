package main

import (
	"github.com/stategate/stategate/host/suggest"
)

// oneOf says what a wrong name could have been.
func oneOf(wrong string, names []string) string { return suggest.OneOf(wrong, names) }
