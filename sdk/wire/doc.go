// Package wire defines the data that crosses the sandbox between stategate and a plugin: ABI 1.
//
// This page and the types below, or the equivalent schemas in schemas/abi, are all that you need to write a plugin
// in any language that compiles to WebAssembly. plugins/examples has one workflow in both Rust and AssemblyScript.
// Authors in Go use package sdk, which uses these types where they cross the sandbox and takes care of the
// encoding.
//
// # The plugin
//
// A plugin is a WebAssembly module that runs in an Extism kernel. It exports:
//
//   - stategate_abi_1, a function whose presence declares the ABI; the host never calls it,
//   - describe, which takes no input and outputs a [Manifest],
//   - examine, which takes a request as input and outputs a [Report].
//
// Both functions take no parameters and return an i32: 0 on success, or any other value after calling the kernel's
// error_set. The same manifest is also stored as JSON in the module's custom section [Section], so that the host
// can read it without running anything.
//
// # The kernel
//
// Bytes cross through the kernel's memory, which is separate from the guest's. These functions in the module
// "extism:host/env" are enough; offsets and lengths are in bytes:
//
//	input_length()                  i64   the length of the input
//	input_load_u64(i64 at)          i64   eight bytes of the input, little-endian; at + 8 is at most its length
//	input_load_u8(i64 at)           i32   one byte of the input
//	alloc(i64 length)               i64   the offset of new kernel memory
//	store_u64(i64 at, i64 word)           writes eight bytes there, little-endian
//	store_u8(i64 at, i32 byte)            writes one byte there
//	output_set(i64 at, i64 length)        makes these bytes the answer
//	error_set(i64 at)                     makes the text in this allocation the error message
//
// A guest copies its input word by word into its own memory, and its answer word by word into memory from alloc.
// Each word takes a call. Two functions in the module "stategate:host" do the same in a single call, and take
// addresses in the guest's memory:
//
//	input_read(i32 at)                    copies the input there
//	output_write(i32 at, i32 length)      makes these bytes the answer
//
// Guests may also import the kernel's other memory functions (free, length, load_u8, load_u64, input_offset, …).
// log_info and similar functions write to a log that is discarded. Functions that this ABI does not support
// (http_request, http_status_code, http_headers, var_get, var_set, config_get) may be imported, because prebuilt
// engines always import them; calling one ends the plugin. Every function of "wasi_snapshot_preview1" may be
// imported and does nothing: no files, no arguments, no environment, and a clock that never advances. The host
// refuses any other import before it compiles anything.
//
// If the module exports _initialize (for a WASI reactor, or Go's c-shared mode), the host calls it once, first. One
// instance answers many requests, until it traps, reports a panic, or uses too much memory. Then the host starts a
// new instance.
//
// The same request must produce the same report. A plugin has no files, clock, environment or randomness. It keeps
// nothing from one call to the next, except the state that the function answer needs to continue.
//
// # The request
//
// A request is binary. All integers are unsigned and little-endian.
//
//	offset    bytes   content
//	0         4       n, the length of the header
//	4         n       the header: JSON in UTF-8, one object, optionally followed by spaces
//	4 + n     rest    the attachment
//
// n is a multiple of 4, so the attachment is aligned as well. A request has at most [MaxRequest] bytes. The
// header's members are the fields of [Request], its [Document]s, and their [DocumentSummary] and [DocumentFault]s.
// They also include [Base], whose documents have the same form.
//
// Two members of a document refer to part of the attachment, as an array of two integers: the offset from the start
// of the attachment and the length, both in bytes.
//
//   - "text": the document's text, UTF-8 without a byte-order mark. It is omitted if it is empty or was not sent,
//     because need is not "content" or a fault says that the document could not be read. For a YAML document it is
//     the equivalent JSON, with each value on its original line: line numbers match the file, byte offsets do not.
//     Use lines or pointers for locations and edits in it.
//   - "outline": the structure of a Markdown document; see below.
//
// A document of the base that equals the present document with the same path is written as {"same":true,"path":…}
// and nothing else. It has the text, outline and all other members of that document. Documents are sorted by the
// bytes of their paths, and each list contains a path at most once.
//
// A directory is a document with "dir" set and a path that ends in a slash. Its other members are not meaningful.
//
// A path that is not in documents does not exist, unless a glob in "unseen" matches it. Then its existence is
// unknown, and no error may be based on its absence.
//
// # The outline
//
// An outline consists of nodes of 20 bytes each, at an offset in the attachment that is a multiple of 4:
//
//	offset   bytes   content
//	0        4       the kind in the low 8 bits, the kind's data in the upper 24
//	4        4       the index of the parent node, plus one; 0 if there is none
//	8        4       the line of the start, from 1
//	12       4       start: bytes from the start of the text
//	16       4       end: the first byte after the node
//
// Every node comes after its parent and before later nodes in the text. It is within its parent's range, and begins
// and ends between characters. The table lists the kinds, their data (0 if blank), and the nodes that can contain
// them ("top" is the top level):
//
//	 1 heading        the level, 1 to 6         top, item, quote   all its lines, with markers and underline
//	 2 table          the number of columns     top, item, quote   all its lines
//	 3 header                                   table              its first row
//	 4 row            the number of cells       table
//	 5 cell           the column, from 0        header, row        trimmed; empty if blank
//	 6 paragraph                                top, item, quote   also the text of a list item
//	 7 item           the depth, from 1         top, item, quote   marker, text and nested content
//	 8 task           1 if it is checked        item               the checkbox and the text after it
//	 9 quote                                    top, item, quote
//	10 fence          1 if it is not closed     top, item, quote   fenced code with its fences
//	11 info                                     fence              the text after the opening fence
//	12 code                                     fence              the lines between the fences
//	13 field          how it is written         paragraph, task,   a key and a value: **Key**: value,
//	                                            front matter       or a line of front matter
//	14 key                                      field, list        without markers and colon
//	15 value          how it is quoted          field, list        without quotes
//	16 front matter                             top                the block at the very top, with its fences
//	17 open comment                             top                the four bytes <!-- of an unclosed comment
//	18 box            the character in it, 0    heading, task,     a checkbox with any mark at the start: [ ], [-], [✓]
//	                  for none, as in []        paragraph, cell
//	19 link           the bytes of its text     heading, task,     [text](target) or <https://…> within a line;
//	                  in brackets, 0 for <…>    paragraph, cell,   the text begins after its first byte
//	                                            value
//	20 target                                   link               without angle brackets and title
//	21 list           how it is written         front matter       a key and values: [a, b], or "- a" on the next lines
//
// A list contains a key and values like a field does. Front matter maps, and lists that contain anything other than
// scalars, have no nodes. Fields that are rows of two-column tables have no separate nodes. Images and reference
// links have no nodes. HTML comments and code contain no other nodes. A future feature may add kinds; skip kinds
// that you do not know.
//
// # A complete request
//
// One Markdown document, "# Hi" with its line feed, and its outline with one heading:
//
//	0000  88 00 00 00 7b 22 72 6f 6f 74 22 3a 22 2e 6e 6f  ....{"root":".no
//	0010  74 65 73 2f 61 22 2c 22 6e 61 6d 65 22 3a 22 61  tes/a","name":"a
//	0020  22 2c 22 64 6f 63 75 6d 65 6e 74 73 22 3a 5b 7b  ","documents":[{
//	0030  22 70 61 74 68 22 3a 22 61 2e 6d 64 22 2c 22 66  "path":"a.md","f
//	0040  6f 72 6d 61 74 22 3a 22 6d 61 72 6b 64 6f 77 6e  ormat":"markdown
//	0050  22 2c 22 6e 65 65 64 22 3a 22 63 6f 6e 74 65 6e  ","need":"conten
//	0060  74 22 2c 22 73 69 7a 65 22 3a 35 2c 22 74 65 78  t","size":5,"tex
//	0070  74 22 3a 5b 30 2c 35 5d 2c 22 6f 75 74 6c 69 6e  t":[0,5],"outlin
//	0080  65 22 3a 5b 38 2c 32 30 5d 7d 5d 7d 23 20 48 69  e":[8,20]}]}# Hi
//	0090  0a 00 00 00 01 01 00 00 00 00 00 00 01 00 00 00  ................
//	00a0  00 00 00 00 04 00 00 00                          ........
//
// The header has 0x88 bytes and no trailing spaces. The attachment begins at 0x8c with the text. Three zero bytes
// align the outline to a multiple of 4.
//
// # The manifest and the report
//
// Both are JSON in UTF-8: one object of at most [MaxManifest] or [MaxReport] bytes. Their members are the fields of
// [Manifest] and [Report] and of the types in them, with the names in the json tags. The field comments explain
// them.
//
// The value of a [Fact] is plain JSON: a string, an integer, a boolean, an array of strings, or a table. A table is
// written as {"columns":["a","b"],"rows":[["1","2"]]}. Each row has one cell per column. A table has at most 64
// columns, with distinct names.
//
// A host refuses a whole report, as a failure of the plugin, if
//
//   - it names a rule that the manifest does not declare;
//   - it declines the instance but has findings, detections, recovery options or an identity;
//   - it has more than 5,000 diagnostics.
//
// A host removes a finding, a remedy, a detection, a recovery option or the identity from a report, and records a
// failure of its rule or of the plugin, if
//
//   - it names a lifecycle or a phase that the manifest does not declare, or a severity above the rule's;
//   - it blocks more than 1,000 runs;
//   - a location names a path that does not match any document of the manifest and is neither the root nor a
//     directory above such a document;
//   - a line, byte range or pointer is in a missing document, past the end of a document, or inside a character;
//   - a manual remedy has edits or no steps, or another remedy has no edits;
//   - an edit leaves the root, or names a file that some operating system does not allow;
//   - a detection has more than 64 files, or one that [CheckGlob] refuses;
//   - it is an identity, but the manifest does not declare one or it has more than 1,024 bytes;
//   - a subject, a key, a message or a title has more than [MaxText] bytes, 4 KiB.
//
// The rest of the report remains. Other visible texts (related messages, steps, facts, briefs), which may quote
// documents, are cut at the same length. The host drops repeated entries in the lists of a brief.
//
// A detection is one run, or a part of one. Its files belong to that run alone: a finding in one of them belongs to
// the run. A part names its run in part_of. If the workflow has a pointer, such as a current tag, the chosen run
// has a rank in chosen; the smallest rank comes first. A pointer in a separate directory is a state directory
// without detections. Its report lists the chosen state directories in chooses, at most [MaxChooses], relative to
// the workspace root. The host drops a part_of that does not name a detection in the report or that leads in a
// circle. Two detections must not share a lifecycle and subject: a test rejects them. Merging two files may cause
// that, so a host keeps both detections and distinguishes them by their files.
//
// A finding names its run if its location does not determine the run. Its blocks list the other runs that are
// blocked until it is fixed. Its subject is the item within the run: a task, a story, a requirement.
//
// Diagnostics with the same rule, subject, key, range, message and severity count once. If two have the same rule,
// path, subject and key but differ otherwise, their rule fails, because a baseline could not tell them apart. A
// remedy that would create a name that differs from an existing one only in case becomes manual.
//
// A host tries remedies before it offers them: it calls examine again for each remedy, with a request that contains
// the result of the edits. It drops remedies that do not keep their promise, and turns remedies that it may not
// apply into advice; package vet lists the conditions. So a plugin may be asked about states that never existed.
//
// A request may set "no_resume". Then nothing shows how to resume, and a plugin may omit state and resume in its
// detections, but nothing else.
//
// A test may set "audit" in a request. A plugin that supports it then lists in "asked" the paths and globs of
// documents that it did not find. The test reports those that no document spec admits: they can never exist, so
// they are mistakes. Other plugins omit the list.
//
// A document's faults are those that the host found before the plugin ran: text that is not UTF-8, invalid JSON, a
// schema violation, a link in place of the file. If the plugin accepts the instance, the host reports them itself,
// so rules about such a document should stay silent. An [Override] lowers or withdraws a fault. If a document's
// need is content and it cannot be read, the fault stays an error. Off makes it an info, unless the document is
// readable in the base.
//
// A report may have an identity, such as a session's id, which identifies the run regardless of its path. The host
// reports two instances of one plugin with the same identity (duplicate-run), and uses the identity to follow a
// moved run. It must depend only on the present documents and the path, not on the base or the clock. A legitimate
// copy, as in an archive, has no identity.
//
// In a document with the format jsonlines, every line that is not blank is a separate JSON text. The plugin
// receives the whole text. A schema applies to each line, and the key of a line's fault contains the line number.
// In a pointer, the first token is the line index, which counts from 0 and includes blank lines: "/3/status" is the
// status on line 4.
//
// A plugin that compares the current time with a time in a document says for how long its report is valid: between
// valid_from and valid_until, every comparison has the same result. A plugin that does not use the clock omits
// both.
//
// # A plugin in another language, step by step
//
//  1. Write the manifest, and let describe return it.
//  2. Read the input. Split it into header and attachment. Parse the header with a JSON parser that supports escapes
//     and limits nesting.
//  3. Let examine return {} at first, compile, and run `stategate plugin pack FILE.wasm`.
//  4. Write fixtures (package fixture documents the format). Run `stategate plugin test --update FILE.wasm DIR` to
//     write the output of the plugin into them, and read the result.
//  5. Write detections first, then rules, remedies, recovery options and the brief.
//  6. Run `stategate plugin test` to check the plugin against its fixtures and the invariants.
//
// # Paths outside the instance
//
// State files make claims about the rest of the repository, such as "T045 done: tests/login_test.go". If the
// manifest declares asks_for, globs relative to the workspace root, a report may ask whether matching paths exist.
// Its member ask lists up to [MaxAsk] paths, sorted. Each must pass [CheckPath]. The host discards the rest of
// that report and calls examine once more with the same request and the answers, for now and for the base. If the
// second report asks again, the plugin fails, because the questions may depend on the documents but not on
// answers.
//
// A guest may also export answer, with the same type as examine. If the last call of examine asked, the host may
// call answer instead of a second examine. Its input contains only the answers, in the order of ask, and its output
// is the report that examine would return. A guest that keeps its parsed documents then does not have to parse them
// twice:
//
//	{"now":["present","unseen"],"base":["absent","unseen"]}
//
// A path is present if a file, a directory or a link has exactly that name in the tree that is checked, and absent
// if nothing has that name. It is unseen if that cannot be determined: a .gitignore in that tree ignores it and
// git does not track it; it is behind a link, in a submodule or in another repository; the project forbids the
// answer; or the plugin asked for too many paths. No finding may be based on an unseen path: a test makes answers
// unseen and expects no additional findings. When a host tries remedies, it gives the same answers, and unseen for
// paths that the plugin asks for only because of the edits.
//
// In answers about the base, a file that exists in both revisions may be unchanged: it has the same content. Hosts
// do not have to compare files, and do so only if a document of the instance differs from the base.
//
// # JSON encoding
//
//   - A member that is omitted is empty: "", 0, false, no elements, no time, or the first word of its vocabulary.
//     Encoders in this package omit empty members. null is refused.
//   - The vocabularies, each with its first word, which may be omitted, in front: Format: text, json, markdown,
//     jsonlines, yaml. Need: listed, counted, summary, content. Duplicates: fault, allow. Unit: run, part. Severity:
//     "" (the severity that the rule declares), off, info, warning, error. Fit: unknown, consistent, just-behind,
//     behind, ahead. State: active, blocked, finished, abandoned. Safety: manual, review, safe. Op: replace, set,
//     unset, create, restore, move, move-root, aside, remove, unmark. Source: worktree, index, commit. BaseState:
//     none, new, at.
//   - Integers have no fraction and no exponent, fit in 64 bits, and are not negative, except in a fact's value.
//   - Times are RFC 3339 with up to nine digits for fractions of a second: "2026-01-27T10:00:00.5Z".
//   - Vocabularies ([Severity], [Op], …) are closed. Their words are in lower case.
//   - A known member occurs at most once. Members may be in any order.
//   - Lines and columns count from 1. Ranges are half-open and count bytes of the text from 0.
//   - Paths are slash-separated and relative to the root; "" is the root itself; a path that ends in a slash is a
//     directory.
//   - A manifest or a report contains at most 200,000 objects and array elements.
//   - Strings are UTF-8 with paired surrogate escapes. This package writes U+FFFD for bytes that are not UTF-8.
//
// # Compatibility
//
//   - A reader ignores an unknown member, whatever its value (nested at most 64 levels deep).
//   - A reader refuses an unknown word of a vocabulary, and a value of the wrong type, with the path:
//     "diagnostics[3].range.line: found a string, expected an integer". A refused manifest or report is a failure of
//     the plugin, never an empty answer.
//   - Nothing is added silently. Every ability that a later host of ABI 1 adds has a name in [Features]. A manifest
//     that needs it lists that name in requires. A host that lacks it refuses the plugin for that reason, before it
//     checks the rest of the manifest. Listing a feature does not enable it: a newer host provides it to every
//     plugin, so a base may be present without being requested.
//   - Changes that cannot be added in this way become ABI 2. A host supports an ABI and the previous one.
//
// [Manifest.Validate] and [CheckGlob] define a well-formed manifest.
package wire
