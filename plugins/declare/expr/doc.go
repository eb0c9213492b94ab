// Package expr is the expression language of declared workflows: its syntax is a subset of CEL's.
//
// A value that was selected from a document keeps its place and knows how it is edited there. A value that cannot be
// seen is unknown, and so is what depends on it: a rule that comes to it is silent. A value of the wrong kind is a
// [Failure] of the rule, never false. Evaluation has no recursion, no clock and no state, and takes at most [MaxSteps].
package expr
