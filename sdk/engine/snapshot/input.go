//go:build !wasip1

package snapshot

import (
	"time"

	"github.com/stategate/stategate/sdk/wire"
)

// A Kind says what lies at a path.
type Kind uint8

// The kinds of a file.
const (
	Regular Kind = iota
	Directory
	Symlink
	Special // a named pipe, socket or device
	BadName // a name that is not valid UTF-8; Path holds it with \xNN escapes
)

// A File is one document as a host read it: bytes, nothing interpreted.
type File struct {
	Path     string // below the root, slash-separated
	Kind     Kind
	Detail   string // for Symlink and Special: what it is, "named pipe"; after "; " the cure, if it is not to put a file there
	Size     int64  // bytes on disk
	Data     []byte // the bytes; nil if the manifest asks for Listed, or if TooLarge
	TooLarge bool   // over the host's limit even for a summary: Data was not read
	Ignored  bool   // git ignores it
	Spec     int    // index of the document spec that admits it
}

// An Input is what a host read of one instance. Build turns it into a Request.
type Input struct {
	Root    string
	Name    string
	Source  wire.Source
	Now     time.Time
	Options string // a JSON object, "" for none
	Files   []File // in any order
	Unseen  []string
	Answers []wire.Answer // to what the plugin asked for
	Base    InputBase
}

// InputBase is the same instance in an earlier revision.
type InputBase struct {
	State   wire.BaseState
	Root    string
	Files   []File
	Answers []wire.Answer
}
