package tree

import (
	"io/fs"
)

// EntryOf returns the entry of a name in a work tree.
func EntryOf(name string, mode fs.FileMode) Entry {
	kind, detail := kindOf(mode)
	return Entry{Name: name, Kind: kind, Detail: detail}
}

// EntryOfGit returns the entry of a name that git has.
func EntryOfGit(name, mode, id string) Entry {
	kind, detail := kindOfGit(mode)
	return Entry{Name: name, Kind: kind, Detail: detail, ID: id}
}
