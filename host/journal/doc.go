// Package journal changes files all or nothing. A transaction is a list of steps
// below one directory, the anchor; killed at any moment, what it did is rolled back by
// the next [Open], unless it was kept.
//
// # The life of a transaction
//
//  1. [Store.Begin] reads everything that will change, refuses what must not be,
//     and writes the journal with the old bytes. The tree is untouched so far.
//  2. New bytes are written beside their targets, under temporary names.
//  3. The steps are made one after the other, each durable before the next. What a
//     step replaces or removes stays under a temporary name, so that taking it back needs
//     no space: a rename is enough.
//  4. The caller looks at the outcome and calls [Transaction.Keep] or
//     [Transaction.TakeBack].
//  5. Kept, the temporary files go and the journal stays, for [Store.Undo]. Taken
//     back, the steps are reverted from the last to the first, and the journal goes.
//
// A run that ends before step 4 is rolled back by the next one, which finds the
// journal, which counts steps forwards and backwards, so that reverting may itself be
// interrupted. A run that ends within step 5 is finished by the next
// one. A file that somebody else changed after an interruption is left alone and
// named; its old bytes stay in the journal.
//
// # The journal
//
// The directory of an anchor's journals belongs to this user, has mode 0700 and
// holds:
//
//	lock              held (flock) by the process that applies
//	00000001/         one transaction; numbers grow
//	    open-00003    the record of one that is not decided (2 to 4 above), and how many steps were
//	                  begun: the third is made or not, the tree tells, and those before it are
//	    done          the record of one that is kept, temporary files still to be removed
//	    kept          the record of one that is kept and clean
//	    left          the record of one that could not be taken back everywhere
//	    0, 1, …       old bytes, named by the record
//	new-…, old-…      a transaction being written or removed; swept by the next Open
//
// Of open, done, kept and left a directory holds exactly one; it changes by
// renaming, which needs no space. A record is two lines: the hex SHA-256 of the second
// one, and a JSON object (type Record). Nothing in it is trusted: a record whose sum is
// wrong is refused, and every path is checked again as those of new changes are.
//
// # Temporary files
//
// They are called .stategate-ID-N.tmp, ID being that of the transaction in 16 hex
// digits. They lie in the directory of their target, or in the nearest one above that exists
// and that no step takes away. Looks do not see them (see package tree).
package journal
