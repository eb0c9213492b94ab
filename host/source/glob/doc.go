// Package glob matches paths against many globs at once, one name at a time.
//
// A walk that goes from a directory to its children carries a State and steps it by each child's name. So it knows
// not only what matches here but also whether anything below can match, which a matcher of whole paths cannot answer.
//
// The language is doublestar's: "*" and "?" stay within a name, "**" as a whole name stands for any number of
// directories (none included), "{a,b}" are alternatives, "[a-z]" is a class, "\" takes the meaning from the next
// character. A glob that ends in a slash mentions directories only.
package glob
