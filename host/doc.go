// Package host is the library behind the stategate command. It prints nothing, never exits and
// reads no environment. This page is its map; the code is in the rooms below.
//
// # Rooms
//
//	check    one run of the gate: finds state directories, reads them, has them examined, gathers a result
//	policy   which findings count: severities, ignores, the baseline
//	config   the configuration file, read and edited with positions
//	repair   plans remedies, applies them, verifies, undoes
//	journal  the transaction below a repair: atomic, crash-safe, undoable
//	result   what a check or a repair found or did: what printers and policies work on
//	print    one output format per file, and the sanitizer that everything printed passes
//	plugin   what a plugin is (manifest and bytes), and everything that runs one:
//	         wasmfile (the module's file), worker (killable processes), confine (what a worker may do),
//	         sandbox (the engine; its only importer), exchange (what host and worker say to each other),
//	         admit (checks a worker's reply), cache (compiled code and verdicts), fetch and store (registries)
//	source   where bytes come from: tree (work tree, index, commit), git, ignore, discover (finds state
//	         directories in one walk), statefiles (one state directory as read), presence (whether something
//	         is at a path that a plugin asks for)
//	limits   what a plugin, a document, a report and a worker may take
//	fault    the two errors that callers tell apart: Failure (could not check), UsageError (wrong call)
//
// and seven tools: atomicfile replaces a file as a whole, private keeps directories to one user, slashpath compares
// slash-separated paths, shell quotes an argument, suggest finds the nearest name, yamledit adds to YAML files,
// schemafile reads a file that people write against its schema.
//
// A room imports only rooms that stand below it in this order: repair; check; print, policy, config;
// result; journal; plugin, source; limits, fault; the tools. A test keeps it so.
//
// # The life of one document
//
//  1. cmd reads flags, locates the workspace (check.Locate), reads its configuration and fills
//     check.Options; every plugin's manifest is read from its file without running code.
//  2. check.Check opens a session: the source (work tree, index or commit), the ignore rules, the
//     bases and the cache of verdicts.
//  3. source/discover walks the tree once, for the roots of all plugins, and yields state directories.
//  4. What an earlier state has and the present lacks is paired with what is new (moved) or reported
//     (lost); so is what hides state: a link, another repository, git's ignore rules (hidden).
//  5. Several goroutines take one state directory each.
//  6. source/statefiles lists it, matches names against the manifest's globs, reads the bytes, hashes
//     them. What is as an earlier look saw it (tree.Memory) is neither listed nor read.
//  7. The same is done for each base: now and base together are one comparison.
//  8. The digests of all that the verdict depends on are its key in plugin/cache. A hit continues at
//     step 14.
//  9. Otherwise plugin/exchange makes a job: a header and the raw bytes.
//  10. plugin/worker sends it through a pipe to a child process, which is killed when it exceeds its
//     time or memory.
//  11. The child parses: sdk/engine/snapshot makes documents of bytes (UTF-8, JSON and its schema, the outline
//     of Markdown).
//  12. plugin/sandbox hands them to the guest; the rules run; the guest answers with a report.
//  13. The child admits the report, tries its remedies (sdk/engine/vet: steps 11 and 12 again, for each),
//     works out places in lines and columns, and replies.
//  14. The parent decodes the reply and plugin/admit checks it again: a worker may have been taken
//     over.
//  15. Where there are several bases, what stands against every one of them is kept.
//  16. check turns findings into the result: paths from the workspace root, ids, fingerprints; policy
//     decides which of them count.
//  17. cmd prints the result, writes reports, and exits with the code of the gate.
package host
