//go:build !wasip1

package instant

import "time"

// untilUnix is the number of seconds from the beginning of the year 1 to 1970.
const untilUnix = 62135596800

// Of converts a time.Time.
func Of(t time.Time) Time {
	return Time{sec: t.Unix() + untilUnix, nano: int64(t.Nanosecond())}
}

// Std converts the time to a time.Time in UTC.
func (t Time) Std() time.Time { return time.Unix(t.sec-untilUnix, t.nano).UTC() }
