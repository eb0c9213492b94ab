// Package jsondoc reads and edits JSON documents and preserves their text.
//
// [Parse] turns a text into a tree in which every value and every key knows its byte range, so that a finding can
// point at it and an edit can leave everything else unchanged. Parse follows RFC 8259 strictly: no comments, no
// trailing commas, nothing after the value, only valid UTF-8. It keeps information that other parsers discard.
// Duplicate keys stay in the tree, and the last one wins, as in JavaScript. Numbers stay text, so 1e10000000
// costs nothing.
//
// [Set] and [Unset] are pure functions from a text to a [Change] of it. They preserve the text's style:
// indentation, line endings, spaces after colons and commas.
//
// Offsets are in bytes, from 0, and ranges are half-open. Lines and columns count from 1; columns count bytes, like
// Go's own tools; see [Position]. The caller must remove a leading byte-order mark.
//
// A [Document] is immutable and may be shared between goroutines. The package is deliberately small, because guests
// link it and the size of a guest adds latency.
package jsondoc
