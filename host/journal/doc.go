// Package journal changes files all or nothing. A transaction is a list of steps below one directory, the workspace
// root; killed at any moment, what it did is rolled back by the next [Open], unless it was kept.
//
// # The life of a transaction
//
//  1. [Store.Begin] makes the steps one after the other. A step replaces what is at one path, or moves a file or directory.
//     Before each, the journal gets the step and the old bytes, durably; these get a temporary copy in the tree, too, so
//     that rolling back needs no space: a rename is enough. A step that is refused rolls back those before it.
//  2. The caller checks the outcome and calls [Transaction.Keep] or [Transaction.RollBack].
//  3. Keep removes the temporary files and renames the journal, which stays for [Store.Undo]. That is the same rollback as after
//     an interruption: from the last step to the first, each leaving the journal when it is
//     reverted, so that rolling back may itself be interrupted.
//
// One function brings a path from one state to another, forwards and backwards, and does nothing where that is done already. A
// file that another program changed after an interruption is in neither state: it is left alone and reported, and its old bytes
// stay in the journal.
//
// # The journal
//
// The directory of a workspace's journals belongs to this user, has mode 0700 and holds:
//
//	lock                    held (flock) by the process that applies
//	00000001a2b3c4d5.open/  one transaction: its id, whose first half grows, and its state
//	    record              its header: what it is for
//	    step-00000          the first step, of which the last one may not be made yet: the tree shows it
//	    old-00000           the bytes that it replaces or removes
//
// The state is new (being written), open (undecided), kept, left (it could not be rolled back everywhere) or gone (being
// removed). It changes by renaming the directory, which needs no space; the next Open rolls back what is open, and removes what is
// new or gone. Header and steps are two lines each: the hex SHA-256 of the second one, and JSON. Nothing in
// them is trusted: one whose sum is wrong is refused, and every path is checked as that of a new change is.
//
// # Temporary files
//
// They are called .stategate-ID-N.tmp, ID being that of the transaction, and are in its root. Checks do not see them (see package
// tree).
package journal
