package snapshot

import (
	"fmt"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// notAFile returns the fault for an entry that is not a regular file.
func notAFile(f *File) wire.DocumentFault {
	found := f.Detail
	switch {
	case f.Kind == Directory:
		found = "a directory"
	case f.Kind == BadName:
		return wire.DocumentFault{
			Rule: wire.RuleUnreadable, Kind: faultName, Key: "name",
			Message: "the name is not valid UTF-8; rename the file",
		}
	case f.Kind == Symlink:
		return wire.DocumentFault{
			Rule: wire.RuleNotAFile, Kind: "link", Key: "kind",
			Message: "a document is expected here, found a symbolic link, which is never followed; put the file " +
				"itself here",
		}
	case found == "":
		found = "something that is not a regular file"
	case !strings.HasPrefix(found, "a "):
		found = "a " + found
	}
	if !strings.Contains(found, "; ") { // it includes its own fix
		found += "; replace it with a regular file"
	}
	return wire.DocumentFault{
		Rule: wire.RuleNotAFile, Kind: "special", Key: "kind",
		Message: "a document is expected here, found " + found,
	}
}

func tooLarge(given wire.Need, size int64, limit int) wire.DocumentFault {
	message := fmt.Sprintf("the document has %d bytes, which is too many to read", size)
	if given == wire.Summary {
		message = fmt.Sprintf("the document has %d bytes, the limit is %d: only its summary is read; make it smaller",
			size, limit)
	}
	return wire.DocumentFault{Rule: wire.RuleTooLarge, Kind: "size", Key: "size", Message: message}
}
