//go:build !unix

package private

import "io/fs"

// Modes and owners are no Unix ones here: the directory inherits the access list of the user's profile.
func writableByOthers(fs.FileInfo) bool { return false }

func ownedBy(fs.FileInfo, int) bool { return true }
