// Package expr implements the expression language of declared workflows. Its syntax is a subset of CEL's.
//
// A value that was selected from a document knows its location, and how to edit the document there. A value that
// cannot be seen is unknown, and so is every result that depends on it; a rule whose result is unknown reports
// nothing. A value of the wrong kind is never just false: the rule fails with a [Failure]. Evaluation has no
// recursion, no clock and no state, and takes at most [MaxSteps].
package expr
