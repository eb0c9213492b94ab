// Package shell writes words of commands that are printed to be typed.
package shell

import "strings"

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:@%+,~^"

// Word quotes a word for a POSIX shell, if it must be quoted.
func Word(s string) string {
	if s != "" && s[0] != '~' && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
