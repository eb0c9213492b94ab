// Package host is the library behind the stategate command. It prints nothing, never exits and does not read the
// environment.
// This page is its map; the code is in the packages below.
//
// # Packages
//
//	check    one run of the gate, as a pipeline: open, find, read, examine, gather
//	policy   which findings count: severities, ignores, the baseline
//	config   the configuration file, read and edited with positions
//	repair   plans remedies, applies them, verifies, undoes
//	journal  the transactions that a repair uses: atomic, crash-safe, undoable
//	result   what a check or a repair found or did: what printers and policies work on
//	advice   the commands that are printed to be typed
//	print    the table of output formats, one format per file, and the sanitizer for everything that is printed
//	plugin   what a plugin is (manifest and bytes), and everything that runs one:
//	         wasmfile (the module's file), worker (killable processes), confine (what a worker may do),
//	         sandbox (the engine; its only importer), exchange (what host and worker say to each other),
//	         admit (checks a worker's reply), cache (compiled code, verdicts and the keys of verdicts), fetch and store
//	         (registries)
//	source   what is checked, behind one interface: the working tree, the index, a commit, or a merge. Below it tree
//	         (files), git, ignore, discover (finds state directories in one walk), statefiles (one state directory as
//	         read)
//	limits   how much a plugin, a document, a report and a worker may use
//	fault    the two errors that callers distinguish: Failure (could not check), UsageError (usage error)
//
// There are also seven tools: atomicfile replaces a file as a whole, private keeps directories to one user,
// slashpath compares slash-separated paths, shell quotes a word of a command, suggest finds the nearest name,
// yamledit adds to YAML files, schemafile reads a file that people write against its schema.
//
// A package imports only packages later in this order: repair; check; print, policy, config; advice; result; journal;
// plugin, source; limits, fault; the tools. A test enforces it.
//
// # The life of one document
//
//  1. cmd turns flags and .stategate.yaml into check.Options. source.Locate finds the workspace.
//  2. check.Open opens the source (working tree, index, commit or merge), its bases, and the workers.
//  3. Source.Find walks the source once and yields the state directories of all plugins. What only a base has is
//     either paired with what is new (moved) or reported (lost).
//  4. Source.Read lists one state directory, matches names against the manifest's globs, and hashes bytes; the same is
//     done for each base. The present version of a state directory and one base's version form a pair.
//  5. The digests of everything that the verdict depends on are its key in plugin/cache. If the verdict is cached, the
//     check continues at step 9.
//  6. plugin/exchange turns the pair into a job, and plugin/worker sends it to a child process, which is killed if it
//     exceeds its time or memory.
//  7. The child turns the bytes into documents (sdk/engine/snapshot) and passes them to the guest (plugin/sandbox),
//     which runs the rules.
//  8. The child admits the report and tries its remedies (sdk/engine/vet repeats step 7 for each).
//  9. The parent admits the reply again, because the worker may have been taken over. If there are several replies, it
//     keeps the findings that exist against every base.
//  10. check gathers the result, policy decides what counts, print writes it, and cmd exits with the gate's code.
package host
