// Package journal changes files all or nothing. A transaction is a list of steps
// below one directory, the workspace root; killed at any moment, what it did is rolled back by
// the next [Open], unless it was kept.
//
// # The life of a transaction
//
//  1. [Store.Begin] makes the steps one after the other. Before each, the journal gets the step and the old
//     bytes, durably; what the step replaces or removes stays in the tree under a temporary name, so that
//     rolling back needs no space: a rename is enough. A step that is refused rolls back those before it.
//  2. The caller checks the outcome and calls [Transaction.Keep] or [Transaction.RollBack].
//  3. Kept, the temporary files are removed and the journal stays, for [Store.Undo], which rolls back in the
//     same way as an interruption is: from the last step to the first, each leaving the journal when it is
//     reverted, so that rolling back may itself be interrupted.
//
// What a run leaves undecided the next one rolls back; what it leaves decided the next one finishes. A file that
// another program changed after an interruption is left alone and reported; its old bytes stay in the journal.
//
// # The journal
//
// The directory of a workspace's journals belongs to this user, has mode 0700 and
// holds:
//
//	lock              held (flock) by the process that applies
//	00000001/         one transaction; numbers grow
//	    open          its header while it is undecided,
//	    done          or kept, temporary files still to be removed,
//	    kept          or kept and clean,
//	    left          or one that could not be rolled back everywhere
//	    step-00000    the first step, of which the last one may not be made yet: the tree shows it
//	    old-00000     the bytes that it replaces or removes
//	new-…, old-…      a transaction being written or removed; swept by the next Open
//
// Of open, done, kept and left a directory holds exactly one; it changes by renaming, which needs no space.
// Header and steps are two lines each: the hex SHA-256 of the second one, and JSON. Nothing in
// them is trusted: one whose sum is wrong is refused, and every path is checked as that of a new change is.
//
// # Temporary files
//
// They are called .stategate-ID-N.tmp, ID being that of the transaction in 16 hex
// digits, and are in the first of its roots. Checks do not see them (see package tree).
package journal
