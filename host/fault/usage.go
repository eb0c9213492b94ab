package fault

import "fmt"

// A UsageError says that the call was wrong: a path that does not exist, an unknown revision, a malformed glob. Other
// packages have errors of their own that carry a position; what they share is the method Usage.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Usage reports true: the call is wrong, not the repository and not the host.
func (e *UsageError) Usage() bool { return true }

// Usagef returns a *UsageError with a formatted message.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }
