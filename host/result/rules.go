package result

import (
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Unread reports whether findings of a rule, plugin/rule, say that something could not be read, or not reliably. They
// are never accepted: nobody knows what they hide.
func Unread(rule string) bool {
	return slices.Contains([]string{wire.RuleUnreadable, wire.RuleNotAFile, wire.RuleTooLarge, wire.RuleUnstable}, RuleName(rule))
}

// Rules documents what the host itself reports under the name of every plugin, in the order of wire.HostRules.
func Rules() []wire.Rule {
	return []wire.Rule{
		{Name: wire.RuleUnreadable, Severity: wire.Error, Doc: "A document cannot be read as what it should be: it is not UTF-8, is broken JSON, repeats a key, is nested too deeply, or is empty although the base had something in it.\n\nThe host finds this before the plugin sees the document; a plugin may lower or withdraw it, unless the base had the document readable: damage stays an error."},
		{Name: wire.RuleSchema, Severity: wire.Error, Doc: "A JSON document breaks the schema that its workflow declares.\n\nEvery breach is reported at its line and column."},
		{Name: wire.RuleNotAFile, Severity: wire.Error, Doc: "Where a document is expected there is something other than a regular file (a directory, symbolic link, FIFO, socket or device), or where a directory is expected there is something that is not entered (a link, a git repository, a file).\n\nSuch a thing is never opened or followed."},
		{Name: wire.RuleTooLarge, Severity: wire.Error, Doc: "A document is larger than the limit, so that its plugin sees only a summary of it."},
		{Name: wire.RuleUnstable, Severity: wire.Info, Doc: "The documents kept changing while they were read; the verdict is about the last reading."},
		{Name: wire.RuleRunRemoved, Severity: wire.Error, Doc: "A run that the base has is gone, or is no longer found.\n\nThe base's copy is examined as a run of its own. Losing a finished one is an info; losing an unfinished or abandoned one, or one whose state cannot be determined, a warning. Where documents of a run that goes on are left that are no longer recognised as one, it is an error."},
		{Name: wire.RuleDuplicate, Severity: wire.Error, Doc: "Two state directories hold the same run.\n\nThe plugin says which run each of them is. A copy goes on beside the original, and whoever resumes takes one of the two. The finding is at the copy that is new against the base, or else at the later path."},
		{Name: wire.RuleMiscased, Severity: wire.Error, Doc: "A name differs only in case from one that the workflow keeps its state under.\n\nmacOS and Windows treat the two as the same place, so the workflow's tools go on with state that was not checked. Rename it (git mv)."},
	}
}
