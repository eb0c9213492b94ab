// Package sdk is the API for authors of stategate plugins.
//
// # What a plugin is
//
// A plugin knows one workflow: where its runs live, which files hold their state, which phases exist, what can be
// wrong, how to fix it and how to resume.
//
// # The smallest workflow
//
// A workflow is a constant. The one below knows notes that are kept in .notes/<name>/state.json. It reports a note
// that is marked done although its text is empty:
//
//	var Workflow = &sdk.Workflow{
//		Name: "notes", Version: "1.0.0", Doc: "Notes that agents take.",
//		Roots:     []sdk.Root{{Dir: ".notes/*", Markers: []string{"state.json"}}},
//		Documents: []sdk.DocumentSpec{
//			{Glob: "state.json", Format: sdk.JSON, Need: sdk.Content},
//			{Glob: "note.md", Format: sdk.Markdown, Need: sdk.Summary},
//		},
//		Lifecycles: []*sdk.Lifecycle{life},
//		Rules:      []*sdk.Rule{doneWithoutText},
//		Detect:     detect,
//	}
//
//	var doneWithoutText = &sdk.Rule{
//		Name: "done-without-text", Severity: sdk.Error,
//		Doc:  "A note is marked done, but note.md is empty.",
//		Check: func(p *sdk.Pass) error {
//			if p.Detections[0].Claimed == "done" && written(p) == 0 && p.Docs.Known("note.md") {
//				p.Report(sdk.Diagnostic{
//					Range:   sdk.AtPointer("state.json", "/phase"),
//					Message: `phase is "done", but note.md is empty`,
//				})
//			}
//			return nil
//		},
//	}
//
// This is the whole program and the whole test:
//
//	func init() { plugin.Serve(notes.Workflow) }
//	func main() { plugin.Main() }
//
//	func Test(t *testing.T) { sdktest.Run(t, notes.Workflow) }
//
// The file example_test.go in this package's directory contains the missing parts, including the detect function.
//
// Types that cross the sandbox (Diagnostic, Remedy, Edit, Range, Root, DocumentSpec, Phase, Resume, …) are aliases
// of types in package wire, which documents their fields: `go doc github.com/stategate/stategate/sdk/wire.Remedy`.
// `go doc -all` also shows the constants, such as [Content], [Review] and [Active].
//
// # Helper packages
//
// Small packages do the work that all workflows share, so that a plugin contains little besides its own workflow.
// You can use each on its own:
//
//	check            a table of rules with conditions, groups and reasons; findings built step by step
//	state            a typed state document: a table of fields, with the checks that a table makes possible
//	ladder           claimed and proved phases: observed, fit, ahead, behind
//	brief            the brief: no duplicates, only documents that exist, errors first
//	say              messages: quoted, shortened, found and expected
//	words            real words, placeholders, similar words
//	words/status     how far along a task is, from the words that people write; test it with sdktest.Forms
//	jsondoc, markdown, instant   readers, each with an equality by meaning: Equal, Meaning, Same
//	tasks            task lists in Markdown: checkboxes, ids, parts, dependencies, pairs with the base
//	work             rules about tasks that workflows share: dependencies, parts, ids, lost tasks; Life, the
//	                 lifecycle of a workflow that has items with statuses but no phases
//	graph, ordinal   dependencies; natural order (2 before 10)
//	evidence         the files that a task names, and whether they exist, were renamed or were removed
//
// Compare documents only with these equalities, so that running a formatter never changes a result. Package
// engine/scaffold/fieldnotes, the template of `stategate plugin new`, is a whole workflow in 150 lines: state.json
// with four phases, three more documents, rules with remedies, a rule that compares with the base, recovery, and
// the brief.
//
// To move an older plugin onto these packages, work in this order and run its fixtures after each step:
//
//  1. Describe the state document with state.Spec, one row per field. Delete its reader, and the rules about
//     unknown words, spelling, missing fields, times, and counters that went backward. Call Doc.Unknown,
//     Noncanonical, Missing, Malformed, InFuture, OutOfOrder, Rewritten, Fell and NotAdvanced under the names of
//     the existing rules.
//  2. Use check.Declare: conditions become Needs, and each rule becomes a row of data. Report.Finish adds
//     Doc.Touch. Delete the finding builder, the limits on findings, and all code that tries remedies, because the
//     host tries them.
//  3. Use Section.Pairs for keys and values in any form, and Outline.Split for entries. Delete line readers.
//  4. Use instant.Loose for times, words.Real and Placeholder for values, and say for messages.
//  5. Compare with the base through jsondoc.EqualFunc(a, b, instant.Same), and tasks.Pair for tasks. Never compare
//     Raw, Digest or Text.
//  6. Use ladder.Ladder if the phases follow each other, and brief.Of in Resume.
//  7. Report a value that cannot be read as a separate warning at its location, with the expected form. Change the
//     conditions of rules that would draw conclusions from that value, so that they do not hold.
//  8. Write fixtures: each rule fires in one and stays silent in its nearest healthy neighbor, and each natural
//     form is healthy.
//
// # One evaluation
//
// The host calls, in this order: [Workflow.Prepare] (parse once into [Pass.Model]), [Workflow.Detect] (return the
// phase of every subject), [Workflow.Check] and every [Rule], [Workflow.Recover] and [Workflow.Resume]. An error or
// a panic in a rule fails only that rule; in Workflow.Check it fails every rule that Check covers. The findings of
// other rules remain. An error means that the rule could not check; it is never a finding.
//
// # Documents
//
// A [DocumentSpec] adds documents to the snapshot and says how much of each is needed: its text, a
// [DocumentSummary], its counts, or only its name. JSON arrives as text, for package jsondoc. YAML arrives as the
// equivalent JSON. Markdown arrives as text and outline, for package markdown. [Document.Faults] lists the faults
// that the host found and reports itself. A missing document may be unknown rather than absent. [Docs.Known] tells
// the two apart; never report an error for a missing document unless it is known to be absent.
//
// # JSON Lines
//
// Logs and event histories are often JSON Lines: one JSON text per line. With the format [JSONLines], the schema
// applies to each line. A line that is not JSON is a fault of that line alone, which the host reports. The plugin
// gets the whole text, parses it line by line with package jsondoc, and skips lines that it cannot parse.
//
// In the pointer of a location, the first token is the line index. It counts from 0 and includes blank lines, so
// AtPointer("events.jsonl", "/3/kind") is kind on line 4. Edits change whole lines: Replace(AtLine("events.jsonl",
// 4), …). Set, SetText, SetInt, SetNow and Unset do not work in JSON Lines. Compare with the base event by event
// with jsondoc.Equal, so that spacing and key order make no difference. The file example_jsonlines_test.go is a
// whole workflow of this kind.
//
// # Claimed and observed
//
// A [Detection] contains the phase that the state file claims and the phase that the documents show. Most faults
// are disagreements between the two. [Fit] says whether a disagreement is a fault: a state file that is written
// just before or just after its document disagrees for a moment and is healthy.
//
// # One directory, many runs
//
// A run is what a person would name: a change, a session, a task list. A state directory may contain many runs.
// Each has its own detection, and the host counts, blocks, shows and resumes each one separately:
//
//	list = append(list, sdk.Detection{
//		Lifecycle: change, Subject: c.name, // no two runs of a directory have the same
//		Files:  []string{sdk.FilesBelow("changes/" + c.name)}, // of this run and of no other
//		Chosen: rank,                       // 1 if the workflow's own pointer names this run; 0 if nothing does
//	})
//
// A finding belongs to one run, and blocks that run alone. If several runs share a document, the rule says which
// run the finding belongs to:
//
//	r.At(task.at, "task 7 is done, but …").Of(change.Named(c.name)).About("7") // the item in the run
//	r.At(spec.at, "the spec has no purpose").Blocks(m.changing(spec)...)       // these runs are blocked
//
// The host uses the run that the finding names, or the run whose Files contain its location. Otherwise, the
// finding belongs to the directory, and the runs keep their next steps unless the finding blocks them.
// [Detection.Name] and [Lifecycle.Named] return a run's name.
//
// A run never competes with its parts: resume does not ask you to choose between a sprint and its second epic. If
// all subjects of a lifecycle are parts, declare the lifecycle's Unit as [Part]. If only some are, set PartOf in
// their detections. For example, a session's latest round is the run, and the other rounds have PartOf:
// latest.Name().
//
// A directory with one run needs none of this. If each run has its own state directory, and a file next to them
// names the current run, make that file's directory a root of the workflow as well. There, Detect calls
// [Pass.Choose] and returns no detection.
//
// [Workflow.Resume] gives every run in progress a next action: one sentence of at most 120 characters that names
// the command or the file. Package brief helps with the limit, and sdktest enforces it.
//
// # Findings, remedies, recoveries
//
// A [Diagnostic] contains the value found, the value expected, and the location of the evidence for the expected
// value. Its remedies are alternatives. Each one is safe, needs review or is manual. A remedy is a list of edits
// that are applied together or not at all. [Workflow.Recover] proposes recovery options for the whole instance.
//
// Report a value that the plugin cannot read, such as the status "Rejected maybe", with a rule of its own, as a
// warning. Otherwise that word silences every rule that depends on the status.
//
// A plugin proposes remedies; the host decides. The host applies the edits of every remedy in memory and runs the
// plugin again. It withdraws a remedy that does not fix its own finding or another finding that it claims to fix.
// It withdraws a remedy that causes an error, unless the error is in a document that was unreadable before. It
// withdraws a remedy that duplicates an entry that the base has only once, and a recovery option that the plugin
// proposes again afterward.
//
// Some remedies become manual advice. One is a remedy that changes files other than the workflow's documents; to
// only edit a document, declare it as [Listed]. Another is a remedy that drops an entry from a list in the base.
// All remedies after the first 64 also become advice. So a rule does not need to try its remedy; it only proposes a
// fix for its own finding. The host also decides on [Safe]. It refuses Safe if an error about the same subject
// remains. It also refuses it for a remedy that replaces, moves or removes a document whose content was not read.
// The @want header of a fixture shows the granted remedies; withdrawn remedies appear with the reason.
//
// # Identity
//
// A copied state directory becomes a second run with the same id, and the next session resumes only one of the two.
// If the runs of a workflow have ids, declare the identity. The host then compares all runs in the repository,
// which no rule can do:
//
//	Identity: &sdk.Identity{Noun: "session", Of: func(p *sdk.Pass) string { return p.Beside(p.Model.(*model).id) }},
//
// # Paths outside the instance
//
// State files make claims about the rest of the repository, such as a finished task and the file it created.
// [Workflow.AsksFor] declares globs for such files. [Pass.Presence] and [Base.Presence] report whether a path
// exists now and whether it existed in the base, but never return its content. Ask for every path that the
// documents name, regardless of the other answers, because the host calls the plugin twice, and every answer in
// the first call is [Unseen].
//
// If rules set [Rule.Asks], only these rules run in the first call. The two calls share the results of Prepare
// and Detect, which saves half of the work, so do not keep answers in the model. Report "done without evidence"
// as an error only if the claim is new since the base and the path is absent both now and in the base.
//
// # Time
//
// [Pass.Before], [Pass.After] and [Pass.Since] compare with the current time and record how long their answers
// hold, so that the host can cache the verdict.
//
// # Earlier revisions
//
// [Pass.Base] holds the same instance in an earlier revision, if the host was asked to compare with one. Rules
// about transitions read it and stay silent if there is none.
//
// # Size
//
// A guest is compiled and validated before it runs, so its size adds latency. In the standard library,
// encoding/json, fmt and regexp are the expensive packages; this module's guest code uses none of them.
//
// # Compatibility
//
// A plugin declares its ABI with an exported function (stategate_abi_1), and any features beyond it in
// [Workflow.Requires]. A host refuses a plugin whose features it lacks and says which side to upgrade.
// COMPATIBILITY.md in this directory lists versions and promises; package wire documents every byte.
package sdk
