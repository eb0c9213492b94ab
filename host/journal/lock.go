package journal

import (
	"errors"
	"os"
	"time"
)

// patience is how long a lock is waited for. A process that was killed can hold it a
// moment longer: through a child that it had just begun to start. Two hooks that
// run at the same time need no more either.
const patience = time.Second

// waitFor takes the lock, or says ErrLocked when patience has ended.
func waitFor(f *os.File) error {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if err := lockFile(f); !errors.Is(err, ErrLocked) || time.Now().After(end) {
			return err
		}
	}
}
