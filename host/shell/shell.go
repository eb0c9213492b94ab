// Package shell quotes words of printed commands that users type.
package shell

import (
	"runtime"
	"strings"
)

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:+"

// Word quotes a word for a POSIX shell, or for PowerShell on Windows, if it needs quoting.
func Word(s string) string {
	if runtime.GOOS == "windows" {
		return powerShell(s)
	}
	if s != "" && s[0] != '~' && strings.Trim(s, plain+"@%,~^") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// powerShell quotes for PowerShell, which also treats typographic quotes as quotes. The result is also safe in a
// POSIX shell.
func powerShell(s string) string {
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛").Replace(s) + "'"
}
