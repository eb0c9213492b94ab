package literaturereview

import "github.com/stategate/stategate/sdk"

var searchRules = []rule{
	{name: "empty-section", severity: sdk.Error, from: searching, review: emptySection,
		replaces: "missing-concepts missing-sources",
		doc:      "Core Concepts or Search Status by Source has no row although the search has begun.",
		why:      "Concepts and sources are what the search rests on.",
		fix:      "Fill in the section: write its rows, or bring them back from git"},
	{name: "incomplete-concept", severity: sdk.Warning, from: searching, review: incompleteConcept,
		doc: "A concept has no search terms or no depth.",
		why: "Queries are generated from both.", fix: "Complete the concept: fill in the missing cell"},
	{name: "search-never-begun", severity: sdk.Error, also: true, from: organizing, review: searchNeverBegun,
		hides: "unsettled-source", doc: "Papers are being organized, and every source is Pending.",
		why: "Either the search was skipped or its record is lost.",
		fix: "Record the search: set each source to what was done: Complete, or Skipped"},
	{name: "unsettled-source", severity: sdk.Warning, from: organizing, source: unsettledSource,
		doc: "A source is still open although papers are being organized.",
		why: "Its papers would be missing from the review.",
		fix: "Settle the source: finish the search, or set it to Skipped"},
	{name: "missing-source-row", severity: sdk.Warning, from: searching, review: missingSourceRow,
		doc: "A full review has no row for one of the six sources, or any review for a source that was searched.",
		why: "It would be left out without a decision, or searched again.",
		fix: "Add the row: add a row for the source"},
	{name: "pending-source-with-queries", severity: sdk.Warning, source: pendingWithQueries,
		doc: "A source is Pending although queries of it were executed, have results, or found a tracked paper.",
		why: "A resume would execute them again.",
		fix: "Correct the status: set the source to In Progress, or to Complete"},
	{name: "missing-search-methods", severity: sdk.Error, also: true, review: missingMethods,
		doc: "Sources were searched, and Search_Methods.md is missing or empty: an error where the base has it, " +
			"or else a warning.",
		why: "Which queries were planned and executed stands there alone.",
		fix: "Restore the plans: bring the text of Search_Methods.md back from git, or write down what was " +
			"searched"},
	{name: "executed-without-plan", severity: sdk.Warning, source: executedWithoutPlan,
		doc: "Queries of a source were executed or have results, and no plan of it can be read, or it lacks one of " +
			"them.",
		why: "A resume cannot see which queries remain.",
		fix: "List the queries: write the planned queries of the source into Search_Methods.md, with those that " +
			"were executed and those that remain"},
	{name: "unexecuted-planned-query", severity: sdk.Warning, source: unexecutedQuery,
		doc: "A source is Complete although planned queries are not recorded as executed.",
		why: "They were skipped, or their record is missing.",
		fix: "Settle the queries: execute the open queries, or record them as executed"},
	{name: "query-executed-and-remaining", severity: sdk.Warning, review: executedAndRemaining,
		doc: "A query is listed as executed and as remaining.",
		why: "A resume would execute it again.",
		fix: "Remove it from Remaining: remove the query from Remaining, since it was executed"},
	{name: "search-reopened", severity: sdk.Info, review: searchReopened,
		doc: "The search goes on although papers are annotated.",
		why: "It is a targeted extension, or the Status was set by mistake.",
		fix: "Check the Status: leave it if the search is being extended"},
}
