// Package shell writes words of commands that are printed to be typed.
package shell

import (
	"runtime"
	"strings"
)

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:+"

// Word quotes a word for a POSIX shell, on Windows for PowerShell, if it must be quoted.
func Word(s string) string {
	if runtime.GOOS == "windows" {
		return powerShell(s)
	}
	if s != "" && s[0] != '~' && strings.Trim(s, plain+"@%,~^") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// powerShell quotes for PowerShell, to which typographic quotes are quotes, too. Nothing gets out of the quotes in a
// POSIX shell either.
func powerShell(s string) string {
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛").Replace(s) + "'"
}
