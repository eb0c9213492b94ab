// Package snapshot turns the bytes of an instance into the request for a plugin: it checks encodings, JSON and
// schemas, outlines Markdown, summarizes documents that are too large, and records every fault as data.
//
// It interprets hostile bytes, so a host runs it where it can be killed. Tests
// run the very same code. Guests never link it.
package snapshot
