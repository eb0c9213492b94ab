// Package wire is what crosses the sandbox between stategate and a plugin: ABI 1.
//
// This page and the schemas under schemas/abi are enough to write a plugin in
// any language that compiles to WebAssembly. Authors in Go need neither: package sdk stands in between.
//
// # The plugin
//
// A plugin is a WebAssembly module that runs in an Extism kernel. It exports
//
//   - stategate_abi_1, a function that is looked for and never called,
//   - describe, which takes no input and outputs a [Manifest],
//   - examine, which takes a request as input and outputs a [Report].
//
// Both functions take no parameters and return an i32: 0, or anything else
// after they have called the kernel's error_set. The manifest also lies, as the same JSON, in
// the module's custom section [Section], where the host reads it without running anything.
//
// The same request must give the same report: a plugin has no files, clock,
// environment or randomness, and keeps nothing from one call to the next.
//
// # The request
//
// A request is binary. All integers are unsigned and little-endian.
//
//	offset    bytes   what
//	0         4       n, the length of the header
//	4         n       the header: JSON in UTF-8, one object, perhaps with spaces behind it
//	4 + n     rest    the attachment
//
// n is a multiple of 4, so the attachment begins at one. A request has at most
// [MaxRequest] bytes. The header's members are, by type: [Request], its [Document]s, and their
// [DocumentSummary] and [DocumentFault]s; [Base], whose documents are written in the same way.
//
// Two members of a document name a part of the attachment, as an array of two
// integers: the offset from the start of the attachment, and the length, both in bytes.
//
//   - "text": the document's text, UTF-8 without a byte-order mark. Left out if it is empty, or if
//     the text was not given, as it is when need is not "content" and when a fault says that it could not be read.
//   - "outline": what a Markdown document consists of, as nodes of 20 bytes, at an offset that is a
//     multiple of 4. A node is five integers of 4 bytes: its kind in the low 8 bits and data of the kind in the 24 above, the
//     number of its parent among the nodes plus one (0: it has none), its line (1-based), and the start and end of a half-open byte
//     range of the text. Package markdown lists the kinds.
//
// A document of the base that equals the present document of the same path is
// written as {"same":true,"path":…} and nothing else: it has that document's text, outline and every other member.
// Documents are sorted by the bytes of their paths, and no path comes twice in one list.
//
// A directory is a document with "dir" and nothing else of interest.
//
// A small request, whole, with one line for each of its parts (␣ is a space):
//
//	dc 00 00 00
//	{"root":"x","documents":[{"path":"a.md","format":"markdown","size":5,"text":[0,5],"outline":[8,20]},
//	 {"path":"b.png","need":"listed","size":70}],"base":{"state":"at","root":"x","documents":[{"same":true,"path":"a.md"}]}}␣
//	"# Hi\n", three zero bytes, 20 bytes of outline
//
// (The header has no line break and, here, no other space.)
//
// # The manifest and the report
//
// Both are JSON in UTF-8: one object, of at most [MaxManifest] and [MaxReport]
// bytes. Their members are the fields of [Manifest] and [Report] and of the types in them, under the names of the json
// tags; the comments at the fields say what they mean.
//
// What a [Fact] shows is plain JSON, by its kind: a string; an integer; true or
// false; an array of strings; or, for a table, {"columns":["a","b"],"rows":[["1","2"]]}, whose rows have a cell for
// each column, whose columns have different names, and of which there are at most 64.
//
// # How JSON is written
//
//   - A member that is left out is empty: "", 0, false, no elements, no time,
//     or the first word of its vocabulary. Writers in this package leave out whatever is empty. null stands for nothing and is refused.
//   - Integers have no fraction and no exponent, fit 64 bits, and are not negative; only a fact's value may be.
//   - Times are RFC 3339 with up to nine digits of a second: "2026-01-27T10:00:00.5Z".
//   - Vocabularies ([Severity], [Op], …) are closed. Their words are in lower case.
//   - A member that a type knows comes once. Members may come in any order.
//   - Lines and columns are 1-based. Ranges are half-open and count bytes of the text, from 0.
//   - Paths are slash-separated and lie below the root; "" is the root itself; one that ends in a slash is a directory.
//   - A manifest or a report holds at most 200,000 objects and elements of arrays.
//   - Strings are UTF-8 and pair their surrogate escapes. This package writes U+FFFD for bytes that are not UTF-8.
//
// # Compatibility
//
//   - A member that a reader does not know is ignored, whatever it holds (nested at most 64 deep).
//   - A word that a vocabulary lacks is refused. So is a value of another type, with the path: "diagnostics[3].range.line:
//     found a string, expected an integer". A refused manifest or report is a failure of the plugin, never an empty answer.
//   - Nothing is added silently. What a later host of ABI 1 can do more has a name in [Features]; a manifest that needs it names it in
//     requires, and a host that lacks it refuses the plugin for that reason, before it looks at the rest of the manifest.
//   - What cannot be added so becomes ABI 2. A host serves an ABI and the one before.
//
// [Manifest.Validate] and [CheckGlob] say what a well-formed manifest is.
package wire
