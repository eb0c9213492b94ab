package fault

import (
	"errors"
	"fmt"
)

// A UsageError says that the call was wrong: a path that does not exist, an
// unknown revision, a malformed glob.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Usagef returns a *UsageError with a formatted message.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Usage turns the errors of packages that know a wrong call into a *UsageError.
func Usage(err error) error {
	var wrong interface{ Usage() bool }
	if errors.As(err, &wrong) && wrong.Usage() {
		return Usagef("%v", err)
	}
	return err
}
