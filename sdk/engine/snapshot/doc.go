// Package snapshot converts an instance's files to the request for a plugin: it checks encodings, JSON and schemas,
// outlines Markdown, summarizes large documents, and records every fault as data.
//
// It interprets hostile bytes, so a host runs it in a process that can be killed. Tests run the same code. Guests
// never link it.
package snapshot
