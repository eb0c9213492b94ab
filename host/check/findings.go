package check

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// The findings that the host makes without asking a plugin.

func unstable(plugin, root string) result.Diagnostic {
	return hostFinding(plugin, wire.RuleUnstable, wire.Info, root,
		"the files kept changing while they were read (three attempts); check again when nothing writes to them")
}

func hostFinding(plugin, rule string, severity wire.Severity, at, message string) result.Diagnostic {
	return result.Diagnostic{
		Rule: plugin + "/" + rule, Severity: severity, Place: result.Place{Path: at}, Message: message,
		Fingerprint: result.ID(plugin, rule, at, "", ""),
	}
}

// unreadable is the failure of documents that are there by name only: what
// the plugin finds in the others says nothing about them.
func unreadable(i *statefiles.Instance, source wire.Source) *fault.Failure {
	more := ""
	if n := len(i.Unseen) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	switch {
	case !i.Pointers:
		return fault.Newf(fault.Source, "read %s%s: this clone does not have the bytes: fetch them (git fetch --refetch --no-filter), or check the work tree", i.Unseen[0], more)
	case source != wire.Worktree:
		return fault.Newf(fault.Source, "read %s%s: the document is a Git LFS pointer, as always in the %s: check the work tree, or take the document out of LFS", i.Unseen[0], more, source)
	}
	return fault.Newf(fault.Source, "read %s%s: the document is a Git LFS pointer: fetch its content (git lfs pull), or write the document", i.Unseen[0], more)
}

// nameOf returns the last component of a root; of the anchor itself, that of
// its directory.
func (l *Session) nameOf(root string) string {
	if root == "." {
		return filepath.Base(l.Anchor.Path)
	}
	return path.Base(root)
}

// maxFailedRules bounds how many rules one failure names.
const maxFailedRules = 5

// ruleFailures says why rules failed, once for all that failed for one reason:
// rules that one pass of the plugin serves fail together.
func ruleFailures(list []wire.RuleFailure) []string {
	var messages []string
	rules := map[string][]string{}
	for _, f := range list {
		if rules[f.Message] == nil {
			messages = append(messages, f.Message)
		}
		rules[f.Message] = append(rules[f.Message], f.Rule)
	}
	for i, m := range messages {
		names, more := rules[m], ""
		if n := len(names) - maxFailedRules; n > 0 {
			names, more = names[:maxFailedRules], fmt.Sprintf(" and %d more", n)
		}
		word := "rule "
		if len(names) > 1 {
			word = "rules "
		}
		messages[i] = word + strings.Join(names, ", ") + more + ": " + m
	}
	return messages
}
