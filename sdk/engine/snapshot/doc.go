// Package snapshot turns the bytes of an instance into the request that a
// plugin is given: it checks encodings, JSON and schemas, outlines Markdown,
// summarises what stays outside and writes down every fault as data.
//
// It interprets hostile bytes, so a host runs it where it can be killed. Tests
// run the very same code. Guests never link it.
package snapshot
