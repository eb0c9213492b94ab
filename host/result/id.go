package result

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// ID returns a digest of parts: short, so that a person can type it; callers put no line, message or
// time into it, so that it stays while the fault stays.
func ID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// RuleName returns the name of a rule without its workflow.
func RuleName(rule string) string {
	_, name, _ := strings.Cut(rule, "/")
	return name
}
