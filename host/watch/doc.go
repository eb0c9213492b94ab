// Package watch tells when something in a set of directories may have changed.
//
//  1. Set names the directories. It begins to watch them and takes that beginning
//     for a change: what happened before is known to nobody.
//  2. Wait returns when something may have changed and it is quiet again.
//  3. The caller looks, and gives Set the directories that this look read.
//
// Only that something happened is taken from the system, never what: names of events
// are wrong after a directory moved, and events get lost. So the caller looks at all
// again, and after every creation, removal or renaming the watches are made anew.
// Where the system refuses to watch, Wait returns at an interval, and Polling says
// why. A look that nothing asked for follows every minute in any case: network file
// systems tell nothing, and some findings depend on the clock.
package watch
