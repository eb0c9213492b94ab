//go:build unix

package private

import (
	"io/fs"
	"os"
	"syscall"
)

func writableByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
