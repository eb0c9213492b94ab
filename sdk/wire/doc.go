// Package wire is what crosses the sandbox between stategate and a plugin: ABI 1.
//
// This page with the types below it, or with the schemas under schemas/abi, which say the same, is enough to
// write a plugin in any language that compiles to WebAssembly; plugins/examples has one workflow in Rust and
// AssemblyScript. Authors in Go use package sdk, whose types are these where they cross the sandbox; the bytes are
// no concern of theirs.
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
// # The kernel
//
// Bytes cross through the memory of the kernel, which is not the guest's own. These
// functions of the module "extism:host/env" are enough; offsets and lengths are bytes:
//
//	input_length()                  i64   the length of the input
//	input_load_u64(i64 at)          i64   eight bytes of the input, little-endian; at + 8 is at most its length
//	input_load_u8(i64 at)           i32   one byte of it
//	alloc(i64 length)               i64   the offset of new kernel memory
//	store_u64(i64 at, i64 word)           writes eight bytes there, little-endian
//	store_u8(i64 at, i32 byte)            writes one
//	output_set(i64 at, i64 length)        the bytes there are the answer
//	error_set(i64 at)                     what was allocated there is why there is none, as text
//
// A guest reads its input word by word into memory of its own, and writes its answer word by
// word into what alloc gave. Each of them is a call. Two functions of the module "stategate:host" do the same at
// once, and take places in the memory of the guest:
//
//	input_read(i32 at)                    copies the input there
//	output_write(i32 at, i32 length)      the bytes there are the answer
//
// The rest of the kernel's memory functions (free, length, load_u8, load_u64, input_offset, …) may be imported as
// well; log_info and its like write to a log that is discarded. Functions outside the contract (http_request,
// http_status_code, http_headers, var_get, var_set, config_get) may be imported, because prebuilt engines always do,
// and end the plugin when they are called. Of "wasi_snapshot_preview1" everything may be imported, and does nothing:
// no files, no arguments, no environment, a clock that stands still. Any other import is refused before anything is
// compiled.
//
// An export _initialize (a WASI reactor's, or what Go calls c-shared) is called once, first. One instance answers many
// requests, until it traps, reports a panic or its memory has grown large; then a fresh one follows.
//
// The same request must give the same report: a plugin has no files, clock, environment or randomness, and keeps
// nothing from one call to the next, except the state with which answer continues.
//
// # The request
//
// A request is binary. All integers are unsigned and little-endian.
//
//	offset    bytes   what
//	0         4       n, the length of the header
//	4         n       the header: JSON in UTF-8, one object, perhaps followed by spaces
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
//     Of a YAML document it is the JSON that the document means, each value on the line where it stands: lines
//     are those of the file, bytes are not. Name places and edits in it by line or pointer.
//   - "outline": what a Markdown document consists of; see below.
//
// A document of the base that equals the present document of the same path is
// written as {"same":true,"path":…} and nothing else: it has that document's text, outline and every other member.
// Documents are sorted by the bytes of their paths, and no path comes twice in one list.
//
// A directory is a document with "dir", a path that ends in a slash, and nothing else of interest.
//
// A path that is not in documents does not exist, unless a glob of "unseen" matches it: then its existence is
// unknown, and no error may rest on its absence.
//
// # The outline
//
// An outline is nodes of 20 bytes each, at an offset of the attachment that is a multiple of 4:
//
//	offset   bytes   what
//	0        4       the kind in the low 8 bits, data of the kind in the 24 above
//	4        4       the number of the parent among the nodes, plus one; 0: it has none
//	8        4       the line of the start, 1-based
//	12       4       start: bytes from the start of the text
//	16       4       end: the node does not hold this byte
//
// Every node comes after its parent and before what follows in the text, lies within its parent, and begins and ends
// between characters. The kinds, their data (0 where nothing is said), and what they lie in:
//
//	 1 heading        the level, 1 to 6         top, item, quote   all its lines, with markers and underline
//	 2 table          the number of columns     top, item, quote   all its lines
//	 3 header                                   table              its first row
//	 4 row            the number of cells       table
//	 5 cell           the column, 0-based       header, row        trimmed; empty if blank
//	 6 paragraph                                top, item, quote   also the text of a list item
//	 7 item           the depth, 1-based        top, item, quote   marker, text and all that is nested
//	 8 task           1 if it is checked        item               the checkbox and the text after it
//	 9 quote                                    top, item, quote
//	10 fence          1 if nothing closes it    top, item, quote   fenced code with its fences
//	11 info                                     fence              the text after the opening fence
//	12 code                                     fence              the lines between the fences
//	13 field          how it is written         paragraph, task,   a key and a value: **Key**: value,
//	                                            front matter       or a line of front matter
//	14 key                                      field, list        without markers and colon
//	15 value          how it is quoted          field, list        without quotes
//	16 front matter                             top                the block at the very top, with its fences
//	17 open comment                             top                the four bytes <!-- of a comment that nothing closes
//	18 box            the character in it, 0    heading, task,     a check box of any mark at the beginning: [ ], [-], [✓]
//	                  for none, as in []        paragraph, cell
//	19 link           the bytes of its text     heading, task,     [text](target) or <https://…> within a line;
//	                  in brackets, 0 for <…>    paragraph, cell,   the text begins behind its first byte
//	                                            value
//	20 target                                   link               without angle brackets and title
//	21 list           how it is written         front matter       a key and values: [a, b], or "- a" on lines below it
//
// A key and values lie in a list as they do in a field. A list of the front matter that holds anything but scalars has
// no node, and neither has a map. Fields that are rows of tables of two columns have no nodes of their own. Images and
// links by reference have none. HTML comments and code hold no other nodes. More kinds may come with a feature; skip
// those that you do not know.
//
// # A request, whole
//
// One Markdown document, "# Hi" with its line feed, and its outline of one heading:
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
// The header has 0x88 bytes and no space after it. The attachment begins at 0x8c with the text; three zero bytes
// bring the outline to a multiple of 4.
//
// # The manifest and the report
//
// Both are JSON in UTF-8: one object, of at most [MaxManifest] and [MaxReport]
// bytes. Their members are the fields of [Manifest] and [Report] and of the types in them, under the names of the json
// tags; the comments at the fields say what they mean.
//
// What a [Fact] shows is plain JSON, by its kind: a string; an integer; true or false; an array of strings; or, for a
// table, {"columns":["a","b"],"rows":[["1","2"]]}, whose rows have a cell for each column, whose columns, at most 64,
// have different names.
//
// A host refuses a report whole, as a failure of the plugin, if
//
//   - it names a rule that the manifest does not declare;
//   - it declines the instance, and yet has findings, detections, recoveries or an identity;
//   - it has more than 5,000 diagnostics.
//
// A host takes a finding, a remedy, a detection, a recovery or the identity out of a report, as a failure of its rule
// or of the plugin beside which the rest stands, if
//
//   - it names a lifecycle or a phase that the manifest does not declare, or a severity above the rule's;
//   - it blocks more than 1,000 runs;
//   - a place names a path that no document of the manifest's could have, and that is neither a directory above one nor
//     the root;
//   - a finer place (a line, bytes, a pointer) is in a missing document, past the end of one, or inside a character;
//   - a manual remedy has edits or no steps, or another one has no edits;
//   - an edit reaches out of the root, or names a file that some system cannot have;
//   - a detection has more than 64 files, or one of them is a glob that [CheckGlob] refuses;
//   - it is an identity and the manifest does not say of what, or one of more than 1,024 bytes;
//   - a subject, a key, a message or a title has more than [MaxText] bytes, 4 KiB.
//
// Other texts that are shown (related messages, steps, facts, briefs), which may quote documents, are cut at so many
// bytes. Repeated entries of a brief's list are dropped.
//
// A detection is one run, or a part of one. Its files belong to that run alone: a finding in one of them
// belongs to the run. A part names its run in part_of. If the workflow has a pointer, such as a current tag, the chosen
// run has a rank in chosen; the smallest rank comes first. A pointer in a separate directory is a state directory
// without detections. Its report lists the chosen state directories in chooses, at most [MaxChooses], relative to the
// workspace root. The host drops a part_of that names no detection of the report, or leads in a circle. Two detections
// must not share a lifecycle and subject: a test rejects them. A merge of two files may cause that, so a host keeps
// both, and distinguishes them by their files.
//
// A finding names its run if its location does not. Its blocks list the other runs that are blocked until it is fixed.
// Its subject is the item within the run: a task, a story, a requirement.
//
// Diagnostics that are equal in rule, subject, key, range, message and severity are one. Two that are equal in rule,
// path, subject and key and differ in the rest are a failure of their rule: nothing could tell which of them a baseline
// knows. A remedy that would make a name which differs from one that exists in case only becomes a manual one.
//
// A host tries remedies before it offers them: it calls examine again for each, with a request that contains the
// outcome of the edits. It drops remedies that break their promise, and turns those that it may not make into advice;
// package vet lists the conditions. So a plugin may be asked about states that never existed.
//
// A request may say "no_resume": then no output shows where to resume, and a plugin may leave out state and resume of
// its detections, and nothing else.
//
// A test may set "audit" in a request. A plugin that supports it then lists in "asked" the paths and globs of
// documents that it did not find. The test refuses those that no document spec admits: they can never exist, so they
// are mistakes. Other plugins leave it out.
//
// A document's faults are what the host found wrong with it before the plugin ran: text that is not UTF-8, invalid
// JSON, a breach of the schema, a link in its place. They become findings of the host by themselves if the plugin
// accepts the instance, so a rule about such a document had better be silent. An [Override] lowers or withdraws them.
// If a document's need is content and it cannot be read, that stays an error. Off makes it an info, unless the base
// has it readable.
//
// A report may carry an identity, such as the id of a session, which says which run it is, wherever it lies. The host
// reports two instances of one plugin that have the same (duplicate-run), and follows a run to another place by it. It
// must follow from the present documents and the place alone, and not from the base or the clock. A copy that is
// legitimate, as in an archive, has none.
//
// In a document of the format jsonlines every line that is not blank is a JSON text of its own. Its text reaches the
// plugin whole. A schema holds for each line, and a fault of a line has the line's number in its key. In a pointer into
// such a document the first token is the number of the line, from 0, blank lines counted: "/3/status" is the status in
// line 4.
//
// A plugin that compares "now" with a time in a document says for how long its report holds: valid_from and valid_until
// bound the clocks for which every comparison has the same outcome. One that does not look at the clock leaves both
// out.
//
// # A plugin in another language, step by step
//
//  1. Write the manifest, and let describe answer with it.
//  2. Read the input; cut it into header and attachment; read the header with a JSON reader that knows escapes and
//     bounds its depth.
//  3. Let examine answer {} at first, compile, and run `stategate plugin pack FILE.wasm`.
//  4. Write fixtures (package fixture documents the format) and let `stategate plugin test --update FILE.wasm DIR`
//     write what the plugin says into them. Read that.
//  5. Detections first, then rules, remedies, recoveries and the brief.
//  6. `stategate plugin test` holds the plugin to its fixtures and the laws.
//
// # What is outside of the instance
//
// State claims things about the rest of the repository, such as "T045 done: tests/login_test.go". A manifest with
// asks_for, globs below the workspace root, lets a report ask whether there is something at paths that they match:
// its member ask lists up to [MaxAsk] of them, sorted, each as [CheckPath] accepts it. The host discards the rest of
// that report and calls examine once more, with the same request and its answers, for now and for the base. A second
// report that asks for anything is a failure of the plugin: what is asked for may depend on the documents and not on
// answers.
//
// A guest may export answer besides, of the same type as examine. Where the last call of examine has asked, the host
// may call it instead of examine: its input has only the answers, in the order of ask, and its output is the report
// that examine would give. A guest that keeps what it has read until then need not read it twice:
//
//	{"now":["present","unseen"],"base":["absent","unseen"]}
//
// A path is present if a file, a directory or a link has exactly that name in the tree that is checked, absent if
// nothing has, and unseen if that cannot be known: git ignores it by a .gitignore of that tree and does not track it,
// it is behind a link, in a submodule or another repository, the project refuses to tell, or too much was asked for. No
// finding may rest on what is unseen: a test makes answers unseen and expects no finding more. A host that tries
// remedies gives the same answers, and unseen for what only the edits make the plugin ask.
//
// In answers about the base a file that is present in both may be unchanged: it has the same content. Hosts need not
// compare, and do so only if a document of the instance differs from the base.
//
// # How JSON is written
//
//   - A member that is left out is empty: "", 0, false, no elements, no time, or the first word of its vocabulary.
//     Writers in this package leave out whatever is empty. null stands for nothing and is refused.
//   - The words of a vocabulary stand here with the first, which may be left out, in front. Format: text, json,
//     markdown, jsonlines, yaml. Need: listed, counted, summary, content. Duplicates: fault, allow. Unit: run, part.
//     Severity: "" (as the rule declares), off, info, warning, error. Fit: unknown, consistent, just-behind, behind,
//     ahead. State: active, blocked, finished, abandoned. Safety: manual, review, safe. Op: replace, set, unset,
//     create, restore, move, move-root, aside, remove, unmark. Source: worktree, index, commit. BaseState: none, new,
//     at.
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
//   - A word that a vocabulary lacks is refused. So is a value of another type, with the path:
//     "diagnostics[3].range.line: found a string, expected an integer". A refused manifest or report is a failure of
//     the plugin, never an empty answer.
//   - Nothing is added silently. What a later host of ABI 1 can do more has a name in [Features]; a manifest that needs
//     it names it in requires, and a host that lacks it refuses the plugin for that reason, before it looks at the rest
//     of the manifest. Nothing is switched on by it: a host that can do more does it for every plugin, so a base may
//     come unasked.
//   - What cannot be added so becomes ABI 2. A host serves an ABI and the one before.
//
// [Manifest.Validate] and [CheckGlob] say what a well-formed manifest is.
package wire
