// The build constraint keeps this package out of guests: importing it there fails to compile.

//go:build !wasip1

package snapshot

import (
	"time"

	"github.com/stategate/stategate/sdk/wire"
)

// A Kind is the kind of entry at a path.
type Kind uint8

// The values of Kind.
const (
	Regular Kind = iota
	Directory
	Symlink
	Special // a named pipe, socket or device
	BadName // a name that is not valid UTF-8; Path contains it with \xNN escapes
)

// A File is a document as a host read it, with uninterpreted content.
type File struct {
	Path string `json:",omitzero"` // relative to the root, slash-separated
	Kind Kind   `json:",omitzero"`
	// for Symlink and Special: the type of the entry, such as "named pipe"; "; " and the fix may follow, unless the
	// fix is to replace the entry with a file
	Detail   string `json:",omitzero"`
	Size     int64  `json:",omitzero"` // bytes on disk
	Data     []byte `json:",omitzero"` // nil if the manifest asks for Listed, or if TooLarge
	TooLarge bool   `json:",omitzero"` // over the host's limit even for a summary: Data was not read
	Ignored  bool   `json:",omitzero"` // git ignores it
	Spec     int    `json:",omitzero"` // index of the document spec that admits it
}

// An Input is everything that a host read for an instance. Build turns it into a Request.
type Input struct {
	Root     string        `json:",omitzero"`
	Name     string        `json:",omitzero"`
	Source   wire.Source   `json:",omitzero"`
	Now      time.Time     `json:",omitzero"`
	Options  string        `json:",omitzero"` // a JSON object; may be ""
	Files    []File        `json:",omitzero"` // in any order
	Unseen   []string      `json:",omitzero"`
	Answers  []wire.Answer `json:",omitzero"` // to the plugin's questions
	NoResume bool          `json:",omitzero"` // see wire.Request
	Patient  bool          `json:",omitzero"` // someone waits for remedies, so trying them may take longer
	Base     InputBase     `json:",omitzero"`
}

// InputBase is the same instance in an earlier revision.
type InputBase struct {
	State   wire.BaseState `json:",omitzero"`
	Root    string         `json:",omitzero"`
	Files   []File         `json:",omitzero"`
	Answers []wire.Answer  `json:",omitzero"`
}
