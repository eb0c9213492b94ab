// Package jsondoc reads and edits JSON documents without losing sight of
// their text.
//
// [Parse] turns a text into a tree in which every value and every key knows
// the bytes it stands on, so that a finding can point at its place and an edit
// can leave everything else alone. It is strict about the grammar (RFC 8259:
// no comments, no trailing commas, nothing after the value, only valid UTF-8)
// and keeps what other readers throw away: duplicate keys stay in the tree and
// the last one counts, as in JavaScript; numbers stay text, so that 1e10000000
// costs nothing.
//
// [Set] and [Unset] are pure functions from a text to one [Change] of it. They
// follow the way the text is written: its indentation, its line endings, its
// spaces after colons and commas.
//
// All offsets are 0-based bytes and all ranges are half-open. Lines and
// columns are 1-based; columns count bytes, as Go's own tools do; see
// [Position]. A leading byte-order mark is the caller's to strip.
//
// A [Document] is immutable and may be shared between goroutines. The package
// is small on purpose: guests link it, and the size of a guest is latency.
package jsondoc
