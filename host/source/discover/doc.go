// Package discover finds the instances of every plugin in one walk of a work tree.
//
//  1. Locate decides the workspace, the directory that every path in the output is relative to.
//  2. Find walks it once, level by level, and steps the roots of all plugins along.
//  3. A directory that matches a root and holds a marker is an instance.
//
// The walk goes around ".git", nested repositories and what git ignores, unless a root names what is ignored. What it
// went around, could not read or would have had to follow a link for, it reports.
package discover
