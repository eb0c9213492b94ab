// Package sdk is the contract for authors of stategate plugins.
//
// # What a plugin is
//
// A plugin knows one workflow: where its runs live, which files hold their state, which phases there are, what can be
// wrong, how to fix it and how to resume.
//
// # The smallest workflow
//
// A workflow is a constant. This one knows notes that are kept in
// .notes/<name>/state.json and says when a note is called done without a text:
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
//		Doc:  "A note is called done but note.md has no word.",
//		Check: func(p *sdk.Pass) error {
//			if p.Detections[0].Claimed == "done" && written(p) == 0 && p.Docs.Known("note.md") {
//				p.Report(sdk.Diagnostic{
//					Range:   sdk.AtPointer("state.json", "/phase"),
//					Message: `phase is "done" but note.md has no word`,
//				})
//			}
//			return nil
//		},
//	}
//
// Its whole program and its whole test are
//
//	func init() { plugin.Serve(notes.Workflow) }
//	func main() { plugin.Main() }
//
//	func Test(t *testing.T) { sdktest.Run(t, notes.Workflow) }
//
// The example of this package has what is left out here, with its detect function.
//
// Types that cross the sandbox (Diagnostic, Remedy, Edit, Range, Root, DocumentSpec,
// Phase, Resume, …) are aliases of those of package wire, where their fields are
// documented: `go doc github.com/stategate/stategate/sdk/wire.Remedy`.
//
// # The layer
//
// Between the documents and a rule there is a floor of small packages, so that a plugin holds
// its workflow and little else. Each is of use alone:
//
//	check      a table of rules with conditions, groups and reasons; findings built step by step
//	state      a typed state document: fields in a table, with what a table can find
//	ladder     claimed and proved phases: observed, fit, ahead, behind
//	brief      the brief: nothing twice, only documents that exist, errors first
//	say, words messages: quoted, cut short, found and expected; words: real, placeholder, alike
//	words/status  how far something is, from the words that people write; who uses it adds sdktest.Forms
//	jsondoc, markdown, instant   readers, each with an equality by meaning: Equal, Meaning, Same
//	tasks            task lists in Markdown: boxes, ids, parts, dependencies, pairs with the base
//	work             rules that workflows share about things to do: dependencies, parts, ids, what was lost
//	graph, ordinal   what depends on what; 2 before 10
//	evidence         the files that a task names: how, whether they are there, under another name, or taken away
//
// A workflow whose state is another one's meaning compares by these equalities alone: a formatter
// changes no answer. Package engine/scaffold/fieldnotes, which `stategate plugin new` begins a project
// with, is a whole workflow on them in 150 lines: state.json with four phases, three more documents, rules
// with remedies, one of them about an earlier revision, recovery and the brief.
//
// A plugin that was written without the layer is moved onto it in this order, with its fixtures
// run after every step:
//
//  1. state.Spec: one row a field; delete the reader of the state document and the rules on unknown words,
//     spelling, missing fields, times and counters that went back; call Doc.Unknown, Noncanonical, Missing,
//     Malformed, InFuture, OutOfOrder, Rewritten, Fell, NotAdvanced under the names that the rules have.
//  2. check.Declare: conditions become Needs, each rule a row of data; Report.Finish adds Doc.Touch. Delete the
//     finding builder, the limits of findings, and all that tries remedies: the host does.
//  3. Section.Pairs for keys and values in any form, Outline.Split for entries; delete line readers.
//  4. instant.Loose for times, words.Real and Placeholder for values, say for messages.
//  5. Comparisons with the base: jsondoc.EqualFunc(a, b, instant.Same), tasks.Pair for tasks. No Raw, no Digest,
//     no Text is compared.
//  6. ladder.Ladder where phases follow each other; brief.Of in Resume.
//  7. What cannot be read becomes a warning of its own at its place, with the form that is expected, and
//     the conditions of the rules that would conclude something from it no longer hold.
//  8. Fixtures: each rule fires in one and is silent in its nearest neighbor; each natural form is healthy.
//
// # One look
//
// The host calls, in this order: [Workflow.Prepare] (parse once into
// [Pass.Model]), [Workflow.Detect] (which phase is every subject in),
// [Workflow.Check] and every [Rule], [Workflow.Recover] and [Workflow.Resume]. An error or a
// panic in a rule fails that rule, and in Workflow.Check every rule that it serves; the
// findings of the others stand. An error says that the rule could not look: it is never a finding.
//
// # Documents
//
// [DocumentSpec] admits documents and says how much of each is needed: the
// text, a [DocumentSummary] of it, its counts, or only its name. JSON arrives as text, for
// package jsondoc, and YAML as the JSON that it means; Markdown as text and outline, for package markdown. What the
// host found wrong is in [Document.Faults], and becomes a finding of the host by
// itself. A document that is absent may be unknown rather than missing:
// [Docs.Known] tells, and no error may rest on an absence that is not known.
//
// # JSON Lines
//
// Logs and histories of events are often JSON Lines: one JSON text a line. With the format [JSONLines] a schema holds
// for each line, and a line that is not JSON is a fault of that line alone, which the host reports. The plugin gets the
// whole text and parses line by line with package jsondoc, skipping what cannot be read. In a pointer the first token
// is the number of the line, from 0, blank lines counted: AtPointer("events.jsonl", "/3/kind") is kind in line 4, in a
// place of a finding as in an edit. What stood in the base is compared event by event with jsondoc.Equal, so that other
// spacing or order of keys changes no answer. The example "JsonLines" of this package is a whole workflow of that kind.
//
// # Claimed and observed
//
// A [Detection] holds what the state file claims and what the documents prove.
// Most faults are their disagreement. [Fit] says whether it is one: a state
// that is written just before or just after its file disagrees for a moment and
// is healthy.
//
// # One directory, many runs
//
// A run is what a person would name: a change, a session, a list of tasks. A state directory may hold many. Each has a
// detection, and the host counts, blames, shows and resumes each by itself:
//
//	list = append(list, sdk.Detection{
//		Lifecycle: change, Subject: c.name, // no two runs of a directory have the same
//		Files:  []string{sdk.FilesBelow("changes/" + c.name)}, // of this run and of no other
//		Chosen: rank,                       // 1 if the workflow's own pointer names this run; 0 if nothing does
//	})
//
// A finding belongs to one run, and blocks that run alone. In a document that several share, its rule says to which:
//
//	r.At(task.at, "task 7 is done, but …").Of(change.Named(c.name)).About("7") // the item in the run
//	r.At(spec.at, "the spec has no purpose").Blocks(m.changing(spec)...)       // these runs are blocked
//
// The host asks for the run first, then for the run whose Files have the place; else the finding is of the directory,
// and leaves the next steps of the runs alone unless it blocks them. [Detection.Name] and [Lifecycle.Named] name a run.
//
// A run never competes with its parts: resume does not ask you to choose between a sprint and its second epic. If all
// subjects of a lifecycle are parts, declare it (Unit: [Part]). If only some are, set PartOf in the detection: a
// session's latest round is the run, and the other rounds have PartOf: latest.Name().
//
// A directory with one run needs none of this. Each run may have its own state directory, with a file next to them that
// names the current run. Then that file's directory is also a root of the workflow: Detect calls [Pass.Choose] there,
// and returns no detection.
//
// [Workflow.Resume] gives every run in progress a next action: one sentence of at most 120 characters that names the
// command or the file. Package brief keeps to that, and a test holds it.
//
// # Findings, remedies, recoveries
//
// A [Diagnostic] names the value found, the value expected and where the other one is. Its remedies are alternatives;
// each is safe, or to be reviewed, or manual. A remedy is a list of edits that happen together or not at all.
// [Workflow.Recover] proposes recovery options for the whole instance.
//
// A plugin proposes remedies, and the host decides. The host makes the edits of every remedy in memory and runs the
// plugin again. It withdraws a remedy that leaves its finding, or a finding that the remedy claims to fix. It withdraws
// a remedy that causes an error, unless the error is in a document that could not be read before. It withdraws a remedy
// that writes something twice that the base has once, and a recovery that the plugin proposes again afterwards.
//
// Some remedies become manual advice: one that changes files other than the workflow's documents (declare a document
// that is only edited as [Listed]), one that drops an entry of the base from a list, and all after the first 64. So no
// rule needs to try its remedy: it proposes a fix for its own finding. The host also decides on [Safe]. It refuses it
// if an error of the same subject remains, and for a remedy that replaces, moves or removes a document that was not
// read. The @want of a fixture shows the granted remedies of the rules in its header, and the withdrawn ones with the
// reason.
//
// # Identity
//
// A copied state directory becomes a second run with the same id, and the next session resumes only one of the two.
// A workflow whose runs have ids says so, and the host compares the whole repository, which no rule can:
//
//	Identity: &sdk.Identity{Noun: "session", Of: func(p *sdk.Pass) string { return p.Beside(p.Model.(*model).id) }},
//
// # Outside of the instance
//
// State claims things about the rest of the repository: that a task is done, and which file it made. [Workflow.Paths]
// declares globs of such files, [Pass.Presence] and [Base.Presence] say whether there is one, now and then. They never
// give contents. Ask for every path that the documents name, whatever the answers to others are: the plugin is called
// twice, and the first time all is [Unseen]. Where rules say that they ask ([Rule.Asks]), they alone run that time, and
// what Prepare and Detect made serves both times, which saves half of the work: so keep no answer in the model. "Done
// without evidence" is an error only where the claim is new against the base and the path is absent now and was then.
//
// # Time
//
// [Pass.Before], [Pass.After] and [Pass.Since] compare with the present and
// remember for how long their answers hold, so that the verdict can be kept.
//
// # Earlier revisions
//
// [Pass.Base] holds the same instance as it was in an earlier revision, if one
// was asked for. Rules about transitions look there and stay silent without it.
//
// # Size
//
// A guest is compiled and validated before it runs: its size is latency. Of the
// standard library encoding/json, fmt and regexp are the expensive ones; this
// module's guest side uses none of them.
//
// # Compatibility
//
// A plugin names its ABI by an exported function (stategate_abi_1) and the
// features beyond it in [Workflow.Requires]. A host refuses what it lacks and
// says which side to upgrade. COMPATIBILITY.md beside this file lists versions
// and promises; package wire documents every byte.
package sdk
